// What clang-tidy must find: `./dev lint` counts, before it believes that there is nothing in the
// project. One violation for each way in which checks work; the comment names the check.
#include <string>
#include <utility>
#include <vector>

// bugprone-reserved-identifier, by the preprocessor
#define _Reserved 1

namespace gradproof::lint {

// readability-identifier-naming
int WronglyNamed();

// misc-unused-parameters
int unused(int parameter) { return 0; }

// performance-unnecessary-value-param
std::size_t copied(std::string text) { return text.size(); }

// modernize-use-nullptr
bool is_null(const char* text) { return text == 0; }

// readability-container-size-empty
bool is_empty(const std::vector<int>& numbers) { return numbers.size() == 0; }

// bugprone-use-after-move, by the flow of data
std::size_t moved(std::string text) {
  const std::string taken = std::move(text);
  return text.size() + taken.size();
}

}  // namespace gradproof::lint
