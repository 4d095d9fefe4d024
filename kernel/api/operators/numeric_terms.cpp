#include "kernel/api/operators/numeric_terms.h"

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

operators::Roundings roundings_of(const device::DeviceState& device) {
  return {.hf32 = device.hf32_rounding == device::Hf32Rounding::NearestEven
                      ? numeric::Hf32Rounding::NearestEven
                      : numeric::Hf32Rounding::NearestAway,
          .overflow = overflow_of(device.overflow_mode),
          .fuses_products = device.float_products == device::FloatProducts::Fused};
}

numeric::OverflowMode overflow_of(aclrtFloatOverflowMode mode) {
  return mode == ACL_RT_OVERFLOW_MODE_SATURATION ? numeric::OverflowMode::Saturation
                                                 : numeric::OverflowMode::InfNan;
}

}  // namespace gradproof::kernel::api
