#pragma once

#include "acl/acl_rt.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gradproof::kernel::device {

/// Chip families. What a call may do depends on the family alone; what a device has, on its SoC.
enum class Product : std::uint8_t {
  Ascend310,
  Ascend310B,
  Ascend310P,
  Ascend910,
  Ascend910B,
  Ascend910_93,
  Ascend950,
};

/// The family's name, e.g. "Ascend910_93".
std::string_view name_of(Product product);

/// Families whose cube units multiply the same formats, and which the documents treat alike.
enum class Generation : std::uint8_t {
  None,      ///< no convolution backward
  HalfOnly,  ///< FLOAT16 alone; 1D and 2D
  Wide,      ///< FLOAT, HF32 and BFLOAT16 too
  EightBit,  ///< and 8-bit floats
};

/// Bytes of one cube core's memories.
struct CubeMemories {
  std::int64_t l1, l0a, l0b, l0c;
};

/// Limits by the runtime of one family. Source: CANN runtime, platform configuration and limits of
/// streams and events.
struct ProductLimits {
  Product product;
  std::string_view name;
  Generation generation;
  int npu_architecture;      ///< what ACL_DEV_ATTR_NPU_ARCH answers, e.g. 2201
  std::size_t max_streams;   ///< live streams per device
  std::size_t max_events;    ///< live events per device
  std::size_t max_notifies;  ///< live notifies per device
  std::size_t
      allocation_slack;  ///< bytes that each allocation takes beyond its size rounded up to 32
  CubeMemories cube_memories;
  std::int64_t unified_buffer;  ///< bytes per vector core
  bool has_saturation;          ///< ACL_RT_OVERFLOW_MODE_SATURATION can be chosen
  bool has_infnan;              ///< ACL_RT_OVERFLOW_MODE_INFNAN can be chosen
  bool has_bfloat16;
};
const ProductLimits& limits_of(Product product);

/// The families of a generation, "Ascend910B, ...".
std::string names_of(Generation generation);

/// One chip by the name that aclrtGetSocName gives. The family is a column of the table and not a
/// prefix of the name: the part called exactly "Ascend910B" is of the family Ascend910.
struct Soc {
  std::string_view name;
  Product product;
  int cube_cores;
  int vector_cores;  ///< 0: fused into the cube's core
  std::int64_t l2_bytes;
  std::int64_t memory_bytes;  ///< global memory
};

/// The chip of that exact name, or nullptr.
const Soc* soc_named(std::string_view name);

/// Every chip that can be simulated.
std::span<const Soc> all_socs();

}  // namespace gradproof::kernel::device
