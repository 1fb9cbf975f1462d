// OpenBLAS and plain C loops as peers of the BLAS-1 kernels: see peers.go for the protocol.
//
//   WHO OP TYPE N CALLS REPS FILE   WHO openblas (one thread), openblas-all (all CPUs) or gcc (one
//                                   thread); OP axpy, scale, dot or asum; TYPE float32 or float64
//   WHO accuracy N                  see below
//
// A figure is the seconds of one call of as many in a row. The operands are those of the driver, in a
// file that both have mapped: x begins at 64, and y at 192 behind the next multiple of 4,096 from
// the end of x on. axpy adds a millionth of x to y, scale negates y in place.
#include "../peer.h"
#include <cblas.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

char *openblas_get_corename(void);
int openblas_get_num_procs(void);
void openblas_set_num_threads(int);

// The start of a file of operands, which is mapped until another is asked for; NULL if it can't be.
static char *operands(const char *file) {
    static char *mem, name[1000];
    static size_t bytes;
    if (strcmp(name, file) == 0) return mem;
    if (mem) munmap(mem, bytes);
    mem = NULL, name[0] = 0;
    int fd = open(file, O_RDWR);
    if (fd < 0) return NULL;
    bytes = lseek(fd, 0, SEEK_END);
    void *got = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    close(fd);
    if (got == MAP_FAILED) return NULL;
    snprintf(name, sizeof name, "%s", file);
    return mem = got;
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
    static const char *run_##T(int openblas, const char *op, size_t n, int calls, int reps, char *mem) {                          \
        T *x = (T *)(mem + 64), *y = (T *)(mem + (64 + n * sizeof(T) + 4095) / 4096 * 4096 + 192);                                \
        volatile T sink = 0;                                                                                                      \
        for (size_t i = 0; i < n; i++) x[i] = 1, y[i] = 2;                                                                        \
        for (int r = 0; r <= reps; r++) { /* the first time unseen */                                                             \
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
            if (r > 0) peer_sample((peer_now() - start) / calls);                                                                 \
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
    float *x = malloc(n * sizeof(float)), *y = malloc(n * sizeof(float));
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
    free(x), free(y);
    return NULL;
}

static const char *run(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "accuracy") == 0) return accuracy(strcmp(argv[0], "gcc") != 0, strtoull(argv[2], NULL, 10));
    if (argc != 7) return "usage: WHO OP TYPE N CALLS REPS FILE, or WHO accuracy N";
    int openblas = strcmp(argv[0], "gcc") != 0;
    openblas_set_num_threads(strcmp(argv[0], "openblas-all") == 0 ? openblas_get_num_procs() : 1);
    size_t n = strtoull(argv[3], NULL, 10);
    int calls = atoi(argv[4]), reps = atoi(argv[5]);
    char *mem = operands(argv[6]);
    if (!mem) return "operands can't be mapped";
    return (strcmp(argv[2], "float32") == 0 ? run_float : run_double)(openblas, argv[1], n, calls, reps, mem);
}

int main(void) {
    static char name[100];
    snprintf(name, sizeof name, "OpenBLAS-%s gcc-%s", openblas_get_corename(), __VERSION__);
    return peer_serve(name, run);
}
