#pragma once

#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/cases/laws/relation.h"
#include "properties/targets/target/target.h"

/// Parts of the table's rows; one file a subject.
namespace gradproof::cases::laws_detail {

using Related = tl::expected<RelatedCalls, std::string>;

using Condition = bool(const corpus::Case& test_case);
using RelationLaw = Related(const corpus::Case& test_case);
using DirectLaw = corpus::Verdict(targets::Target& target, const corpus::Case& test_case,
                                  const CheckSettings& settings);

// algebra.cpp
RelationLaw scaling, batch_additivity;
// adjoint.cpp
Condition asks_for_a_product;
DirectLaw adjoint, forward_adjoint;
// groups.cpp
Condition has_groups;
RelationLaw group_independence, one_group_at_a_time;
// permutations.cpp
Condition has_channels_to_permute, has_samples;
RelationLaw channel_permutation, batch_permutation;
// placement.cpp
Condition can_be_lifted, has_padding;
RelationLaw lifting, translation, padding_as_zeros;
// duality.cpp
Condition has_grad_weight;
RelationLaw duality;
// call.cpp
Condition is_one_dimensional;
RelationLaw mask_independence, strided_as_contiguous, offset_independence, format_independence;
// math_mode.cpp
Condition has_grad_bias, has_another_mode;
RelationLaw mode_independence, bias_mode_independence;
// execution.cpp
DirectLaw determinism, executor_reuse, input_purity, workspace_independence, two_host_threads,
    many_streams, no_leak;
// phases_of_a_call.cpp
Condition has_tensors_without_gaps;
DirectLaw larger_workspace, workspace_alignment, data_between_phases, rebound_addresses,
    default_stream, phases_on_two_threads, used_memory;
// calls_before.cpp
DirectLaw foreign_call_before, alternating_calls, many_calls_before;
// schedules.cpp
DirectLaw schedule_determinism, schedule_bound, path_independence;
// graph_operators.cpp
Condition has_graph_operator;
DirectLaw operator_equivalence;
// invariance.cpp
Condition has_grad_input, has_neighbours;
RelationLaw batch_size, batch_place, batch_neighbours, group_alone;
DirectLaw tensor_layout, tensor_alignment, other_process, core_count;

/// Describes why a law that needs a whole convolution says nothing of this case.
inline tl::unexpected<std::string> no_whole_convolution() {
  return tl::unexpected(
      std::string("the call is no complete convolution, or has too many elements to list"));
}

/// Changes the call to deterministic mode: only then do the documents promise the same bits for the
/// same call (DET-01), so that the data need not be exact.
corpus::Case in_deterministic_mode(const corpus::Case& test_case);

/// Two calls of one case, each with its own settings: their bits must be the same. `difference`:
/// of the second call, in words.
corpus::Verdict same_bits(targets::Target& target, const corpus::Case& test_case,
                          const CheckSettings& first, const CheckSettings& second,
                          const std::string& difference);

}  // namespace gradproof::cases::laws_detail
