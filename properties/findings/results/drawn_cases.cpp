#include "properties/findings/results/drawn_cases.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "corpus/element_hash.h"
#include "properties/findings/results/mode_json.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;

/// FNV-1a, 64 bits, finished by mixed().
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  template <typename Integer>
  requires std::is_integral_v<Integer>
  void add(Integer value) { add(std::string_view(std::to_string(value))); }
  std::uint64_t value() const { return corpus::mixed(hash_); }

 private:
  void add_byte(unsigned char byte) {
    constexpr std::uint64_t prime = 1099511628211U;
    hash_ = (hash_ ^ byte) * prime;
  }
  std::uint64_t hash_ = 14695981039346656037U;
};

/// Independent of the shard, which is chosen by a hash of the id too.
std::size_t half_of(std::string_view id) {
  Hash hash;
  hash.add("half");
  hash.add(id);
  return hash.value() & 1U;
}

bool is_judged(const corpus::Verdict& verdict) {
  return verdict.outcome == Outcome::Agree || verdict.outcome == Outcome::Disagree ||
         verdict.outcome == Outcome::Refused;
}

bool has_values(const corpus::Verdict& verdict) {
  return std::ranges::any_of(verdict.outputs, [](const corpus::OutputEvidence& evidence) {
    return evidence.compared && evidence.compared_elements > 0;
  });
}

std::size_t top_bucket(const corpus::OutputEvidence& evidence) {
  std::size_t top = evidence.ulp_histogram.size();
  while (top > 0 && evidence.ulp_histogram.at(top - 1) == 0) --top;
  return top;
}

}  // namespace

std::uint64_t behaviour_of(const Mode& mode, const corpus::Verdict& verdict) {
  Hash hash;
  hash.add(mode.dtypes);
  hash.add(mode.cube_math_type);
  hash.add(corpus::name_of(verdict.outcome));
  hash.add(corpus::name_of(verdict.kind));
  hash.add(verdict.status ? std::to_string(static_cast<std::int32_t>(*verdict.status)) : "none");
  for (const std::string& rule : verdict.rules) hash.add(rule);
  for (const corpus::OutputEvidence& evidence : verdict.outputs) {
    hash.add(std::string_view(evidence.compared ? "compared" : "not"));
    if (!evidence.compared) continue;
    hash.add(evidence.compute_format);
    hash.add(static_cast<int>(evidence.sums_are_exact));
    hash.add(top_bucket(evidence));
  }
  return hash.value();
}

void DrawnCases::add(const DrawnRun& run) {
  const bool disagrees = run.verdict.outcome == Outcome::Disagree;
  if (disagrees) (run.is_drawn ? disagreeing : chosen_disagreeing).emplace(run.id);
  if (!run.is_first) return;
  if (run.is_drawn && run.verdict.outcome == Outcome::Skipped) ++skipped;
  if (!is_judged(run.verdict)) return;
  ++(run.is_drawn ? judged : chosen);
  if (!run.is_drawn) return;
  if (has_values(run.verdict)) ++compared[run.mode];
  ++behaviours[behaviour_of(run.mode, run.verdict)].at(half_of(run.id));
}

void DrawnCases::merge(const DrawnCases& other) {
  judged += other.judged;
  chosen += other.chosen;
  skipped += other.skipped;
  disagreeing.insert(other.disagreeing.begin(), other.disagreeing.end());
  chosen_disagreeing.insert(other.chosen_disagreeing.begin(), other.chosen_disagreeing.end());
  for (const auto& [mode, count] : other.compared) compared[mode] += count;
  for (const auto& [behaviour, halves] : other.behaviours) {
    for (std::size_t i = 0; i < halves.size(); ++i) behaviours[behaviour].at(i) += halves.at(i);
  }
}

nlohmann::json DrawnCases::saved() const {
  nlohmann::json modes = nlohmann::json::array(), classes = nlohmann::json::array();
  for (const auto& [mode, count] : compared) modes.push_back({saved_mode(mode), count});
  for (const auto& [behaviour, halves] : behaviours) classes.push_back({behaviour, halves});
  return {{"judged", judged},
          {"chosen", chosen},
          {"skipped", skipped},
          {"compared", std::move(modes)},
          {"behaviours", std::move(classes)}};
}

DrawnCases DrawnCases::restored(const nlohmann::json& saved) {
  DrawnCases drawn;
  drawn.judged = saved.at("judged");
  drawn.chosen = saved.at("chosen");
  drawn.skipped = saved.value("skipped", std::uint64_t{0});  // older runs have no such count
  for (const nlohmann::json& row : saved.at("compared")) {
    drawn.compared[restored_mode(row.at(0))] = row.at(1);
  }
  for (const nlohmann::json& row : saved.at("behaviours")) {
    row.at(1).get_to(drawn.behaviours[row.at(0)]);
  }
  return drawn;
}

}  // namespace gradproof::findings
