// A 3x3 box blur in Halide, compiled just in time for this machine, under the schedule that its blur application is known by:
// strips of 32 rows in parallel, 16 pixels to a vector, and the rows that are blurred along x computed when a row of the
// result needs them.
//
// halide W H BITS REPS    the sums of 16 bits, as in the application: they wrap above 65535
// wide W H BITS REPS      the sums widened to 32 bits: exact for all pixels
#include "image.h"

#include <halide14/Halide.h>

using namespace Halide;

namespace {

Func blur(ImageParam in, bool wide) {
    Var x("x"), y("y"), row("row");
    auto mean = [&](Expr a, Expr b, Expr c) {
        if (!wide) return (a + b + c) / 3;
        return cast<uint16_t>((cast<uint32_t>(a) + b + c) / 3);
    };
    Func along("along"), result("result");
    along(x, y) = mean(in(x, y), in(x + 1, y), in(x + 2, y));
    result(x, y) = mean(along(x, y), along(x, y + 1), along(x, y + 2));
    result.split(y, y, row, 32).parallel(y).vectorize(x, 16);
    along.store_at(result, y).compute_at(result, row).vectorize(x, 16);
    return result;
}

const char *run(int argc, char **argv) {
    static Memory source, target;
    static ImageParam param[2] = {{type_of<uint16_t>(), 2}, {type_of<uint16_t>(), 2}};
    static Func compiled[2] = {blur(param[0], false), blur(param[1], true)};
    Request r;
    if (!r.read(argc, argv)) return "want: halide|wide WIDTH HEIGHT BITS REPETITIONS";
    const bool wide = !strcmp(r.kind, "wide");
    if (!wide && strcmp(r.kind, "halide")) return "unknown kind of blur";

    const size_t n = static_cast<size_t>(r.width) * r.height;
    uint16_t *in = source.get(n), *out = target.get(static_cast<size_t>(r.width - 2) * (r.height - 2));
    draw(in, n, r.bits);
    Buffer<uint16_t> from(in, r.width, r.height), to(out, r.width - 2, r.height - 2);
    param[wide].set(from);
    r.measure([&] { compiled[wide].realize(to); });  // the first time of all, it's compiled
    return check(out, in, r.width, r.height, !wide);
}

}  // namespace

int main() { return peer_serve("Halide", run); }
