#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

namespace gradproof::properties::cli {

/// How large the data of a call is.
struct DataRange {
  std::optional<double> largest;  ///< magnitude; nullopt: not known
  std::string words = {};         ///< of a file: what is in it, as a line
};

/// What --range says: "-1,1", or a file of data, FILE.npy or FILE:DTYPE. Errors: a sentence without
/// the option's name.
tl::expected<DataRange, std::string> data_range(const std::optional<std::string>& text);

}  // namespace gradproof::properties::cli
