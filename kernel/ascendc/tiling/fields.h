#pragma once

#include <cstdint>

#include "kernel/ascendc/tiling/problem.h"

namespace gradproof::kernel::ascendc::tiling {

inline std::uint32_t narrowed(std::int64_t value) { return static_cast<std::uint32_t>(value); }

/// Writes the fields of the problem that both structures have.
template <typename Tiling>
void write_convolution(const TilingProblem& problem, Tiling& to) {
  const TilingAxis &d = problem.d, &h = problem.h, &w = problem.w;
  to.batch = narrowed(problem.batch);
  to.cin = narrowed(problem.cin), to.cin1G = narrowed(problem.cin1());
  to.cout = narrowed(problem.cout);
  to.dout = narrowed(d.output), to.ho = narrowed(h.output), to.wo = narrowed(w.output);
  to.di = narrowed(d.input), to.hi = narrowed(h.input), to.wi = narrowed(w.input);
  to.dk = narrowed(d.kernel), to.hk = narrowed(h.kernel), to.wk = narrowed(w.kernel);
  to.strideD = narrowed(d.stride), to.strideH = narrowed(h.stride);
  to.strideW = narrowed(w.stride);
  to.padFront = narrowed(d.pad_before), to.padBack = narrowed(d.pad_after);
  to.padUp = narrowed(h.pad_before), to.padDown = narrowed(h.pad_after);
  to.padLeft = narrowed(w.pad_before), to.padRight = narrowed(w.pad_after);
  to.dilationD = narrowed(d.dilation), to.dilationH = narrowed(h.dilation);
  to.dilationW = narrowed(w.dilation);
  to.group = to.singleCoreGroup = 1;
  to.singleCoreBatch = 1;
  to.al0Pbuffer = to.bl0Pbuffer = 2;
}

}  // namespace gradproof::kernel::ascendc::tiling
