package topology

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32                 = windows.NewLazySystemDLL("kernel32.dll")
	procProcessorInformation = kernel32.NewProc("GetLogicalProcessorInformationEx")
	procAvailableMemory      = kernel32.NewProc("GetNumaAvailableMemoryNodeEx")
	procMemoryStatus         = kernel32.NewProc("GlobalMemoryStatusEx")
	procGroupAffinity        = kernel32.NewProc("GetProcessGroupAffinity")
	procAffinityMask         = kernel32.NewProc("GetProcessAffinityMask")
)

func detect() (*Machine, error) {
	const relationAll, relationNodeEx = 0xffff, 6
	records, err := processorInformation(relationAll)
	if err != nil {
		m := flat(firstIDs(runtime.NumCPU()))
		m.Arch, m.Live = runtime.GOARCH, true
		return m, nil
	}
	// Nodes of several groups are only told in full when asked for by themselves.
	if nodes, err := processorInformation(relationNodeEx); err == nil {
		records = append(records, nodes...)
	}
	m, err := winMachine(records, int(unsafe.Sizeof(uintptr(0))))
	if err != nil {
		return nil, err
	}
	m.Arch, m.Live = runtime.GOARCH, true
	for i := range m.Nodes {
		procAvailableMemory.Call(uintptr(m.Nodes[i].ID), uintptr(unsafe.Pointer(&m.Nodes[i].Free)))
	}
	m.Memory = totalMemory()
	if len(m.Nodes) == 1 {
		m.Nodes[0].Memory = m.Memory
	}
	if allowed := processAffinity(); allowed.Intersects(m.Online) {
		m.affinity = allowed
		m.Allowed = allowed.Intersect(m.Online)
	}
	return m, nil
}

// processorInformation returns the records of a relation.
func processorInformation(relation uintptr) ([]byte, error) {
	for size := uint32(1 << 12); ; {
		buf := make([]byte, size)
		ok, _, err := procProcessorInformation.Call(relation, uintptr(unsafe.Pointer(&buf[0])), uintptr(unsafe.Pointer(&size)))
		if ok != 0 {
			return buf[:size], nil
		}
		if err != windows.ERROR_INSUFFICIENT_BUFFER || int(size) <= len(buf) {
			return nil, err
		}
	}
}

// totalMemory returns the machine's memory in bytes, or 0.
func totalMemory() uint64 {
	var status struct {
		length, load                                             uint32
		total, free, totalPage, freePage, totalVirtual, freeVirt uint64
		freeExtended                                             uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	if ok, _, _ := procMemoryStatus.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return status.total
}

// processAffinity returns the CPUs of the process's affinity mask, or the empty set if
// the process has CPUs of several groups: then it's not restricted by a mask.
func processAffinity() Set {
	self := uintptr(windows.CurrentProcess())
	group, count := uint16(0), uint16(1)
	if ok, _, _ := procGroupAffinity.Call(self, uintptr(unsafe.Pointer(&count)), uintptr(unsafe.Pointer(&group))); ok == 0 {
		return Set{}
	}
	var mask, system uintptr
	if ok, _, _ := procAffinityMask.Call(self, uintptr(unsafe.Pointer(&mask)), uintptr(unsafe.Pointer(&system))); ok == 0 {
		return Set{}
	}
	var s Set
	for bit := range 64 {
		if uint64(mask)>>bit&1 == 1 {
			s.add(64*int(group) + bit)
		}
	}
	return s
}
