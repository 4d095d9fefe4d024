#include "properties/cli/input/given_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/words/spelling.h"
#include "properties/cli/input/option_readers.h"
#include "properties/cli/input/values.h"

namespace gradproof::cli {
namespace {

using rows::key_rows;
using rows::KeyRow;

constexpr std::string_view machine_option = "--machine", write_option = "--write";

/// A list of KEY=VALUE as one option is given it.
class KeyedValues {
 public:
  KeyedValues(Arguments& arguments, std::string_view option)
      : arguments_(arguments), option_(option) {}

  Problem read(const std::string& text) {
    const auto parts = parse_list(text);
    if (!parts) return fmt::format("{}: {}", option_, parts.error());
    for (const std::string& part : *parts) {
      if (auto problem = read_part(part)) return problem;
    }
    return std::nullopt;
  }

 private:
  Problem read_part(const std::string& part) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return read_bare(part);
    const std::string key = part.substr(0, equals);
    const auto* row = std::ranges::find_if(
        key_rows, [&](const KeyRow& one) { return option_ == one.option && key == one.key; });
    if (row == std::end(key_rows) || (row->modes & arguments_.mode) == 0) return unknown(key);
    last_ = &(arguments_.*row->member);
    return set(part.substr(equals + 1), key);
  }

  Problem read_bare(const std::string& part) {
    if (option_ == write_option && last_ != nullptr) {  // a file's name with a comma
      **last_ += "," + part;
      return std::nullopt;
    }
    if (option_ != machine_option) {
      return fmt::format("{}: \"{}\" is no KEY=VALUE, e.g. {}", option_, part, example());
    }
    const bool is_adder = part == "ieee" || part == "faithful" || part == "block";
    last_ = is_adder ? &arguments_.adder : &arguments_.machine_file;
    return set(part, is_adder ? "adder" : "FILE");
  }

  Problem set(std::string value, std::string_view key) {
    if (*last_) return fmt::format("{}: {} is given twice", option_, key);
    if (value.empty()) return fmt::format("{}: {}= lacks its value", option_, key);
    *last_ = std::move(value);
    return std::nullopt;
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> names;
    for (const KeyRow& row : key_rows) {
      if (option_ == row.option && (row.modes & arguments_.mode) != 0) names.emplace_back(row.key);
    }
    return names;
  }

  std::string example() const {
    const auto names = keys();
    return (names.empty() ? "key" : names.front()) + "=...";
  }

  Problem unknown(const std::string& key) const {
    const auto what = fmt::format("key of {} here", rows::words_of(arguments_.mode));
    const std::string_view elsewhere =
        option_ == machine_option ? "; a file says more (docs/fingerprint.md#the-machine-file)"
                                  : "";
    return fmt::format("{}: {}{}", option_, corpus::unknown_word(key, what, keys()), elsewhere);
  }

  Arguments& arguments_;
  std::string_view option_;
  std::optional<std::string>* last_ = nullptr;
};

}  // namespace

Problem read_keys(Arguments& arguments) {
  for (const auto& [option, text] : {std::pair(machine_option, &arguments.machine),
                                     {write_option, &arguments.write},
                                     {"--set", &arguments.set}}) {
    if (!*text) continue;
    if (auto problem = KeyedValues(arguments, option).read(**text)) return problem;
  }
  return std::nullopt;
}

}  // namespace gradproof::cli
