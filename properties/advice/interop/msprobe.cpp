#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "properties/advice/interop/foreign_value.h"
#include "properties/advice/interop/imported_cases.h"
#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

/// The row and the name of a function of PyTorch whose backward pass calls the operator; null: it
/// is none. The table of calls has the order of its arguments.
const CallRow* forward_function(const std::string& name) {
  const auto found = spellings().find(name);
  if (found == spellings().end()) return nullptr;
  const auto is_torchs = [](const Spelling& one) {
    return one.row->notation == "PyTorch, functional" || one.row->notation == "aten";
  };
  const auto one = std::ranges::find_if(found->second, is_torchs);
  return one == found->second.end() ? nullptr : one->row;
}

bool is_tensor(const nlohmann::json& value) { return value.is_object() && value.contains("shape"); }

/// {"type": "int", "value": 2} is 2, a list of such a list of numbers.
nlohmann::json value_of(const nlohmann::json& recorded) {
  if (recorded.is_object() && recorded.contains("value")) return recorded["value"];
  if (!recorded.is_array()) return recorded;
  nlohmann::json values = nlohmann::json::array();
  for (const nlohmann::json& part : recorded) {
    const bool is_recorded = part.is_object() && part.contains("value");
    values.push_back(is_recorded ? part["value"] : part);
  }
  return values;
}

ForeignTensor tensor_of_record(const nlohmann::json& recorded, std::string key) {
  const nlohmann::json low = member_of(recorded, "Min"), high = member_of(recorded, "Max");
  const bool has_range = low.is_number() && high.is_number();
  return {.shape = recorded["shape"],
          .dtype = text_of(recorded, "dtype"),
          .range = has_range ? nlohmann::json::array({low, high}) : nlohmann::json(),
          .key = std::move(key)};
}

bool wants_gradient(const nlohmann::json& tensor) {
  const nlohmann::json wants = member_of(tensor, "requires_grad");
  return !wants.is_boolean() || wants.get<bool>();
}

/// "Functional.conv2d.3.forward": the function and the call's name, "Functional.conv2d.3".
struct RecordName {
  std::string call, function;
};

std::optional<RecordName> forward_record(const std::string& key) {
  constexpr std::string_view ending = ".forward";
  if (!key.ends_with(ending)) return std::nullopt;
  RecordName name{key.substr(0, key.size() - ending.size()), {}};
  const std::size_t number = name.call.rfind('.');
  if (number == std::string::npos) return std::nullopt;
  std::string function = name.call.substr(0, number);
  name.function = function.substr(function.find('.') + 1);
  return name;
}

/// True for a key like "Module.conv1.Conv2d.forward.0"
bool is_module_of_convolution(const std::string& key) {
  return key.starts_with("Module.") && key.find(".Conv") != std::string::npos &&
         key.find("d.forward.") != std::string::npos;
}

class MsprobeReader {
 public:
  MsprobeReader(const nlohmann::json& data, const std::string& file) : data_(data), file_(file) {}

  ForeignCall operator()(const std::string& key, const RecordName& name, const CallRow& function) {
    call_ = {};
    call_.id = name.call;
    call_.key = "data." + key;
    call_.source = fmt::format("msprobe, {}, {}", file_, call_.key);
    mask_ = {false, false, false};
    set("dilation", 1);
    set("outputPadding", 0);
    set("stride", 1);
    set("padding", 0);
    set("groups", 1);
    set("transposed", meaning_of(function, "transposed") == "yes");
    read_arguments(data_[key], function);
    read_backward(member_of(data_, name.call + ".backward"));
    set("outputMask", mask_);
    return call_;
  }

 private:
  void set(const std::string& name, nlohmann::json value) {
    call_.values[name] = {std::move(value), call_.key};
  }

  void read_arguments(const nlohmann::json& record, const CallRow& function) {
    const nlohmann::json positional = member_of(record, "input_args");
    const nlohmann::json named = member_of(record, "input_kwargs");
    const auto names = parts_between(function.order, " ");
    for (std::size_t i = 0; i < positional.size() && i < names.size(); ++i) {
      read(std::string(names[i]), positional[i], fmt::format("{}.input_args[{}]", call_.key, i));
    }
    if (!named.is_object()) return;
    for (const auto& [name, value] : named.items()) {
      read(name, value, fmt::format("{}.input_kwargs.{}", call_.key, name));
    }
  }

  void read(const std::string& name, const nlohmann::json& recorded, const std::string& key) {
    const std::string argument = argument_named(name);
    if (name == "bias") return read_bias(recorded, key);
    if (is_tensor(recorded) && !argument.empty()) {
      call_.tensors[argument] = tensor_of_record(recorded, key);
      mask_[argument == "input" ? 0 : 1] = wants_gradient(recorded);
    } else if (!argument.empty()) {
      call_.values[argument] = {value_of(recorded), key};
    }
  }

  void read_bias(const nlohmann::json& recorded, const std::string& key) {
    if (!is_tensor(recorded)) return;
    call_.values["biasSizes"] = {recorded["shape"], key};
    mask_[2] = wants_gradient(recorded);
  }

  /// Reads a backward record: input is gradOutput, output the gradients; null: not computed.
  void read_backward(const nlohmann::json& record) {
    if (!record.is_object()) return;
    const nlohmann::json inputs = member_of(record, "input"), outputs = member_of(record, "output");
    if (inputs.is_array() && !inputs.empty() && is_tensor(inputs[0])) {
      call_.tensors["gradOutput"] = tensor_of_record(inputs[0], call_.key + " (backward.input[0])");
    }
    for (std::size_t i = 0; i < outputs.size() && i < mask_.size() && outputs.is_array(); ++i) {
      mask_[i] = mask_[i] && is_tensor(outputs[i]);
    }
  }

  const nlohmann::json& data_;
  const std::string& file_;
  ForeignCall call_;
  std::array<bool, 3> mask_{};
};

}  // namespace

ImportedCases cases_of_msprobe(const nlohmann::json& dump, const std::string& file) {
  ImportedCases result;
  const nlohmann::json& data = dump["data"];
  MsprobeReader reader(data, file);
  for (const auto& [key, record] : data.items()) {
    if (dump.value("level", nlohmann::json()) == "L0" && is_module_of_convolution(key)) {
      result.problems.push_back({{},
                                 0,
                                 "data." + key,
                                 "a module's record has no stride, padding, dilation and groups; "
                                 "dump with level L1 or mix"});
    }
    const auto name = forward_record(key);
    if (!name) continue;
    if (const CallRow* function = forward_function(name->function))
      result.add(reader(key, *name, *function));
  }
  return result;
}

}  // namespace gradproof::advice
