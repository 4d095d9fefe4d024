#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "corpus/case.h"
#include "corpus/machine/machine.h"
#include "oracle/arithmetic/judge_settings.h"
#include "properties/advice/explain/computation.h"

namespace gradproof::advice {

/// Law from which the elements of a call's operands are drawn.
struct DataLaw {
  std::string words;           ///< "uniform on [-1, 1]"
  double largest = 0;          ///< magnitude
  std::vector<double> values;  ///< equally likely
};

DataLaw uniform_law(double low, double high);

/// Normal with mean 0. `largest` is what one value in 10^9 exceeds.
DataLaw normal_law(double deviation);

/// The law of numbers that there are, finite and at least one. `words` says where.
DataLaw law_of_values(std::vector<double> values, std::string words);

/// Share of elements in which a right library exceeds its typical error.
constexpr double typical_rate = 1e-9;
constexpr std::string_view typical_rate_words = "once in 1e9 elements";

/// Typical error of operands that are drawn independently, added in sequence: of the usual orders
/// the one with the largest errors. Of a `machine` in its order. `gradient`: of this call, with its
/// settings. nullopt where the model (oracle/arithmetic/random_sum.h) does not hold: additions or
/// conversions that are not to nearest, blocks that are added at once, an explicit tree; and where
/// the target may compute in tiles.
std::optional<TypicalError> typical_error(const corpus::Case& test_case,
                                          const GradientComputation& gradient,
                                          const oracle::JudgeSettings& settings,
                                          const DataLaw& data,
                                          const corpus::GradientMachine* machine = nullptr);

/// "a right library exceeds 0.0015 once in 1e9 elements".
std::string typical_words(const std::optional<TypicalError>& typical);

/// An object with "error", "rate", "rtol" and "atol", or null.
nlohmann::ordered_json json_of(const std::optional<TypicalError>& typical);

}  // namespace gradproof::advice
