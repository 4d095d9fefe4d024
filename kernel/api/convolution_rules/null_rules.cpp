#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

template <auto argument>
Finding missing(const Call& call) {
  if ((call.*argument).given) return std::nullopt;
  return text((call.*argument).name, " is null; a pointer to a live descriptor is required");
}

Finding mask_of_wrong_length(const Call& call) {
  if (!call.output_mask.value || call.output_mask.value->size() == 3) return std::nullopt;
  return text("outputMask has ", call.output_mask.value->size(),
              " elements; it must have 3: gradInput, gradWeight, gradBias");
}

template <auto argument, bool Mask::*requested>
Finding missing_though_requested(const Call& call) {
  if (!(call.mask().*requested) || (call.*argument).given) return std::nullopt;
  return text((call.*argument).name, " is null; outputMask requests it");
}

template <auto argument, bool Mask::*requested>
Finding missing_and_not_requested(const Call& call) {
  if (call.mask().*requested || (call.*argument).given) return std::nullopt;
  return text((call.*argument).name, " is null and not requested");
}

Finding bias_sizes_missing(const Call& call) {
  if (!call.mask().grad_bias || call.bias_sizes.given) return std::nullopt;
  return "biasSizes is null; it must hold the length of gradBias, which outputMask requests";
}

aclnnStatus released_bias_sizes_missing(const Call& call) {
  const bool checked =
      call.on_empty_path() || (call.set() == ProductSet::A1 && is_empty(call.input));
  return checked ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

Finding out_parameter_missing(const Call& call) {
  if (!call.has_workspace_size) return "workspaceSize is null; the call has to write it";
  if (!call.has_executor) return "executor is null; the call has to write it";
  return std::nullopt;
}

template <typename Value>
void name_if_dead(const Argument<Value>& argument, Finding& finding) {
  if (finding || !argument.given || argument.value) return;
  finding = text(argument.name, " is no live descriptor; it was destroyed or never created");
}

Finding dead_descriptor(const Call& call) {
  Finding finding;
  for (const auto* tensor : call.inputs()) name_if_dead(*tensor, finding);
  for (const auto* tensor : call.outputs()) name_if_dead(*tensor, finding);
  for (const auto* values :
       {&call.bias_sizes, &call.stride, &call.padding, &call.dilation, &call.output_padding}) {
    name_if_dead(*values, finding);
  }
  name_if_dead(call.output_mask, finding);
  return finding;
}

constexpr auto of_input = &Mask::grad_input;
constexpr auto of_weight = &Mask::grad_weight;
constexpr auto of_bias = &Mask::grad_bias;

constexpr Rule null_rows[] = {
    {"NULL-01", "parameter gradOutput", null_pointer, null_pointer, missing<&Call::grad_output>},
    {"NULL-02", "parameter input", null_pointer, null_pointer, missing<&Call::input>},
    {"NULL-03", "parameter weight", null_pointer, null_pointer, missing<&Call::weight>},
    {"NULL-04", "parameter stride", null_pointer, null_pointer, missing<&Call::stride>},
    {"NULL-05", "parameter padding", null_pointer, null_pointer, missing<&Call::padding>},
    {"NULL-06", "parameter dilation", null_pointer, null_pointer, missing<&Call::dilation>},
    {"NULL-07", "parameter outputPadding", null_pointer, null_pointer,
     missing<&Call::output_padding>},
    {"NULL-08", "parameter outputMask", null_pointer, null_pointer, missing<&Call::output_mask>},
    {"NULL-09", "parameter outputMask", null_pointer, null_pointer, mask_of_wrong_length},
    {"NULL-10", "parameter gradInput", null_pointer, null_pointer,
     missing_though_requested<&Call::grad_input, of_input>},
    {"NULL-11", "parameter gradWeight", null_pointer, null_pointer,
     missing_though_requested<&Call::grad_weight, of_weight>},
    {"NULL-12", "parameter gradBias", null_pointer, null_pointer,
     missing_though_requested<&Call::grad_bias, of_bias>},
    {"NULL-13", "parameter gradInput", success, success,
     missing_and_not_requested<&Call::grad_input, of_input>},
    {"NULL-14", "parameter gradWeight", success, success,
     missing_and_not_requested<&Call::grad_weight, of_weight>},
    {"NULL-15", "parameter gradBias", success, success,
     missing_and_not_requested<&Call::grad_bias, of_bias>},
    {"NULL-16", "parameter biasSizes", null_pointer, released_bias_sizes_missing,
     bias_sizes_missing},
    {"NULL-17", "parameter biasSizes", success, success,
     missing_and_not_requested<&Call::bias_sizes, of_bias>},
    // The released library crashes or drops the executor; the simulator refuses instead.
    {"NULL-18", "parameters workspaceSize, executor", null_pointer, null_pointer,
     out_parameter_missing},
    // No rule of the documents: a destroyed descriptor is undefined there.
    {"LIVE-01", "simulator", invalid, invalid, dead_descriptor},
};

}  // namespace

Rules null_rules() { return null_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
