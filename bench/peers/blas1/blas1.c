// OpenBLAS and plain C loops as peers of the BLAS-1 kernels: see peers.go for the protocol.
//
//   WHO OP TYPE N CALLS REPS    WHO openblas (one thread), openblas-all (all CPUs) or gcc (one
//                               thread); OP axpy, scale, dot or asum; TYPE float32 or float64
//   WHO accuracy N              see below
//
// A figure is the seconds of one call of as many in a row. x begins at 64 and y at 192 modulo
// 4,096, as on our side. axpy adds a millionth of x to y, scale negates y in place.
#include "../peer.h"
#include <cblas.h>
#include <math.h>
#include <stdint.h>

char *openblas_get_corename(void);
int openblas_get_num_procs(void);
void openblas_set_num_threads(int);

// n elements from a multiple of 4,096 on, moved by offset bytes. They last until a request of another size.
static void *at(int which, size_t n, size_t size, size_t offset) {
    static char *mem[2];
    static size_t have[2];
    size_t bytes = (n * size + offset + 8191) / 4096 * 4096;
    if (bytes != have[which]) {
        free(mem[which]);
        mem[which] = aligned_alloc(4096, bytes);
        have[which] = bytes;
    }
    return mem[which] + offset;
}

// The loops that gcc compiles, noipa so that it knows no operand; the pragma lets it reorder the sums.
#define TYPED(T, p, ABS)                                                                                                          \
    static __attribute__((noipa)) void axpy_##T(size_t n, T a, const T *restrict x, T *restrict y) {                           \
        for (size_t i = 0; i < n; i++) y[i] += a * x[i];                                                                          \
    }                                                                                                                             \
    static __attribute__((noipa)) void scale_##T(size_t n, T a, T *y) {                                                        \
        for (size_t i = 0; i < n; i++) y[i] *= a;                                                                                 \
    }                                                                                                                             \
    static __attribute__((noipa)) T dot_##T(size_t n, const T *x, const T *y) {                                                \
        T sum = 0;                                                                                                                \
        _Pragma("omp simd reduction(+ : sum)") for (size_t i = 0; i < n; i++) sum += x[i] * y[i];                                 \
        return sum;                                                                                                               \
    }                                                                                                                             \
    static __attribute__((noipa)) T asum_##T(size_t n, const T *x) {                                                           \
        T sum = 0;                                                                                                                \
        _Pragma("omp simd reduction(+ : sum)") for (size_t i = 0; i < n; i++) sum += ABS(x[i]);                                   \
        return sum;                                                                                                               \
    }                                                                                                                             \
    static const char *run_##T(int openblas, const char *op, size_t n, int calls, int reps) {                                     \
        T *x = at(0, n, sizeof(T), 64), *y = at(1, n, sizeof(T), 192);                                                            \
        volatile T sink = 0;                                                                                                      \
        for (size_t i = 0; i < n; i++) x[i] = 1, y[i] = 2;                                                                        \
        for (int r = 0; r < reps; r++) {                                                                                          \
            double start = peer_now();                                                                                            \
            if (strcmp(op, "axpy") == 0)                                                                                          \
                for (int c = 0; c < calls; c++) openblas ? cblas_##p##axpy(n, 1e-6, x, 1, y, 1) : axpy_##T(n, 1e-6, x, y);        \
            else if (strcmp(op, "scale") == 0)                                                                                    \
                for (int c = 0; c < calls; c++) openblas ? cblas_##p##scal(n, -1, y, 1) : scale_##T(n, -1, y);                    \
            else if (strcmp(op, "dot") == 0)                                                                                      \
                for (int c = 0; c < calls; c++) sink = openblas ? cblas_##p##dot(n, x, 1, y, 1) : dot_##T(n, x, y);               \
            else if (strcmp(op, "asum") == 0)                                                                                     \
                for (int c = 0; c < calls; c++) sink = openblas ? cblas_##p##asum(n, x, 1) : asum_##T(n, x);                      \
            else                                                                                                                  \
                return "unknown operation";                                                                                       \
            peer_sample((peer_now() - start) / calls);                                                                            \
        }                                                                                                                         \
        double want = strcmp(op, "dot") == 0 ? 2.0 * n : strcmp(op, "asum") == 0 ? n : 0;                                         \
        for (size_t i = 1; i < n; i++)                                                                                            \
            if (y[i] != y[0]) return "elements differ";                                                                           \
        if (sizeof(T) == 4 && n > 1 << 24) return NULL; /* too many ones for a float32 to count: see accuracy */                  \
        return fabs(sink - want) <= 1e-3 * want ? NULL : "wrong sum";                                                             \
    }
TYPED(float, s, fabsf)
TYPED(double, d, fabs)

// Gives the relative errors of sasum and sdot over n pairs of random float32 in [0, 1), which are
// those of the driver (xorshift; Marsaglia, 2003).
static const char *accuracy(int openblas, size_t n) {
    float *x = at(0, n, sizeof(float), 64), *y = at(1, n, sizeof(float), 192);
    uint64_t state = 1;
    double sum = 0, dot = 0;
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            (k ? y : x)[i] = (float)(state >> 40) / (1 << 24);
        }
        sum += x[i], dot += (double)x[i] * y[i];
    }
    peer_sample(fabs((openblas ? cblas_sasum(n, x, 1) : asum_float(n, x)) / sum - 1));
    peer_sample(fabs((openblas ? cblas_sdot(n, x, 1, y, 1) : dot_float(n, x, y)) / dot - 1));
    return NULL;
}

static const char *run(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "accuracy") == 0) return accuracy(strcmp(argv[0], "gcc") != 0, strtoull(argv[2], NULL, 10));
    if (argc != 6) return "usage: WHO OP TYPE N CALLS REPS, or WHO accuracy N";
    int openblas = strcmp(argv[0], "gcc") != 0;
    openblas_set_num_threads(strcmp(argv[0], "openblas-all") == 0 ? openblas_get_num_procs() : 1);
    size_t n = strtoull(argv[3], NULL, 10);
    int calls = atoi(argv[4]), reps = atoi(argv[5]);
    return (strcmp(argv[2], "float32") == 0 ? run_float : run_double)(openblas, argv[1], n, calls, reps);
}

int main(void) {
    static char name[100];
    snprintf(name, sizeof name, "OpenBLAS-%s gcc-%s", openblas_get_corename(), __VERSION__);
    return peer_serve(name, run);
}
