#pragma once

#include <array>
#include <cstdint>

#include "kernel/ascendc/core/core.h"

namespace gradproof::kernel::ascendc {

/// The calls of one class of the API, by their names in diagnostics.
struct CallNames {
  const char *init, *iterate, *get_tensor_c, *end;
  std::array<const char*, 4> setters;  ///< all needed before the first Iterate
};

/// The order in which the calls on one object must come: Init once; each setter before the first
/// Iterate; GetTensorC once after each Iterate that returned true; ctx.isFirstIter_ = true between
/// tasks; End once. What is out of order ends the block.
class CallOrder {
 public:
  explicit CallOrder(const CallNames& names) : names_(names) {}

  void init(Core& core);
  void set(Core& core, std::size_t setter);

  /// True where the tile to compute is the first of a task.
  bool iterate(Core& core, bool is_first_iteration);
  void tile_computed() { has_tile_ = true; }

  void get_tensor_c(Core& core);
  void end(Core& core);

 private:
  enum class Stage : std::uint8_t { Fresh, Initialised, Ended };

  void require_initialised(Core& core, const char* call) const;

  const CallNames& names_;
  Stage stage_ = Stage::Fresh;
  std::array<bool, 4> was_set_{};
  const char* set_since_begin_ = nullptr;  ///< a setter called after the task's first Iterate
  bool has_begun_ = false;
  bool has_tile_ = false;
};

}  // namespace gradproof::kernel::ascendc
