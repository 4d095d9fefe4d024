#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

std::array<const Argument<Tensor>*, 5> shaped_tensors(const Call& call) {
  return {&call.grad_output, &call.input, &call.weight, &call.grad_input, &call.grad_weight};
}

bool is_spatial_rank(std::size_t rank) { return rank >= 3 && rank <= 5; }

bool is_format_of_rank(aclFormat format, std::size_t rank) {
  if (rank == 3) return format == ACL_FORMAT_NCL || format == ACL_FORMAT_ND;
  return format == (rank == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_NCDHW);
}

std::string_view formats_of_rank(std::size_t rank) {
  if (rank == 3) return "NCL or ND";
  return rank == 4 ? "NCHW" : "NCDHW";
}

Finding wrong_rank(const Call& call) {
  for (const auto* tensor : shaped_tensors(call)) {
    if (!tensor->value || is_spatial_rank(tensor->value->view_shape.size())) continue;
    return text(tensor->name, " has shape ", words(tensor->value->view_shape), " of rank ",
                tensor->value->view_shape.size(), "; the rank must be 3, 4 or 5");
  }
  return std::nullopt;
}

Finding different_ranks(const Call& call) {
  const auto inputs = call.inputs();
  for (const auto* tensor : inputs) {
    if (!tensor->value) return std::nullopt;
  }
  const std::size_t ranks[] = {inputs[0]->value->view_shape.size(),
                               inputs[1]->value->view_shape.size(),
                               inputs[2]->value->view_shape.size()};
  if (ranks[0] == ranks[1] && ranks[1] == ranks[2]) return std::nullopt;
  return text("gradOutput, input, weight have ranks ", ranks[0], ", ", ranks[1], ", ", ranks[2],
              "; they must be equal");
}

Finding wrong_format(const Call& call) {
  for (const auto* tensor : shaped_tensors(call)) {
    if (!tensor->value) continue;
    const std::size_t rank = tensor->value->view_shape.size();
    if (!is_spatial_rank(rank) || is_format_of_rank(tensor->value->format, rank)) continue;
    return text(tensor->name, " has format ", words(tensor->value->format), "; rank ", rank,
                " requires ", formats_of_rank(rank));
  }
  return std::nullopt;
}

Finding wrong_bias_format(const Call& call) {
  if (!call.grad_bias.value || call.grad_bias.value->format == ACL_FORMAT_ND) return std::nullopt;
  return text("gradBias has format ", words(call.grad_bias.value->format), "; it must be ND");
}

aclnnStatus released_bias_format(const Call& call) {
  const bool checked = call.set() != ProductSet::A1 && !call.transposed;
  return checked ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

Finding rank_three_as_nd(const Call& call) {
  for (const auto* tensor : shaped_tensors(call)) {
    if (!tensor->value || tensor->value->view_shape.size() != 3) continue;
    if (tensor->value->format == ACL_FORMAT_ND) return text(tensor->name, " is ND, read as NCL");
  }
  return std::nullopt;
}

constexpr Rule format_rows[] = {
    {"RANK-01", "data format and shape of the tensors", invalid, invalid, wrong_rank},
    {"RANK-02", "data format and shape of the tensors", invalid, invalid_unless_empty,
     different_ranks},
    {"FMT-01", "data format of the tensors", invalid, invalid, wrong_format},
    {"FMT-02", "parameter gradBias", invalid, released_bias_format, wrong_bias_format},
    {"FMT-03", "data format of the tensors", success, success, rank_three_as_nd},
};

}  // namespace

Rules format_rules() { return format_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
