#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "properties/advice/explain/typical_error.h"

namespace gradproof::cli {

/// What the data of a call are.
struct DataRange {
  std::optional<advice::DataLaw> law;  ///< nullopt: not known
  std::string words = {};              ///< of a file: what is in it, as a line
};

/// What --range says: "-1,1", "normal", "normal,0.02" (the standard deviation), or a file of data,
/// FILE.npy or FILE:DTYPE. Errors: a sentence without
/// the option's name.
tl::expected<DataRange, std::string> data_range(const std::optional<std::string>& text);

}  // namespace gradproof::cli
