#include "properties/cases/coverage/footprint.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "oracle/rules/status_rules.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/coverage/corners.h"
#include "properties/cases/generators/random_case.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using oracle::Standing;

bool has_no_elements(const std::optional<corpus::TensorCase>& tensor) {
  return tensor && std::ranges::find(tensor->shape, 0) != tensor->shape.end();
}

bool has_no_elements(const Case& test_case) {
  return std::ranges::any_of(corpus::input_roles, [&](corpus::InputRole role) {
    return has_no_elements(corpus::tensor(test_case, role));
  });
}

bool decides(Standing standing) {
  return standing == Standing::Broken || standing == Standing::Permitted;
}

void add_rules(Footprint& footprint, std::span<const Standing> standings) {
  footprint.is_legal =
      !standings.empty() && std::ranges::find(standings, Standing::Broken) == standings.end();
  const bool breaks_one = std::ranges::count(standings, Standing::Broken) == 1;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const auto rule = static_cast<std::uint16_t>(i);
    if (decides(standings[i])) footprint.decided.push_back(rule);
    if (breaks_one && standings[i] == Standing::Broken) footprint.broken_alone = rule;
    if (footprint.is_legal && standings[i] == Standing::Met) footprint.kept.push_back(rule);
  }
}

/// FNV-1a, 32 bits.
class Fnv1a {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  std::string text() const { return fmt::format("{:08x}", hash_); }

 private:
  void add_byte(unsigned char byte) {
    constexpr std::uint32_t prime = 16777619;
    hash_ = (hash_ ^ byte) * prime;
  }
  std::uint32_t hash_ = 2166136261;
};

std::string made_fingerprint() {
  Fnv1a fingerprint;
  for (const CallClass& row : call_classes) fingerprint.add(row.name);
  for (const Corner& row : corners()) fingerprint.add(row.name);
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) fingerprint.add(rule.id);
  return fingerprint.text();
}

}  // namespace

Footprint footprint_of(const oracle::RuledCase& ruled) {
  const Case& test_case = ruled.test_case();
  Footprint footprint;
  footprint.is_grouped = test_case.groups > 1;
  footprint.is_transposed = test_case.transposed;
  footprint.is_empty = has_no_elements(test_case);
  add_rules(footprint, ruled.ruling().standings);
  const bool is_aclnn = test_case.api == corpus::Api::ConvolutionBackward;
  if (!footprint.is_legal || footprint.is_empty) return footprint;
  if (is_aclnn) footprint.classes = classes_of(test_case);
  footprint.corners = corners_of(test_case);
  return footprint;
}

const std::string& tables_fingerprint() {
  static const std::string fingerprint = made_fingerprint();
  return fingerprint;
}

}  // namespace gradproof::cases
