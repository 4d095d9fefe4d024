#pragma once

#include <cstdint>

#include "aclnn/acl_meta.h"

namespace gradproof::kernel {

inline constexpr aclnnStatus null_pointer = 161001, invalid = 161002;

inline aclTensor* small_tensor(void* data = nullptr) {
  const std::int64_t shape[] = {2, 3, 4};
  return aclCreateTensor(shape, 3, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_NCL, shape, 3, data);
}

}  // namespace gradproof::kernel
