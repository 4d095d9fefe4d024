#pragma once

#include <string_view>

namespace gradproof::properties {

/// report/page.html as the build found it.
extern const std::string_view report_page;

}  // namespace gradproof::properties
