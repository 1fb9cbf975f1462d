// OpenMP as a peer: launches, the parallel scenarios, and STREAM-like loops. Built by
// gcc it measures libgomp, by clang libomp; with -DSTREAMING the fill uses clang's
// non-temporal stores.
//
//   launch THREADS GAP_US COUNT     seconds of each of COUNT empty parallel regions, GAP_US
//                                   after one another; then the CPU seconds
//   fill N REPS, saxpy N REPS       seconds of each repetition over arrays that the threads
//                                   touched first
//   scenario WORK TASKS MEMORY CALLERS SAMPLES
//                                   seconds of each loop of TASKS iterations: see scenario()
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

#include "../peer.h"
#include "scenario.h"

#define MAX_SAMPLES 100000

static double samples[MAX_SAMPLES];

static const char *launch(int threads, double gap, int count) {
    if (count > MAX_SAMPLES) return "too many launches";
    omp_set_num_threads(threads);
    int ran = 0;
#pragma omp parallel reduction(+ : ran)
    ran++;
    if (ran != threads) return "not all threads took part";
    double cpu = peer_clock(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < count; i++) {
        if (gap > 0) {
            struct timespec nap = {0, (long)(gap * 1e9)};
            nanosleep(&nap, NULL);
        }
        double start = peer_now();
#pragma omp parallel
        __asm__ volatile("" ::: "memory");
        samples[i] = peer_now() - start;
    }
    cpu = peer_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    for (int i = 0; i < count; i++) peer_sample(samples[i]);
    peer_sample(cpu);
    return NULL;
}

// ---- STREAM-like loops ----

static float *x, *y;
static long size;

static void fill(float *restrict dst, float v, long n) {
#ifdef STREAMING
    typedef float vec __attribute__((vector_size(64)));
    vec vv = v - (vec){};
    long vectors = n / 16;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < vectors; i++) __builtin_nontemporal_store(vv, (vec *)dst + i);
    for (long i = vectors * 16; i < n; i++) dst[i] = v;
#else
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < n; i++) dst[i] = v;
#endif
}

static void saxpy(float a, const float *restrict src, float *restrict dst, long n) {
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < n; i++) dst[i] += a * src[i];
}

static const char *stream(const char *op, long n, int reps) {
    if (n != size) {
        free(x);
        free(y);
        x = y = NULL;
        size = 0;
        size_t bytes = ((size_t)n * sizeof(float) + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1);
        if (posix_memalign((void **)&x, 2 << 20, bytes) || posix_memalign((void **)&y, 2 << 20, bytes)) return "no memory";
        peer_huge(x, bytes);
        peer_huge(y, bytes);
        size = n;
    }
    fill(x, 1, n);
    fill(y, 2, n);
    float want = strcmp(op, "fill") == 0 ? 3 : 2 + 0.5f * (float)reps;
    for (int r = 0; r < reps; r++) {
        double start = peer_now();
        if (strcmp(op, "fill") == 0)
            fill(y, 3, n);
        else
            saxpy(0.5f, x, y, n);
        peer_sample(peer_now() - start);
    }
    for (long i = 0; i < n; i++)
        if (y[i] != want) return "wrong result";
    return NULL;
}

// ---- parallel scenarios ----

struct caller {
    struct scenario s;
    int count;
    double *seconds;
    uint64_t sum;
};

static void *call(void *p) {
    struct caller *c = p;
    for (int i = -1; i < c->count; i++) {
        uint64_t sum = 0;
        double start = peer_now();
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
        for (int t = 0; t < c->s.tasks; t++) sum += scenario_task(&c->s, t);
        if (i >= 0) c->seconds[i] = peer_now() - start;
        c->sum = sum;
    }
    return NULL;
}

static const char *scenario(struct scenario s, int callers, int count) {
    if (callers < 1 || callers > 64 || (long)callers * count > MAX_SAMPLES) return "too many callers or samples";
    if (!scenario_prepare(&s)) return "no memory";
    struct caller c[64];
    pthread_t thread[64];
    for (int i = 0; i < callers; i++) {
        c[i] = (struct caller){s, count, samples + (long)i * count, 0};
        if (i > 0 && pthread_create(&thread[i], NULL, call, &c[i])) return "no thread";
    }
    call(&c[0]);
    for (int i = 1; i < callers; i++) pthread_join(thread[i], NULL);
    uint64_t want = 0;
    for (int t = 0; t < s.tasks; t++) want += scenario_task(&s, t);
    for (int i = 0; i < callers; i++)
        if (c[i].sum != want) return "wrong result";
    for (int i = 0; i < callers * count; i++) peer_sample(samples[i]);
    return NULL;
}

static const char *run(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[0], "launch")) return launch(atoi(argv[1]), atof(argv[2]) * 1e-6, atoi(argv[3]));
    if (argc == 3 && (!strcmp(argv[0], "fill") || !strcmp(argv[0], "saxpy"))) return stream(argv[0], atol(argv[1]), atoi(argv[2]));
    if (argc == 6 && !strcmp(argv[0], "scenario"))
        return scenario((struct scenario){atoi(argv[1]), atoi(argv[2]), atoi(argv[3])}, atoi(argv[4]), atoi(argv[5]));
    return "unknown request";
}

int main(void) {
#ifdef __clang__
    return peer_serve("libomp", run);
#else
    return peer_serve("libgomp", run);
#endif
}
