#include "properties/cases/generators/violations/operator_breakers.h"

#include <algorithm>
#include <vector>

#include "oracle/facts/operator_facts.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/generators/violations/operator_breaks.h"

namespace gradproof::cases {
namespace {

using namespace operator_breaks;

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;
using Lengths = std::vector<std::int64_t>;

/// Small: what a refused call costs is its marshalling.
constexpr std::int64_t max_macs = 5'000;
constexpr int tries = 40;

bool computes_dx(const OperatorFrame& frame) { return frame.api == Api::Conv3DBackpropInputV2; }
bool computes_dw(const OperatorFrame& frame) { return frame.api == Api::Conv3DBackpropFilterV2; }
bool is_950(const OperatorFrame& frame) { return frame.product == Product::Ascend950; }
bool computes_dx_on_910(const OperatorFrame& frame) { return computes_dx(frame) && !is_950(frame); }
bool computes_dw_on_910(const OperatorFrame& frame) { return computes_dw(frame) && !is_950(frame); }
bool computes_dx_on_950(const OperatorFrame& frame) { return computes_dx(frame) && is_950(frame); }
bool computes_dx_with_groups(const OperatorFrame& frame) {
  return computes_dx(frame) && !corpus::is_8_bit_float(frame.dtype);
}
bool computes_hifloat8_dw(const OperatorFrame& frame) {
  return computes_dw(frame) && frame.dtype == DataType::HiFloat8;
}
/// GF-08 forbids groups in another of its frames.
bool computes_wide_dw(const OperatorFrame& frame) {
  return computes_dw(frame) && frame.dtype != DataType::HiFloat8;
}

/// Groups and NDHWC together.
bool group_ndhwc(Case& test_case, corpus::RandomSource&) {
  const auto sizes = convolution_of(test_case);
  if (!sizes || sizes->groups < 2) return false;
  test_case.grad_output->format = test_case.grad_input->format = Format::Ndhwc;
  test_case.attributes->data_format = name_of(Format::Ndhwc);
  set_operator_convolution(test_case, *sizes);
  return true;
}

bool take_any_hifloat8(Case&, corpus::RandomSource&) { return true; }

bool empty_a_tensor(Case& test_case, corpus::RandomSource& random) {
  return resize(test_case, [&](Convolution& next) {
    switch (random.between(0, 2)) {
      case 0:
        next.batch = 0;
        return true;
      case 1:
        next.big_channels_per_group = 0;
        return true;
      default:
        next.small_channels_per_group = 0;
        return true;
    }
  });
}

bool empty_the_batch(Case& test_case, corpus::RandomSource&) {
  return resize(test_case, [](Convolution& next) {
    next.batch = 0;
    return true;
  });
}

bool spoil_operands(Case& test_case, corpus::RandomSource& random) {
  switch (random.between(0, 3)) {
    case 0:
      return mix_dtypes(test_case, random);
    case 1: {
      auto& tensor = random.chance(50) ? *test_case.input : *test_case.grad_output;
      const Format other = tensor.format == Format::Ncdhw ? Format::Ndhwc : Format::Ncdhw;
      tensor = *in_format(tensor, other);
      return true;
    }
    case 2:
      (random.chance(50) ? test_case.input : test_case.grad_output)->shape.push_back(1);
      return true;
    default:
      return empty_the_batch(test_case, random);
  }
}

bool spoil_filter(Case& test_case, corpus::RandomSource& random) {
  if (random.chance(60)) return enlarge_kernel(test_case, random);
  return resize(test_case, [](Convolution& next) {
    next.small_channels_per_group = 0;
    return true;
  });
}

bool spoil_groups(Case& test_case, corpus::RandomSource& random) {
  return random.chance(40) ? take_odd_groups(test_case, random)
                           : contradict_channels(test_case, random);
}

bool group_hifloat8(Case& test_case, corpus::RandomSource& random) {
  return resize(test_case, [&](Convolution& next) {
    next.groups = random.between(2, 4);
    return true;
  });
}

constexpr OperatorBreaker rows[] = {
    {"G-NULL", computes_dx, drop_required},
    {"G-01", computes_dx, move_to_other_product},
    {"G-02", computes_dx, spoil_result_size},
    {"G-03", computes_dx, change_rank},
    {"G-04", computes_dx, mix_dtypes},
    {"G-05", computes_dx, take_unknown_dtype},
    {"G-06", computes_dx, contradict_data_format},
    {"G-07", computes_dx, take_unlisted_layout},
    {"G-07", computes_dx_with_groups, group_ndhwc, {.groups = true, .plain = true}},
    {"G-08", computes_dx_on_950, group_ndhwc, {.groups = true, .plain = true}},
    {"G-09", computes_dx, enlarge_kernel},
    {"G-10", computes_dx, exceed_stride},
    {"G-11", computes_dx, exceed_pad},
    {"G-12", computes_dx, exceed_dilation},
    {"G-13", computes_dx, take_odd_groups},
    {"G-14", computes_dx, contradict_channels},
    {"G-15", computes_dx, contradict_batches},
    {"G-16", computes_dx, contradict_lengths},
    {"G-17", computes_dx, empty_a_tensor},
    {"GF-NULL", computes_dw, drop_required},
    {"GF-01", computes_dw, move_to_other_product},
    {"GF-02", computes_dw, spoil_operands},
    {"GF-IO", computes_dw, spoil_parameters},
    {"GF-03", computes_dw, spoil_filter},
    {"GF-04", computes_dw, exceed_stride},
    {"GF-05", computes_dw, exceed_pad},
    {"GF-06", computes_dw, exceed_dilation},
    {"GF-07", computes_wide_dw, spoil_groups},
    {"GF-08", computes_hifloat8_dw, group_hifloat8, {.one_group = true, .plain = true}},
    {"GF-09", computes_dw, contradict_lengths},
    {"GF-10", computes_dw, contradict_uncompared},
    {"HW-02", computes_dx_on_910, exceed_tile_of_dx},
    {"HW-03", computes_dx_on_910, exceed_row_of_dx},
    {"HW-04", computes_dx_on_910, exceed_pads_of_dx},
    {"HW-05", computes_dw_on_910, exceed_tile_of_dw},
    {"HW-06", computes_hifloat8_dw, take_any_hifloat8},
};

}  // namespace

std::span<const OperatorBreaker> graph_operator_breakers() { return rows; }

std::span<const OperatorBreaker> operator_breakers() {
  static const std::vector<OperatorBreaker> all = [] {
    std::vector<OperatorBreaker> joined;
    for (const OperatorGenerator* generator : operator_generators()) {
      const auto group = generator->breakers();
      joined.insert(joined.end(), group.begin(), group.end());
    }
    return joined;
  }();
  return all;
}

std::optional<Case> draw_broken_operator_case(const OperatorBreaker& breaker,
                                              const std::vector<OperatorFrame>& frames,
                                              corpus::RandomSource& random, int& discarded) {
  std::vector<OperatorFrame> fitting;
  std::ranges::copy_if(frames, std::back_inserter(fitting), breaker.applies);
  for (discarded = 0; discarded < tries && !fitting.empty(); ++discarded) {
    const OperatorFrame frame = random.one_of(std::span<const OperatorFrame>(fitting));
    Case test_case = draw_operator_case(frame, max_macs, breaker.needs, random);
    if (breaker.breaks(test_case, random)) return test_case;
  }
  return std::nullopt;
}

}  // namespace gradproof::cases
