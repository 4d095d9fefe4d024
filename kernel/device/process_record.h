#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl_rt.h"
#include "kernel/device/machine.h"

// What is known of the process's use of the device, from its first initialisation on. Any thread
// may ask and tell.
namespace gradproof::kernel::device {

/// True if aclInit or aclnnInit was called, and not undone by the matching finalize.
bool is_initialised();

/// Calls of aclInit and of aclnnInit that are not undone.
struct References {
  std::uint64_t acl = 0, aclnn = 0;
};
References references();
void set_references(References now);

/// The machine last initialised; before that the default one. Never null.
std::shared_ptr<const Machine> current_machine();

/// Begins a new use: overflow modes are each product's own, leftovers are none.
void set_machine(Machine machine);

/// Overflow mode of streams made from now on.
aclrtFloatOverflowMode overflow_mode_of(int device);
void set_overflow_mode(int device, aclrtFloatOverflowMode mode);

/// Remembers what was released because the program had not done so, for the report at the end.
void note_leftovers(std::vector<std::string> leftovers);

/// Has the report at the end count the objects of one more kind, e.g. "aclTensor". For libraries
/// above this one.
void count_at_the_end(std::string_view kind, std::function<std::size_t()> live);

/// Takes the notes that are not taken yet, then the counts: one text each.
std::vector<std::string> take_leftovers();

}  // namespace gradproof::kernel::device
