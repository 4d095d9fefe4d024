#pragma once

#include <string>

namespace gradproof::properties {

/// Three significant digits, not below the value: what a tolerance is pasted as.
std::string rounded_up(double value);

}  // namespace gradproof::properties
