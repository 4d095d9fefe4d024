#include "oracle/judge/linear_judgement.h"

#include <bit>
#include <cmath>

#include "corpus/element_values.h"
#include "oracle/arithmetic/machine_scope.h"
#include "oracle/facts/axis_order.h"

namespace gradproof::oracle {
namespace {

using corpus::Distribution;
using corpus::InputRole;
using corpus::OutputRole;

InputRole other_of(OutputRole role) {
  return role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
}

/// Whether operands of this extent are in the format as they are, so that no conversion changes
/// one.
bool is_kept(const Extent& extent, NumberFormat stored, const Arithmetic& way) {
  if (way.operands == stored || way.operands == NumberFormat::Float) return true;
  if (extent.non_zeros == 0) return true;
  return extent.window_bits() <= precision(way.operands) &&
         extent.unit >= smallest_exponent(way.operands) &&
         extent.top <= std::ilogb(largest_finite(way.operands));
}

}  // namespace

bool LinearJudgement::wants(OutputRole role) const {
  if (!is_requested(problem_, role)) return false;
  const auto& output = *tensor(problem_, role);
  const auto elements = to_size(element_count(geometry_.shape(role)));
  const auto& bits = observation_.outputs[role].bits;
  return output.dtype == corpus::DataType::Float && elements > 0 &&
         bits.size() == elements * sizeof(float);
}

/// That of the exact grid follows from its fill; only numbers that a person gave are looked
/// through.
std::optional<Extent> LinearJudgement::known_extent(InputRole role) const {
  const bool is_drawn = given_ == nullptr && problem_.data->distribution != Distribution::Listed;
  if (!is_drawn) return scanned_extent(linear_.inputs[role]);
  if (problem_.data->distribution != Distribution::ExactGrid || !problem_.data->fills) {
    return std::nullopt;
  }
  const auto& fill = (*problem_.data->fills)[role];
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(fill.magnitude)));
  return Extent{.non_zeros = 1,
                .unit = fill.exponent,
                .top = fill.exponent + bits,
                .lowest_leading = fill.exponent};
}

bool LinearJudgement::is_exact(OutputRole role, const Arithmetic& way) const {
  SumScope scope{.grad_output = {},
                 .other = extent_of_one(),
                 .longest_reduction = geometry_.longest_reduction(role)};
  const auto extent_in = [&](InputRole input, Extent& extent) {
    const auto& found = extents_[input];
    if (!found || found->non_finite > 0) return false;
    extent = *found;
    return is_kept(extent, linear_.inputs[input].format, way);
  };
  if (!way.roundings.empty() || !extent_in(InputRole::GradOutput, scope.grad_output)) return false;
  if (role != OutputRole::GradBias && !extent_in(other_of(role), scope.other)) return false;
  return every_sum_is_exact(scope, way, adder_for(settings_, problem_, role));
}

std::span<const std::byte> LinearJudgement::entries(InputRole role, std::int64_t first,
                                                    std::int64_t count) {
  Source& source = sources_[role];
  const corpus::TensorCase& described = *tensor(problem_, role);
  const std::size_t size = size_bytes(described.dtype);
  const std::size_t entry = to_size(linear_.inputs[role].entry_size()) * size;
  const auto order = own_order(problem_, described);
  if (given_ != nullptr && !order) {
    return (*given_)[role].subspan(to_size(first) * entry, to_size(count) * entry);
  }
  if (!source.is_whole && given_ == nullptr && !order) {
    source.buffer.resize(to_size(count) * entry);
    if (draw_entries(source.buffer, problem_, role, {first, count})) return source.buffer;
  }
  if (!source.is_whole) {
    source.buffer = given_ == nullptr
                        ? logical_elements(problem_, role)
                        : in_logical_order((*given_)[role], size, described.shape, *order);
    source.is_whole = true;
  }
  return std::span<const std::byte>(source.buffer)
      .subspan(to_size(first) * entry, to_size(count) * entry);
}

void LinearJudgement::add_input(InputRole role) {
  const auto& described = tensor(problem_, role);
  if (!described) return;
  IntegerTensor& input = linear_.inputs[role];
  input.format = *format_of(described->dtype);
  input.shape = geometry_.shape(role);
  input.entries = [this, role](std::int64_t first, std::int64_t count) {
    return entries(role, first, count);
  };
  auto& extent = extents_[role];
  extent = known_extent(role);
  input.unit = extent ? extent->unit : 0;
}

void LinearJudgement::add_output(OutputRole role) {
  const auto ways = arithmetics(problem_, role, settings_);
  if (ways.empty() || !is_exact(role, ways.front())) return;
  const auto& described = *tensor(problem_, role);
  std::span<const std::byte> bits = observation_.outputs[role].bits;
  if (const auto order = own_order(problem_, described)) {
    auto& reordered = reordered_[role];
    reordered = in_logical_order(bits, sizeof(float), described.shape, *order);
    bits = reordered;
  }
  IntegerTensor output{
      .shape = geometry_.shape(role), .unit = extents_[InputRole::GradOutput]->unit, .entries = {}};
  if (role != OutputRole::GradBias) output.unit += extents_[other_of(role)]->unit;
  output.entries = [bits, size = to_size(output.entry_size()) * sizeof(float)](std::int64_t first,
                                                                               std::int64_t count) {
    return bits.subspan(to_size(first) * size, to_size(count) * size);
  };
  linear_.seed = answer_seed(bits, linear_.seed);
  linear_.outputs[role] = std::move(output);
}

void LinearJudgement::prepare() {
  is_prepared_ = true;
  linear_.geometry = geometry_;
  linear_.seed = problem_.data ? problem_.data->seed : 0;
  for (const InputRole role : corpus::input_roles) add_input(role);
  bool any = false;
  for (const OutputRole role : corpus::output_roles) {
    if (wants(role)) add_output(role);
    any = any || linear_.outputs[role];
  }
  if (!any) return;
  findings_ = check_linearly(linear_);
  for (const InputRole role : corpus::input_roles) {
    const IntegersSeen& seen = findings_->inputs[role];
    auto& extent = extents_[role];
    extent =
        seen.first_other ? std::nullopt : std::optional(seen.extent(linear_.inputs[role].unit));
  }
}

std::optional<LinearJudgement::Decision> LinearJudgement::decide(OutputRole role,
                                                                 const Arithmetic& way) {
  if (!is_prepared_) prepare();
  if (!findings_ || !linear_.outputs[role] || !is_exact(role, way)) return std::nullopt;
  const LinearFinding& finding = findings_->outputs[role];
  Decision decision{.zeros = finding.seen.zeros};
  if (finding.seen.first_other) {
    decision.suspects = {*finding.seen.first_other};
  } else if (finding.wrong_entry && role == OutputRole::GradBias) {
    decision.suspects = {static_cast<std::uint64_t>(*finding.wrong_entry)};
  } else if (finding.wrong_entry) {
    decision.suspects = wrong_elements(linear_, role, *finding.wrong_entry);
  }
  return decision;
}

}  // namespace gradproof::oracle
