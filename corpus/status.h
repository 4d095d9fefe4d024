#pragma once

#include <cstdint>
#include <string>

namespace gradproof::corpus {

/// Code that a call returned. The named values are CANN's; any other 32-bit code can occur and is
/// kept as it is.
enum class Status : std::int32_t {
  TilingRefused = -1,  ///< a tiling class, not an aclnn call
  Success = 0,
  ParamNullptr = 161001,
  ParamInvalid = 161002,
  RuntimeError = 361001,
  Inner = 561000,
  InnerInferShape = 561001,
  InnerTiling = 561002,
  InnerFindKernel = 561003,
  InnerCreateExecutor = 561101,
  InnerNotTransExecutor = 561102,
  InnerNullptr = 561103,
};

constexpr std::int32_t code(Status status) { return static_cast<std::int32_t>(status); }

/// "161002 (ACLNN_ERR_PARAM_INVALID)"; the bare number where the code has no name.
std::string words(Status status);

}  // namespace gradproof::corpus
