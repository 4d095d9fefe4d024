#include <fmt/core.h>

#include <array>
#include <set>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/words/spelling.h"
#include "properties/advice/interop/imported_cases.h"

namespace gradproof::advice {
namespace {

/// aten::convolution_backward's, in its order.
constexpr std::array aten_arguments{"gradOutput",    "input",   "weight",    "biasSizes",
                                    "stride",        "padding", "dilation",  "transposed",
                                    "outputPadding", "groups",  "outputMask"};
constexpr std::size_t aten_tensors = 3;

nlohmann::json list_in(const nlohmann::json& arguments, const char* key) {
  const auto found = arguments.find(key);
  return found != arguments.end() && found->is_array() ? *found : nlohmann::json();
}

tl::expected<ForeignCall, corpus::CaseError> call_of_event(const nlohmann::json& event,
                                                           std::string key,
                                                           const std::string& file) {
  const auto failed = [&](std::string problem) {
    return tl::unexpected(corpus::CaseError{{}, 0, key, std::move(problem)});
  };
  const nlohmann::json arguments = event.value("args", nlohmann::json::object());
  if (!arguments.is_object()) return failed("args is no object");
  const nlohmann::json dims = list_in(arguments, "Input Dims"),
                       types = list_in(arguments, "Input type"),
                       values = list_in(arguments, "Concrete Inputs"),
                       strides = list_in(arguments, "Input Strides");
  if (dims.size() < aten_arguments.size() || types.size() < aten_arguments.size()) {
    return failed("the shapes were not recorded: profile with record_shapes=True");
  }
  if (values.size() < aten_arguments.size()) {
    return failed(
        "stride, padding and the like were not recorded (\"Concrete Inputs\"): PyTorch "
        "2.1 and newer do with record_shapes=True");
  }
  ForeignCall call;
  call.id = call.key = key;
  call.source = fmt::format("PyTorch profiler, {}, {}", file, key);
  for (std::size_t i = 0; i < aten_arguments.size(); ++i) {
    const std::string where = fmt::format("{}.args ({})", key, aten_arguments[i]);
    if (i >= aten_tensors) {
      const bool is_none = values[i].is_string() && values[i].get<std::string>().empty();
      call.values[aten_arguments[i]] = {is_none ? nlohmann::json() : values[i], where};
      continue;
    }
    const std::string type = types[i].is_string() ? types[i].get<std::string>() : std::string();
    ForeignTensor tensor;
    tensor.shape = dims[i];
    tensor.dtype = corpus::without_prefix(type, {"c10::"});
    tensor.strides = i < strides.size() ? strides[i] : nlohmann::json();
    tensor.key = where;
    call.tensors[aten_arguments[i]] = tensor;
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
    auto call = call_of_event(events[i], fmt::format("traceEvents[{}]", i), file);
    ImportedCases one;
    if (call) {
      one.add(*call);
    } else {
      one.problems.push_back(call.error());
    }
    for (corpus::Case& problem : one.cases) {
      corpus::Case unnamed = problem;
      unnamed.id = unnamed.source = "";
      if (seen.insert(corpus::to_json_line(unnamed)).second) {
        result.cases.push_back(std::move(problem));
      }
    }
    for (corpus::CaseError& problem : one.problems) {
      if (seen.insert(problem.problem).second) result.problems.push_back(std::move(problem));
    }
  }
  return result;
}

}  // namespace gradproof::advice
