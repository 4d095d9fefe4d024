#include "kernel/ascendc/call_order.h"

#include <fmt/core.h>

namespace gradproof::kernel::ascendc {

void CallOrder::require_initialised(Core& core, const char* call) const {
  if (stage_ == Stage::Initialised) return;
  core.stop(call, stage_ == Stage::Fresh ? "called before Init"
                                         : "called after End; an object is initialised once");
}

void CallOrder::init(Core& core) {
  if (stage_ == Stage::Initialised) core.stop(names_.init, "called twice; call it exactly once");
  if (stage_ == Stage::Ended) {
    core.stop(names_.init, "called after End; an object is initialised once");
  }
  stage_ = Stage::Initialised;
  core.begin_operation(names_.end);
}

void CallOrder::set(Core& core, std::size_t setter) {
  require_initialised(core, names_.setters[setter]);
  was_set_[setter] = true;
  if (has_begun_) set_since_begin_ = names_.setters[setter];
}

bool CallOrder::iterate(Core& core, bool is_first_iteration) {
  require_initialised(core, names_.iterate);
  for (std::size_t setter = 0; setter < was_set_.size(); ++setter) {
    if (!was_set_[setter]) {
      core.stop(names_.iterate, fmt::format("called before {}", names_.setters[setter]));
    }
  }
  if (has_tile_) {
    core.stop(
        names_.iterate,
        "called twice without GetTensorC between; L0C holds one tile, and a device would wait "
        "for ever");
  }
  if (!is_first_iteration && set_since_begin_ != nullptr) {
    core.stop(
        names_.iterate,
        fmt::format("{} was called for another task, but ctx.isFirstIter_ is false; set it to "
                    "true after the last tile of a task",
                    set_since_begin_));
  }
  if (is_first_iteration) set_since_begin_ = nullptr;
  has_begun_ = true;
  return is_first_iteration;
}

void CallOrder::get_tensor_c(Core& core) {
  require_initialised(core, names_.get_tensor_c);
  if (!has_tile_) {
    core.stop(names_.get_tensor_c,
              "there is no tile; call it exactly once after each Iterate that returned true");
  }
  has_tile_ = false;
}

void CallOrder::end(Core& core) {
  require_initialised(core, names_.end);
  if (has_tile_) {
    core.stop(names_.end,
              "a tile was computed and not moved; call GetTensorC after each Iterate that returned "
              "true");
  }
  stage_ = Stage::Ended;
  core.end_operation(names_.end);
}

}  // namespace gradproof::kernel::ascendc
