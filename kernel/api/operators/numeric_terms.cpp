#include "kernel/api/operators/run_operation.h"

#include "kernel/api/runtime/data_type_row.h"

namespace gradproof::kernel::api {

std::optional<numeric::Format> format_of(aclDataType type) {
  const DataTypeRow* row = row_of(type);
  return row != nullptr ? row->format : std::nullopt;
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
