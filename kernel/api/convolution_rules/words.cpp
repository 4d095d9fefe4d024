#include "kernel/api/convolution_rules/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "kernel/api/runtime/data_type_row.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

struct FormatName {
  aclFormat value;
  std::string_view name;
};

constexpr FormatName format_names[] = {
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

}  // namespace

std::string words(aclDataType type) {
  const DataTypeRow* row = row_of(type);
  return row != nullptr ? std::string(row->name) : text("number ", static_cast<std::int64_t>(type));
}

std::string eight_bit_words(std::string_view last) {
  std::string list;
  for (auto row = data_type_rows.begin(); row != data_type_rows.end(); ++row) {
    if (!is_eight_bit(*row)) continue;
    const bool is_last = std::none_of(row + 1, data_type_rows.end(),
                                      [](const DataTypeRow& other) { return is_eight_bit(other); });
    list.append(is_last ? last : std::string_view(", ")).append(row->name);
  }
  return list;
}

std::string words(aclFormat format) {
  const auto* row = std::ranges::find(format_names, format, &FormatName::value);
  if (row != std::end(format_names)) return std::string(row->name);
  return text("number ", static_cast<std::int64_t>(format));
}

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
