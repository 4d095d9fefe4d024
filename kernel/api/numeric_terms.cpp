#include "kernel/api/numeric_terms.h"

namespace gradproof::kernel::api {

std::optional<numeric::Format> format_of(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return numeric::Format::Binary32;
    case ACL_FLOAT16:
      return numeric::Format::Half;
    case ACL_BF16:
      return numeric::Format::BFloat16;
    case ACL_HIFLOAT8:
      return numeric::Format::HiFloat8;
    case ACL_FLOAT8_E4M3FN:
      return numeric::Format::Float8E4M3;
    default:
      return std::nullopt;
  }
}

numeric::Hf32Rounding rounding_of(device::Hf32Rounding rounding) {
  return rounding == device::Hf32Rounding::NearestEven ? numeric::Hf32Rounding::NearestEven
                                                       : numeric::Hf32Rounding::NearestAway;
}

numeric::OverflowMode overflow_of(aclrtFloatOverflowMode mode) {
  return mode == ACL_RT_OVERFLOW_MODE_SATURATION ? numeric::OverflowMode::Saturation
                                                 : numeric::OverflowMode::InfNan;
}

}  // namespace gradproof::kernel::api
