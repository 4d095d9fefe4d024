#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/generators/operator_case.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Distribution;
using corpus::Verdict;

/// A small call that leaves something else in a device's registers and tables than others do.
struct OtherCall {
  std::string words;
  Case test_case;
};

/// Padding beyond the kernel, a stride, a dilation and groups: each register of a load is set.
Convolution small_layer(bool transposed) {
  Convolution sizes;
  sizes.transposed = transposed;
  sizes.batch = 2;
  sizes.groups = 2;
  sizes.small_channels_per_group = 2;
  sizes.axes.assign(
      2, {.big = 6, .kernel = 2, .stride = 2, .dilation = 2, .padding_begin = 3, .padding_end = 3});
  return sizes;
}

void add_layer(const Case& test_case, DataType dtype, Distribution data,
               std::vector<OtherCall>& calls) {
  const Frame frame{.product = *corpus::product_of(test_case), .dtype = dtype};
  Case foreign = plain_case(small_layer(!test_case.transposed), frame);
  foreign.soc = test_case.soc;
  foreign.id = "foreign";
  if (corpus::is_8_bit_float(dtype)) foreign.output_mask = std::vector<bool>{true, true, false};
  auto complete = oracle::with_recipe(foreign, data, 1);
  if (!complete || !is_legal(*complete, oracle::Profile::Documented)) return;
  const bool overflows = data == Distribution::Specials;
  calls.push_back(
      {fmt::format("a padded {} call{}", name_of(dtype), overflows ? " with infinities" : ""),
       std::move(*complete)});
}

void add_operator(const Case& test_case, std::vector<OtherCall>& calls) {
  constexpr std::int64_t most_macs = 300;
  Selection selection;
  selection.products = {*corpus::product_of(test_case)};
  for (const OperatorFrame& frame : operator_frames_of(selection)) {
    if (frame.api == test_case.api) continue;
    corpus::RandomSource random(1, 0);
    Case foreign = draw_operator_case(frame, most_macs, {}, random);
    foreign.soc = test_case.soc;
    foreign.id = "foreign";
    auto complete = oracle::with_recipe(foreign, Distribution::Uniform, 1);
    if (!complete) continue;
    calls.push_back({fmt::format("a call of {}", name_of(frame.api)), std::move(*complete)});
    return;
  }
}

std::vector<OtherCall> calls_of_other_kinds(const Case& test_case) {
  std::vector<OtherCall> calls;
  if (!corpus::product_of(test_case)) return calls;
  for (const DataType dtype : corpus::data_types()) {
    add_layer(test_case, dtype, Distribution::Uniform, calls);
  }
  add_layer(test_case, DataType::Float16, Distribution::Specials, calls);
  add_operator(test_case, calls);
  return calls;
}

/// Adds 2 to each dilation and k - 1 to each padding: all shapes stay, and what a target keeps of a
/// call by its shapes alone does not fit.
Case with_other_taps(Case test_case) {
  const std::size_t axes = test_case.dilation->size();
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::int64_t kernel = test_case.weight->shape.at(axis + 2);
    test_case.dilation->at(axis) += 2;
    // Four paddings: top, bottom, left, right.
    const std::size_t ends = test_case.padding->size() / axes;
    for (std::size_t end = 0; end < ends; ++end) {
      test_case.padding->at(axis * ends + end) += kernel - 1;
    }
  }
  return test_case;
}

/// Legal calls that differ from this one in what a key may lack: shapes are the same.
std::vector<OtherCall> neighbours_of(const Case& test_case) {
  std::vector<OtherCall> calls;
  const auto add = [&](std::string words, Case neighbour) {
    if (neighbour != test_case && is_legal(neighbour, oracle::Profile::Documented)) {
      calls.push_back({std::move(words), std::move(neighbour)});
    }
  };
  if (test_case.api == corpus::Api::ConvolutionBackward && test_case.dilation &&
      test_case.padding) {
    add("another padding and dilation", with_other_taps(test_case));
  }
  for (const corpus::OutputRole role : corpus::output_roles) {
    if (!test_case.output_mask || !corpus::is_requested(test_case, role)) continue;
    Case neighbour = test_case;
    neighbour.output_mask->at(to_size(role)) = false;
    add(fmt::format("no {} asked for", corpus::name_of(role)), std::move(neighbour));
  }
  return calls;
}

/// Makes a call twice in a row and shows the second, whose call before is the call itself: what a
/// target keeps of other calls must not change it.
Observed after_itself(targets::Target& target, const Case& run, const CheckSettings& settings) {
  Observed first = observe(target, run, settings, "the call");
  if (first.ended) return first;
  return observe(target, run, settings, "the call after itself");
}

/// A later turn of the call: the verdict where that ends the law or has other bits than `usual`.
std::optional<Verdict> wrong_later(targets::Target& target, const Case& run,
                                   const CheckSettings& settings, const Observed& usual,
                                   const std::string& circumstance) {
  Observed later = observe(target, run, settings, "the call " + circumstance);
  if (later.ended) return std::move(later.ended);
  Verdict verdict = compare_bits(run, usual.seen, later.seen, circumstance);
  if (verdict.outcome != corpus::Outcome::Disagree) return std::nullopt;
  return verdict;
}

}  // namespace

Verdict foreign_call_before(targets::Target& target, const Case& test_case,
                            const CheckSettings& settings) {
  const Case run = in_deterministic_mode(test_case);
  const Observed usual = after_itself(target, run, settings);
  if (usual.ended) return *usual.ended;
  for (const OtherCall& other : calls_of_other_kinds(run)) {
    target.run_case(other.test_case, settings.run);  // its results are not compared
    if (auto wrong = wrong_later(target, run, settings, usual, "after " + other.words))
      return std::move(*wrong);
  }
  return settled(run, usual.seen, agreed("the same bits after calls of other kinds"));
}

Verdict alternating_calls(targets::Target& target, const Case& test_case,
                          const CheckSettings& settings) {
  constexpr int turns = 2;
  std::array calls{in_deterministic_mode(test_case), in_deterministic_mode(test_case)};
  ++calls.back().data->seed;
  const std::array usual{after_itself(target, calls.front(), settings),
                         after_itself(target, calls.back(), settings)};
  for (const Observed& call : usual) {
    if (call.ended) return *call.ended;
  }
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      auto wrong = wrong_later(target, calls.at(i), settings, usual.at(i),
                               "in turns with a call with other data");
      if (wrong) return std::move(*wrong);
    }
  }
  for (const OtherCall& neighbour : neighbours_of(calls.front())) {
    target.run_case(neighbour.test_case, settings.run);  // its results are not compared
    auto wrong = wrong_later(target, calls.front(), settings, usual.front(),
                             "after the same call with " + neighbour.words);
    if (wrong) return std::move(*wrong);
  }
  return settled(calls.front(), usual.front().seen, agreed("the same bits in every turn"));
}

Verdict many_calls_before(targets::Target& target, const Case& test_case,
                          const CheckSettings& settings) {
  constexpr std::size_t many = 1'000, at_once = 50;
  constexpr std::chrono::seconds most{2};  // of a slow target fewer are made
  const Case run = in_deterministic_mode(test_case);
  const Observed usual = after_itself(target, run, settings);
  if (usual.ended) return *usual.ended;
  const std::vector<OtherCall> others = calls_of_other_kinds(run);
  if (others.empty()) return law_skipped("the product has no other calls");
  const auto end = std::chrono::steady_clock::now() + most;
  std::size_t made = 0;
  while (made < many && std::chrono::steady_clock::now() < end) {
    std::vector<Case> calls;
    for (; calls.size() < at_once; ++made) {
      calls.push_back(others[made % others.size()].test_case);
    }
    target.run_cases(calls, settings.run);
  }
  auto wrong = wrong_later(target, run, settings, usual, fmt::format("after {} other calls", made));
  if (wrong) return std::move(*wrong);
  return settled(run, usual.seen, agreed("the same bits after many calls"));
}

}  // namespace gradproof::cases::laws_detail
