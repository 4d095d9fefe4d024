#pragma once

#include <memory>
#include <string>

#include "properties/targets/target/library.h"

namespace gradproof::runs {

/// What a right library may do in other ways than the simulated backend.
struct Wrapping {
  std::string setting = {}, value = {};  ///< a variable of the machine's; empty: none
  bool own_executors = false;            ///< that its own functions alone understand
  bool has_executor_functions = true;    ///< or exports none
  std::uint64_t added_workspace = 0;     ///< bytes asked for beyond what is used
  bool own_workspace = false;            ///< asks for none, and allocates in phase two
  bool own_workspace_in_phase_one = false;
  bool waits_in_phase_two = false;  ///< computes before phase two returns
  /// Phase two returns at once; a thread of the library's own computes until the stream is
  /// synchronised.
  bool computes_on_a_thread = false;
  std::uint64_t workspace_alignment = 1;  ///< of what is used, inside what is asked for
  std::size_t address_step = 0;           ///< bytes from 64-byte boundaries, a multiple of 32
};

/// The simulated backend behind functions of a library that does so; one at a time in a process,
/// and not for several threads. It takes no machine settings and has no graph operators.
std::shared_ptr<const targets::Library> wrapped_backend(const std::string& name,
                                                        const Wrapping& wrapping);

}  // namespace gradproof::runs
