// cuDNN's log of API calls, and the parameters that PyTorch prints when cuDNN fails.

#include <map>
#include <optional>

#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::properties {
namespace {

struct TypeName {
  std::string_view cudnn;
  const char* ours;
};
constexpr TypeName type_names[] = {{"CUDNN_DATA_FLOAT", "FLOAT"},
                                   {"CUDNN_DATA_HALF", "FLOAT16"},
                                   {"CUDNN_DATA_BFLOAT16", "BFLOAT16"},
                                   {"CUDNN_DATA_DOUBLE", "DOUBLE"}};

std::optional<std::string> type_in(std::string_view text) {
  for (const TypeName& type : type_names) {
    if (text.find(type.cudnn) != std::string_view::npos) return type.ours;
  }
  return std::nullopt;
}

/// The fields of one descriptor: "dimA", "padA" and the like with their integers.
struct Descriptor {
  std::map<std::string, Integers, std::less<>> lists;
  std::optional<std::string> type;

  std::optional<Integers> list(std::string_view name) const {
    const auto found = lists.find(name);
    return found == lists.end() ? std::nullopt : std::optional(found->second);
  }
};

/// Descriptors by name, of one call.
using Descriptors = std::map<std::string, Descriptor, std::less<>>;

std::optional<Integers> list_in(std::string_view value) {
  const std::size_t open = value.find('[');
  if (open != std::string_view::npos) return integers_in_brackets(value, open);
  return integers_of_line(value);
}

void put(std::optional<std::string>& word, const std::optional<Integers>& values) {
  if (values) word = with_commas(*values);
}

void demand(const std::optional<std::string>& word, const char* name, FoundCall& call) {
  if (!word) call.lacking.emplace_back(name);
}

void demand_all(FoundCall& call) {
  demand(call.words.input, "input's shape", call);
  demand(call.words.weight, "weight's shape", call);
  demand(call.words.stride, "stride", call);
  demand(call.words.padding, "padding", call);
  demand(call.words.dilation, "dilation", call);
}

// --- cuDNN's own log

struct CudnnCall {
  std::string_view name;
  std::size_t line = 0;
  Descriptors descriptors;
  std::string current;  ///< the descriptor whose fields follow
  bool flips = false;
};

void read_log_line(std::string_view line, CudnnCall& logged) {
  const std::size_t colon = line.find(": ", line.starts_with("i!") ? 2 : 0);
  if (colon == std::string_view::npos) return;
  const auto names = words_in(line.substr(0, colon));
  if (names.empty()) return;
  const std::string name(names.back().text);
  const std::string_view value = line.substr(colon + 2);
  if (name.ends_with("Desc")) {
    logged.current = name;
    return;
  }
  Descriptor& descriptor = logged.descriptors[logged.current];
  if (name == "mode" && value.find("CUDNN_CONVOLUTION ") != std::string_view::npos)
    logged.flips = true;
  if (name == "dataType") descriptor.type = type_in(value);
  const auto behind_val = behind(value, "val=");
  if (!behind_val) return;
  const auto list = list_in(behind_val->substr(0, behind_val->find(';')));
  if (list) descriptor.lists[name] = *list;
}

std::optional<FoundCall> call_of(CudnnCall& logged) {
  const auto shape = [&](const char* one, const char* other) {
    const auto first = logged.descriptors[one].list("dimA");
    return first ? first : logged.descriptors[other].list("dimA");
  };
  if (logged.name.find("Convolution") == std::string_view::npos) return std::nullopt;
  FoundCall call{.notation = "cuDNN", .line = logged.line};
  put(call.words.input, shape("xDesc", "dxDesc"));
  put(call.words.weight, shape("wDesc", "dwDesc"));
  put(call.words.grad_output, shape("yDesc", "dyDesc"));
  if (!call.words.input && !call.words.weight) return std::nullopt;
  const Descriptor& attributes = logged.descriptors["convDesc"];
  put(call.words.padding, attributes.list("padA"));
  put(call.words.stride, attributes.list("strideA"));
  put(call.words.dilation, attributes.list("dilationA"));
  put(call.words.groups, attributes.list("groupCount"));
  demand_all(call);
  const auto type = logged.descriptors["wDesc"].type;
  call.words.dtype = type ? type : logged.descriptors["xDesc"].type;
  if (!call.words.dtype) call.notes.emplace_back("dtype is not stated: FLOAT");
  if (logged.flips)
    call.lacking.emplace_back("a cross-correlation: CUDNN_CONVOLUTION flips the kernel");
  if (logged.name.find("BackwardData") != std::string_view::npos) call.words.mask = "1,0,0";
  if (logged.name.find("BackwardFilter") != std::string_view::npos) call.words.mask = "0,1,0";
  if (!call.words.mask)
    call.notes.emplace_back("a forward convolution: its gradients are explained");
  return call;
}

// --- PyTorch's ConvolutionParams

/// Cuts lists of a fixed length of three to the spatial axes.
std::optional<Integers> of_axes(std::optional<Integers> values, std::size_t axes, FoundCall& call) {
  if (!values || values->size() <= axes) return values;
  values->resize(axes);
  const std::string note =
      "lists are cut to the spatial axes; the rest is an artefact of the message";
  if (call.notes.empty() || call.notes.back() != note) call.notes.push_back(note);
  return values;
}

struct Parameters {
  std::size_t line = 0;
  Descriptor attributes;
  Descriptors tensors;
  std::string current;
};

void read_parameter_line(std::string_view line, Parameters& parameters) {
  for (const char* tensor : {"input", "output", "weight"}) {
    if (line.find(std::string(tensor) + ": TensorDescriptor") != std::string_view::npos ||
        line.find(std::string(tensor) + ": FilterDescriptor") != std::string_view::npos) {
      parameters.current = tensor;
    }
  }
  const std::size_t sign = line.find(" = ");
  if (sign == std::string_view::npos) return;
  const auto names = words_in(line.substr(0, sign));
  if (names.empty()) return;
  const std::string name(names.back().text);
  const std::string_view value = line.substr(sign + 3);
  Descriptor& descriptor =
      parameters.current.empty() ? parameters.attributes : parameters.tensors[parameters.current];
  if (name == "data_type") descriptor.type = type_in(value);
  if (const auto list = list_in(value)) descriptor.lists[name] = *list;
}

FoundCall call_of(Parameters& parameters) {
  FoundCall call{.notation = "ConvolutionParams", .line = parameters.line};
  const auto weight = parameters.tensors["weight"].list("dimA");
  put(call.words.input, parameters.tensors["input"].list("dimA"));
  put(call.words.weight, weight);
  put(call.words.grad_output, parameters.tensors["output"].list("dimA"));
  const std::size_t axes = weight && weight->size() > 2 ? weight->size() - 2 : 2;
  const Descriptor& attributes = parameters.attributes;
  put(call.words.padding, of_axes(attributes.list("padding"), axes, call));
  put(call.words.stride, of_axes(attributes.list("stride"), axes, call));
  put(call.words.dilation, of_axes(attributes.list("dilation"), axes, call));
  put(call.words.groups, attributes.list("groups"));
  call.words.dtype = attributes.type;
  if (!call.words.dtype) call.notes.emplace_back("dtype is not stated: FLOAT");
  demand_all(call);
  return call;
}

}  // namespace

std::vector<FoundCall> cudnn_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  CudnnCall logged;
  std::size_t number = 0;
  const auto finish = [&] {
    if (auto call = call_of(logged)) calls.push_back(*std::move(call));
  };
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const auto name = behind(line, "function cudnn");
    if (!name) {
      read_log_line(line, logged);
      continue;
    }
    finish();
    logged = CudnnCall{
        .name = name->substr(0, name->find('(')), .line = number, .descriptors = {}, .current = {}};
  }
  finish();
  return calls;
}

std::vector<FoundCall> cudnn_parameter_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  std::optional<Parameters> parameters;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find("ConvolutionParams") != std::string_view::npos) {
      if (parameters) calls.push_back(call_of(*parameters));
      parameters = Parameters{.line = number, .attributes = {}, .tensors = {}, .current = {}};
    } else if (parameters) {
      read_parameter_line(line, *parameters);
    }
  }
  if (parameters) calls.push_back(call_of(*parameters));
  return calls;
}

}  // namespace gradproof::properties
