#include "properties/runs/probes/prober.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "corpus/element_encoding.h"

namespace gradproof::runs {
namespace {

using corpus::InputRole;
using oracle::Shape;

/// The tensor's own coordinate of an element of its lifted shape.
std::vector<std::int64_t> unlifted(const Shape& at, std::size_t rank) {
  std::vector<std::int64_t> own{at[0], at[1]};
  for (std::size_t axis = at.size() - (rank - 2); axis < at.size(); ++axis) own.push_back(at[axis]);
  return own;
}

std::optional<std::string> failure_of(const corpus::Observation& seen) {
  if (seen.unsupported) return *seen.unsupported;
  if (seen.signal) return fmt::format("it died of signal {}", *seen.signal);
  if (seen.timed_out) return "it did not end in time";
  if (seen.ended) return *seen.ended;
  if (seen.failure) return *seen.failure;
  const std::pair<const char*, std::optional<corpus::Status>> phases[] = {
      {"phase one", seen.phase_one},
      {"phase two", seen.phase_two},
      {"the synchronisation", seen.synchronise}};
  for (const auto& [phase, status] : phases) {
    if (status == corpus::Status::Success) continue;
    if (!status) return fmt::format("{} did not happen", phase);
    return fmt::format("{} returned {}{}{}", phase, static_cast<int>(*status),
                       seen.message.empty() ? "" : ": ", seen.message);
  }
  return std::nullopt;
}

/// True for a zero without a sign. Zeros may be many, and most calls need no sign of theirs.
bool is_plain_zero(double value) { return value == 0 && !std::signbit(value); }

}  // namespace

double element_value(const std::vector<std::byte>& bytes, corpus::DataType dtype,
                     std::size_t index) {
  return corpus::decode(dtype, element_bits(bytes, dtype, index)).value_or(NAN);
}

std::uint64_t element_bits(const std::vector<std::byte>& bytes, corpus::DataType dtype,
                           std::size_t index) {
  const std::size_t size = corpus::size_bytes(dtype);
  std::uint64_t bits = 0;
  if ((index + 1) * size <= bytes.size()) std::memcpy(&bits, bytes.data() + index * size, size);
  return bits;
}

Prober::Prober(targets::Target& target, corpus::Case call, std::uint64_t calls,
               const std::atomic<bool>& stop)
    : target_(target), call_(std::move(call)), limit_(calls), stop_(stop) {
  if (const auto geometry = oracle::geometry_of(call_)) {
    for (const InputRole role : corpus::input_roles) {
      shapes_[role] = geometry->shape(role);
    }
  }
}

Operands Prober::zeros() const {
  Operands operands;
  for (std::size_t role = 0; role < operands.size(); ++role) {
    operands[role].assign(to_size(oracle::element_count(shapes_[role])), 0.0);
  }
  return operands;
}

corpus::Case Prober::with_data(const Operands& operands) const {
  corpus::Case test_case = call_;
  test_case.data.emplace();
  test_case.data->distribution = corpus::Distribution::Listed;
  for (const InputRole role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(call_, role);
    if (!tensor) continue;
    for (std::size_t i = 0; i < operands[role].size(); ++i) {
      if (is_plain_zero(operands[role][i])) continue;
      const auto bits = corpus::encode_towards_zero(tensor->dtype, operands[role][i]);
      const Shape at = oracle::coordinate_of(shapes_[role], i);
      test_case.data->listed[role].push_back(
          {unlifted(at, tensor->shape.size()), bits.value_or(0)});
    }
  }
  return test_case;
}

Probed<corpus::PerOutput<std::vector<std::byte>>> Prober::run(const Operands& operands) {
  using Kind = ProbeProblem::Kind;
  if (stop_) return tl::unexpected(ProbeProblem{Kind::Stopped, "it was interrupted"});
  if (made_ >= limit_) {
    return tl::unexpected(ProbeProblem{
        Kind::OutOfCalls, fmt::format("{} calls were not enough; --cases allows more", limit_)});
  }
  ++made_;
  const auto seen = target_.run_case(with_data(operands));
  if (const auto failure = failure_of(seen)) {
    return tl::unexpected(ProbeProblem{Kind::Refused, *failure});
  }
  corpus::PerOutput<std::vector<std::byte>> outputs;
  for (std::size_t role = 0; role < outputs.size(); ++role) outputs[role] = seen.outputs[role].bits;
  return outputs;
}

Probed<std::vector<double>> Prober::ask(const cases::SitePlan& plan, const cases::Site& site,
                                        const ProbeValues& shared,
                                        std::span<const ProbeValues> questions) {
  const auto slots = to_size(plan.slots());
  const auto role = to_size(plan.role());
  const auto varied = to_size(plan.varied());
  const auto common = to_size(plan.shared());
  const Shape shape = plan.geometry().shape(plan.role());
  const corpus::DataType dtype = corpus::tensor(call_, plan.role())->dtype;
  std::vector<double> answers;
  for (std::size_t first = 0; first < questions.size(); first += slots) {
    const std::size_t count = std::min(slots, questions.size() - first);
    Operands operands = zeros();
    std::vector<std::size_t> places;
    for (std::size_t slot = 0; slot < count; ++slot) {
      const cases::Site own =
          plan.site_at(plan.element_of_slot(site.element, static_cast<std::int64_t>(slot)));
      places.push_back(oracle::offset_of(shape, own.element));
      const auto set = [&](std::size_t operand, const ProbeValues& values, auto coordinate) {
        auto& elements = operands[operand];
        for (const auto& product : own.products) {
          elements[oracle::offset_of(shapes_[operand], product.*coordinate)] = values.rest;
        }
        for (const auto& [place, value] : values.at) {
          elements[oracle::offset_of(shapes_[operand], own.products[place].*coordinate)] = value;
        }
      };
      if (plan.has_shared()) set(common, shared, &cases::SiteProduct::shared);
      set(varied, questions[first + slot], &cases::SiteProduct::varied);
    }
    const auto outputs = run(operands);
    if (!outputs) return tl::unexpected(outputs.error());
    for (const std::size_t place : places) {
      answers.push_back(element_value((*outputs)[role], dtype, place));
    }
  }
  return answers;
}

}  // namespace gradproof::runs
