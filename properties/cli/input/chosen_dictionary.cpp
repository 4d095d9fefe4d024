#include "properties/cli/input/chosen_dictionary.h"

#include "properties/targets/target/simulated_backend.h"

namespace gradproof::properties::cli {

tl::expected<Dictionary, std::string> chosen_dictionary(
    const Arguments& arguments, const std::vector<std::filesystem::path>& libraries) {
  const bool is_verify = arguments.command == "verify";
  if (!arguments.dictionary) return is_verify ? dictionary_of(libraries, false) : Dictionary{};
  if (*arguments.dictionary == "no") return Dictionary{};
  if (auto listed = listed_dictionary(*arguments.dictionary)) return std::move(*listed);
  if (*arguments.dictionary != "auto") return read_dictionary(*arguments.dictionary);
  if (!is_verify) {
    return tl::unexpected(std::string(
        "auto reads a target's code, and this command has none; a file of integers, or no"));
  }
  return dictionary_of(libraries.empty() ? simulated_libraries() : libraries, true);
}

}  // namespace gradproof::properties::cli
