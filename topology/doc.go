// Package topology tells what a machine is made of, and what of it the process may
// use: CPUs, cores, packages, caches, NUMA nodes and core classes.
//
// [Detect] describes the running machine, [Read] one whose files were recorded,
// [Parse] one that is made up. On Linux all comes from these files, in this order of
// trust:
//
//   - CPUs: the folders cpuN in sys/devices/system/cpu exist; those in the file
//     online are online. Without that file, a CPU is online unless its own file
//     online says 0.
//   - Cores: core_cpus_list or thread_siblings_list. A core's number, core_id, isn't
//     used: it repeats. A CPU that is in no list is a core of its own.
//   - Packages: package_cpus_list or core_siblings_list, else the number
//     physical_package_id. CPUs without either are one package.
//   - Dies and clusters: die_cpus_list and cluster_cpus_list, where they divide
//     packages into sets of several cores.
//   - Nodes: the folders in sys/devices/system/node, with cpulist, meminfo and
//     distance. Without them node 0 has all CPUs and the memory of proc/meminfo. A
//     matrix of distances that isn't square is unknown. The CPUs local to a node
//     without CPUs are those of its best initiators or, without such, of the nearest
//     nodes.
//   - Caches: the folders cache/index*, else CPUID. Nothing there is an error: what
//     makes no sense is unknown, and what contradicts itself is left out. On a machine
//     of over 256 CPUs where nothing tells the cores apart, the first one is an example
//     for the caches of the others.
//   - Classes: the kind of core that a hybrid processor names (the files cpu_core/cpus,
//     cpu_atom/cpus and cpu_lowpower/cpus in sys/devices, else CPUID) and then the
//     first of cpu_capacity, acpi_cppc/highest_perf and cpufreq/cpuinfo_max_freq that
//     tells cores apart. Cores that differ by less than an eighth are of one class. On a
//     machine of over 256 CPUs the first core of a package speaks for all of it.
//   - Allowed: the affinity mask, the cpuset and Online have it in common. The cpuset
//     is that of the process's control group, of version 1, 2 or both, or of the older
//     cpuset file system. The quota is the least one of its group and those above.
//
// A file that can't be read counts as missing, for whatever reason but a process's
// or the system's having no file descriptors left: that's an error. If there are no
// CPUs in sysfs at all, the affinity mask makes a flat machine, marked as a guess.
//
// On macOS the performance levels make classes, but CPUs can't be told apart: the
// order of ids is assumed. On Windows a CPU's id is 64 times its group's number plus
// its number in the group. Elsewhere the machine is flat and a guess.
package topology
