#include "properties/advice/logs/sign.h"

#include <algorithm>
#include <array>
#include <string>

#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
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
    {"same number of dimensions", "", Parameter, "RANK-02",
     "gradOutput, input and weight have not equally many dimensions",
     "print the shapes of all three before the call"},
    {"should have the same dim", "", Parameter, "RANK-02",
     "gradOutput, input and weight have not equally many dimensions",
     "print the shapes of all three before the call"},
    {"size of out_backprop doesn't match computed: actual = #, computed = #", "", Parameter,
     "SHAPE-02", "gradOutput has the length {0}; input, kernel, stride and padding lead to {1}",
     "leave out --grad-output in gradproof explain: it shows the shape that follows"},
    {"spatial_dim: # input: # filter: # output: # stride: # dilation: #", "", Unknown, "",
     "one spatial axis: input {1}, kernel {2}, gradOutput {3}, stride {4}, dilation {5}", ""},
    {"grad_output[2:] shape[*] must be equal to output size", "", Parameter, "SHAPE-02",
     "gradOutput has not the lengths that input leads to",
     "leave out --grad-output in gradproof explain: it shows the shape that follows"},
    {"# // # != #", "", Parameter, "CH-02",
     "input's {0} channels over {1} groups are not the weight's {2}", print_shapes},
    {"lhs feature dimension*feature_group_count", "", Parameter, "CH-02",
     "input's channels are not the weight's times groups", print_shapes},
    {"feature_group_count", "divide", Parameter, "CH-02",
     "input's channels are not the weight's times groups", print_shapes},
    {"operands could not be broadcast together with shapes", "", Framework, "",
     "two arrays of one gradient have other lengths: where (padded input - dilated kernel) is no "
     "multiple of the stride, the "
     "last rows are read by no output, and a gradient computed as a transposed convolution is "
     "shorter or longer by them",
     "cut the gradient to input's shape or give the missing rows zeros (outputPadding)"},
    {"expected scalar type * but found", "", Parameter, "DTYPE-03",
     "two tensors have different dtypes", "convert one of them; under autocast, both"},
    {"should be the same", "input type", Parameter, "DTYPE-03",
     "input and weight have different dtypes", "convert one of them"},
    {"only supports nhwc", "", Framework, "",
     "this library has no kernel for the layout on this device; nothing is wrong with the call",
     "give the data as N, H, W, C there, or use a device that has the kernel"},
    {"only supports ndhwc", "", Framework, "",
     "this library has no kernel for the layout on this device; nothing is wrong with the call",
     "give the data as N, D, H, W, C there, or use a device that has the kernel"},
    {"only support nhwc", "", Framework, "",
     "this library has no kernel for the layout on this device; nothing is wrong with the call",
     "give the data as N, H, W, C there, or use a device that has the kernel"},
    {"no opkernel was registered", "", Framework, "",
     "this library has no kernel for these attributes or this device; nothing is wrong with the "
     "call",
     ""},
    {"not implemented for", "", Framework, "",
     "this library has no kernel for these attributes, dtypes or this device; nothing is wrong "
     "with the call",
     ""},
    {"unable to find an engine", "", Framework, "",
     "this library found no kernel for the call; nothing is wrong with the call",
     "smaller batches, another layout or dtype; for a GPU, the versions of cuDNN and the driver"},
    {"trying to backward through the graph a second time", "", Framework, "",
     "PyTorch's graph was freed; no parameter is refused", ""},
    {"gradoutput*shape", "", Parameter, "SHAPE-02",
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
    // Graph capture, as torch_npu and CANN word it.
    {"cannot run aclop operators during npu graph capture", "", GraphCapture, "",
     "a graph operator was called inside of a graph capture, which takes aclnn calls alone",
     call_aclnn},
    {"captureend", "", GraphCapture, "",
     "the graph capture could not be ended: a call during the capture had failed or cannot be "
     "captured; no parameter is "
     "shown wrong",
     "run once without the graph (eager); then look for the first error during the capture"},
    {"capturebegin", "", GraphCapture, "",
     "the graph capture could not begin: the stream is captured already, or has work that waits",
     ""},
    {"capture cuda graph failed", "", GraphCapture, "", "the graph could not be captured",
     "run once without the graph (eager); then look for the first error during the capture"},
    {"only support aclnn operator", "", GraphOperator, "",
     "a graph operator was called where the device takes aclnn calls alone", call_aclnn},
    {"aicpu exception", "", DeviceFault, "", "an operator on the AI CPU failed, after all checks",
     "the device's log (plog) names the operator"},
    {"vector core execution is abnormal", "", DeviceFault, "",
     "a kernel on the vector cores failed, after all checks; a convolution runs on the cube cores",
     "ASCEND_LAUNCH_BLOCKING=1 shows which operator it is"},
    {"mte out of range", "", DeviceFault, "", "a kernel accessed memory beyond its buffers",
     "is a tensor freed or changed too early? ASCEND_LAUNCH_BLOCKING=1 shows which operator it is"},
    {"ddr address of the mte instruction is out of range", "", DeviceFault, "",
     "a kernel accessed memory beyond its buffers",
     "is a tensor freed or changed too early? ASCEND_LAUNCH_BLOCKING=1 shows which operator it is"},
    {"fault kernel", "", DeviceFault, "", "a kernel failed on the device; its name follows",
     "ASCEND_LAUNCH_BLOCKING=1 shows which operator it is"},
    {"failed to compile op", "", GraphOperator, "", "a graph operator could not be compiled",
     "the lines after it name what the compiler found; aclnn calls are not compiled"},
    {"failed to allocate memory", "", OutOfMemory, "",
     "the device's memory is used up; no argument is named",
     "what else runs on the device (npu-smi info)? smaller batches"},
    {"failed to verify the opp", "", Installation, "",
     "the operator package (OPP) is damaged or does not fit", matching_package},
    {"binary_info_config", "", Installation, "",
     "the list of compiled kernels is missing or does not fit", matching_package},
    {"binary info config", "", Installation, "",
     "the list of compiled kernels is missing or does not fit", matching_package},
    {"find binary failed", "", Installation, "", "no compiled kernel fits this call on this device",
     matching_package},
    {"no kernel found", "", Installation, "", "no compiled kernel fits this call on this device",
     matching_package},
    {"libopapi.so", "", Installation, "",
     "the library of aclnn operators, or a function in it, was not found",
     "source the set_env.sh of the CANN release that torch_npu was built for"},
    {"not in lib", "", Installation, "",
     "the library of aclnn operators, or a function in it, was not found",
     "source the set_env.sh of the CANN release that torch_npu was built for"},
    {"ç®å­å", "ä¸å¹é", Installation, "",
     "the operator package does not fit", matching_package},
    {"åå­ä¸è¶³", "", OutOfMemory, "",
     "the device's memory is used up; no argument is named", ""},
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
    {"nn.batchnorm", "", Unknown, "",
     "a BatchNorm stands in the text: a gradient that it is given is not the convolution's "
     "gradOutput",
     "compare the convolution alone"},
};

std::string with_numbers(std::string_view meaning, const std::vector<std::string>& numbers) {
  std::string words(meaning);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string place = "{" + std::to_string(i) + "}";
    const std::size_t at = words.find(place);
    if (at != std::string::npos) words.replace(at, place.size(), numbers[i]);
  }
  return words;
}

}  // namespace

std::span<const Sign> all_signs() { return signs; }

std::string_view words_of(LogKind kind) {
  constexpr std::array<std::string_view, 15> words{"another operator",
                                                   "out of memory",
                                                   "installation",
                                                   "graph operator path",
                                                   "graph capture",
                                                   "limit of a version",
                                                   "product refused",
                                                   "fault of a kernel or the device",
                                                   "the runtime was called wrongly",
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
    const std::string small = plain_line(line);
    for (const Sign& sign : signs) {
      if (!sign.also.empty() && small.find(sign.also) == std::string::npos) continue;
      const auto numbers = matched(small, sign.phrase);
      const bool is_new = std::ranges::find(found, &sign, &FoundSign::sign) == found.end();
      if (numbers && is_new)
        found.push_back({&sign, number, with_numbers(sign.meaning, *numbers), line});
    }
  }
  return found;
}

}  // namespace gradproof::advice
