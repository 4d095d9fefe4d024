#include "corpus/format.h"

#include <algorithm>
#include <span>

namespace gradproof::corpus {
namespace {

struct FormatRow {
  Format format;
  std::string_view name;
};

constexpr FormatRow format_rows[] = {
    {Format::Nchw, "NCHW"},
    {Format::Nhwc, "NHWC"},
    {Format::Nd, "ND"},
    {Format::Nc1hwc0, "NC1HWC0"},
    {Format::FractalZ, "FRACTAL_Z"},
    {Format::Hwcn, "HWCN"},
    {Format::Ndhwc, "NDHWC"},
    {Format::FractalNz, "FRACTAL_NZ"},
    {Format::Ncdhw, "NCDHW"},
    {Format::Dhwcn, "DHWCN"},
    {Format::Ndc1hwc0, "NDC1HWC0"},
    {Format::FractalZ3d, "FRACTAL_Z_3D"},
    {Format::Nc, "NC"},
    {Format::Ncl, "NCL"},
};

/// Formats of CANN's that no rule lists and no generated call has: a case may name them to be
/// refused.
constexpr FormatRow refused_rows[] = {{Format{-1}, "UNDEFINED"}, {Format{12}, "NC1HWC0_C04"}};

}  // namespace

std::vector<Format> formats() {
  std::vector<Format> all;
  for (const FormatRow& row : format_rows) all.push_back(row.format);
  return all;
}

std::string_view name_of(Format format) {
  for (const auto rows : {std::span<const FormatRow>(format_rows), {refused_rows}}) {
    const auto row = std::ranges::find(rows, format, &FormatRow::format);
    if (row != rows.end()) return row->name;
  }
  return {};
}

std::optional<Format> format_named(std::string_view name) {
  for (const auto rows : {std::span<const FormatRow>(format_rows), {refused_rows}}) {
    const auto row = std::ranges::find(rows, name, &FormatRow::name);
    if (row != rows.end()) return row->format;
  }
  return std::nullopt;
}

Format plain_format(std::size_t axes) {
  if (axes < 3) return Format::Nd;
  if (axes == 3) return Format::Ncl;
  return axes == 4 ? Format::Nchw : Format::Ncdhw;
}

}  // namespace gradproof::corpus
