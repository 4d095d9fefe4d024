#include "fuzz/ascendc/ascendc_call_model.h"

#include <algorithm>

namespace gradproof::fuzz {

using Verdict = AscendcCallModel::Verdict;

Verdict AscendcCallModel::set(std::size_t setter, std::size_t task) {
  is_set_.at(setter) = true;
  task_of_.at(setter) = task;
  if (has_begun_) was_set_since_ = true;
  return Verdict::Legal;
}

Verdict AscendcCallModel::iterate() {
  const bool all_set = std::ranges::find(is_set_, false) == is_set_.end();
  if (!all_set || has_tile_) return Verdict::Misuse;
  if (!is_first_ && was_set_since_) return Verdict::Misuse;
  if (std::ranges::count(task_of_, task_of_[0]) != 4) return Verdict::Open;
  if (is_first_) {
    computed_ = 0;
    was_set_since_ = false;
  }
  has_begun_ = true;
  is_first_ = false;
  if (computed_ == tiles_.at(task_of_[0]))
    return Verdict::Legal;  // returns false, now and ever after
  ++computed_;
  has_tile_ = true;
  return Verdict::Legal;
}

Verdict AscendcCallModel::get_tensor_c(std::size_t task) {
  if (!has_tile_) return Verdict::Misuse;
  has_tile_ = false;
  return task == task_of_[0] ? Verdict::Legal : Verdict::Open;
}

Verdict AscendcCallModel::all_tiles(const AscendcStep& step) {
  for (Verdict verdict = iterate();; verdict = iterate()) {
    if (verdict != Verdict::Legal || !has_tile_) return verdict;
    const Verdict moved = step.wrong_argument != 0 ? Verdict::Misuse : get_tensor_c(step.task);
    if (moved != Verdict::Legal) return moved;
  }
}

Verdict AscendcCallModel::next(const AscendcStep& step) {
  using Call = AscendcStep::Call;
  const bool is_assignment = step.call == Call::NextTask;
  const bool is_init = step.call == Call::Init;
  if (!is_assignment && is_init != (stage_ == Stage::Fresh)) return Verdict::Misuse;
  if (!is_assignment && stage_ == Stage::Ended) return Verdict::Misuse;
  switch (step.call) {
    case Call::Init:
      stage_ = Stage::Initialised;
      is_first_ = true;
      return Verdict::Legal;
    case Call::NextTask:
      is_first_ = true;
      return Verdict::Legal;
    case Call::SetSingleShape:
    case Call::SetStartPosition:
    case Call::SetGradOutput:
    case Call::SetWeight:
      if (step.wrong_argument != 0) return Verdict::Misuse;
      return set(
          static_cast<std::size_t>(step.call) - static_cast<std::size_t>(Call::SetSingleShape),
          step.task);
    case Call::Iterate:
      return iterate();
    case Call::GetTensorC:
      return step.wrong_argument != 0 ? Verdict::Misuse : get_tensor_c(step.task);
    case Call::End:
      if (has_tile_) return Verdict::Misuse;
      stage_ = Stage::Ended;
      return Verdict::Legal;
    case Call::AllTiles:
      return all_tiles(step);
  }
  return Verdict::Misuse;  // no such call
}

}  // namespace gradproof::fuzz
