#pragma once

#include <sstream>
#include <string>

#include "kernel/api/parameter_checks/call.h"

namespace gradproof::kernel::api::parameter_checks {

/// "FLOAT16"; the bare number where the type has no name.
std::string words(aclDataType type);

/// "NCHW"; the bare number where the format has no name.
std::string words(aclFormat format);

/// "[2, 16, 10, 10]"
std::string words(const Ints& values);

/// "Ascend910B"
std::string product_words(const Call& call);

/// The parts one after the other.
template <typename... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return std::move(stream).str();
}

}  // namespace gradproof::kernel::api::parameter_checks
