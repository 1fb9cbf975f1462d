// The work of the parallel scenarios, the same as bench/scenarios.go does it: a task
// runs `work` turns, each one step of a chain of multiplications, or, memory-bound, one
// cache line read from a 400 MB buffer at a place of the task's own.
#ifndef NUMATEAM_SCENARIO_H
#define NUMATEAM_SCENARIO_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// Lines that the tasks' places are spread over, and those of the longest task beyond.
enum { SCENARIO_LINES = 400000000 / 64, SCENARIO_LONGEST = 32768 };

struct scenario {
    int work, tasks, memory;
};

static uint64_t *scenario_buffer;

// Asks for huge pages as numateam's own arrays do, so that no side is slowed down by
// page faults alone.
static inline void peer_huge(void *p, size_t bytes) {
#ifdef MADV_HUGEPAGE
    (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
}

static inline int scenario_prepare(const struct scenario *s) {
    if (!s->memory || scenario_buffer) return 1;
    size_t bytes = (size_t)(SCENARIO_LINES + SCENARIO_LONGEST) * 64;
    if (posix_memalign((void **)&scenario_buffer, 2 << 20, bytes)) return 0;
    peer_huge(scenario_buffer, bytes);
    for (size_t i = 0; i < bytes / 8; i++) scenario_buffer[i] = i;
    return 1;
}

static inline uint64_t scenario_task(const struct scenario *s, int task) {
    uint64_t v = (uint64_t)task;
    if (s->memory) {
        const uint64_t *line = scenario_buffer + (size_t)task * (SCENARIO_LINES / 256) * 8;
        for (int i = 0; i < s->work; i++) v += line[i * 8];
        return v;
    }
    for (int i = 0; i < s->work; i++) v = v * 6364136223846793005u + 1442695040888963407u;
    return v;
}

#endif
