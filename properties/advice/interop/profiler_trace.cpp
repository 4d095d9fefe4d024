#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/words/spelling.h"
#include "properties/advice/interop/foreign_value.h"
#include "properties/advice/interop/imported_cases.h"
#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::size_t aten_tensors = 3;

/// Our names of aten::convolution_backward's arguments, in its order.
std::vector<std::string> aten_arguments() {
  std::vector<std::string> names;
  const auto& row = *std::ranges::find(call_rows(), "aten, gradients", &CallRow::notation);
  for (const std::string_view role : parts_between(row.order, " "))
    names.push_back(argument_named(role == "mask" ? "outputMask" : std::string(role)));
  return names;
}

bool has(const nlohmann::json& list, std::size_t size) {
  return list.is_array() && list.size() >= size;
}

tl::expected<ForeignCall, corpus::CaseError> call_of_event(const nlohmann::json& event,
                                                           std::string key,
                                                           const std::string& file) {
  const auto failed = [&](std::string problem) {
    return tl::unexpected(corpus::CaseError{{}, 0, key, std::move(problem)});
  };
  const nlohmann::json arguments = event.value("args", nlohmann::json::object());
  if (!arguments.is_object()) return failed("args is no object");
  const auto names = aten_arguments();
  const nlohmann::json dims = member_of(arguments, "Input Dims"),
                       types = member_of(arguments, "Input type"),
                       values = member_of(arguments, "Concrete Inputs"),
                       strides = member_of(arguments, "Input Strides");
  if (!has(dims, names.size()) || !has(types, names.size()))
    return failed("the shapes were not recorded: profile with record_shapes=True");
  if (!has(values, names.size())) {
    return failed(
        "stride, padding and the like were not recorded (\"Concrete Inputs\"): PyTorch "
        "2.1 and newer do with record_shapes=True");
  }
  ForeignCall call;
  call.id = call.key = key;
  call.source = fmt::format("PyTorch profiler, {}, {}", file, key);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string where = fmt::format("{}.args ({})", key, names[i]);
    if (i >= aten_tensors) {
      const bool is_none = values[i].is_string() && values[i].get<std::string>().empty();
      call.values[names[i]] = {is_none ? nlohmann::json() : values[i], where};
      continue;
    }
    const auto type = types[i].is_string() ? types[i].get<std::string>() : std::string();
    call.tensors[names[i]] = {.shape = dims[i],
                              .dtype = std::string(corpus::without_prefix(type, {"c10::"})),
                              .strides = has(strides, i + 1) ? strides[i] : nlohmann::json(),
                              .key = where};
  }
  return call;
}

}  // namespace

ImportedCases cases_of_profiler_trace(const nlohmann::json& trace, const std::string& file) {
  ImportedCases result;
  std::set<std::string> seen;
  const nlohmann::json& events = trace["traceEvents"];
  for (std::size_t i = 0; i < events.size() && events.is_array(); ++i) {
    const bool is_call = events[i].is_object() &&
                         events[i].value("name", nlohmann::json()) == "aten::convolution_backward";
    if (!is_call) continue;
    ImportedCases one;
    one.add(call_of_event(events[i], fmt::format("traceEvents[{}]", i), file));
    for (corpus::Case& test_case : one.cases) {
      corpus::Case unnamed = test_case;
      unnamed.id = unnamed.source = "";
      if (seen.insert(corpus::to_json_line(unnamed)).second) {
        result.cases.push_back(std::move(test_case));
      }
    }
    for (corpus::CaseError& problem : one.problems) {
      if (seen.insert(problem.problem).second) result.problems.push_back(std::move(problem));
    }
  }
  return result;
}

}  // namespace gradproof::advice
