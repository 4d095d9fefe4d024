#pragma once

// Functions of NumPy that a gate lets in or not, and what it said of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

#include "tests/properties/cli/command_line.h"
#include "tests/properties/report/schema_check.h"

namespace gradproof::tests {

/// A right function in sums of DOUBLE, 1x1 to 3D, by one product of matrices for each tap.
inline constexpr const char* right_function = R"(
import numpy
def sums(dy, x, w, call, real=float, step=1):
    axes = len(call.stride)
    tail = "dhw"[:axes]
    big, small = (dy, x) if call.transposed else (x, dy)
    n, g = big.shape[0], call.groups
    pad = [(0, 0), (0, 0)] + [(p, max(0, (o - 1) * s + (k - 1) * d + 1 - p - b)) for p, o, s, k, d, b in
                              zip(call.padding, small.shape[2:], call.stride, w.shape[2:], call.dilation, big.shape[2:])]
    big_padded = numpy.pad(big.astype(real), pad).reshape((n, g, -1) + tuple(b + sum(p) for b, p in zip(big.shape[2:], pad[2:])))
    small_g = small.astype(real).reshape((n, g, -1) + small.shape[2:])
    w_g = w.astype(real).reshape((g, w.shape[0] // g) + w.shape[1:])
    dbig, dsmall, dw = numpy.zeros_like(big_padded), numpy.zeros_like(small_g), numpy.zeros_like(w_g)
    for tap in list(numpy.ndindex(*w.shape[2:]))[::step]:
        at = (Ellipsis,) + tuple(slice(t * d, t * d + (o - 1) * s + 1, s) for t, d, o, s in zip(tap, call.dilation, small.shape[2:], call.stride))
        one = (Ellipsis,) + tap
        dbig[at] += numpy.einsum("ngs" + tail + ",gsb->ngb" + tail, small_g, w_g[one])
        dsmall += numpy.einsum("ngb" + tail + ",gsb->ngs" + tail, big_padded[at], w_g[one])
        dw[one] += numpy.einsum("ngs" + tail + ",ngb" + tail + "->gsb", small_g, big_padded[at])
    inner = (Ellipsis,) + tuple(slice(p, p + b) for p, b in zip(call.padding, big.shape[2:]))
    dx = dsmall if call.transposed else dbig[inner]
    return dx.reshape(x.shape), dw.reshape(w.shape), dy.astype(float).sum(axis=(0,) + tuple(range(2, dy.ndim)))
def right(dy, x, w, call):
    with numpy.errstate(all="ignore"):
        return tuple(r.astype(dy.dtype) if asked else None for r, asked in zip(sums(dy, x, w, call), call.output_mask))
def zeros(dy, x, w, call):
    return tuple(r if r is None else r * 0 for r in right(dy, x, w, call))
)";

/// Lines that say whether a call is a layer's.
inline constexpr const char* sized =
    "def is_layer(dy, x, w, call):\n"
    "    return (x if call.transposed else dy).size * w[0].size > 12000000\n";

/// The verdict, which docs/gate.schema.json describes.
inline nlohmann::json as_documented(const std::string& text) {
  std::ifstream stream(GRADPROOF_SOURCES "/docs/gate.schema.json");
  const findings::SchemaCheck check(nlohmann::json::parse(stream));
  nlohmann::json verdict = nlohmann::json::parse(text);
  EXPECT_EQ(check(verdict), "") << text;
  return verdict;
}

class Gates : public CommandLine {
 protected:
  void SetUp() override {
    if (shell("/usr/bin/python3 -I -c 'import numpy'").code != 0) GTEST_SKIP() << "no NumPy";
    if (shell("bwrap --unshare-all --ro-bind / / /usr/bin/true").code != 0) {
      GTEST_SKIP() << "bubblewrap makes no namespaces here";
    }
  }
  /// The gate's answer to a function `kernel`, whose lines these are.
  Ran gated(const std::string& lines, const std::string& options = "--time 120s") const {
    write("kernel.py", right_function + lines);
    return gradproof("gate --python kernel.py:kernel --json verdict.json --nonce n7 " + options);
  }
  nlohmann::json verdict() const {
    const std::string text = read("verdict.json");
    EXPECT_LE(text.size(), 2048U);
    return as_documented(text);
  }
  void expect_refused(const Ran& ran, const std::string& why) const {
    EXPECT_EQ(ran.code, 1) << ran.output;
    EXPECT_EQ(verdict()["verdict"], "refused");
    EXPECT_EQ(verdict()["why"]["class"], why) << ran.output;
    EXPECT_EQ(verdict()["nonce"], "n7");
  }
  /// On a slow machine the time may be too short for that, and it says so.
  void expect_let_in(const Ran& ran) const {
    const auto answer = verdict();
    if (ran.code == 4 && answer["why"]["class"] == "time") return;
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_EQ(answer["verdict"], "accepted");
  }
};

}  // namespace gradproof::tests
