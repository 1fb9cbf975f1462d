// OpenBLAS as a peer: see peers.go for the protocol. Matrices are square, row-major and contiguous,
// with elements between -1 and 1.
//
//   dgemm N THREADS REPS     C = A*B, likewise sgemm
//   dgetrf N THREADS REPS    LU factors, in place (column-major, which costs the same)
//   dgemvn, dgemvt N THREADS REPS     y = A*x, A'*x, likewise sgemvn, sgemvt
//   dger N THREADS REPS      A += x*y'
//   daxpy, ddot, dnrm2, dasum, dscal, dcopy, dswap, drot, idamax N THREADS REPS     likewise with s
//
// Short routines are repeated within a measurement, those of levels 1 and 2 until it lasts a tenth of
// a millisecond; a figure is always the seconds of one.
#include "../peer.h"
#include <cblas.h>
#include <math.h>

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
char *openblas_get_corename(void);

// Numbers of a linear congruential generator (Knuth's MMIX), between -1 and 1.
static double next(unsigned long *state) {
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(long)(*state) * 0x1p-63;
}

static void *room(size_t elements, size_t size) {
    return aligned_alloc(64, (elements * size + 63) / 64 * 64);
}

// How many calls with operands of so many elements are made between looks at the clock.
// (The look takes as long as a short dot.)
static int calls(size_t elements) { return elements < 32768 ? 32768 / elements : 1; }

#define TYPED(T, p, eps)                                                                                                          \
    static T *T##s(size_t n, unsigned long seed) {                                                                                \
        T *x = room(n, sizeof *x);                                                                                                \
        for (size_t i = 0; i < n; i++) x[i] = (T)next(&seed);                                                                     \
        return x;                                                                                                                 \
    }                                                                                                                             \
    /* Is c*e = a*(b*e) for e = (1, -1, 1 ...)? */                                                                                \
    static int T##_product_right(int n, const T *a, const T *b, const T *c) {                                                     \
        double *be = room(n, sizeof *be);                                                                                         \
        int right = 1;                                                                                                            \
        for (int i = 0; i < n; i++) {                                                                                             \
            be[i] = 0;                                                                                                            \
            for (int j = 0; j < n; j++) be[i] += (j % 2 ? -1 : 1) * (double)b[(size_t)i * n + j];                                 \
        }                                                                                                                         \
        for (int i = 0; i < n; i++) {                                                                                             \
            double want = 0, got = 0;                                                                                             \
            for (int j = 0; j < n; j++) {                                                                                         \
                want += a[(size_t)i * n + j] * be[j];                                                                             \
                got += (j % 2 ? -1 : 1) * (double)c[(size_t)i * n + j];                                                           \
            }                                                                                                                     \
            right &= fabs(want - got) <= eps * n * n;                                                                             \
        }                                                                                                                         \
        free(be);                                                                                                                 \
        return right;                                                                                                             \
    }                                                                                                                             \
    static const char *p##gemm(int n, int reps) {                                                                                 \
        size_t nn = (size_t)n * n;                                                                                                \
        T *a = T##s(nn, 1), *b = T##s(nn, 2), *c = T##s(nn, 3);                                                                   \
        for (int r = 0; r < reps; r++) {                                                                                          \
            double start = peer_now();                                                                                            \
            for (int i = 0; i < calls(nn); i++)                                                                                   \
                cblas_##p##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);                      \
            peer_sample((peer_now() - start) / calls(nn));                                                                        \
        }                                                                                                                         \
        int right = T##_product_right(n, a, b, c);                                                                                \
        free(a), free(b), free(c);                                                                                                \
        return right ? NULL : "wrong product";                                                                                    \
    }                                                                                                                             \
    static const char *p##level2(const char *op, int n, int reps) {                                                               \
        size_t nn = (size_t)n * n;                                                                                                \
        T *a = T##s(nn, 1), *x = T##s(n, 2), *y = T##s(n, 3);                                                                     \
        double start = 0;                                                                                                         \
        int ger = strcmp(op, "ger") == 0, transposed = strcmp(op, "gemvt") == 0;                                                  \
        for (int r = 0; r < reps; r++) {                                                                                          \
            int times = 0;                                                                                                        \
            start = peer_now();                                                                                                   \
            do {                                                                                                                  \
                if (ger)                                                                                                          \
                    cblas_##p##ger(CblasRowMajor, n, n, (T)1e-3, x, 1, y, 1, a, n);                                               \
                else                                                                                                              \
                    cblas_##p##gemv(CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, n, n, 1, a, n, x, 1, 0, y, 1);         \
                times++;                                                                                                          \
            } while (times % calls(nn) || peer_now() - start < 1e-4);                                                             \
            peer_sample((peer_now() - start) / times);                                                                            \
        }                                                                                                                         \
        int right = 1;                                                                                                            \
        for (int i = 0; i < n && !ger; i++) {                                                                                     \
            double want = 0;                                                                                                      \
            for (int j = 0; j < n; j++) want += (double)(transposed ? a[(size_t)j * n + i] : a[(size_t)i * n + j]) * x[j];        \
            right &= fabs(want - y[i]) <= eps * n;                                                                                \
        }                                                                                                                         \
        free(a), free(x), free(y);                                                                                                \
        return right ? NULL : "wrong product";                                                                                    \
    }                                                                                                                             \
    static const char *p##level1(const char *op, int n, int reps) {                                                               \
        T *x = T##s(n, 1), *y = T##s(n, 2);                                                                                       \
        volatile double sink = 0;                                                                                                 \
        const char *wrong = NULL;                                                                                                 \
        for (int r = 0; r < reps && !wrong; r++) {                                                                                \
            int times = 0;                                                                                                        \
            double start = peer_now();                                                                                            \
            do {                                                                                                                  \
                if (strcmp(op, "axpy") == 0) cblas_##p##axpy(n, (T)1e-3, x, 1, y, 1);                                             \
                else if (strcmp(op, "dot") == 0) sink += cblas_##p##dot(n, x, 1, y, 1);                                           \
                else if (strcmp(op, "nrm2") == 0) sink += cblas_##p##nrm2(n, x, 1);                                               \
                else if (strcmp(op, "asum") == 0) sink += cblas_##p##asum(n, x, 1);                                               \
                else if (strcmp(op, "scal") == 0) cblas_##p##scal(n, times % 2 ? (T)2 : (T)0.5, x, 1);                            \
                else if (strcmp(op, "copy") == 0) cblas_##p##copy(n, x, 1, y, 1);                                                 \
                else if (strcmp(op, "swap") == 0) cblas_##p##swap(n, x, 1, y, 1);                                                 \
                else if (strcmp(op, "rot") == 0) cblas_##p##rot(n, x, 1, y, 1, (T)0.6, (T)0.8);                                   \
                else if (strcmp(op, "amax") == 0) sink += cblas_i##p##amax(n, x, 1);                                              \
                else wrong = "unknown request";                                                                                   \
                times++;                                                                                                          \
            } while (times % calls(n) || (peer_now() - start < 1e-4 && !wrong));                                                  \
            peer_sample((peer_now() - start) / times);                                                                            \
        }                                                                                                                         \
        free(x), free(y);                                                                                                         \
        return wrong;                                                                                                             \
    }

TYPED(float, s, 1e-6)
TYPED(double, d, 1e-15)

static const char *lu(int n, int reps) {
    size_t nn = (size_t)n * n;
    double *a = doubles(nn, 1), *f = room(nn, sizeof *f);
    int *pivots = room(n, sizeof *pivots), info = 0;
    for (int r = 0; r < reps && info == 0; r++) {
        memcpy(f, a, nn * sizeof *f);
        double start = peer_now();
        dgetrf_(&n, &n, f, &n, pivots, &info);
        peer_sample(peer_now() - start);
    }
    free(a), free(f), free(pivots);
    return info ? "singular" : NULL;
}

static const char *run(int argc, char **argv) {
    if (argc != 4) return "want ROUTINE N THREADS REPS";
    const char *op = argv[0];
    int n = atoi(argv[1]), threads = atoi(argv[2]), reps = atoi(argv[3]);
    if (n < 1 || threads < 1 || reps < 1) return "want positive numbers";
    openblas_set_num_threads(threads);
    if (strcmp(op, "dgemm") == 0) return dgemm(n, reps);
    if (strcmp(op, "sgemm") == 0) return sgemm(n, reps);
    if (strcmp(op, "dgetrf") == 0) return lu(n, reps);
    if (*op == 'i') op++; // idamax: d, amax
    int level2 = strncmp(op + 1, "ge", 2) == 0;
    if (*op == 'd') return level2 ? dlevel2(op + 1, n, reps) : dlevel1(op + 1, n, reps);
    if (*op == 's') return level2 ? slevel2(op + 1, n, reps) : slevel1(op + 1, n, reps);
    return "unknown request";
}

int main(void) {
    char name[128];
    snprintf(name, sizeof name, "%s, kernel %s", openblas_get_config(), openblas_get_corename());
    return peer_serve(name, run);
}
