#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/tiling_field.h"

namespace gradproof::oracle::tiling {

/// What GetTiling answers to a case that keeps all rules of its class.
struct Prediction {
  enum class Kind : unsigned char {
    Fields,    ///< success, and these fields
    NoTiling,  ///< refused: nothing fits L1
    Unknown,   ///< nothing published says
  };
  Kind kind = Kind::Unknown;
  std::vector<corpus::TilingField> fields = {};  ///< all, in the structure's order
};

/// Conv3DBpInputTiling: the published search, exact.
Prediction input_prediction(const corpus::Case& problem);

/// Conv3dBpFilterTiling: how it cuts is not published. Of a case that keeps all its rules, the
/// fields that follow from the problem alone; Unknown for others.
Prediction filter_prediction(const corpus::Case& problem);

/// Conv3dBpFilterTiling refuses a case that keeps all rules: surely where a row is longer than a
/// load takes, surely not where the rows under 16 positions fill no quarter of L1; nullopt between.
std::optional<bool> filter_lacks_tiling(const corpus::Case& problem);

/// What makes a filter's blocks impossible on the chip, however they were chosen; nullopt: nothing.
std::optional<std::string> flaw_of_filter_blocks(const corpus::Case& problem,
                                                 std::span<const corpus::TilingField> filled);

}  // namespace gradproof::oracle::tiling
