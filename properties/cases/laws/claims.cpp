#include "properties/cases/laws/claims.h"

#include <algorithm>

#include "properties/cases/laws/law_rows.h"

namespace gradproof::cases {
namespace {

using namespace laws_detail;

bool is_any_call(const corpus::Case&) { return true; }

constexpr std::string_view deterministic_claim = "deterministic", batch_claim = "batch-invariant",
                           group_claim = "group-invariant", position_claim = "position-invariant",
                           core_claim = "core-invariant", alignment_claim = "alignment-invariant";

constexpr Law claim_rows[] = {
    {"batch_size", "a sample's gradInput has the same bits in a batch of 1, 2, 7 and 64",
     std::nullopt, has_grad_input, check_relation_of<batch_size>},
    {"batch_neighbours", "the other samples' numbers do not show in a sample's gradInput",
     std::nullopt, has_neighbours, check_relation_of<batch_neighbours>},
    {"group_alone", "a group has the bits of a call of that group alone", std::nullopt, has_groups,
     check_relation_of<group_alone>},
    {"batch_place", "a sample's gradInput has the same bits at every place of the batch",
     std::nullopt, has_neighbours, check_relation_of<batch_place>},
    {"core_count", "one core gives the bits of all", std::nullopt, is_any_call, core_count},
    {"tensor_alignment", "tensors 32, 96 and 480 bytes later give the same bits", std::nullopt,
     is_any_call, tensor_alignment},
    {"tensor_layout", "strided and contiguous tensors give the same bits, whatever the data",
     std::nullopt, is_any_call, tensor_layout},
    {"other_process", "another process gives the same bits", std::nullopt, is_any_call,
     other_process},
};

constexpr Axis axis_rows[] = {
    {"run to run", deterministic_claim, {"determinism", "executor_reuse"}},
    {"earlier calls",
     deterministic_claim,
     {"foreign_call_before", "alternating_calls", "used_memory"}},
    {"threads", deterministic_claim, {"two_host_threads", "phases_on_two_threads", "many_streams"}},
    {"process", deterministic_claim, {"other_process"}},
    {"batch size", batch_claim, {"batch_size"}},
    {"neighbours", batch_claim, {"batch_neighbours"}},
    {"groups", group_claim, {"group_alone"}},
    {"place in the batch", position_claim, {"batch_place"}},
    {"cores", core_claim, {"core_count"}},
    {"alignment", alignment_claim, {"tensor_alignment", "workspace_alignment"}},
    {"layout", alignment_claim, {"tensor_layout"}},
};

}  // namespace

std::span<const Axis> axes_of_claims() { return axis_rows; }

std::span<const Law> claim_laws() { return claim_rows; }

bool is_claim(std::string_view name) {
  return std::ranges::find(axis_rows, name, &Axis::claim) != std::end(axis_rows);
}

std::vector<const Law*> laws_of_claims(std::span<const std::string> claims) {
  std::vector<const Law*> laws;
  for (const Axis& axis : axis_rows) {
    if (std::ranges::find(claims, axis.claim) == claims.end()) continue;
    for (const std::string_view name : axis.laws) {
      if (!name.empty()) laws.push_back(law_named(name));
    }
  }
  return laws;
}

}  // namespace gradproof::cases
