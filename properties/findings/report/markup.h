#pragma once

#include <string>
#include <string_view>

namespace gradproof::findings {

/// Text for XML and HTML, inside elements and quoted attributes: characters with a meaning as
/// entities, those that XML does not admit and broken UTF-8 as U+FFFD.
std::string escaped(std::string_view text);

/// Text for a cell of a Markdown table: without what would end the cell or begin markup.
std::string in_a_cell(std::string_view text);

/// Text as code within a line of Markdown, whatever it holds.
std::string in_code(std::string_view text);

/// Text as lines of code in Markdown, whatever it holds.
std::string in_code_lines(std::string_view text);

/// Three significant digits; "inf" where it is not finite.
std::string figure(double value);

/// 1234567 as "1 234 567", with narrow blanks.
std::string grouped(unsigned long long count);

/// "1 case", "2 cases".
std::string counted(unsigned long long count, std::string_view one, std::string_view several);

/// report/page/page.html with the style sheet and the scripts of its folder, as the build found
/// them.
extern const std::string_view report_page;

}  // namespace gradproof::findings
