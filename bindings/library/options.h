#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/product.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::library {

/// Options of gradproof_open (gradproof/gradproof.h).
struct Options {
  std::string name = "callable";
  std::uint64_t seed = 0;
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> cases, findings;
  bool repeat = false;  ///< each call is asked twice
  std::string soc = "Ascend910B";
  corpus::Product product = corpus::Product::Ascend910B;
  /// Every call is inside.
  cases::Selection selection;
  std::optional<std::string> pipe;  ///< a command that answers the calls; absent: the caller does
  std::chrono::milliseconds timeout{30'000};  ///< of a call that is answered by a command
  std::filesystem::path out = "gradproof-out";
  std::optional<std::string> target;  ///< whose findings are tried; absent: the pipe's, or `name`'s
  std::vector<std::filesystem::path> files;
};

/// Describes what callers may ask for and these options leave out. Empty for a replay.
std::vector<std::string> not_asked(const Options& options);

/// Errors: the key that is wrong, and how.
tl::expected<Options, std::string> options_from_json(std::string_view text);

}  // namespace gradproof::library
