package numa

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/numateam/numateam/topology"
	"golang.org/x/sys/unix"
)

// The system calls that golang.org/x/sys has no wrapper for.

// mbind sets the policy of the n bytes at p, which are whole pages.
func mbind(p unsafe.Pointer, n uintptr, m mode, nodes topology.Set) error {
	mask, maxnode := nodeMask(nodes)
	_, _, e := unix.Syscall6(unix.SYS_MBIND, uintptr(p), n, uintptr(m), uintptr(unsafe.Pointer(unsafe.SliceData(mask))), maxnode, 0)
	return result(e)
}

// movePages moves pages to the nodes, or where nodes is nil only asks; status
// gets each page's node, or a negated error.
func movePages(pages []uintptr, nodes, status []int32) error {
	const moveOwn = 2 // MPOL_MF_MOVE: only pages that no other process maps
	_, _, e := unix.Syscall6(unix.SYS_MOVE_PAGES, 0, uintptr(len(pages)), uintptr(unsafe.Pointer(unsafe.SliceData(pages))),
		uintptr(unsafe.Pointer(unsafe.SliceData(nodes))), uintptr(unsafe.Pointer(unsafe.SliceData(status))), moveOwn)
	return result(e)
}

// getMempolicy returns the memory policy of the calling thread.
func getMempolicy() (mode, topology.Set, error) {
	var m int32
	mask := make([]uintptr, 1<<16/wordBits) // more nodes than any kernel is built for
	_, _, e := unix.Syscall6(unix.SYS_GET_MEMPOLICY, uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(&mask[0])), uintptr(len(mask)*wordBits), 0, 0, 0)
	var nodes topology.Set
	for i, w := range mask {
		for b := range wordBits {
			if w>>b&1 != 0 {
				nodes = nodes.With(i*wordBits + b)
			}
		}
	}
	return mode(m), nodes, result(e)
}

// Getcpu returns the CPU that the caller runs on and that CPU's node; -1 and -1
// if the system doesn't say. It is a plain system call, of about 0.1 µs: enough
// for now and then, too dear for each element.
func Getcpu() (cpu, node int) {
	var c, n uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&c)), uintptr(unsafe.Pointer(&n)), 0); e != 0 {
		return -1, -1
	}
	return int(c), int(n)
}

func result(e unix.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}

func setPolicy(p unsafe.Pointer, n uintptr, m mode, nodes topology.Set) error {
	if err := support().Place; err != nil {
		return err
	}
	return mbind(p, n, m, nodes)
}

// query sets status to the pages' nodes, Untouched or Unknown.
func query(pages []uintptr, status []int32) error {
	if err := movePages(pages, nil, status); err != nil {
		return err
	}
	for i, s := range status[:len(pages)] {
		switch s {
		case -int32(unix.ENOENT), -int32(unix.EFAULT):
			// No page, or the zero page that reading an untouched one gives.
			status[i] = Untouched
		default:
			status[i] = max(s, Unknown)
		}
	}
	return nil
}

// probe tries the calls on a page of its own.
func probe() Capabilities {
	c := Capabilities{Page: int(basePage), HugePage: int(transparentPage()), Explicit: int(explicitPage())}
	c.Transparent = chosen(read("/sys/kernel/mm/transparent_hugepage/enabled"))
	c.Balancing = read("/proc/sys/kernel/numa_balancing") == "1"
	c.Reserved = number(read("/proc/sys/vm/nr_hugepages"))
	if m, err := thisMachine(); err == nil {
		c.Nodes = usable(onlineNodes(m), memoryNodes(m), m.AllowedNodes)
	}
	p, err := mmap(basePage, 0)
	if err != nil {
		c.Place, c.Query = err, err
		return c
	}
	defer unmapPages(p, basePage)
	c.Place = mbind(p, basePage, modeDefault, topology.Set{})
	if md, nodes, err := getMempolicy(); err == nil && md != modeDefault {
		c.Process = md.String()
		if !nodes.IsEmpty() {
			c.Process += ":" + nodes.String()
		}
	}
	c.Query = query([]uintptr{uintptr(p)}, make([]int32, 1))
	return c
}

func advise(p unsafe.Pointer, n uintptr, huge HugePages) {
	advice := unix.MADV_HUGEPAGE
	switch page := transparentPage(); {
	case page == 0:
		return
	case huge == HugeNever:
		advice = unix.MADV_NOHUGEPAGE
	case n < page:
		return
	}
	unix.Madvise(unsafe.Slice((*byte)(p), n), advice)
}

func collapse(p unsafe.Pointer, n uintptr) error {
	return unix.Madvise(unsafe.Slice((*byte)(p), n), unix.MADV_COLLAPSE)
}

// transparentPage returns the size of transparent huge pages; 0: there are none.
var transparentPage = sync.OnceValue(func() uintptr {
	return uintptr(number(read("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")))
})

// explicitPage returns the default size of explicit huge pages; 0: there are none.
var explicitPage = sync.OnceValue(func() uintptr {
	return uintptr(meminfo(read("/proc/meminfo"), "Hugepagesize"))
})

func mapExplicit(n, page uintptr) (unsafe.Pointer, error) {
	if page == 0 {
		return nil, unix.ENOSYS
	}
	return mmap(n, unix.MAP_HUGETLB)
}

// nodeRoom returns how many bytes of a node can be had in pages of the given
// size: for base pages those that are free, and half of what holds files and
// could be dropped.
func nodeRoom(node int, page uintptr) uint64 {
	dir := "/sys/devices/system/node/node" + strconv.Itoa(node)
	if page > basePage {
		return uint64(page) * uint64(number(read(dir+"/hugepages/hugepages-"+strconv.Itoa(int(page>>10))+"kB/free_hugepages")))
	}
	info := read(dir + "/meminfo")
	return meminfo(info, "MemFree") + (meminfo(info, "Active(file)")+meminfo(info, "Inactive(file)"))/2
}

// meminfo returns the bytes that text in the format of /proc/meminfo gives for
// key; 0 if it isn't there.
func meminfo(text, key string) uint64 {
	for line := range strings.Lines(text) {
		if _, value, ok := strings.Cut(line, key+":"); ok {
			kib, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kib << 10
		}
	}
	return 0
}

// chosen returns the word in brackets: "madvise" of "always [madvise] never".
func chosen(text string) string {
	_, text, _ = strings.Cut(text, "[")
	text, _, _ = strings.Cut(text, "]")
	return text
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// read returns a small file's text without space around it; "" if there's none.
func read(file string) string {
	b, _ := os.ReadFile(file)
	return strings.TrimSpace(string(b))
}
