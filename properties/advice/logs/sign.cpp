#include "properties/advice/logs/sign.h"

#include <algorithm>
#include <set>

#include "properties/advice/logs/denial.h"
#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

// Kind (- is none), phrases, rule, meaning, what to do; of a line, the first that names a rule
// counts. Sentences that name an attribute and what is wrong with it have their own reader
// (claims_in).
constexpr std::string_view phrase_rows = R"(
parameter refused | gradoutput_channel(#) != weight_n_dim(#) | CH-01 | {0} channels of gradOutput (of input if transposed) are not the weight's first length {1} | $shapes
parameter refused | channel of gradoutput (#) should be equal to weight*(#) | CH-01 | {0} channels of gradOutput (of input if transposed) are not the weight's first length {1} | $shapes
parameter refused | channel of input (#) should be equal to weight*(#) * groups (#) | CH-02 | {0} channels of input (of gradOutput if transposed) are not the weight's {1} times groups={2} | groups that is their quotient, or a weight with the channels over groups
limit of a version | - 1) * dilation*- pad*=#*should not be larger than 255 |  | the kernel's length less the padding is {0} on an axis, (kernel - 1) * dilation - padding, and the transposed convolution of this CANN takes 255 at most: a limit of the implementation, no rule of the parameters | split the kernel into parts of at most 256 elements and add their results, or compute this layer on the CPU
parameter refused | [gradoutshape[1], weight[0]] must be the same | CH-01 | the channels of gradOutput (of input if transposed) are not the weight's first length | $shapes
parameter refused | input_channel(#) / weight_channel(#) != groups(#) | CH-02 | {0} channels of input (of gradOutput if transposed) over the weight's {1} are not groups={2} | groups that is their quotient, or a weight with the channels over groups
parameter refused | input_channel(#) % weight_channel(#) != 0 | CH-02 | {0} channels of input (of gradOutput if transposed) are no multiple of the weight's {1} | $shapes
parameter refused | need groups(#) times weight_channel(#) | CH-02 | the channels of input (of gradOutput if transposed) are not groups={0} times the weight's {1} | $shapes
parameter refused | times the value of groups)*= #,# | CH-02 | {0} channels of input (of gradOutput if transposed) are not the weight's {1} times groups, whose value is not printed | $shapes
parameter refused | times the value of groups) ; divisable by the shape dim of weight | CH-02 | the channels of input (of gradOutput if transposed) are not the weight's times groups | $shapes
parameter refused | output_channel(#) % groups(#) != 0 | CH-03 | the weight's first length {0} is no multiple of groups={1} | $shapes
parameter refused | should be divisible by groups when the value | CH-03 | the weight's first length is no multiple of groups | $shapes
parameter refused | when input_channel(#) == groups(#), output_channel(#) need | CH-04 | a depthwise call of {0} channels has {2} output channels, which are no multiple of groups={1} | $shapes
parameter refused | must be divisible by the value of groups ; or equal to the value of groups | CH-04 | the output channels of a depthwise call are no multiple of groups | $shapes
parameter refused | in_dim(#)*pad_dim(#)*should >= ((weight_shape(#)*dilation(#) ; weight_shape - 1) * dilation*in_dim=#, pad_dim=#, weight_shape=#, dilation=# | SHAPE-01 | on one axis, input {0} with padding {1} at both ends is shorter than the kernel {2} with dilation {3} | a longer input or padding, or a smaller kernel or dilation
parameter refused | expected tensor for*input to have same size as tensor for*gradinput ; expected grad_input shape ; expected gradinput shape ; grad_input + expected shape ; grad_input has shape*expected | SHAPE-05 | gradInput has not the shape of input | give gradInput the shape of input
parameter refused | expected tensor for*weight to have same size as tensor for*gradweight ; expected grad_weight shape ; expected gradweight shape ; grad_weight + expected shape ; grad_weight has shape*expected | SHAPE-06 | gradWeight has not the shape of weight | give gradWeight the shape of weight
parameter refused | dimension of gradbias only support 1 ; gradbias shape should be equal | SHAPE-07 | gradBias is not one list of gradOutput's channels | $shapes
parameter refused | gradoutput and weight cannot be empty ; [gradoutput,weight] do not support empty | SHAPE-08 | gradOutput or weight has no element | $shapes
parameter refused | the dimension of stride should be # ; shape dim of [stride] must be # | LEN-01 | stride has not one value for each spatial axis ({0}) | one value for each spatial axis
parameter refused | the dimension of dilation should be # | LEN-02 | dilation has not one value for each spatial axis ({0}) | one value for each spatial axis
parameter refused | the dimension of padding should be # | LEN-03 | padding has not one value for each spatial axis ({0}; four in 2D are right too) | one value for each spatial axis
parameter refused | the dimension of outputpadding should be # ; shape dim of [outputpadding] must be # | LEN-04 | outputPadding has not one value for each spatial axis ({0}) | one value for each spatial axis
parameter refused | must be 0 if not transposed ; value of outputpadding must be 0 | OPAD-03 | outputPadding is not 0 in a call that is not transposed | outputPadding 0, or transposed
parameter refused | outputpadding must be less than or equal to stride | OPAD-02 | an output padding is not below its stride | an output padding below the stride
parameter refused | gradinput data type[ | DTYPE-04 | gradInput has not input's dtype | give gradInput the dtype of input
parameter refused | gradweight data type[ | DTYPE-05 | gradWeight has not weight's dtype | give gradWeight the dtype of weight
parameter refused | gradbias data type[ | DTYPE-06 | gradBias has not gradOutput's dtype | give gradBias the dtype of gradOutput
parameter refused | the dim of outputmask must be equal 3 | NULL-09 | outputMask has not three values | three values: gradInput, gradWeight, gradBias
parameter refused | dim of gradoutput and input should be equal ; dim of input and weight should be equal ; dim of [gradoutput, input] must be the same ; dim of [input, weight] must be the same | RANK-02 | gradOutput, input and weight have not equally many dimensions | print the shapes of all three before the call
parameter refused | given transposed=1 + expected input | CH-01 | input's channels are not the weight's first length, as a transposed call needs | $shapes
parameter refused | channel* must be a multiple of groups ; in_channels must be divisible by groups | CH-02 | input's channels are no multiple of groups | $shapes
parameter refused | 'weight' shape: #, but got 'c_in' of input 'x' shape: #, and 'group': # | CH-02 | {1} channels of input over groups={2} are not the weight's {0} | groups that is their quotient, or a weight with the channels over groups
parameter refused | channels should be equal to filter's channels * groups ; input channel equal to filter channel * groups ; input channels must divide group size ; expected input + channels, but got ; lhs feature dimension*feature_group_count ; feature_group_count + divide ; depth of input (#) must match input depth for filter ; depth of input (#) is not a multiple of input depth of filter ; input depth must be evenly divisible by filter depth ; not equal to kernel channels * group ; c_in*group*must be equal ; must have the same stack size | CH-02 | input's channels are not the weight's times groups | $shapes
refused by a framework | batch channel count (#) does not match filter input channel count (#) |  | {0} channels of the data are not the {1} of the filter | $shapes
parameter refused | # // # != # | CH-02 | input's {0} channels over {1} groups are not the weight's {2} | $shapes
- | wrong data_format setting |  | the data may have its channels last, where the call says that they are second | permute the data to N, C, H, W; do not change the weight
parameter refused | expected weight to be divisible by ; out_channels must be divisible by groups | CH-03 | the weight's first length is no multiple of groups | $shapes
parameter refused | expected weight to be at least | CH-03 | the weight has fewer kernels than groups | $shapes
parameter refused | output padding must be smaller than | OPAD-02 | an output padding is not below its stride; PyTorch lifts 1D calls to 2D, so width may be the only axis | an output padding below the stride: 0 where the stride is 1
parameter refused | kernel size can't be greater than actual input size ; calculated padded input size per channel ; negative dimension size caused by subtracting ; dimensions in the output is <= 0 due to downsampling ; (in_dim + pad_dim * 2) should be greater ; kernel height <= input height ; kernel width <= input width | SHAPE-01 | the dilated kernel is longer than the padded input | $shapes
parameter refused | expected*input to conv + but got input of size ; at least three dimensions + weight | RANK-01 | a tensor has not 3, 4 or 5 dimensions, or not those of this convolution | $shapes
refused by a framework | expected #d input (got #d ; expects #d input but got #d ; expected #d input but got #d |  | a layer takes tensors of {0} axes and was given one of {1}; no attribute of a convolution is refused | print the tensor's shape before that layer; a batch of one is x.unsqueeze(0)
parameter refused | same number of dimensions + input ; should have the same dim + input ; -dimensional input for * weight + but got | RANK-02 | gradOutput, input and weight have not equally many dimensions | print the shapes of all three before the call
parameter refused | size of out_backprop doesn't match computed: actual = #, computed = # | SHAPE-02 | gradOutput has the length {0}; input, kernel, stride and padding lead to {1} | $derive
- | spatial_dim: # input: # filter: # output: # stride: # dilation: # |  | one spatial axis: input {1}, kernel {2}, gradOutput {3}, stride {4}, dilation {5}
parameter refused | grad_output[2:] shape[*] must be equal to output size ; gradoutput's shape*is not equal with inferred ; shape of gradoutput should equal to ; gradoutput*shape + must ; gradoutput*shape + expected ; gradoutput*shape + but got ; gradoutput*shape + invalid | SHAPE-02 | gradOutput has not the lengths that input leads to | $derive
refused by a framework | conv*returned an invalid gradient at index # + expected shape |  | the gradient {0} that a kernel returned (0 of the input, 1 of the weight, 2 of the bias) has not its tensor's shape; no parameter is refused | the lengths that the kernel or its wrapper gives that gradient: a weight has its channels over groups
refused by a framework | operands could not be broadcast together with shapes |  | two arrays of one gradient have other lengths: where (padded input - dilated kernel) is no multiple of the stride, the last rows are read by no output, and a gradient computed as a transposed convolution is shorter or longer by them | cut the gradient to input's shape or give the missing rows zeros (outputPadding)
refused by a framework | input type (torch.cuda.floattensor) and weight type (torch.floattensor ; input type (torch.floattensor) and weight type (torch.cuda.floattensor ; input type (torch.cuda.halftensor) and weight type (torch.halftensor ; input type (torch.npu.floattensor) and weight type (torch.floattensor ; input type (torch.floattensor) and weight type (torch.npu.floattensor ; input type (torch.npu.halftensor) and weight type (torch.halftensor ; input type (torch.halftensor) and weight type (torch.npu.halftensor ; input type (torch.halftensor) and weight type (torch.cuda.halftensor ; to be on the same device ; is on cpu, but expected |  | two tensors lie on different devices; their dtypes are not shown to differ | move model and data to one device: .to(device)
parameter refused | expected scalar type * but found ; input type * should be the same ; arguments to have the same dtypes ; the type of + should be same as the type of | DTYPE-03 | two tensors have different dtypes | convert one of them; under autocast, both
parameter refused | must be a type of {tensor[ + conv | DTYPE-01 | a tensor has a dtype that the operator does not take | convert the tensor to a dtype of the list that the message prints
parameter refused | tensor @ not implemented for @ + support list | DTYPE-01 | {0} has the dtype {1}, which is not in the operator's list for this product | convert the tensor to a dtype of the list that the message prints
refused by a framework | only supports nhwc ; only support nhwc ; only supports ndhwc |  | this library has no kernel for the layout on this device; nothing is wrong with the call | give the data with its channels last there (N, H, W, C), or use a device that has the kernel
refused by a framework | does not have enough elements, requested #, got # |  | the gradient wants {0} elements where {1} are: it does not know groups there; nothing is wrong with the call | a device or a release whose gradient knows groups, or one convolution for each group
refused by a framework | no opkernel was registered ; " not implemented for ' ; unable to find an engine ; could not create a primitive |  | this library has no kernel for the call's attributes, dtypes or this device; nothing is wrong with the call | another layout or dtype, smaller batches; for a GPU, the versions of cuDNN and the driver
refused by a framework | trying to backward through the graph a second time |  | PyTorch's graph was freed; no parameter is refused | backward(retain_graph=True), or compute the loss again
refused by a framework | does not require grad and does not have a grad_fn |  | no tensor of the loss asks for a gradient; no parameter is refused | requires_grad=True on input or weight; no detach() or no_grad() between them and the loss
communication between devices | wait execution of the notify register times out ; notify wait timeout ; notify wait execute failed |  | a rank waited for another one that sent nothing: the other stopped or is late; no operator is shown to fail | the first error of the remote rank is the cause: look at its log
communication between devices | getting socket times out ; get socket timeout ; socket build timeout ; connection between ranks timed out |  | a rank did not reach another one in time; no operator is shown to fail | are all ranks alive, did they begin together, does the network connect them? HCCL_CONNECT_TIMEOUT is how long they wait
communication between devices | error code is 9 + hccl ; hccl function error ; call hccl api failed |  | a call of the collective communication (HCCL) failed; no operator is shown to fail
another operator | in input to be divisible by num_groups |  | group_norm: its channels are no multiple of num_groups; the groups of a convolution are not meant | num_groups that divides the channels
refused by a framework | expected more than 1 value per channel when training |  | a BatchNorm has one value per channel: a batch of 1 with one position; no convolution is refused | drop_last=True in the loader, a larger batch, or eval() for that layer
graph operator path | data type @ of input [@] is not supported |  | {1} has the dtype {0}, which the graph operator does not take | convert that tensor to a dtype that the message lists
graph operator path | op compile is in progress ; tefusion ; te_fusion |  | operators are compiled while the program runs, which takes long in its first steps; no parameter is refused | $aclnn
the runtime was called wrongly | stream not in current context |  | the stream belongs to another context than the thread's | aclrtSetCurrentContext with the stream's context in that thread, before the call
the runtime was called wrongly | context pointer null ; ctx is null |  | the thread that calls has no context; nothing is said of an operator's parameters | aclrtSetDevice or aclrtSetCurrentContext in that thread, before any other call
the runtime refused a call | stream is not in current ctx ; stream*not in current context |  | the stream belongs to another context than the thread's current one, as in a worker thread that has none | aclrtSetCurrentContext with the stream's context (or aclrtSetDevice) in the thread that makes the call
installation | no module named 'tbe' ; no module named 'te' ; no module named te ; no module named tbe |  | Python does not find the operator compiler of CANN (tbe, te), so no graph operator can be compiled; no parameter is shown wrong | source the set_env.sh of the installed CANN for that Python, whose PYTHONPATH then has tbe
- | tf32 |  | TF32 is named: it rounds each factor by up to 2^-11 of itself, and differences of that size are its own | torch.backends.cudnn.allow_tf32 = False, then compare again
- | allow_hf32 |  | HF32 is named: it rounds each factor of FLOAT, and differences of about 2^-11 of the operands are its own | torch.npu.conv.allow_hf32 = False, then compare again
- | on the npu backend and will fall back |  | torch_npu has no kernel for that operator and runs it on the CPU: slow, and nothing is wrong with it
- | storage_offset + untrustworthy |  | a view that does not begin where its storage does went to an operator that takes none: its result may be of other elements | x.clone() or x.contiguous() before that operator
- | not support double dtype |  | torch_npu casts DOUBLE to FLOAT on this device: a reference in DOUBLE is compared with FLOAT | compute the reference on the CPU
- | main process disappeared |  | the helper of the operator compiler says that the program ended before it; that is a consequence, no cause | the first error above it
- | gradient overflow ; loss scaler |  | loss scaling met infinity or NaN in a gradient and skips the step; now and then that is usual | if every step is skipped: which tensor has the first infinity?
- | internal format while allow_intern |  | a tensor should have been made in a storage format of the device, which is switched off; nothing is wrong with a parameter
limit of a version | only supports groups = 1 or groups = cin |  | a limit of an old CANN (8.0.RC3 has it) in 3D, not a rule of today's operators | CANN 8.1.RC1 or newer; until then split the convolution by groups
product refused | support for ascend + not implemented | PROD-01 | the product is refused, not the parameters: shapes and dtypes do not matter here | on an Ascend310B a model converted by ATC; aclnn's convolution runs on 310P, 910, 910B, A3, 950
graph operator path | must be in range [#, #], actual is [#] ; must be in range of [#,#], actual is [#] ; must be in range [#,#], actual is [#] ; must be in [#, #], actual is [#] |  | an attribute of a graph operator is {2}, outside of its range of {0} to {1}; the aclnn call has a range of its own | $aclnn
graph operator path | getdnnenginename |  | the graph engine found no engine for a graph operator | $aclnn
graph operator path | load model*failed ; load model from file failed ; model is compiled for |  | a converted model (.om) could not be loaded: it is of the product and the CANN that it was converted for | atc --soc_version for this device
graph operator path | illegal format of x |  | a storage format that the framework chose, not one of your arguments | $aclnn
graph operator path | no supported ops kernel and engine are found |  | the operator library does not take this graph operator as it is called (for a reason that is often next to it: dtypes, formats, dynamic shapes) | $aclnn
graph operator path | dt_bfloat16 + not supported |  | the graph operator has no BFLOAT16 there; on Ascend910 and 310P nor has the aclnn operator | say which product it is: torch_npu.npu.get_device_name()
graph operator path | not support input size's shape |  | the graph operator cannot be compiled with unknown sizes; -1 and -2 stand for those, and are no sizes | $aclnn
graph operator path | only support aclnn operator |  | a graph operator was called where the device takes aclnn calls alone | $aclnn
graph operator path | failed to compile op ; compile op[ ; build op model failed |  | a graph operator could not be compiled | the lines after it name what the compiler found; aclnn calls are not compiled
graph operator path | optype [*is unsupported ; op type*is not found ; no parser is registered for op |  | the graph engine knows no such operator here, or not with these dtypes and formats | $aclnn
graph capture | cannot run aclop operators during npu graph capture |  | a graph operator was called inside of a graph capture, which takes aclnn calls alone | $aclnn
graph capture | capture mode does not support |  | a call that waits for the device, such as a synchronous copy or .item(), was made during the capture | take it out of what is captured, or copy asynchronously; $eager
graph capture | captureend |  | the graph capture could not be ended: a call during the capture had failed or cannot be captured; no parameter is shown wrong | $eager
graph capture | capturebegin |  | the graph capture could not begin: the stream is captured already, or has work that waits
graph capture | capture cuda graph failed ; not permitted when stream is capturing ; stream is capturing ; the stream is in capture |  | the graph could not be captured: a call in it cannot be captured | $eager
fault of a kernel or the device | aicpu exception ; aicpu timeout ; aicpu kernel |  | an operator on the AI CPU failed, after all checks; it runs asynchronously, so that the operator which the program names may be a later one | the device's log (plog) names the operator
fault of a kernel or the device | vector core execution is abnormal |  | a kernel on the vector cores failed, after all checks; a convolution runs on the cube cores | $blocking
fault of a kernel or the device | mte out of range ; mte instruction is out of range ; mpu address access is invalid ; error code = 0x800000 |  | a kernel accessed memory beyond its buffers | is a tensor freed or changed too early? $blocking
fault of a kernel or the device | ub address out of bounds ; vec instruction error ; l1 address out of bounds ; l0*address out of bounds |  | a kernel read or wrote beyond its buffer on the chip: its code or its tiling is at fault, and no parameter is shown wrong | the kernel that ran there: $blocking
fault of a kernel or the device | context is abort |  | an earlier fault stopped the device's context; calls behind it fail by that alone | the first error of the log is the cause
fault of a kernel or the device | during aicpu execution ; errcode:21008 |  | a task on the AI CPU failed, after all checks | the device's log (plog) names it and its reason
communication between devices | task from hccl run failed |  | a step of the collective communication (HCCL) failed on the device; no operator of the network is shown to fail | the first error of each rank: the one that failed first is the cause
fault of a kernel or the device | aicore timeout ; task timeout |  | a kernel did not end in time | $blocking
fault of a kernel or the device | fault kernel |  | a kernel failed on the device; its name follows | $blocking
fault of a kernel or the device | aicore exception |  | a kernel failed on the device, after all checks | $blocking
out of memory | failed to allocate memory ; 内存不足 ; 显存不足 ; fail to malloc ; malloc device memory failed |  | the device's memory is used up; no argument is named | what else runs on the device (npu-smi info)? smaller batches
- | out of memory: kill ; oom-killer ; oom killer ; invoked oom ; cannot allocate memory ; std::bad_alloc ; by signal: killed |  | the host's memory is used up, or the system ended the process: nothing of the device's | fewer workers or smaller batches on the host; dmesg says which process it was
out of memory | npu out of memory ; cuda out of memory ; hip out of memory ; out of memory. tried to ; error:out of memory ; error: out of memory ; alloc*out of memory ; device out of memory ; outofmemory ; out of memory while |  | the device's memory is used up; no argument is named | PYTORCH_NPU_ALLOC_CONF=expandable_segments:True where much is reserved and unused; smaller batches; gradproof explain with a call says what its tensors and workspace take
installation | failed to verify the opp ; 算子包 + 不匹配 |  | the operator package (OPP) is damaged or does not fit | $package
installation | binary_info_config ; binary info config |  | the list of compiled kernels is missing or does not fit | $package
installation | find binary failed ; cannot find binary ; find kernel binary failed ; not have any binary ; not has any binary ; find kernel failed ; no kernel found ; kernel bin file ; get kernel bin |  | no compiled kernel fits this call on this device | $package
installation | libopapi.so ; not in lib |  | the library of aclnn operators, or a function in it, was not found | source the set_env.sh of the CANN release that torch_npu was built for
installation | parse dynamic kernel config fail |  | the installed kernel package does not fit the device or this CANN | $package
installation | libascendcl.so: cannot open ; libhccl.so: cannot open ; ascend_opp_path + not set ; ascend_opp_path + not found ; ascend_opp_path + not exist ; ascend_opp_path + invalid |  | CANN's libraries or its operator package are not found | source the set_env.sh of the installed CANN
crash | segmentation fault ; core dumped |  | the process died; of an aclnn function a wrong argument gives a status instead | print the call before it is made; are torch_npu, op-plugin and CANN of releases that belong together?
crash | file "<unknown>", line 0, in |  | frames of C++ without a status: the process died. Types in their names are no values | print the call before it is made; TORCH_SHOW_CPP_STACKTRACES=1, ASCEND_LAUNCH_BLOCKING=1; are torch_npu, op-plugin and CANN of releases that belong together?
crash | addresssanitizer: fpe ; floating point exception |  | a division by zero in the framework's own code | look for a 0 among groups, stride and the lengths
an inner operator failed | failed, @ return nullptr ; failed,*with @ return nullptr |  | the inner step {0} gave nothing: it refused this call on this device, or has no kernel there; no parameter is named | $range
an inner operator failed | do tiling failed ; tiling failed ; nnopbaseexecutordotiling |  | no tiling of an inner operator fits this call on this device; no parameter is named | $range
- | aclnn_inner_error |  | an inner operator of CANN failed; no parameter is named
refused by a framework | target module + is not supported |  | PEFT has no adapter for this layer; no device was asked | leave the layer out of target_modules
- | cudnn_status_ |  | a status of cuDNN, which says nothing about an NPU
- | nn.batchnorm |  | a BatchNorm stands in the text: a gradient that it is given is not the convolution's gradOutput | compare the convolution alone
)";

// What several rows advise.
constexpr std::string_view advice_rows = R"(
$shapes | print the shapes of input and weight, and groups, before the call
$derive | leave out --grad-output in gradproof explain: it shows the shape that follows
$aclnn | torch.npu.config.allow_internal_format = False and torch.npu.set_compile_mode(jit_compile=False) make torch_npu call aclnn instead (docs/torch-npu.md); try a newer CANN
$eager | run once without the graph (eager); then look for the first error during the capture
$blocking | ASCEND_LAUNCH_BLOCKING=1 shows which operator it is
$range | gradproof explain with the call says whether a range of the chip is the reason; where the call is legal, it is CANN's release or the kernel package
$package | install the kernel package of the same CANN release for this device, and source its set_env.sh
)";

// In the order of LogKind.
constexpr std::string_view kind_list =
    R"(another operator|out of memory|installation|graph operator path|graph capture|limit of a version|product refused|communication between devices|fault of a kernel or the device|an inner operator failed|the runtime refused a call|crash|parameter refused|refused by a framework|numbers differ|a call|no kind that is known here)";

const std::vector<std::string_view>& kind_words() {
  static const auto words = parts_between(kind_list, "|");
  return words;
}

LogKind kind_called(std::string_view words) {
  const auto found = std::ranges::find(kind_words(), words);
  return found == kind_words().end() ? LogKind::Unknown
                                     : static_cast<LogKind>(found - kind_words().begin());
}

std::string with_numbers(std::string_view meaning, const std::vector<std::string_view>& numbers) {
  std::string words(meaning);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string place = "{" + std::to_string(i) + "}";
    const std::size_t at = words.find(place);
    if (at != std::string::npos) words.replace(at, place.size(), numbers[i]);
  }
  return words;
}

struct Phrase {
  const Sign* sign;
  std::string_view words, also;
};
struct Phrases {
  Patterns patterns;
  std::vector<Phrase> all;
};

Phrases read_phrases() {
  Phrases phrases;
  for (const Sign& sign : all_signs()) {
    for (const std::string_view phrase : parts_of_cell(sign.phrases)) {
      const std::size_t plus = phrase.find(" + ");
      phrases.patterns.add(phrase.substr(0, plus));
      phrases.all.push_back(
          {&sign, phrase.substr(0, plus), plus == phrase.npos ? "" : phrase.substr(plus + 3)});
    }
  }
  return phrases;
}

}  // namespace

const std::vector<Sign>& all_signs() {
  static const std::vector<Sign> all = [] {
    std::vector<Sign> signs;
    for (const auto& row : table_rows(phrase_rows, 5))
      signs.push_back({kind_called(row[0]), row[1], row[2], row[3], row[4]});
    return signs;
  }();
  return all;
}

std::string with_advice(std::string_view next) {
  std::string words(next);
  for (const auto& row : table_rows(advice_rows, 2)) {
    const std::size_t at = words.find(row[0]);
    if (at != std::string::npos) words.replace(at, row[0].size(), row[1]);
  }
  return words;
}

std::string_view words_of(LogKind kind) { return kind_words()[static_cast<std::size_t>(kind)]; }

std::vector<FoundSign> signs_in(std::string_view text) {
  static const Phrases phrases = read_phrases();
  std::vector<FoundSign> found;
  std::set<const Sign*> known;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::string small = plain_line(line);
    const bool asks = has_any(small, "?? |? |？") || small.ends_with('?');
    if (asks && !has_any(small, "error:|errors:|error code|errno|failed|exception|expected"))
      continue;
    bool is_refused = false;
    for (const Patterns::Match& match : phrases.patterns.in(small)) {
      const auto& [sign, words, also] = phrases.all[match.pattern];
      const bool is_switch = sign->meaning.find(" is named: ") != sign->meaning.npos;
      if (is_switch && !has_undenied(small, words)) continue;
      const bool refuses = sign->kind == LogKind::Parameter || sign->kind == LogKind::Framework;
      if (small.find(also) == std::string::npos || (is_refused && refuses)) continue;
      is_refused = is_refused || refuses;
      if (!known.insert(sign).second) continue;
      found.push_back({sign->kind, std::string(sign->rule),
                       with_numbers(sign->meaning, match.numbers), with_advice(sign->next), number,
                       line});
    }
  }
  return found;
}

}  // namespace gradproof::advice
