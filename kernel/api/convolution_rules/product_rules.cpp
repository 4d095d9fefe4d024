#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

Finding unsupported_product(const Call& call) {
  if (call.set() != ProductSet::X) return std::nullopt;
  return text("the device is an ", product_words(call), "; supported are ",
              device::names_of(device::Generation::HalfOnly), ", ",
              device::names_of(device::Generation::Wide), " and ",
              device::names_of(device::Generation::EightBit));
}

Finding three_dimensions_unsupported(const Call& call) {
  const bool any_empty =
      is_empty(call.grad_output) || is_empty(call.input) || is_empty(call.weight);
  if (call.set() != ProductSet::A1 || call.rank() != 5 || any_empty) return std::nullopt;
  return text("input has 5 axes; ", product_words(call), " supports 1D and 2D only (rank 3 or 4)");
}

constexpr Rule product_rows[] = {
    {"PROD-01", "supported products", invalid, refused, unsupported_product},
    {"PROD-02", "constraints of the Atlas inference and training series", invalid, invalid,
     three_dimensions_unsupported},
};

}  // namespace

Rules product_rules() { return product_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
