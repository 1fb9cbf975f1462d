// OpenCV's 3x3 box blur. It's as large as its input, with the border replicated, and divides the sum of nine pixels by nine,
// rounding to the nearest: its pixels are not the others'.
//
// opencv W H BITS REPS    NUMATEAM_THREADS threads, or as many as OpenCV likes
#include "image.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace {

const char *run(int argc, char **argv) {
    static Memory source, target;
    Request r;
    if (!r.read(argc, argv) || strcmp(r.kind, "opencv")) return "want: opencv WIDTH HEIGHT BITS REPETITIONS";
    const size_t n = static_cast<size_t>(r.width) * r.height;
    uint16_t *in = source.get(n), *out = target.get(n);
    draw(in, n, r.bits);
    cv::Mat from(r.height, r.width, CV_16UC1, in), to(r.height, r.width, CV_16UC1, out);
    r.measure([&] { cv::blur(from, to, cv::Size(3, 3), cv::Point(-1, -1), cv::BORDER_REPLICATE); });
    const size_t w = r.width - 2, h = r.height - 2;
    for (size_t i = 0; i < w * h; i += 97) {
        const int x = i % w, y = i / w;
        if (std::abs(out[static_cast<size_t>(y + 1) * r.width + x + 1] - plain(in, r.width, x, y, false)) > 2) return "wrong pixel";
    }
    return nullptr;
}

}  // namespace

int main() {
    if (const char *threads = getenv("NUMATEAM_THREADS")) cv::setNumThreads(atoi(threads));
    return peer_serve("OpenCV", run);
}
