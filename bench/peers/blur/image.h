// The images that both peers blur: the same pixels as the driver's, and a plain loop to check against.
#ifndef NUMATEAM_BLUR_IMAGE_H
#define NUMATEAM_BLUR_IMAGE_H

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../peer.h"

// Memory of a request, kept for the next one of that size: in huge pages where the system gives them, as the driver's is.
struct Memory {
    uint16_t *pixels = nullptr;
    size_t count = 0;

    uint16_t *get(size_t n) {
        if (n != count) {
            const size_t huge = 2 << 20, bytes = (n * 2 + huge - 1) / huge * huge;
            free(pixels);
            pixels = static_cast<uint16_t *>(aligned_alloc(huge, bytes));
            madvise(pixels, bytes, MADV_HUGEPAGE);
            memset(pixels, 0, bytes);
            count = n;
        }
        return pixels;
    }
};

// Pixel i of every image is the top bits of a multiplicative hash of i.
static inline void draw(uint16_t *pixels, size_t n, int bits) {
    for (size_t i = 0; i < n; i++) pixels[i] = static_cast<uint32_t>(i * 2654435761u) >> (32 - bits);
}

// One request: "KIND WIDTH HEIGHT BITS REPETITIONS".
struct Request {
    const char *kind;
    int width, height, bits, repetitions;

    bool read(int argc, char **argv) {
        if (argc != 5) return false;
        kind = argv[0];
        width = atoi(argv[1]), height = atoi(argv[2]), bits = atoi(argv[3]), repetitions = atoi(argv[4]);
        return width > 2 && height > 2 && bits > 0 && bits <= 16 && repetitions > 0;
    }

    // Runs the blur a quarter more often than is measured, to warm the caches and the clock, as the driver does.
    template <class Blur>
    void measure(Blur blur) const {
        for (int i = 0; i <= repetitions / 4; i++) blur();
        for (int i = 0; i < repetitions; i++) {
            const double start = peer_now();
            blur();
            peer_sample(peer_now() - start);
        }
    }
};

// The pixel (x, y) of the blur's valid region; wrap says that sums of 16 bits wrap, as the application's do.
static inline uint16_t plain(const uint16_t *in, int width, int x, int y, bool wrap) {
    uint32_t mask = wrap ? 0xffff : 0xffffffff, column = 0;
    for (int k = 0; k < 3; k++) {
        const uint16_t *p = in + static_cast<size_t>(y + k) * width + x;
        column += ((static_cast<uint32_t>(p[0]) + p[1] + p[2]) & mask) / 3;
    }
    return (column & mask) / 3;
}

// Compares every 97th pixel.
static inline const char *check(const uint16_t *out, const uint16_t *in, int width, int height, bool wrap) {
    const size_t w = width - 2, h = height - 2;
    for (size_t i = 0; i < w * h; i += 97)
        if (out[i] != plain(in, width, i % w, i / w, wrap)) return "wrong pixel";
    return nullptr;
}

#endif
