package topology

import "runtime"

func cpuid(leaf, sub uint32) [4]uint32
func xgetbv() uint64

// liveCPUID runs CPUID on each CPU of the affinity mask, when it's first asked for one.
func liveCPUID(affinity Set) cpuidFunc {
	var dumps map[int]cpuidDump
	return func(_ *files, cpu int) (cpuidDump, bool) {
		if cpu == anyCPU {
			return dumpCPUID(cpuid, xgetbv), true
		}
		if dumps == nil {
			dumps = dumpCPUs(affinity)
		}
		d, ok := dumps[cpu]
		return d, ok
	}
}

// dumpCPUs visits the CPUs on one thread. If the thread can't get its mask back, it
// stays locked and ends with its goroutine: a narrow mask must not reach other
// goroutines.
func dumpCPUs(affinity Set) map[int]cpuidDump {
	dumps := map[int]cpuidDump{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		for id := range affinity.All() {
			if setAffinity(SetOf(id)) == nil {
				dumps[id] = dumpCPUID(cpuid, xgetbv)
			}
		}
		if setAffinity(affinity) == nil {
			runtime.UnlockOSThread()
		}
	}()
	<-done
	return dumps
}
