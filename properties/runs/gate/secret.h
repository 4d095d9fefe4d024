#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gradproof::runs {

/// Draws of the system's own generator: nothing that a run has shown tells the next one, and no
/// seed leads to it. Not to be replayed; what is found is kept by its data.
class Secret {
 public:
  std::uint64_t next();
  /// An integer of [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  bool chance(unsigned percent) { return between(0, 99) < static_cast<std::int64_t>(percent); }
  double uniform();  ///< of [0, 1)
  double normal();   ///< of mean 0 and deviation 1

 private:
  std::array<std::uint64_t, 512> drawn_{};
  std::size_t used_ = 512;
};

}  // namespace gradproof::runs
