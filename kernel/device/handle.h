#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gradproof::kernel::device {

/// Kind of object that a handle names. The values are the topmost byte of its bits: such a pointer
/// is not canonical on x86-64, so a program that dereferences one faults at once.
enum class HandleKind : std::uint8_t {
  Context = 0xA1,
  Stream,
  Event,
  DataBuffer,
  Tensor,
  Scalar,
  IntArray,
  FloatArray,
  BoolArray,
  TensorList,
  ScalarList,
  Executor,
  Notify,
  AllocatorDescription,
  PhysicalMemory,
  StreamConfiguration,
  TensorDescription,
  OperatorAttributes,
  DataItem,
  DataSet,
  ProfilingObject,
  ModelInstance,
};

/// "is a stream", "is an aclTensor", ... for error texts.
std::string_view name_of(HandleKind kind);

/// The three parts of a handle's 64 bits: kind (8), generation (32), slot (24).
struct Handle {
  static constexpr std::uint32_t max_slots = 1U << 24U;

  HandleKind kind;
  std::uint32_t generation;
  std::uint32_t slot;

  void* pointer() const;
  /// Parses a handle; nullopt where the topmost byte is no kind.
  static std::optional<Handle> parse(const void* pointer);
};

}  // namespace gradproof::kernel::device
