#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "corpus/verdict.h"
#include "properties/cases/coverage/footprint.h"

namespace gradproof::findings {

/// Where something is wrong: in all calls of these classes and in no other.
struct ExactPlace {
  std::string classes;   ///< "BF16", "BF16 and transposed"
  std::string sentence;  ///< the same with the calls that show it
};

/// Legal calls by their classes, and those of them with the wrong status. Values are not counted: a
/// case's data need not show what is wrong with its call. Adding and merging commute.
class Deviations {
 public:
  void add(const cases::Footprint& footprint, const corpus::Verdict& verdict);
  void merge(const Deviations& other);

  /// Place of "status 161002", or of all wrong statuses where they share one. nullopt: no class,
  /// nor two together, holds all such calls and no other; or there are too few of them.
  std::optional<ExactPlace> place_of(const std::string& deviation) const;

  /// The calls alone, without those that are wrong, for a file, and back. The latter throws where
  /// they are none.
  nlohmann::json saved_judged() const;
  static Deviations of_judged(const nlohmann::json& saved);

  friend bool operator==(const Deviations&, const Deviations&) = default;

 private:
  struct Calls {
    std::uint64_t all = 0;
    /// Number of calls with both classes, at [lower index][higher]; of one class on the diagonal.
    std::array<std::array<std::uint64_t, cases::call_classes.size()>, cases::call_classes.size()>
        pairs{};

    void add(const cases::Classes& classes);
    void merge(const Calls& other);

    friend bool operator==(const Calls&, const Calls&) = default;
  };

  std::optional<ExactPlace> exact_place_of(const std::string& deviation) const;
  bool is_exact(const Calls& wrong, std::size_t first, std::size_t second) const;

  Calls judged_;
  std::map<std::string, Calls> wrong_;  ///< by deviation
};

}  // namespace gradproof::findings
