// Includes the headers that faulty expressions need.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace gradproof::kernel {

/// A row of the table that the weaver writes.
struct SeededFault {
  const char* name;
  const char* quantity;  ///< what a diagnosis should name
  const char* file;      ///< relative to kernel/
  const char* profile;   ///< in which it shows: "documented" or "released"
  const char* api;       ///< functions to ask for, apart by commas; empty: the usual ones
};

extern const SeededFault seeded_faults[];
extern const std::size_t seeded_fault_count;

/// Number of the fault that is seeded in this process; 0 for none. Chosen by name when the library
/// is loaded: environment variable GRADPROOF_FAULT.
extern std::size_t seeded_fault;

constexpr bool seeded(std::size_t fault) {
  return !std::is_constant_evaluated() && seeded_fault == fault;
}

/// Rounds to FLOAT16, for faults that compute in too narrow a format.
float rounded_to_float16(float value);

/// Rounds sums to BFLOAT16, for partial sums that are stored too short.
void round_to_bfloat16(std::span<float> sums);

/// Rounds BFLOAT16 elements to FLOAT16 and back.
void pass_through_float16(std::byte* elements, std::int64_t count);

/// Paddings of an axis of dx, which is a convolution of the spread-out gradOutput: (k-1) d - p
/// before it, and behind it what then is left of the map. Negative: so much is cut off.
template <typename Axis>
std::int64_t backward_padding_begin(const Axis& axis) {
  return (axis.kernel - 1) * axis.dilation - axis.padding_begin;
}
template <typename Axis>
std::int64_t backward_padding_end(const Axis& axis) {
  return axis.feature - (axis.output - 1) * axis.stride - 1 + (axis.kernel - 1) * axis.dilation -
         backward_padding_begin(axis);
}

/// Returns 1 to `most`, another one each time, for faults that differ from call to call.
std::int64_t another_number(std::int64_t most);

/// Allocates device memory that is never freed.
void leak_device_memory();

/// A copy of the device memory from `data` to the end of its allocation; `data` itself where that
/// is 64 KiB or more. Later copies take its place.
void* copied_to_another_place(void* data);

/// Returns an executor's operand with copied data, for faults that take inputs' data too early.
template <typename Operand>
std::optional<Operand> with_copied_data(std::optional<Operand> operand) {
  if (operand) operand->data = copied_to_another_place(operand->data);
  return operand;
}

/// True if another thread was the first that asked about this handle.
bool is_of_another_thread(const void* handle);

/// Puts the pointer where all threads have one place for it, and a moment later takes what is
/// there.
void* pointer_after_a_moment_in_a_static(void* pointer);

template <typename Object>
Object* passed_through_a_static(Object* object) {
  return static_cast<Object*>(pointer_after_a_moment_in_a_static(object));
}

}  // namespace gradproof::kernel
