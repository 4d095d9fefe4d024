#include <bit>

#include "oracle/tiling/input_blocks.h"
#include "oracle/tiling/input_problem.h"
#include "oracle/tiling/prediction.h"

namespace gradproof::oracle::tiling {
namespace {

using corpus::TilingField;
using Fields = std::vector<TilingField>;

void add(Fields& fields, std::initializer_list<TilingField> more) {
  fields.insert(fields.end(), more.begin(), more.end());
}

/// Names are the structure's. Groups are 1 (TI-01), so the packs of a group are all packs; c0 is a
/// power of two, and c0Bits its exponent.
void add_channels(Fields& fields, const InputProblem& it) {
  add(fields, {{"batch", it.batch},
               {"cin", it.cin},
               {"cout", it.cout},
               {"cout1", it.cout1()},
               {"cin1", it.cin1()},
               {"cout1G", it.cout1()},
               {"cin1G", it.cin1()},
               {"c0", it.c0()},
               {"c0Bits", std::countr_zero(static_cast<std::uint64_t>(it.c0()))}});
}

void add_lengths(Fields& fields, const InputProblem& it) {
  add(fields, {{"dout", it.d.small},
               {"ho", it.h.small},
               {"wo", it.w.small},
               {"di", it.d.big},
               {"hi", it.h.big},
               {"wi", it.w.big},
               {"dk", it.d.kernel},
               {"hk", it.h.kernel},
               {"wk", it.w.kernel},
               {"group", 1},
               {"strideD", it.d.stride},
               {"strideH", it.h.stride},
               {"strideW", it.w.stride}});
}

/// Pads as told, then those of the correlation that computes dx (BackwardPads); of D only the one
/// behind.
void add_pads(Fields& fields, const InputProblem& it) {
  const BackwardPads d = backward_pads(it.d), h = backward_pads(it.h), w = backward_pads(it.w);
  add(fields, {{"padFront", it.d.padding_begin},
               {"padBack", it.d.padding_end},
               {"padUp", it.h.padding_begin},
               {"padDown", it.h.padding_end},
               {"padLeft", it.w.padding_begin},
               {"padRight", it.w.padding_end},
               {"backpropPadTail", d.after},
               {"backpropPadUp", h.before},
               {"backpropPadDown", h.after},
               {"backpropPadLeft", w.before},
               {"backpropPadRight", w.after},
               {"dilationD", it.d.dilation},
               {"dilationH", it.h.dilation},
               {"dilationW", it.w.dilation}});
}

void add_blocks(Fields& fields, const InputProblem& it, const InputBlocks& blocks) {
  add(fields, {{"al0Pbuffer", 2},
               {"bl0Pbuffer", 2},
               {"cl0Pbuffer", 1},
               {"al1Pbuffer", blocks.a_buffers_in_l1},
               {"bl1Pbuffer", blocks.b_buffers_in_l1},
               {"singleCoreGroup", 1},
               {"singleCoreCout", it.cout1() * it.c0()},
               {"singleCoreCout1", it.cout1()},
               {"singleCoreCin1", (blocks.base_n + it.c0() - 1) / it.c0()},
               {"singleCoreDin", 1},
               {"singleCoreHo", 1},
               {"baseM", blocks.base_m},
               {"baseK", blocks.base_k},
               {"baseN", blocks.base_n},
               {"baseD", 1},
               {"baseBatch", 1},
               {"baseGroup", 1},
               {"stepM", 1},
               {"stepN", 1},
               {"stepKa", blocks.step_ka},
               {"stepKb", blocks.step_kb},
               {"stepBatch", 1},
               {"stepGroup", 1},
               {"iterateOrder", 1},
               {"hf32Flag", 0},
               {"initOutputFlag", must_zero_output(it) ? 1 : 0},
               {"reserved", 0},
               {"singleCoreBatch", 1},
               {"singleCoreM", blocks.single_core_m},
               {"singleCoreCin", blocks.base_n}});
}

}  // namespace

Prediction input_prediction(const corpus::Case& test_case) {
  using Kind = Prediction::Kind;
  const auto it = input_problem_of(test_case);
  if (!it) return {.kind = Kind::Unknown};
  const auto blocks = input_blocks_of(*it);
  if (!blocks) return {.kind = Kind::NoTiling};
  Prediction prediction{.kind = Kind::Fields};
  add_channels(prediction.fields, *it);
  add_lengths(prediction.fields, *it);
  add_pads(prediction.fields, *it);
  add_blocks(prediction.fields, *it, *blocks);
  return prediction;
}

}  // namespace gradproof::oracle::tiling
