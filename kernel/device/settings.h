#pragma once

#include <cstdint>

// What can be chosen about the simulated machine.
namespace gradproof::kernel::device {

/// Whose behaviour a call shows where the documents and the released library differ.
enum class Profile : std::uint8_t { Documented, Released };

/// Rounding of a FLOAT operand to HFLOAT32.
enum class Hf32Rounding : std::uint8_t { NearestEven, NearestAway };

/// Step by which a product of two FLOATs joins a running sum.
enum class FloatProducts : std::uint8_t {
  Fused,    ///< product and sum are rounded once, as a processor's multiply-add does
  Rounded,  ///< the product is rounded, then the sum
};

/// Code that computes the gradients.
enum class OperatorPath : std::uint8_t {
  Device,  ///< the simulated cores, by this processor's vector instructions where bits allow
  Scalar,  ///< the simulated cores step by step: private layouts, tiles, the cube
  Plain,   ///< loops straight from the formulas, in the canonical order of additions
};

/// Degree to which the simulated device watches its memory.
enum class CheckLevel : std::uint8_t {
  Off,    ///< bounds and lifetimes only
  Cheap,  ///< poison, and guard zones checked when an allocation ends; leaks counted
  Full,   ///< guard zones checked at each synchronisation as well, freed memory checked for writes;
          ///< leaks listed
};

/// When the tasks of a stream run.
enum class StreamPace : std::uint8_t {
  Deferred,  ///< when something waits for them, or 50 ms later: a program that forgets to
             ///< synchronise reads poison
  Eager,     ///< at once, on the stream's worker
};

}  // namespace gradproof::kernel::device
