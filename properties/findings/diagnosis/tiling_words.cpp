#include "properties/findings/diagnosis/tiling_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/tiling/prediction.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::TilingField;

std::vector<TilingField> right_fields(const corpus::Case& test_case) {
  const bool dx = corpus::computes_dx(test_case.api);
  return (dx ? oracle::tiling::input_prediction(test_case)
             : oracle::tiling::filter_prediction(test_case))
      .fields;
}

}  // namespace

std::vector<std::string> tiling_words(targets::Target& target, const corpus::Case& test_case,
                                      const cases::CheckSettings& settings) {
  const auto right = right_fields(test_case);
  const auto seen = target.run_case(test_case, settings.run);
  std::vector<std::string> wrong;
  for (const TilingField& field : right) {
    const auto found = std::ranges::find(seen.tiling, field.name, &TilingField::name);
    if (found == seen.tiling.end() || found->value == field.value) continue;
    wrong.push_back(fmt::format("{} is {} for {}", field.name, found->value, field.value));
  }
  if (wrong.empty()) return {};
  const std::size_t others = right.size() - wrong.size();
  return {fmt::format("of the tiling {}; the other {} fields that are known are right",
                      fmt::join(wrong, ", "), others)};
}

}  // namespace gradproof::findings::diagnosis
