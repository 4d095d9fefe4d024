#pragma once

#include <cstddef>

#include "acl/acl_base.h"

namespace gradproof::kernel::api::add {

/// One element in memory.
struct ConstElement {
  aclDataType type;
  const std::byte* at;
};

/// Stores left + factor * right at `to`: both are converted to the dtype `common`, the sum is made
/// there and converted to that of `to`. Integers wrap; half types add in FLOAT and are rounded
/// once; a factor of 1 multiplies nothing. BOOL is the disjunction.
void store_sum(aclDataType common, ConstElement left, ConstElement right, ConstElement factor,
               aclDataType type, std::byte* to);

}  // namespace gradproof::kernel::api::add
