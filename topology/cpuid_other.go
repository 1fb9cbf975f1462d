//go:build !(linux && amd64)

package topology

func liveCPUID(Set) cpuidFunc {
	return func(*files, int) (cpuidDump, bool) { return cpuidDump{}, false }
}
