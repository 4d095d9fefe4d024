#include "properties/advice/logs/sign.h"

#include <algorithm>
#include <array>
#include <string>

#include "properties/advice/logs/scan.h"

namespace gradproof::properties {
namespace {

using enum LogKind;

constexpr std::string_view call_aclnn =
    "torch.npu.config.allow_internal_format = False and "
    "torch.npu.set_compile_mode(jit_compile=False) make torch_npu call aclnn; try a newer CANN";
constexpr std::string_view print_shapes =
    "print the shapes of input and weight, and groups, before the call";
constexpr std::string_view matching_package =
    "install the kernel package of the same CANN release for this device, and source its "
    "set_env.sh";

constexpr Sign signs[] = {
    // Parameters, as CANN, its graph operators, PyTorch and Paddle word them.
    {"channel", "must be a multiple of groups", Parameter, "CH-02",
     "input's channels are no multiple of groups", print_shapes},
    {"channels should be equal to filter's channels * groups", "", Parameter, "CH-02",
     "input's channels are not the weight's times groups", print_shapes},
    {"expected input", "channels, but got", Parameter, "CH-02",
     "input's channels are not the weight's times groups", print_shapes},
    {"wrong data_format setting", "", Unknown, "",
     "the data may have its channels last, where the call says that they are second",
     "permute the data to N, C, H, W; do not change the weight"},
    {"expected weight to be divisible by", "", Parameter, "CH-03",
     "the weight's first length is no multiple of groups", print_shapes},
    {"expected weight to be at least", "", Parameter, "CH-03",
     "the weight has fewer kernels than groups", print_shapes},
    {"output padding must be smaller than", "", Parameter, "OPAD-02",
     "an output padding is not below its stride; PyTorch lifts 1D calls to 2D, so width may be the "
     "only axis",
     "an output padding below the stride: 0 where the stride is 1"},
    {"kernel size can't be greater than actual input size", "", Parameter, "SHAPE-01",
     "the dilated kernel is longer than the padded input", print_shapes},
    {"calculated padded input size per channel", "", Parameter, "SHAPE-01",
     "the dilated kernel is longer than the padded input", print_shapes},
    {"gradoutput", "shape", Parameter, "SHAPE-02",
     "gradOutput has not the shape that input leads to",
     "leave out --grad-output in gradproof explain: it shows the shape that follows"},
    {"negative padding is not supported", "", Parameter, "PAD-01", "a padding is negative", ""},
    {"non-positive stride is not supported", "", Parameter, "STRIDE-01", "a stride is below 1", ""},
    {"dilation should be greater than zero", "", Parameter, "DIL-01", "a dilation is below 1", ""},
    {"non-positive groups is not supported", "", Parameter, "GRP-01", "groups is below 1", ""},
    {"should be the same", "weight type", Parameter, "DTYPE-03",
     "input and weight have different dtypes", "convert one of them"},
    // Limits and products.
    {"only supports groups = 1 or groups = cin", "", VersionLimit, "",
     "a limit of an old CANN (8.0.RC3 has it) in 3D, not a rule of today's operators",
     "CANN 8.1.RC1 or newer; until then split the convolution by groups"},
    {"support for ascend", "not implemented", Product, "PROD-01",
     "the product is refused, not the parameters: shapes and dtypes do not matter here",
     "on an Ascend310B a model converted by ATC; aclnn's convolution runs on 310P, 910, 910B, A3, "
     "950"},
    // The graph operators' path.
    {"getdnnenginename", "", GraphOperator, "",
     "the graph engine found no engine for a graph operator", call_aclnn},
    {"illegal format of x", "", GraphOperator, "",
     "a storage format that the framework chose, not one of your arguments", call_aclnn},
    {"no supported ops kernel and engine are found", "", GraphOperator, "",
     "the operator library has no such graph operator for these dtypes and formats", call_aclnn},
    {"dt_bfloat16", "not supported", GraphOperator, "",
     "the graph operator has no BFLOAT16 there; on Ascend910 and 310P nor has the aclnn operator",
     "say which product it is: torch_npu.npu.get_device_name()"},
    {"not support input size's shape", "", GraphOperator, "",
     "the graph operator cannot be compiled with unknown sizes; -1 and -2 stand for those, and are "
     "no sizes",
     call_aclnn},
    // Faults of kernels, crashes, installations, memory.
    {"aicore exception", "", DeviceFault, "", "a kernel failed on the device, after all checks",
     "ASCEND_LAUNCH_BLOCKING=1 shows which operator it is"},
    {"segmentation fault", "", Crash, "",
     "the process died: a wrong argument gives a status instead",
     "print the call before it is made; are torch_npu, op-plugin and CANN of releases that belong "
     "together?"},
    {"core dumped", "", Crash, "", "the process died: a wrong argument gives a status instead",
     "print the call before it is made"},
    {"file \"<unknown>\", line 0, in", "", Crash, "",
     "frames of C++ without a status: the process died. Types in their names are no values",
     "print the call before it is made; TORCH_SHOW_CPP_STACKTRACES=1, ASCEND_LAUNCH_BLOCKING=1; "
     "are "
     "torch_npu, op-plugin and CANN of releases that belong together?"},
    {"addresssanitizer: fpe", "", Crash, "", "a division by zero in the framework's own code",
     "look for a 0 among groups, stride and the lengths"},
    {"floating point exception", "", Crash, "", "a division by zero in the framework's own code",
     "look for a 0 among groups, stride and the lengths"},
    {"aclnn_inner_error", "", Unknown, "",
     "an inner operator of CANN failed; no parameter is named", ""},
    {"parse dynamic kernel config fail", "", Installation, "",
     "the installed kernel package does not fit the device or this CANN", matching_package},
    {"out of memory", "", OutOfMemory, "", "the device's memory is used up; no argument is named",
     "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True where much is reserved and unused; smaller "
     "batches; gradproof explain with a call says what its tensors and workspace take"},
    // Frameworks and other libraries.
    {"target module", "is not supported", Framework, "",
     "PEFT has no adapter for this layer; no device was asked",
     "leave the layer out of target_modules"},
    {"cudnn_status_", "", Unknown, "", "a status of cuDNN, which says nothing about an NPU", ""},
    {"max relative error", "", Precision, "", "numbers differ",
     "gradproof explain says how far a right result may be off"},
    {"mismatched elements", "", Precision, "", "numbers differ",
     "gradproof explain --range LOW,HIGH gives rtol and atol that no right result exceeds"},
    {"tensor-likes are not close", "", Precision, "", "numbers differ",
     "gradproof explain --range LOW,HIGH gives rtol and atol that no right result exceeds"},
    {"cosine similarity", "", Precision, "", "numbers differ; a cosine hides single wrong elements",
     "compare element by element: gradproof explain --range LOW,HIGH"},
    {"nn.batchnorm", "", Unknown, "",
     "a BatchNorm stands in the text: a gradient that it is given is not the convolution's "
     "gradOutput",
     "compare the convolution alone"},
};

}  // namespace

std::span<const Sign> all_signs() { return signs; }

std::string_view words_of(LogKind kind) {
  constexpr std::array<std::string_view, 13> words{"another operator",
                                                   "out of memory",
                                                   "installation",
                                                   "graph operator path",
                                                   "limit of a version",
                                                   "product refused",
                                                   "fault of a kernel",
                                                   "crash",
                                                   "parameter refused",
                                                   "refused by a framework",
                                                   "numbers differ",
                                                   "a call",
                                                   "no kind that is known here"};
  return words[static_cast<std::size_t>(kind)];
}

std::vector<FoundSign> signs_in(std::string_view text) {
  std::vector<FoundSign> found;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::string small = in_small_letters(line);
    for (const Sign& sign : signs) {
      const bool is_there = small.find(sign.phrase) != std::string::npos &&
                            small.find(sign.also) != std::string::npos;
      const bool is_new = std::ranges::find(found, &sign, &FoundSign::sign) == found.end();
      if (is_there && is_new) found.push_back({&sign, number, line});
    }
  }
  return found;
}

}  // namespace gradproof::properties
