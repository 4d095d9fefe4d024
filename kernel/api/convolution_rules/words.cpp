#include "kernel/api/convolution_rules/words.h"

#include <fmt/core.h>

#include <string_view>

namespace gradproof::kernel::api::parameter_checks {
namespace {

template <typename Value>
struct Name {
  Value value;
  std::string_view name;
};

constexpr Name<aclDataType> data_type_names[] = {
    {ACL_DT_UNDEFINED, "UNDEFINED"},
    {ACL_FLOAT, "FLOAT"},
    {ACL_FLOAT16, "FLOAT16"},
    {ACL_INT8, "INT8"},
    {ACL_INT32, "INT32"},
    {ACL_UINT8, "UINT8"},
    {ACL_INT16, "INT16"},
    {ACL_UINT16, "UINT16"},
    {ACL_UINT32, "UINT32"},
    {ACL_INT64, "INT64"},
    {ACL_UINT64, "UINT64"},
    {ACL_DOUBLE, "DOUBLE"},
    {ACL_BOOL, "BOOL"},
    {ACL_STRING, "STRING"},
    {ACL_COMPLEX64, "COMPLEX64"},
    {ACL_COMPLEX128, "COMPLEX128"},
    {ACL_BF16, "BFLOAT16"},
    {ACL_INT4, "INT4"},
    {ACL_UINT1, "UINT1"},
    {ACL_COMPLEX32, "COMPLEX32"},
    {ACL_HIFLOAT8, "HIFLOAT8"},
    {ACL_FLOAT8_E5M2, "FLOAT8_E5M2"},
    {ACL_FLOAT8_E4M3FN, "FLOAT8_E4M3FN"},
};

constexpr Name<aclFormat> format_names[] = {
    {ACL_FORMAT_UNDEFINED, "UNDEFINED"},
    {ACL_FORMAT_NCHW, "NCHW"},
    {ACL_FORMAT_NHWC, "NHWC"},
    {ACL_FORMAT_ND, "ND"},
    {ACL_FORMAT_NC1HWC0, "NC1HWC0"},
    {ACL_FORMAT_FRACTAL_Z, "FRACTAL_Z"},
    {ACL_FORMAT_HWCN, "HWCN"},
    {ACL_FORMAT_NDHWC, "NDHWC"},
    {ACL_FORMAT_FRACTAL_NZ, "FRACTAL_NZ"},
    {ACL_FORMAT_NCDHW, "NCDHW"},
    {ACL_FORMAT_DHWCN, "DHWCN"},
    {ACL_FORMAT_NDC1HWC0, "NDC1HWC0"},
    {ACL_FRACTAL_Z_3D, "FRACTAL_Z_3D"},
    {ACL_FORMAT_NC, "NC"},
    {ACL_FORMAT_NCL, "NCL"},
};

template <typename Value, std::size_t count>
std::string named(const Name<Value> (&names)[count], Value value) {
  for (const auto& row : names) {
    if (row.value == value) return std::string(row.name);
  }
  return text("number ", static_cast<std::int64_t>(value));
}

}  // namespace

std::string words(aclDataType type) { return named(data_type_names, type); }

std::string words(aclFormat format) { return named(format_names, format); }

std::string words(std::span<const std::int64_t> values) {
  std::string all = "[";
  std::string_view separator;
  for (const std::int64_t value : values) {
    append(all, separator);
    append(all, value);
    separator = ", ";
  }
  return all + ']';
}

void append(std::string& text, const void* part) { text += fmt::format("{}", part); }

std::string product_words(const Call& call) { return std::string(device::name_of(call.product)); }

}  // namespace gradproof::kernel::api::parameter_checks
