#pragma once

#include <string>

namespace gradproof::advice {

/// Three significant digits, not below the value: what a tolerance is pasted as.
std::string rounded_up(double value);

}  // namespace gradproof::advice
