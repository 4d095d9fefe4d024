#pragma once

#include <string>
#include <vector>

namespace gradproof::docs {

enum class Numbers : bool { Exact, Vary };

/// What is wrong with `output`, as the first line of `expected` that it does not have; empty where
/// it is as expected. A line `[...]` stands for any number of lines, `[...]` or `...` in a line for
/// any text. With Numbers::Vary any number stands for any other and blanks for any blanks.
std::string difference(const std::vector<std::string>& expected,
                       const std::vector<std::string>& output, Numbers numbers);

}  // namespace gradproof::docs
