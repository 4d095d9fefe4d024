#include "properties/findings/results/coverage_json.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "properties/findings/results/sparse_counts.h"

namespace gradproof::findings {
namespace {

constexpr unsigned bits_per_digit = 4;
constexpr std::string_view hex_digits = "0123456789abcdef";

/// The first bit is the lowest of the first digit.
std::string hex_of(const std::vector<bool>& bits) {
  std::vector<unsigned> values((bits.size() + bits_per_digit - 1) / bits_per_digit);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) values[i / bits_per_digit] |= 1U << (i % bits_per_digit);
  }
  std::string text;
  for (const unsigned value : values) text += hex_digits.at(value);
  return text;
}

void set_bits(const std::string& text, std::vector<bool>& bits) {
  if (text.size() != (bits.size() + bits_per_digit - 1) / bits_per_digit) {
    throw JsonMistake{"triples are of another table"};
  }
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::size_t value = hex_digits.find(text[i / bits_per_digit]);
    if (value == std::string_view::npos) throw JsonMistake{"triples are no hexadecimal digits"};
    bits[i] = ((value >> (i % bits_per_digit)) & 1U) != 0;
  }
}

/// The members that are one count each.
constexpr std::uint64_t cases::Coverage::*single_counts[] = {
    &cases::Coverage::cases,   &cases::Coverage::legal,      &cases::Coverage::discarded,
    &cases::Coverage::grouped, &cases::Coverage::transposed, &cases::Coverage::empty};

}  // namespace

nlohmann::json coverage_json(const cases::Coverage& coverage) {
  nlohmann::json counts = nlohmann::json::array();
  for (const auto member : single_counts) counts.push_back(coverage.*member);
  nlohmann::json rules = nlohmann::json::array();
  for (const cases::RuleSides& rule : coverage.rules)
    rules.push_back({rule.decides, rule.kept, rule.alone});
  return {{"counts", std::move(counts)},
          {"pairs", sparse_rows(coverage.pairs)},
          {"triples", hex_of(coverage.triples)},
          {"corners", sparse_counts(coverage.corners)},
          {"rules", std::move(rules)}};
}

cases::Coverage coverage_of_json(const nlohmann::json& saved) {
  cases::Coverage coverage;
  std::size_t place = 0;
  for (const auto member : single_counts) coverage.*member = saved.at("counts").at(place++);
  add_sparse_rows(saved.at("pairs"), coverage.pairs);
  set_bits(saved.at("triples"), coverage.triples);
  add_sparse_counts(saved.at("corners"), coverage.corners);
  for (std::size_t i = 0; i < coverage.rules.size(); ++i) {
    const nlohmann::json& rule = saved.at("rules").at(i);
    coverage.rules[i] = {.decides = rule.at(0), .kept = rule.at(1), .alone = rule.at(2)};
  }
  return coverage;
}

}  // namespace gradproof::findings
