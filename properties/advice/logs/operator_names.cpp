#include "properties/advice/logs/operator_names.h"

#include <algorithm>
#include <optional>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

struct GraphRow {
  std::string_view name;  ///< without version, lowering and number
  Relation relation;
};
constexpr GraphRow graph_rows[] = {
    {"conv2dbackpropinput", Relation::GraphGradient},
    {"conv2dbackpropfilter", Relation::GraphGradient},
    {"conv3dbackpropinput", Relation::GraphGradient},
    {"conv3dbackpropfilter", Relation::GraphGradient},
    {"depthwiseconv2dbackpropinput", Relation::GraphGradient},
    {"depthwiseconv2dbackpropfilter", Relation::GraphGradient},
    {"conv2d", Relation::GraphForward},
    {"conv3d", Relation::GraphForward},
    {"conv2dtranspose", Relation::GraphForward},
    {"conv3dtranspose", Relation::GraphForward},
    {"depthwiseconv2d", Relation::GraphForward},
};

/// Without one of these, Conv2D is a word of Keras or Paddle.
constexpr std::string_view graph_signs[] = {"optype",       "op type",      "op[",
                                            "op [",         "[func:",       "ge(",
                                            "aclop",        "kernel_name",  "operator name is",
                                            "fault kernel", "e60108",       "e69999",
                                            "e89999",       "aicoreengine", "getdnnenginename"};

/// "Conv3DBackpropFilterV2", "Conv2DBackpropFilterD", "Conv3DTranspose1", "conv3d_backprop_input".
std::optional<Relation> graph_relation(std::string_view word) {
  std::string name = in_small_letters(word);
  std::erase(name, '_');
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
  for (const std::string_view ending : {"v", "d", ""}) {
    if (!name.ends_with(ending)) continue;
    const std::string_view base = std::string_view(name).substr(0, name.size() - ending.size());
    const auto* row = std::ranges::find(graph_rows, base, &GraphRow::name);
    if (row != std::end(graph_rows)) return row->relation;
  }
  return std::nullopt;
}

/// A graph numbers its operators: Conv3D7. V2 belongs to the name.
std::string without_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789") + 1;
  const bool is_version = end > 0 && name[end - 1] == 'V';
  return std::string(name.substr(0, is_version ? name.size() : end));
}

bool is_graph_text(std::string_view small) {
  return std::ranges::any_of(graph_signs, [&](std::string_view sign) {
    return small.find(sign) != std::string_view::npos;
  });
}

std::optional<NamedOperator> aclnn_operator(std::string_view word) {
  constexpr std::string_view prefix = "aclnn";
  constexpr std::string_view phase_one = "GetWorkspaceSize";
  const bool is_name = word.starts_with(prefix) && word.size() > prefix.size() &&
                       word[prefix.size()] >= 'A' && word[prefix.size()] <= 'Z';
  if (!is_name || word == "aclnnStatus") return std::nullopt;
  // CANN counts calls and names their kernels: aclnnConvolutionBackward_3,
  // ..._3_Conv2DBackpropInput.
  for (std::size_t at = word.find('_'); at != std::string_view::npos; at = word.find('_', at + 1)) {
    const bool counts = at + 1 < word.size() && is_decimal(word[at + 1]);
    if (!counts && !word.substr(at).starts_with("_Kernel")) continue;
    word = word.substr(0, at);
    break;
  }
  NamedOperator result;
  result.in_phase_one = word.ends_with(phase_one);
  if (result.in_phase_one) word.remove_suffix(phase_one.size());
  result.name = word;
  if (word == "aclnnConvolutionBackward") result.relation = Relation::Itself;
  if (word == "aclnnConvolution" || word == "aclnnConvDepthwise2d") {
    result.relation = Relation::Forward;
  }
  return result;
}

struct Mention {
  NamedOperator named;
  int rank = 0;  ///< what failed comes first
};

std::optional<Mention> mention_of(std::string_view text, const Word& word, bool is_graph) {
  if (const auto named = aclnn_operator(word.text)) {
    const std::string_view after = text.substr(word.end(), 40);
    const bool failed = after.substr(0, after.find('\n')).find("failed") != std::string_view::npos;
    return Mention{*named, failed ? 0 : named->relation == Relation::Itself ? 1 : 2};
  }
  if (is_graph) {
    const auto relation = graph_relation(word.text);
    const bool is_type = word.text.find('D') != std::string_view::npos;
    const bool is_kernel = word.text.find("_backprop_") != std::string_view::npos;
    if (relation && (is_type || is_kernel)) {
      return Mention{{.name = without_number(word.text), .relation = *relation}, is_type ? 3 : 4};
    }
  }
  if (word.text == "convolution_backward" || word.text == "convolution_backward_overrideable") {
    return Mention{{.name = "aten::" + std::string(word.text), .relation = Relation::Framework}, 5};
  }
  return std::nullopt;
}

struct PathRow {
  std::string_view sign;  ///< in small letters, but where `is_name`
  std::string_view name;
  bool is_name = false;  ///< as it is written, at the begin of a word
};
constexpr PathRow path_rows[] = {
    {"getworkspacesize", "aclnn"},
    {"call aclnn", "aclnn"},
    {"torch_npu", "torch_npu"},
    {"torch.npu", "torch_npu"},
    {"pta call", "torch_npu"},
    {"pta feature", "torch_npu"},
    {"npu graph capture", "torch_npu"},
    {"npu function error", "torch_npu"},
    {"npu out of memory", "torch_npu"},
    {" ge(", "GE"},
    {"optype", "GE"},
    {"aicoreengine", "GE"},
    {"cudnn_status_", "cuDNN"},
    {"cudnn error", "cuDNN"},
    {"function cudnn", "cuDNN"},
    {"cudnn_frontend", "cuDNN"},
    {"cudnnConvolution", "cuDNN", true},
    {"mindspore", "MindSpore"},
    {"vllm-ascend", "vllm-ascend"},
    {"vllm_ascend", "vllm-ascend"},
    {"tensorflow", "TensorFlow"},
    {"jaxlib", "JAX"},
    {"jax.", "JAX"},
    {"onnxruntime", "ONNX Runtime"},
    {"miopen", "MIOpen"},
    {"onednn_verbose", "oneDNN"},
    {"dnnl_verbose", "oneDNN"},
    {"benchdnn", "benchdnn"},
    {"xla_shape", "XLA"},
    {"dim_labels=", "XLA"},
    {"paddle", "Paddle"},
    {"torch.nn.", "PyTorch"},
    {"torch/nn/", "PyTorch"},
    {"at::_ops::", "PyTorch"},
    {"aten/src", "PyTorch"},
};

}  // namespace

std::vector<NamedOperator> operators_in(std::string_view text) {
  const bool is_graph = is_graph_text(in_small_letters(text));
  std::vector<Mention> mentions;
  for (const Word& word : words_in(text)) {
    auto mention = mention_of(text, word, is_graph);
    if (!mention) continue;
    const auto same = std::ranges::find(mentions, mention->named.name,
                                        [](const Mention& one) { return one.named.name; });
    if (same == mentions.end()) {
      constexpr std::size_t most = 32;
      if (mentions.size() < most) mentions.push_back(*std::move(mention));
    } else {
      same->rank = std::min(same->rank, mention->rank);
      same->named.in_phase_one |= mention->named.in_phase_one;
    }
  }
  std::ranges::stable_sort(mentions, {}, &Mention::rank);
  std::vector<NamedOperator> operators;
  operators.reserve(mentions.size());
  for (Mention& mention : mentions) operators.push_back(std::move(mention.named));
  return operators;
}

std::string_view words_of(Relation relation) {
  switch (relation) {
    case Relation::Itself:
      return "the operator whose rules are known here";
    case Relation::Forward:
      return "the forward operator, not its gradients";
    case Relation::GraphGradient:
      return "a graph operator: a gradient of a convolution, but not called through aclnn";
    case Relation::GraphForward:
      return "a graph operator: a forward convolution, not called through aclnn";
    case Relation::Framework:
      return "PyTorch's operator; on an NPU torch_npu calls aclnnConvolutionBackward for it";
    case Relation::Another:
      break;
  }
  return "another operator; the rules of aclnnConvolutionBackward do not speak of it";
}

bool is_graph_operator(Relation relation) {
  return relation == Relation::GraphGradient || relation == Relation::GraphForward;
}

std::vector<std::string_view> paths_in(std::string_view text) {
  const std::string small = in_small_letters(text);
  std::vector<std::string_view> paths;
  for (const PathRow& row : path_rows) {
    const bool is_new = std::ranges::find(paths, row.name) == paths.end();
    if (!is_new) continue;
    const std::size_t at = row.is_name ? text.find(row.sign) : small.find(row.sign);
    if (at == std::string::npos || (row.is_name && at > 0 && is_word_letter(text[at - 1])))
      continue;
    paths.push_back(row.name);
  }
  return paths;
}

}  // namespace gradproof::advice
