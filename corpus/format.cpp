#include "corpus/format.h"

#include <algorithm>
#include <iterator>

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

}  // namespace

std::vector<Format> formats() {
  std::vector<Format> all;
  for (const FormatRow& row : format_rows) all.push_back(row.format);
  return all;
}

std::string_view name_of(Format format) {
  const auto* row = std::ranges::find(format_rows, format, &FormatRow::format);
  return row == std::end(format_rows) ? std::string_view{} : row->name;
}

std::optional<Format> format_named(std::string_view name) {
  const auto* row = std::ranges::find(format_rows, name, &FormatRow::name);
  if (row == std::end(format_rows)) return std::nullopt;
  return row->format;
}

Format plain_format(std::size_t axes) {
  if (axes < 3) return Format::Nd;
  if (axes == 3) return Format::Ncl;
  return axes == 4 ? Format::Nchw : Format::Ncdhw;
}

}  // namespace gradproof::corpus
