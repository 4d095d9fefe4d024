#pragma once

#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/cases/laws/relation.h"

/// Parts of the table's rows; one file a subject.
namespace gradproof::cases::laws_detail {

using Related = tl::expected<RelatedCalls, std::string>;

// algebra.cpp
Related scaling(const corpus::Case& test_case);
Related batch_additivity(const corpus::Case& test_case);
// adjoint.cpp
corpus::Verdict adjoint(targets::Target& target, const corpus::Case& test_case,
                        const CheckSettings& settings);
bool asks_for_a_product(const corpus::Case& test_case);
corpus::Verdict forward_adjoint(targets::Target& target, const corpus::Case& test_case,
                                const CheckSettings& settings);
// groups.cpp
bool has_groups(const corpus::Case& test_case);
Related group_independence(const corpus::Case& test_case);
Related one_group_at_a_time(const corpus::Case& test_case);
// permutations.cpp
bool has_channels_to_permute(const corpus::Case& test_case);
bool has_samples(const corpus::Case& test_case);
Related channel_permutation(const corpus::Case& test_case);
Related batch_permutation(const corpus::Case& test_case);
// placement.cpp
bool can_be_lifted(const corpus::Case& test_case);
bool has_padding(const corpus::Case& test_case);
Related lifting(const corpus::Case& test_case);
Related translation(const corpus::Case& test_case);
Related padding_as_zeros(const corpus::Case& test_case);
// duality.cpp
bool has_grad_weight(const corpus::Case& test_case);
Related duality(const corpus::Case& test_case);
// call.cpp
bool is_one_dimensional(const corpus::Case& test_case);
Related mask_independence(const corpus::Case& test_case);
Related strided_as_contiguous(const corpus::Case& test_case);
Related offset_independence(const corpus::Case& test_case);
Related format_independence(const corpus::Case& test_case);
// math_mode.cpp
bool has_grad_bias(const corpus::Case& test_case);
bool has_another_mode(const corpus::Case& test_case);
Related mode_independence(const corpus::Case& test_case);
Related bias_mode_independence(const corpus::Case& test_case);
// execution.cpp
corpus::Verdict determinism(targets::Target& target, const corpus::Case& test_case,
                            const CheckSettings& settings);
corpus::Verdict executor_reuse(targets::Target& target, const corpus::Case& test_case,
                               const CheckSettings& settings);
corpus::Verdict input_purity(targets::Target& target, const corpus::Case& test_case,
                             const CheckSettings& settings);
corpus::Verdict workspace_independence(targets::Target& target, const corpus::Case& test_case,
                                       const CheckSettings& settings);
corpus::Verdict two_host_threads(targets::Target& target, const corpus::Case& test_case,
                                 const CheckSettings& settings);
corpus::Verdict many_streams(targets::Target& target, const corpus::Case& test_case,
                             const CheckSettings& settings);
corpus::Verdict no_leak(targets::Target& target, const corpus::Case& test_case,
                        const CheckSettings& settings);
// phases_of_a_call.cpp
corpus::Verdict larger_workspace(targets::Target& target, const corpus::Case& test_case,
                                 const CheckSettings& settings);
corpus::Verdict workspace_alignment(targets::Target& target, const corpus::Case& test_case,
                                    const CheckSettings& settings);
corpus::Verdict data_between_phases(targets::Target& target, const corpus::Case& test_case,
                                    const CheckSettings& settings);
bool has_tensors_without_gaps(const corpus::Case& test_case);
corpus::Verdict rebound_addresses(targets::Target& target, const corpus::Case& test_case,
                                  const CheckSettings& settings);
corpus::Verdict default_stream(targets::Target& target, const corpus::Case& test_case,
                               const CheckSettings& settings);
corpus::Verdict phases_on_two_threads(targets::Target& target, const corpus::Case& test_case,
                                      const CheckSettings& settings);
corpus::Verdict used_memory(targets::Target& target, const corpus::Case& test_case,
                            const CheckSettings& settings);
// calls_before.cpp
corpus::Verdict foreign_call_before(targets::Target& target, const corpus::Case& test_case,
                                    const CheckSettings& settings);
corpus::Verdict alternating_calls(targets::Target& target, const corpus::Case& test_case,
                                  const CheckSettings& settings);
corpus::Verdict many_calls_before(targets::Target& target, const corpus::Case& test_case,
                                  const CheckSettings& settings);
// schedules.cpp
corpus::Verdict schedule_determinism(targets::Target& target, const corpus::Case& test_case,
                                     const CheckSettings& settings);
corpus::Verdict schedule_bound(targets::Target& target, const corpus::Case& test_case,
                               const CheckSettings& settings);
corpus::Verdict path_independence(targets::Target& target, const corpus::Case& test_case,
                                  const CheckSettings& settings);
// graph_operators.cpp
bool has_graph_operator(const corpus::Case& test_case);
corpus::Verdict operator_equivalence(targets::Target& target, const corpus::Case& test_case,
                                     const CheckSettings& settings);

// invariance.cpp
bool has_grad_input(const corpus::Case& test_case);
bool has_neighbours(const corpus::Case& test_case);
Related batch_size(const corpus::Case& test_case);
Related batch_place(const corpus::Case& test_case);
Related batch_neighbours(const corpus::Case& test_case);
Related group_alone(const corpus::Case& test_case);
corpus::Verdict tensor_layout(targets::Target& target, const corpus::Case& test_case,
                              const CheckSettings& settings);
corpus::Verdict tensor_alignment(targets::Target& target, const corpus::Case& test_case,
                                 const CheckSettings& settings);
corpus::Verdict other_process(targets::Target& target, const corpus::Case& test_case,
                              const CheckSettings& settings);
corpus::Verdict core_count(targets::Target& target, const corpus::Case& test_case,
                           const CheckSettings& settings);

/// Describes why a law that needs a whole convolution says nothing of this case.
inline tl::unexpected<std::string> no_whole_convolution() {
  return tl::unexpected(
      std::string("the call is no complete convolution, or has too many elements to list"));
}

}  // namespace gradproof::cases::laws_detail
