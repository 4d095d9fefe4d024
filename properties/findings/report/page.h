#pragma once

#include <string_view>

namespace gradproof::findings {

/// report/page/page.html with the style sheet and the scripts of its folder, as the build found
/// them.
extern const std::string_view report_page;

}  // namespace gradproof::findings
