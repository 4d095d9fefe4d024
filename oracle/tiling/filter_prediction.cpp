#include <cstdint>
#include <string_view>

#include "oracle/tiling/filter_blocks.h"
#include "oracle/tiling/filter_fit.h"
#include "oracle/tiling/prediction.h"

namespace gradproof::oracle::tiling {
namespace {

/// FilterFields by name; all but two have 32 bits.
class FilterFields {
 public:
  void add(std::string_view name, Int128 value) {
    fields_.push_back({std::string(name), static_cast<std::uint32_t>(value)});
  }
  void add_64(std::string_view name, Int128 value) {
    fields_.push_back({std::string(name), static_cast<std::int64_t>(value)});
  }
  std::vector<corpus::TilingField> taken() && { return std::move(fields_); }

 private:
  std::vector<corpus::TilingField> fields_;
};

void add_filter(const FilterProblem& problem, FilterFields& fields) {
  fields.add("batch", problem.batch);
  fields.add("cin", problem.cin);
  fields.add("cout", problem.cout);
  fields.add("cin1G", ceiling(problem.cin, problem.c0()));
  fields.add("cout1G", up(problem.cout, fractal_edge) / problem.c0());
  const SpatialAxis &d = problem.d, &h = problem.h, &w = problem.w;
  fields.add("dout", d.small), fields.add("ho", h.small), fields.add("wo", w.small);
  fields.add("di", d.big), fields.add("hi", h.big), fields.add("wi", w.big);
  fields.add("dk", d.kernel), fields.add("hk", h.kernel), fields.add("wk", w.kernel);
  fields.add("group", 1);
  fields.add("strideD", d.stride), fields.add("strideH", h.stride), fields.add("strideW", w.stride);
  fields.add("padFront", d.padding_begin), fields.add("padBack", d.padding_end);
  fields.add("padUp", h.padding_begin), fields.add("padDown", h.padding_end);
  fields.add("padLeft", w.padding_begin), fields.add("padRight", w.padding_end);
  fields.add("dilationD", d.dilation), fields.add("dilationH", h.dilation);
  fields.add("dilationW", w.dilation);
  fields.add("channelSize", problem.c0());
}

void add_filter_blocks(const FilterProblem& problem, const FilterBlocks& blocks,
                       FilterFields& fields) {
  fields.add("al0Pbuffer", 2), fields.add("bl0Pbuffer", 2);
  fields.add("cl0Pbuffer", blocks.c_buffers_in_l0);
  fields.add("al1Pbuffer", blocks.a_buffers_in_l1);
  fields.add("bl1Pbuffer", blocks.b_buffers_in_l1);
  fields.add("baseM", blocks.base_m), fields.add("baseK", blocks.base_k);
  fields.add("baseN", blocks.base_n);
  fields.add("m0", fractal_edge), fields.add("k0", problem.c0()), fields.add("n0", fractal_edge);
  fields.add("stepM", blocks.step_m), fields.add("stepN", blocks.step_n);
  fields.add("stepKa", blocks.step_ka), fields.add("stepKb", blocks.step_kb);
  fields.add("iterateOrder", blocks.m_is_inner ? 1 : 0);
  fields.add("bl1Bound", blocks.bound);
  fields.add("hf32Flag", 0);
}

void add_core_share(const FilterProblem& problem, const FilterBlocks& blocks,
                    FilterFields& fields) {
  const Int128 taps = Int128{problem.h.kernel} * problem.w.kernel;
  fields.add("singleCoreDk", 1), fields.add("singleCoreGroup", 1);
  fields.add("singleCoreCout", blocks.single_core_m);
  fields.add("singleCoreHo", blocks.single_core_k / problem.w.small);
  fields.add_64("singleCoreBatch", 1);
  fields.add_64("singleCoreCin",
                larger(blocks.single_core_n / (taps * problem.c0()), 1) * problem.c0());
  fields.add("singleCoreM", blocks.single_core_m);
  fields.add("singleCoreN", blocks.single_core_n);
  fields.add("singleCoreK", blocks.single_core_k);
}

}  // namespace

std::vector<corpus::TilingField> filter_fields(const FilterProblem& problem,
                                               const CoreMemories& memories) {
  const FilterBlocks blocks = filter_blocks_of(problem, memories);
  FilterFields fields;
  fields.add("totalL1Size", memories.l1);
  add_filter(problem, fields);
  add_filter_blocks(problem, blocks, fields);
  add_core_share(problem, blocks, fields);
  return std::move(fields).taken();
}

Prediction filter_prediction(const corpus::Case& test_case) {
  const auto told = filter_problem_of(test_case);
  if (!told) return {};
  return {.kind = Prediction::Kind::Fields, .fields = filter_fields(*told, {})};
}

}  // namespace gradproof::oracle::tiling
