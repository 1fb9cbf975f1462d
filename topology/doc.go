// Package topology tells what a machine is made of, and what of it the process
// may use: CPUs, cores, packages, caches, NUMA nodes and core classes.
package topology
