#include "properties/advice/logs/operator_names.h"

#include <algorithm>
#include <optional>

#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

/// Without one of these, Conv2D is a word of Keras or Paddle.
constexpr std::string_view graph_signs =
    R"(optype|op type|op[|op [|[func:|ge(|aclop|kernel_name|operator name is|fault kernel|e60108|e69999|e89999|fault op_name|transposev2|backpropinputv2|backpropfilterv|dump node (|launch kernel failed|ops function error|aicoreengine|getdnnenginename)";

/// "Conv3DBackpropFilterV2", "Conv2DBackpropFilterD", "Conv3DTranspose1", "conv3d_backprop_input".
std::optional<Relation> graph_relation(std::string_view word) {
  std::string name = in_small_letters(word);
  std::erase(name, '_');
  while (!name.empty() && is_decimal(name.back())) name.pop_back();
  if (!name.starts_with("conv") && !name.starts_with("depthwiseconv")) return std::nullopt;
  for (const std::string_view ending : {"v", "d", ""}) {
    if (!name.ends_with(ending)) continue;
    const std::string_view base = std::string_view(name).substr(0, name.size() - ending.size());
    if (is_one_of("|conv2dbackpropinput|conv2dbackpropfilter|conv3dbackpropinput|"
                  "conv3dbackpropfilter|convolutionbackward|depthwiseconv2dbackpropinput|"
                  "depthwiseconv2dbackpropfilter|",
                  base))
      return Relation::GraphGradient;
    if (is_one_of("|conv2d|conv3d|conv2dtranspose|conv3dtranspose|depthwiseconv2d|", base))
      return Relation::GraphForward;
  }
  return std::nullopt;
}

/// A graph numbers its operators: Conv3D7. V2 belongs to the name.
std::string without_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789") + 1;
  const bool is_version = end > 0 && name[end - 1] == 'V';
  return std::string(name.substr(0, is_version ? name.size() : end));
}

std::optional<NamedOperator> aclnn_operator(std::string_view word) {
  const bool is_name = word.starts_with("aclnn") && word.size() > 5 && word[5] >= 'A' &&
                       word[5] <= 'Z' && word != "aclnnStatus";
  if (!is_name) return std::nullopt;
  // CANN counts calls and names their kernels: aclnnConvolutionBackward_3,
  // ..._3_Conv2DBackpropInput, ..._ReduceSum.
  word = word.substr(0, word.find('_'));
  constexpr std::string_view phase_one = "GetWorkspaceSize";
  NamedOperator result;
  result.in_phase_one = word.ends_with(phase_one);  // until its line says that it succeeded
  if (result.in_phase_one) word.remove_suffix(phase_one.size());
  result.name = word;
  if (word == "aclnnConvolutionBackward") result.relation = Relation::Itself;
  if (is_one_of("|aclnnConvolution|aclnnConvTbc|aclnnConvDepthwise2d|", word))
    result.relation = Relation::Forward;
  return result;
}

/// "group_norm:build/CMakeFiles/torch_npu.dir/...": the operator in which torch_npu failed.
std::optional<NamedOperator> torch_npu_operator(std::string_view text, const Word& word) {
  const std::string_view behind = text.substr(word.end(), 32);
  const bool is_name = (behind.starts_with(":build/CMakeFiles/torch_npu.dir") ||
                        behind.starts_with(":torch_npu/csrc")) &&
                       has_any(text.substr(word.end(), 4000), "ERR01") &&
                       word.text == in_small_letters(word.text) && !has_any(word.text, "copy|sync");
  if (!is_name) return std::nullopt;
  const bool is_ours = has_any(word.text, "conv|slow_conv");
  return NamedOperator{std::string(word.text), !is_ours ? Relation::Another
                                               : has_any(word.text, "backward")
                                                   ? Relation::Framework
                                                   : Relation::Forward};
}

struct Mention {
  NamedOperator named;
  int rank = 0;               ///< what failed comes first
  bool is_phase_two = false;  ///< what failed is not its first phase
};

bool is_decimal_text(std::string_view text) { return std::ranges::all_of(text, is_decimal); }

/// An operator, or a kernel of one: te_conv2d_backprop_input_d_1_0, Conv3DBackpropFilterV2_8f3c_0.
std::optional<Mention> graph_mention(std::string_view word) {
  constexpr std::string_view of_a_kernel = "te_";
  const bool is_kernel = word.starts_with(of_a_kernel);
  if (is_kernel) word.remove_prefix(of_a_kernel.size());
  // The compiler adds numbers and a hash of the inputs behind the operator.
  for (std::size_t end = word.size(); end != word.npos; end = word.substr(0, end).rfind('_')) {
    const std::string_view name = word.substr(0, end);
    const bool is_numbered = is_decimal_text(name.substr(name.rfind('_') + 1));
    const auto relation = is_numbered ? std::nullopt : graph_relation(name);
    if (!relation) continue;
    const bool is_type = is_kernel || has_any(name, "D|Backward");
    if (!is_type && name.find("_backprop_") == name.npos) return std::nullopt;
    return Mention{{without_number(name), *relation}, is_type ? 3 : 4};
  }
  return std::nullopt;
}

/// The kernel that CANN or MindSpore says failed, "fault kernel_name=MaximumV2_8f3c_0", "fault
/// op_name=Default/Random-op9", "Launch kernel failed: Default/Reshape-op7".
std::optional<Mention> faulty_kernel(std::string_view text, const Word& word) {
  if (word.begin == 0 || !has_any(text.substr(word.begin - 1, 1), "=|/")) return std::nullopt;
  const std::string_view before =
      text.substr(word.begin < 200 ? 0 : word.begin - 200, std::min<std::size_t>(word.begin, 200));
  std::size_t begin = 0;
  for (const std::string_view sign :
       {"fault kernel_name=", "fault op_name=", "Dump node (", "Launch kernel failed: "}) {
    if (const std::size_t at = before.rfind(sign); at != before.npos)
      begin = std::max(begin, at + sign.size());
  }
  const std::string_view behind = text.substr(word.end(), 200);
  const bool is_folder = behind.find('/') < behind.find_first_of(" ,;[()\n");
  if (begin == 0 || is_folder) return std::nullopt;
  const bool is_path = before.find_first_of(" ,;[(", begin) == before.npos;
  std::string_view name = word.text;
  if (name.starts_with("te_")) name.remove_prefix(3);
  const bool is_type = name[0] >= 'A' && name[0] <= 'Z';
  for (std::size_t at = name.find('_'); at != name.npos; at = name.find('_', at + 1)) {
    if (is_type || is_decimal(name.substr(at + 1, 1).empty() ? '0' : name[at + 1])) {
      name = name.substr(0, at);
      break;
    }
  }
  if (!is_path || name.size() < 2) return std::nullopt;
  return Mention{{std::string(name), Relation::Another}, -1};
}

/// "convolution_backward.cpp": a file, no operator.
bool is_file(std::string_view behind) {
  return any_part(".cpp|.cc|.cu|.h|.py|.so|.json|.log|.o:", '|',
                  [&](auto ending) { return behind.starts_with(ending); });
}

std::optional<Mention> mention_of(std::string_view text, const Word& word, bool is_graph) {
  if (is_file(text.substr(word.end(), 8))) return std::nullopt;
  if (const auto named = aclnn_operator(word.text)) {
    const std::string_view rest = text.substr(word.end(), 40);
    const std::string after = in_small_letters(rest.substr(0, rest.find('\n')));
    const bool failed = after.find("fail") != after.npos;
    Mention mention{*named, failed ? 0 : named->relation == Relation::Itself ? 1 : 2};
    static const Patterns zero{"ret=0",    "ret: 0",     "ret = 0",   "returned 0", "returns 0",
                               "status=0", "status = 0", "status: 0", "-> 0",       "= 0",
                               " ok",      "success",    "成功"};
    if (!failed && !zero.in(after + " ").empty()) mention.named.in_phase_one = false;
    mention.is_phase_two = failed && !word.text.ends_with("GetWorkspaceSize");
    return mention;
  }
  if (const auto named = torch_npu_operator(text, word)) return Mention{*named, 6};
  if (auto mention = is_graph ? graph_mention(word.text) : std::nullopt) {
    // "..V2_<a hash>_1001_0_mix_aic"; the graph's compiler begins with te_.
    constexpr std::size_t hash = 16;
    const bool has_hash = std::ranges::any_of(parts_between(word.text, "_"), [](auto part) {
      return part.size() >= hash && part.find_first_not_of("0123456789abcdef") == part.npos;
    });
    const bool is_named = text.substr(0, word.begin).ends_with("kernel_name=");
    mention->named.is_kernel = (is_named || has_hash) && !word.text.starts_with("te_");
    return mention;
  }
  if (auto mention = is_graph ? faulty_kernel(text, word) : std::nullopt) return mention;
  if (word.text == "convolution_backward" || word.text == "convolution_backward_overrideable")
    return Mention{{"aten::" + std::string(word.text), Relation::Framework}, 5};
  return std::nullopt;
}

// Who printed a text, and signs of it in small letters; '=' before one: as it is written, at the
// begin of a word.
constexpr std::string_view path_rows = R"(
NPU profiler | ,input shapes,
aclnn | aclnnconvolutiongetworkspacesize ; aclnnconvolutionbackwardgetworkspacesize ; call aclnn
torch_npu | torch_npu ; torch.npu ; pta call ; pta feature ; npu graph capture ; npu function error ; npu out of memory
GE | =GE( ; optype [conv ; optype[conv ; optype: conv ; aicoreengine
cuDNN | cudnn_status_ ; cudnn error ; function cudnn ; cudnn_frontend ; =cudnnConvolution
MindSpore | mindspore
vllm-ascend | vllm-ascend ; vllm_ascend
TensorFlow | =tensorflow ; =TensorFlow ; tf.nn ; tf.keras
ATC | atc run ; atc start ; $ atc -- ; =ATC
Torch7 | nn.spatialconvolution ; nn.volumetricconvolution ; cutorch ; nn.spatialfullconvolution
C++ | main.cpp ; main.cc ; in main() ; c++ program ; c++ binary ; <<<
JAX | jaxlib ; jax.
ONNX Runtime | onnxruntime
MIOpen | miopen
oneDNN | onednn_verbose ; dnnl_verbose
benchdnn | benchdnn
XLA | xla_shape ; dim_labels=
Paddle | paddle
PyTorch | torch.nn. ; torch/nn/modules ; torch/nn/functional ; at::_ops:: ; aten/src
)";

bool has_sign(std::string_view text, std::string_view small, std::string_view sign) {
  if (!sign.starts_with('=')) return small.find(sign) != small.npos;
  const std::size_t at = text.find(sign.substr(1));
  return at != text.npos && (at == 0 || !is_word_letter(text[at - 1]));
}

}  // namespace

std::vector<NamedOperator> operators_in(std::string_view text) {
  const bool is_graph = has_any(in_small_letters(text), graph_signs);
  std::vector<Mention> mentions;
  for (const Word& word : words_in(text)) {
    auto mention = mention_of(text, word, is_graph);
    if (!mention) continue;
    const auto same = std::ranges::find(mentions, mention->named.name,
                                        [](const Mention& one) { return one.named.name; });
    constexpr std::size_t most = 32;
    if (same != mentions.end()) {
      same->rank = std::min(same->rank, mention->rank);
      same->named.in_phase_one |= mention->named.in_phase_one;
      same->is_phase_two |= mention->is_phase_two;
      same->named.is_kernel &= mention->named.is_kernel;
    } else if (mentions.size() < most) {
      mentions.push_back(*std::move(mention));
    }
  }
  // An inner step of ours, such as a cast, is no other operator.
  const auto is_ours = [](const Mention& one) { return one.named.relation == Relation::Itself; };
  if (std::ranges::any_of(mentions, is_ours))
    std::erase_if(mentions, [](const Mention& one) {
      return one.rank < 0 && one.named.relation == Relation::Another;
    });
  std::ranges::stable_sort(mentions, {}, &Mention::rank);
  std::vector<NamedOperator> operators;
  operators.reserve(mentions.size());
  for (Mention& mention : mentions) {
    mention.named.in_phase_one &= !mention.is_phase_two;
    operators.push_back(std::move(mention.named));
  }
  return operators;
}

std::vector<std::string> convolutions_in(std::string_view text) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const Word& word : words_in(text)) {
    std::string small = in_small_letters(word.text.substr(0, 64));
    std::erase(small, '_');
    const bool is_one =
        has_any(small,
                "conv1d|conv2d|conv3d|convtranspose|convgeneral|deconv|spatialconv|volumetricconv|"
                "convolutionbackward") &&
        !is_file(text.substr(word.end(), 8));
    if (!is_one || std::ranges::find(names, word.text) != names.end()) continue;
    names.emplace_back(word.text);
    if (names.size() == most) break;
  }
  return names;
}

bool names_convolution(std::string_view text) {
  const std::string small = in_small_letters(text);
  for (std::size_t at = small.find("conv"); at != small.npos; at = small.find("conv", at + 1)) {
    if (!has_any(small.substr(at + 4, 1), "e|i")) return true;
  }
  return small.find("卷积") != small.npos;
}

std::string_view words_of(Relation relation) {
  static const auto words = text_parts(
      R"(the operator whose rules are known here | the forward operator, not its gradients | a graph operator: a gradient of a convolution; aclnn launches kernels of this name too | a graph operator: a forward convolution, not called through aclnn | PyTorch's operator; on an NPU torch_npu calls aclnnConvolutionBackward for it | another operator; the rules of aclnnConvolutionBackward do not speak of it)",
      " | ");
  return words[static_cast<std::size_t>(relation)];
}

bool is_graph_operator(Relation relation) {
  return relation == Relation::GraphGradient || relation == Relation::GraphForward;
}

std::vector<std::string_view> paths_in(std::string_view text) {
  const std::string small = in_small_letters(text);
  std::vector<std::string_view> paths;
  for (const auto& row : table_rows(path_rows, 2)) {
    const auto signs = parts_of_cell(row[1]);
    if (std::ranges::any_of(signs, [&](auto sign) { return has_sign(text, small, sign); }))
      paths.push_back(row[0]);
  }
  return paths;
}

}  // namespace gradproof::advice
