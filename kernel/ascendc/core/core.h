#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl_base.h"
#include "kernel/ascendc/core/global_memory.h"
#include "kernel/ascendc/core/memory_fault.h"
#include "kernel/ascendc/core/turns.h"
#include "kernel/device/product.h"
#include "kernel/numeric/hf32.h"
#include "kernel/numeric/overflow_mode.h"

namespace gradproof::kernel::ascendc {

/// Ends a block. It is thrown through the program's own kernel, which could not be made to return
/// otherwise, and caught by the launch; outside of a launch it reaches the caller.
class Stopped : public std::runtime_error {
 public:
  Stopped(aclError code, const std::string& text) : std::runtime_error(text), code_(code) {}
  aclError code() const { return code_; }

 private:
  aclError code_;
};

/// Settings of the device for all blocks of a launch.
struct LaunchSettings {
  device::Product product = device::Product::Ascend910B;
  numeric::OverflowMode overflow = numeric::OverflowMode::InfNan;
  numeric::Hf32Rounding hf32_rounding = numeric::Hf32Rounding::NearestEven;
  bool fuses_products = true;  ///< with the sums that they join
};

/// Where a block stands in its launch.
struct BlockPlace {
  std::uint32_t index = 0, count = 1;
  std::uint32_t turn = 0;  ///< how many blocks come before it where the order matters
};

/// One simulated core while it runs one block of a kernel. Lives on the thread that runs it.
class Core {
 public:
  Core(const LaunchSettings& settings, const BlockPlace& place, Turns& turns)
      : settings_(settings), place_(place), turns_(turns) {}
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// The calling thread's core; throws Stopped in the name of `call` where it runs none.
  static Core& running(const char* call);
  static bool is_any_running();

  const LaunchSettings& settings() const { return settings_; }
  const BlockPlace& place() const { return place_; }
  GlobalMemory& memory() { return memory_; }

  /// Ends the block with a diagnostic that names the core and `call`.
  [[noreturn]] void stop(const char* call, const std::string& what,
                         aclError code = ACL_ERROR_RT_AICORE_EXCEPTION);

  /// Returns once every block before this one has ended, so that additions to memory happen in an
  /// order that can be repeated. Ends the block if one of those failed.
  void await_turn();

  /// Notes an operation of the API that needs its End before the block ends.
  void begin_operation(const char* name) { open_operations_.emplace_back(name); }
  void end_operation(const char* name);

  /// Runs the block. The diagnostic, or nullopt where there is none.
  template <typename Block>
  std::optional<Stopped> run(const Block& block);

 private:
  /// Makes a core the calling thread's.
  class Running {
   public:
    explicit Running(Core& core);
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running();
  };

  std::string text(const char* call, const std::string& what) const;
  static std::string words_of_touch(const void* address);
  std::optional<Stopped> verdict() const;

  const LaunchSettings settings_;
  const BlockPlace place_;
  Turns& turns_;
  GlobalMemory memory_;
  std::vector<const char*> open_operations_;
  std::optional<Stopped> stopped_;  // kept: a kernel that swallows the exception still fails
};

template <typename Block>
std::optional<Stopped> Core::run(const Block& block) {
  const Running running(*this);
  try {
    if (const void* const touched = address_touched_by([&] { block(); })) {
      return Stopped(ACL_ERROR_RT_AICORE_EXCEPTION, text("kernel", words_of_touch(touched)));
    }
  } catch (const Stopped& stopped) {
    return stopped_ ? stopped_ : stopped;
  } catch (const std::exception& exception) {
    return Stopped(ACL_ERROR_RT_AICORE_TRAP_EXCEPTION,
                   text("kernel", std::string("it let an exception out: ") + exception.what()));
  } catch (...) {
    return Stopped(ACL_ERROR_RT_AICORE_TRAP_EXCEPTION, text("kernel", "it let an exception out"));
  }
  return verdict();
}

}  // namespace gradproof::kernel::ascendc
