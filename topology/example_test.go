package topology_test

import (
	"encoding/json"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/numateam/numateam/topology"
)

func ExampleDetect() {
	m, err := topology.Detect()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(m) // the whole machine, as a tree
	fmt.Println("we may use CPUs", m.Allowed)
	for _, left := range m.LeftOut() {
		fmt.Println("and not", left.CPUs, "because of", left.Reason)
	}
}

// A hybrid processor of two fast cores and four slow ones, made up.
func ExampleParse() {
	m, err := topology.Parse("package:1 l3:1:12M core:2:1024 cpu:2 + l2:1:2M core:4:512")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(m)
	// Output:
	// 1 package, 6 cores, 8 CPUs, 1 node, 1 GiB
	// Package 0 + Node 0 (1 GiB) + L3 12 MiB: CPUs 0-7
	//   Core of class 1: CPUs 0 1
	//   Core of class 1: CPUs 2 3
	//   L2 2 MiB: CPUs 4-7
	//     Core of class 0: CPU 4
	//     Core of class 0: CPU 5
	//     Core of class 0: CPU 6
	//     Core of class 0: CPU 7
	// Class 0: CPUs 4-7, capacity 512 (description)
	// Class 1: CPUs 0-3, capacity 1024 (description)
}

// The files of another machine are enough to describe it.
func ExampleRead() {
	files := fstest.MapFS{
		"sys/devices/system/cpu/online":                  {Data: []byte("0-1\n")},
		"sys/devices/system/cpu/cpu0/topology/core_cpus": {Data: []byte("1\n")},
		"sys/devices/system/cpu/cpu1/topology/core_cpus": {Data: []byte("2\n")},
		"sys/devices/system/node/node0/cpulist":          {Data: []byte("0\n")},
		"sys/devices/system/node/node0/distance":         {Data: []byte("10 21\n")},
		"sys/devices/system/node/node2/cpulist":          {Data: []byte("1\n")},
		"sys/devices/system/node/node2/distance":         {Data: []byte("21 10\n")},
	}
	m, err := topology.Read(files, nil)
	if err != nil {
		log.Fatal(err)
	}
	far, err := m.Distance(0, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(m.Cores), "cores, nodes 0 and 2 are", far, "apart")
	_, err = m.Distance(0, 1)
	fmt.Println(err)
	// Output:
	// 2 cores, nodes 0 and 2 are 21 apart
	// topology: no node 1
}

func ExampleSet() {
	cpus, err := topology.ParseSet("0-3,8")
	if err != nil {
		log.Fatal(err)
	}
	half := topology.SetOf(2, 3, 4)
	fmt.Println(cpus.Union(half), "|", cpus.Intersect(half), "|", cpus.Difference(half))
	for id := range cpus.All() {
		fmt.Print(id, " ")
	}
	text, _ := json.Marshal(map[string]topology.Set{"cpus": cpus})
	fmt.Println(string(text))
	// Output:
	// 0-4,8 | 2-3 | 0-1,8
	// 0 1 2 3 8 {"cpus":"0-3,8"}
}
