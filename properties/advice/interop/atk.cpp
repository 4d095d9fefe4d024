#include <fmt/core.h>

#include "corpus/json/json_text.h"
#include "properties/advice/interop/foreign_value.h"
#include "properties/advice/interop/imported_cases.h"

namespace gradproof::advice {
namespace {

/// "ConvolutionBackward", "aclnnConvolutionBackward".
std::string operator_of(const nlohmann::json& given) {
  const std::string name = text_of(given, "aclnn_name");
  return name.empty() ? text_of(given, "name") : name;
}

/// A single value may stand in a list of its own.
nlohmann::json element_of_list(const nlohmann::json& part) {
  const nlohmann::json value = member_of(part, "range_values");
  return value.is_array() && value.size() == 1 ? value[0] : value;
}

ForeignTensor tensor_of(const nlohmann::json& part, std::string key) {
  return {.shape = member_of(part, "shape"),
          .dtype = text_of(part, "dtype"),
          .format = text_of(part, "format"),
          .range = member_of(part, "range_values"),
          .key = std::move(key)};
}

/// One case; its arguments stand under "inputs", lists as arrays of their elements.
class AtkReader {
 public:
  AtkReader(const nlohmann::json& given, std::string key, const std::string& file) : given_(given) {
    call_.key = std::move(key);
    const nlohmann::json id = member_of(given, "id");
    call_.id = "atk-" + (id.is_string() ? id.get<std::string>() : corpus::json_text(id));
    call_.source = fmt::format("ATK, {}, {}", file, call_.key);
    const nlohmann::json seed = member_of(given, "default_seed");
    if (id.is_number_unsigned()) call_.seed = id.get<std::uint64_t>();
    if (seed.is_number_unsigned()) call_.seed = seed.get<std::uint64_t>();
  }

  tl::expected<ForeignCall, corpus::CaseError> operator()() {
    const nlohmann::json& inputs = given_["inputs"];
    for (std::size_t i = 0; i < inputs.size() && !problem_; ++i) {
      read(inputs[i], fmt::format("{}.inputs[{}]", call_.key, i));
    }
    for (auto& [name, tensor] : call_.tensors) {
      if (tensor.format.empty()) tensor.format = format_;
    }
    if (problem_) return tl::unexpected(*problem_);
    return std::move(call_);
  }

 private:
  void fail(const std::string& key, std::string problem) {
    problem_ = corpus::CaseError{{}, 0, key, std::move(problem)};
  }

  void read(const nlohmann::json& input, const std::string& key) {
    const nlohmann::json first = input.is_array() && !input.empty() ? input[0] : input;
    const std::string spelling = text_of(first, "name");
    const std::string name = argument_named(spelling);
    if (!first.is_object() || spelling.empty()) return fail(key, "an input without a name");
    if (spelling == "format") return read_format(first);
    if (name.empty()) {
      return fail(key, fmt::format("\"{}\" is no argument of aclnnConvolutionBackward", spelling));
    }
    const std::string where = fmt::format("{} ({})", key, name);
    if (text_of(first, "type") == "tensor") return read_tensor(first, name, where);
    call_.values[name] = {input.is_array() ? list_of(input) : member_of(first, "range_values"),
                          where};
  }

  void read_tensor(const nlohmann::json& input, const std::string& name, const std::string& where) {
    if (!member_of(input, "outlier_values").is_null()) {
      return fail(where, "outlier_values: data with outliers can't be said by a case; set it null");
    }
    call_.tensors[name] = tensor_of(input, where);
  }

  static nlohmann::json list_of(const nlohmann::json& parts) {
    nlohmann::json values = nlohmann::json::array();
    for (const nlohmann::json& part : parts) values.push_back(element_of_list(part));
    return values;
  }

  void read_format(const nlohmann::json& input) {
    const nlohmann::json value = member_of(input, "range_values");
    if (value.is_string()) format_ = value.get<std::string>();
  }

  const nlohmann::json& given_;
  ForeignCall call_;
  std::string format_;
  std::optional<corpus::CaseError> problem_;
};

}  // namespace

ImportedCases cases_of_atk(const nlohmann::json& array, const std::string& file) {
  ImportedCases result;
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::string key = fmt::format("[{}]", i);
    const bool is_case =
        array[i].is_object() && array[i].contains("inputs") && array[i]["inputs"].is_array();
    if (!is_case) {
      result.problems.push_back({{}, 0, key, "no case: an object with a list \"inputs\" is one"});
      continue;
    }
    const std::string name = operator_of(array[i]);
    if (name != "ConvolutionBackward" && name != "aclnnConvolutionBackward") {
      result.other_operators.insert(name);
      continue;
    }
    result.add(AtkReader(array[i], std::move(key), file)());
  }
  return result;
}

}  // namespace gradproof::advice
