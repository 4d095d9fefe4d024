#include "properties/cases/laws/law.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "oracle/geometry/workload.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/laws/claims.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/shared_sums.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::OutputRole;
using namespace laws_detail;

bool is_any(const Case&) { return true; }

bool has_two_gradients(const Case& test_case) {
  return corpus::is_requested(test_case, OutputRole::GradInput) &&
         corpus::is_requested(test_case, OutputRole::GradWeight);
}

bool is_bias_in_another_mode(const Case& test_case) {
  return has_grad_bias(test_case) && has_another_mode(test_case);
}

constexpr std::optional<Demand> grid = Demand::Settled, scalable_grid = Demand::Scalable,
                                sums_grid = Demand::Exact, both_ways_grid = Demand::ExactBothWays;
/// Data that round in every step: nothing that depends on an order or on leftovers hides.
constexpr std::optional<Demand> dense = std::nullopt;

constexpr Law law_rows[] = {
    {"scaling", "inputs times powers of two give the gradients times their products", scalable_grid,
     is_any, check_relation_of<scaling>},
    {"batch_additivity", "gradWeight and gradBias are the sums of those of the parts of a batch",
     sums_grid, has_samples, check_relation_of<batch_additivity>},
    {"adjoint", "<gradInput, input> = <gradWeight, weight>", sums_grid, has_two_gradients, adjoint},
    {"forward_adjoint",
     "<aclnnConvolution(input, weight), gradOutput> = <gradInput, input> = <gradWeight, weight>",
     both_ways_grid, asks_for_a_product, forward_adjoint},
    {"group_independence", "what one group holds changes nothing in the others", grid, has_groups,
     check_relation_of<group_independence>},
    {"one_group_at_a_time", "each group gives what a call of that group alone gives", grid,
     has_groups, check_relation_of<one_group_at_a_time>},
    {"lifting", "1D = 2D = 3D with axes of length 1", grid, can_be_lifted,
     check_relation_of<lifting>},
    {"transposed_duality",
     "gradWeight is that of the transposed convolution with gradOutput and input exchanged", grid,
     has_grad_weight, check_relation_of<duality>},
    {"channel_permutation", "channels and groups in another order give the gradients in that order",
     grid, has_channels_to_permute, check_relation_of<channel_permutation>},
    {"batch_permutation",
     "samples in another order give gradInput in that order and the same gradWeight and gradBias",
     grid, has_samples, check_relation_of<batch_permutation>},
    {"translation", "moving the maps by whole strides moves gradInput and changes nothing else",
     grid, is_any, check_relation_of<translation>},
    {"padding_as_zeros", "padding equals zeros written around the map", grid, has_padding,
     check_relation_of<padding_as_zeros>},
    {"mask_independence", "what else is requested does not change a gradient", grid, is_any,
     check_relation_of<mask_independence>},
    {"strided_as_contiguous", "strided and contiguous tensors give the same", grid, is_any,
     check_relation_of<strided_as_contiguous>},
    {"offset_independence", "where a tensor begins in its storage does not matter", grid, is_any,
     check_relation_of<offset_independence>},
    {"format_independence", "1D tensors of formats ND and NCL give the same", grid,
     is_one_dimensional, check_relation_of<format_independence>},
    {"mode_independence",
     "cubeMathType changes nothing where it changes no operand and no rounding", grid,
     has_another_mode, check_relation_of<mode_independence>},
    {"bias_mode_independence", "gradBias does not depend on cubeMathType", grid,
     is_bias_in_another_mode, check_relation_of<bias_mode_independence>},
    {"operator_equivalence",
     "the graph operators give aclnnConvolutionBackward's gradients: on one device the same bits",
     dense, has_graph_operator, operator_equivalence, false, true},
    {"determinism", "in deterministic mode the same call gives the same bits", dense, is_any,
     determinism, true, true},
    {"executor_reuse", "an executor used again gives what a fresh one gives", dense, is_any,
     executor_reuse, true},
    {"input_purity", "the inputs, their gaps and surroundings are as before", dense, is_any,
     input_purity, true},
    {"workspace_independence", "what was in the workspace before does not matter", dense, is_any,
     workspace_independence, true},
    {"larger_workspace", "a workspace larger than needed changes nothing", dense, is_any,
     larger_workspace, true},
    {"workspace_alignment", "a workspace aligned to 64 bytes and no more changes nothing", dense,
     is_any, workspace_alignment, true},
    {"data_between_phases", "the inputs' data count when the stream executes, not in phase one",
     dense, is_any, data_between_phases, true},
    {"rebound_addresses",
     "an executor computes in the memory that is bound to its tensors when it runs", dense,
     has_tensors_without_gaps, rebound_addresses},
    {"default_stream", "a null stream is the context's default stream", dense, is_any,
     default_stream, true},
    {"phases_on_two_threads", "phase two may be called on another thread than phase one", dense,
     is_any, phases_on_two_threads, true},
    {"used_memory", "what another call left in outputs and workspace does not matter", dense,
     is_any, used_memory, true},
    {"foreign_call_before", "no call of another kind changes what the next one gives", dense,
     is_any, foreign_call_before, true},
    {"alternating_calls", "two calls in turns give what they gave the first time", dense, is_any,
     alternating_calls, true},
    {"many_calls_before", "after 1,000 other calls a call gives what it gave before", dense, is_any,
     many_calls_before, true},
    {"two_host_threads", "calls from two host threads at once give what each gives alone", dense,
     is_any, two_host_threads, true},
    {"many_streams", "calls on several streams at once give what each gives alone", dense, is_any,
     many_streams, true},
    {"schedule_determinism",
     "in deterministic mode and on Ascend950 no schedule, memory or other stream shows in the bits",
     dense, is_any, schedule_determinism, true, true},
    {"schedule_bound", "by default the gradients of every schedule are within their bounds", dense,
     is_any, schedule_bound, true, true},
    {"path_independence",
     "one simulated core gives the plain loops' bits, any number of cores stays within the bounds",
     dense, is_any, path_independence, true, true},
    {"no_leak", "a call leaves as much device memory free as it found", dense, is_any, no_leak,
     true},
};

bool is_complete(const corpus::DataRecipe& data) {
  return !corpus::has_fills(data.distribution) || data.fills.has_value();
}

bool requests_anything(const Case& test_case) {
  return std::ranges::any_of(
      corpus::output_roles, [&](OutputRole role) { return corpus::is_requested(test_case, role); });
}

}  // namespace

std::span<const Law> laws() { return law_rows; }

const Law* law_named(std::string_view name) {
  for (const std::span<const Law> table : {laws(), claim_laws()}) {
    const auto row = std::ranges::find(table, name, &Law::name);
    if (row != table.end()) return &*row;
  }
  return nullptr;
}

std::vector<const Law*> laws_that_apply(std::span<const Law* const> candidates,
                                        const Case& test_case) {
  std::vector<const Law*> applying;
  if (corpus::is_tiling_class(test_case.api)) return applying;
  if (test_case.api != corpus::Api::ConvolutionBackward) {
    std::ranges::copy_if(candidates, std::back_inserter(applying), [&](const Law* law) {
      return law->of_operators && requests_anything(test_case) && oracle::mac_count(test_case) > 0;
    });
    return applying;
  }
  if (!requests_anything(test_case) || !whole_convolution(test_case)) return applying;
  std::ranges::copy_if(candidates, std::back_inserter(applying),
                       [&](const Law* law) { return law->applies(test_case); });
  return applying;
}

corpus::Verdict check_law(const Law& law, targets::Target& target, const Case& test_case,
                          const CheckSettings& settings) {
  const std::array candidates{&law};
  corpus::Verdict verdict;
  if (!test_case.data || !is_complete(*test_case.data) ||
      laws_that_apply(candidates, test_case).empty()) {
    verdict.outcome = corpus::Outcome::Skipped;
    verdict.reason = "the law says nothing about this call";
  } else {
    verdict = law.check(target, test_case, settings);
  }
  const bool disagrees = verdict.outcome == corpus::Outcome::Disagree;
  if (disagrees && law.shares_sums) verdict.reason += enlargement_words(test_case);
  verdict.law = law.name;
  return verdict;
}

std::optional<Case> law_run(const Law& law, const Case& test_case, std::uint64_t seed) {
  if (test_case.data && is_complete(*test_case.data)) return test_case;
  if (law.demand) return on_grid_for(*law.demand, test_case, seed);
  const auto planned = oracle::with_recipe(test_case, corpus::Distribution::Uniform, seed);
  return planned ? std::optional(*planned) : std::nullopt;
}

}  // namespace gradproof::cases
