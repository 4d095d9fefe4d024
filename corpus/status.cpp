#include "corpus/status.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gradproof::corpus {
namespace {

struct StatusRow {
  Status status;
  std::string_view name;
};

constexpr StatusRow statuses[] = {
    {Status::Success, "ACLNN_SUCCESS"},
    {Status::ParamNullptr, "ACLNN_ERR_PARAM_NULLPTR"},
    {Status::ParamInvalid, "ACLNN_ERR_PARAM_INVALID"},
    {Status::RuntimeError, "ACLNN_ERR_RUNTIME_ERROR"},
    {Status::Inner, "ACLNN_ERR_INNER"},
    {Status::InnerInferShape, "ACLNN_ERR_INNER_INFERSHAPE_ERROR"},
    {Status::InnerTiling, "ACLNN_ERR_INNER_TILING_ERROR"},
    {Status::InnerFindKernel, "ACLNN_ERR_INNER_FIND_KERNEL_ERROR"},
    {Status::InnerCreateExecutor, "ACLNN_ERR_INNER_CREATE_EXECUTOR"},
    {Status::InnerNotTransExecutor, "ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR"},
    {Status::InnerNullptr, "ACLNN_ERR_INNER_NULLPTR"},
};

}  // namespace

std::string words(Status status) {
  const auto* row = std::ranges::find(statuses, status, &StatusRow::status);
  if (row == std::end(statuses)) return fmt::format("{}", code(status));
  return fmt::format("{} ({})", code(status), row->name);
}

}  // namespace gradproof::corpus
