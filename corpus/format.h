#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gradproof::corpus {

/// Tensor formats that a case can name; the values are those of CANN's `aclFormat` (DHWCN: the
/// graph engine's).
enum class Format : std::int32_t {
  Nchw = 0,
  Nhwc = 1,
  Nd = 2,
  Nc1hwc0 = 3,
  FractalZ = 4,
  Hwcn = 16,
  Ndhwc = 27,
  FractalNz = 29,
  Ncdhw = 30,
  Dhwcn = 31,
  Ndc1hwc0 = 32,
  FractalZ3d = 33,
  Nc = 35,
  Ncl = 47,
};

/// All of them.
std::vector<Format> formats();

/// The name in case files, e.g. "NCDHW"; empty for a value outside the enumeration.
std::string_view name_of(Format format);

/// The format that a tensor of so many axes has unless something else is said: NCL, NCHW, NCDHW; ND
/// below three axes.
Format plain_format(std::size_t axes);

/// The format of that name, or nullopt.
std::optional<Format> format_named(std::string_view name);

}  // namespace gradproof::corpus
