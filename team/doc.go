// Package team runs loops over large arrays on pinned threads, each worker on the
// part of the array that lies on its own NUMA node.
//
//	t, err := team.New(&team.Options{Placement: team.NUMA})
//	if err != nil { ... }
//	defer t.Close()
//	x, err := team.Make[float64](t, n) // each worker's block lies on its node
//	t.Launch(team.Launch{Grain: 4096, Over: team.Over(x.Slice())}, n, func(lo, hi int) {
//		for i := lo; i < hi; i++ { x.Slice()[i] = f(i) }
//	})
//
// A team is one worker per core, or as many as the affinity mask, the cgroup's
// quota and GOMAXPROCS let run at once. The goroutine that launches is one of
// them. A launch of n indices gives each worker a block of [0, n). Under Static the
// owner of a block runs it, and the caller takes it over from an owner that is
// late. Under Steal every idle participant helps, but not before an owner that has
// yet to start had its chance to touch its own pages. Auto picks.
//
// # What to expect
//
//   - The body must not wait for another range of the same launch: one CPU may run
//     them one after the other.
//   - A launch on a busy team runs serially where it is asked for; nothing waits,
//     so nothing can deadlock.
//   - Which CPU runs which index is not promised; which worker owns it is: block
//     bounds depend on n, the grain, the number of participants and the classes of
//     their cores alone.
//   - A launch of few indices, or of little work, involves few workers, and leaves
//     those asleep who aren't worth waking. The team learns that by timing launches
//     of one body, grain and order of magnitude of n.
//   - Workers spin for at least 50 µs after a launch, at most 20 ms, and then sleep.
//     A team that is launched without pause occupies its CPUs: other goroutines
//     then wait for the scheduler to make room, 20 to 40 ms on a machine with two
//     CPUs. Leave a CPU free (Options.Workers) where that matters.
//   - On a hybrid machine the slower cores get smaller blocks, and none where the
//     faster would be done sooner on their own.
//   - A child process inherits the affinity of the thread that starts it: one that
//     is started from a body runs on that worker's CPU. Start it elsewhere.
//
// Linux binds threads and sleeps by futex. Elsewhere workers aren't bound, sleep on
// a channel, and the report says so.
//
// README.md in this directory has the launch protocol with the argument why it
// holds, which the checker (build tag teamcheck) tries in all interleavings.
package team
