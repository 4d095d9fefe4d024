#include "corpus/format.h"

#include <algorithm>
#include <iterator>

namespace gradproof::corpus {
namespace {

struct FormatRow {
  Format format;
  std::string_view name;
};

constexpr FormatRow formats[] = {
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

std::string_view name_of(Format format) {
  const auto* row = std::ranges::find(formats, format, &FormatRow::format);
  return row == std::end(formats) ? std::string_view{} : row->name;
}

std::optional<Format> format_named(std::string_view name) {
  const auto* row = std::ranges::find(formats, name, &FormatRow::name);
  if (row == std::end(formats)) return std::nullopt;
  return row->format;
}

}  // namespace gradproof::corpus
