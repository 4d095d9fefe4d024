#pragma once

#include <string>

#include "properties/report/report.h"

namespace gradproof::properties {

/// Section of outcomes by mode.
std::string modes_table(const Report& report);

/// Section of the tolerance table, and the same by decades of the sums' length.
std::string tolerance(const Report& report);

}  // namespace gradproof::properties
