#include "kernel/api/add/add_call.h"

#include <algorithm>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api::add {
namespace {

using parameter_checks::text;
using parameter_checks::words;

/// Kinds of numbers: a sum has the larger one of its parts.
enum class Kind : std::uint8_t { Bool, Integer, Real, Complex };

/// In the order in which the larger one of a kind stands further behind.
struct SummedType {
  aclDataType type;
  Kind kind;
};
constexpr SummedType summed_types[] = {
    {ACL_BOOL, Kind::Bool},     {ACL_UINT8, Kind::Integer},     {ACL_INT8, Kind::Integer},
    {ACL_INT16, Kind::Integer}, {ACL_INT32, Kind::Integer},     {ACL_INT64, Kind::Integer},
    {ACL_FLOAT16, Kind::Real},  {ACL_BF16, Kind::Real},         {ACL_FLOAT, Kind::Real},
    {ACL_DOUBLE, Kind::Real},   {ACL_COMPLEX64, Kind::Complex}, {ACL_COMPLEX128, Kind::Complex},
};

const SummedType* summed(aclDataType type) {
  const auto* const found = std::ranges::find(summed_types, type, &SummedType::type);
  return found == std::end(summed_types) ? nullptr : found;
}

bool are(aclDataType one, aclDataType other, aclDataType left, aclDataType right) {
  return (one == left && other == right) || (one == right && other == left);
}

/// True if a number of the first kind can be stored as the second.
bool fits(aclDataType from, aclDataType to) {
  return summed(from) != nullptr && summed(to) != nullptr && summed(from)->kind <= summed(to)->kind;
}

AddVerdict invalid(std::string why) { return {ACLNN_ERR_PARAM_INVALID, std::move(why)}; }

AddVerdict check_presence(const AddCall& call) {
  std::string_view missing;
  for (const auto* tensor : {&call.self, &call.other, &call.out}) {
    if (missing.empty() && !tensor->given) missing = tensor->name;
  }
  if (missing.empty() && !call.alpha.given) missing = call.alpha.name;
  if (missing.empty() && !call.has_workspace_size) missing = "workspaceSize";
  if (missing.empty() && !call.has_executor) missing = "executor";
  if (!missing.empty()) return {ACLNN_ERR_PARAM_NULLPTR, text(missing, " is null")};
  for (const auto* tensor : {&call.self, &call.other, &call.out}) {
    if (!tensor->value) return invalid(text(tensor->name, " is no live descriptor"));
  }
  if (!call.alpha.value) return invalid("alpha is no live descriptor");
  return {};
}

AddVerdict check_dtypes(const AddCall& call) {
  const bool has_bfloat16 = device::limits_of(call.product).has_bfloat16;
  for (const auto* tensor : {&call.self, &call.other, &call.out}) {
    const aclDataType type = tensor->value->data_type;
    if (summed(type) != nullptr && (type != ACL_BF16 || has_bfloat16)) continue;
    return invalid(text(tensor->name, " has dtype ", words(type), ", which has no sum on ",
                        device::name_of(call.product)));
  }
  const aclDataType common = *promoted(call.self.value->data_type, call.other.value->data_type);
  if (!fits(common, call.out.value->data_type)) {
    return invalid(text("out has dtype ", words(call.out.value->data_type), "; the sum has dtype ",
                        words(common), ", which does not fit in it"));
  }
  if (fits(call.alpha.value->data_type, common)) return {};
  return invalid(text("alpha has dtype ", words(call.alpha.value->data_type),
                      "; the sum has dtype ", words(common), ", in which it does not fit"));
}

AddVerdict check_shapes(const AddCall& call) {
  constexpr std::size_t most_axes = 8;
  for (const auto* tensor : {&call.self, &call.other, &call.out}) {
    const Ints& shape = tensor->value->view_shape;
    const bool is_legal = shape.size() <= most_axes &&
                          std::ranges::none_of(shape, [](auto length) { return length < 0; });
    if (is_legal) continue;
    return invalid(
        text(tensor->name, " has shape ", words(shape), "; at most 8 axes, none negative"));
  }
  const auto due = broadcast(call.self.value->view_shape, call.other.value->view_shape);
  if (due == call.out.value->view_shape) return {};
  return invalid(text("self has shape ", words(call.self.value->view_shape), ", other ",
                      words(call.other.value->view_shape), " and out ",
                      words(call.out.value->view_shape), "; out must be what they broadcast to"));
}

}  // namespace

std::optional<aclDataType> promoted(aclDataType left, aclDataType right) {
  const SummedType* one = summed(left);
  const SummedType* other = summed(right);
  if (one == nullptr || other == nullptr) return std::nullopt;
  if (are(left, right, ACL_UINT8, ACL_INT8)) return ACL_INT16;
  if (are(left, right, ACL_FLOAT16, ACL_BF16)) return ACL_FLOAT;
  if (are(left, right, ACL_DOUBLE, ACL_COMPLEX64)) return ACL_COMPLEX128;
  return one < other ? right : left;
}

std::optional<Ints> broadcast(const Ints& left, const Ints& right) {
  Ints result(std::max(left.size(), right.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t one = i < left.size() ? left[left.size() - 1 - i] : 1;
    const std::int64_t other = i < right.size() ? right[right.size() - 1 - i] : 1;
    if (one != other && one != 1 && other != 1) return std::nullopt;
    result[result.size() - 1 - i] = one == 1 ? other : one;
  }
  return result;
}

AddVerdict check(const AddCall& call) {
  AddVerdict verdict = check_presence(call);
  if (verdict.status == 0) verdict = check_dtypes(call);
  if (verdict.status == 0) verdict = check_shapes(call);
  return verdict;
}

}  // namespace gradproof::kernel::api::add
