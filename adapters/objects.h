#pragma once

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"

// CANN's public functions give a tensor's shape and address but not the values of an aclIntArray or
// an aclBoolArray. A library that is to read them has to create them: an adapter exports its own
// constructors, and the harness, which takes the first match of each symbol, uses those throughout.

struct aclTensor {
  std::vector<std::int64_t> shape, strides;  ///< in elements
  std::int64_t offset;                       ///< in elements
  aclDataType data_type;
  aclFormat format;
  std::byte* data;  ///< device address
};

struct aclIntArray {
  std::vector<std::int64_t> values;
};

struct aclBoolArray {
  std::vector<bool> values;
};
