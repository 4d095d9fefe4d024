#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gradproof::fuzz {

/// One call on an object of Conv3DBackpropInput, or the assignment between two tasks.
struct AscendcStep {
  enum class Call : std::uint8_t {
    Init,
    SetSingleShape,
    SetStartPosition,
    SetGradOutput,
    SetWeight,
    Iterate,
    GetTensorC,
    AllTiles,  ///< while (Iterate()) GetTensorC();
    NextTask,  ///< ctx.isFirstIter_ = true
    End,
  };
  static constexpr std::uint8_t call_count = 10;

  Call call = Call::Init;
  std::size_t task = 0;             ///< whose arguments are passed
  std::uint8_t wrong_argument = 0;  ///< 0: as the documents say; else which argument is wrong
};

/// The published order of calls, as far as it says that a program is wrong: Init once and first,
/// four setters before Iterate, GetTensorC once after each Iterate that returned true, isFirstIter_
/// between tasks, End once and last.
class AscendcCallModel {
 public:
  enum class Verdict : std::uint8_t {
    Legal,
    Misuse,  ///< the core must end the block here
    Open,    ///< arguments of several tasks are mixed: what follows depends on their addresses
  };

  /// Takes the number of tiles of each task.
  explicit AscendcCallModel(std::vector<std::size_t> tiles) : tiles_(std::move(tiles)) {}

  /// The documents' answer to the next call; after Misuse or Open nothing may follow.
  Verdict next(const AscendcStep& step);

  /// True if the block may end now.
  bool may_end() const { return stage_ == Stage::Fresh || stage_ == Stage::Ended; }

 private:
  enum class Stage : std::uint8_t { Fresh, Initialised, Ended };

  Verdict set(std::size_t setter, std::size_t task);
  Verdict iterate();
  Verdict get_tensor_c(std::size_t task);
  /// Checks the tiles one by one, as if the loop were written out.
  Verdict all_tiles(const AscendcStep& step);

  std::vector<std::size_t> tiles_;
  Stage stage_ = Stage::Fresh;
  std::array<bool, 4> is_set_{};
  std::array<std::size_t, 4> task_of_{};
  bool is_first_ = true, has_begun_ = false, was_set_since_ = false, has_tile_ = false;
  std::size_t computed_ = 0;
};

}  // namespace gradproof::fuzz
