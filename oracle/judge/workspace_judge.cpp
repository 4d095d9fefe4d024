#include "oracle/judge/judge_stages.h"

#include <fmt/core.h>

#include <cmath>

namespace gradproof::oracle {
namespace {

double bytes_of(const std::optional<corpus::TensorCase>& tensor) {
  if (!tensor) return 0;
  auto bytes = static_cast<double>(size_bytes(tensor->dtype));
  for (const std::int64_t length : tensor->shape) bytes *= std::abs(static_cast<double>(length));
  return bytes;
}

/// A device's memory, and some copies of the tensors for each of its cores.
double most_workspace(const corpus::Case& test_case) {
  constexpr double memory_of_a_device = 1e12, copies = 1024;
  double bytes = 0;
  for (const auto role : corpus::input_roles) bytes += bytes_of(corpus::tensor(test_case, role));
  for (const auto role : corpus::output_roles) bytes += bytes_of(corpus::tensor(test_case, role));
  return memory_of_a_device + copies * bytes;
}

}  // namespace

std::optional<std::string> problem_with_workspace(const corpus::Case& test_case,
                                                  const corpus::Observation& observation) {
  const bool is_planned = observation.phase_one == corpus::Status::Success;
  const auto bytes = static_cast<double>(observation.workspace_size);
  if (!is_planned || bytes <= most_workspace(test_case)) return std::nullopt;
  return fmt::format(
      "phase one returned success and asks for a workspace of {} bytes, more than the call can "
      "need "
      "and a device can have",
      observation.workspace_size);
}

}  // namespace gradproof::oracle
