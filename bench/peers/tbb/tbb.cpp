// oneTBB as a peer: the launch latency of its parallel_for over one iteration per thread.
//
//   launch THREADS GAP_US COUNT     seconds of each of COUNT empty loops, GAP_US after one
//                                   another; then the CPU seconds
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <vector>

#include "../peer.h"

static const char *run(int argc, char **argv) {
    if (argc != 4 || strcmp(argv[0], "launch")) return "unknown request";
    int threads = atoi(argv[1]), count = atoi(argv[3]);
    long gap = (long)(atof(argv[2]) * 1e3);
    std::vector<double> seconds(count);
    double cpu = 0;
    std::atomic<int> ran{0};
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(threads);
    arena.execute([&] {
        auto each = [](auto body, int n) { tbb::parallel_for(0, n, 1, body, tbb::static_partitioner{}); };
        each([&](int) { ran++; }, threads);
        cpu = peer_clock(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < count; i++) {
            if (gap > 0) {
                struct timespec nap = {0, gap};
                nanosleep(&nap, NULL);
            }
            double start = peer_now();
            each([](int) { __asm__ volatile("" ::: "memory"); }, threads);
            seconds[i] = peer_now() - start;
        }
        cpu = peer_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    });
    if (ran != threads) return "not all iterations ran";
    for (double s : seconds) peer_sample(s);
    peer_sample(cpu);
    return nullptr;
}

int main() { return peer_serve("oneTBB", run); }
