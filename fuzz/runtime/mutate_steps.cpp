// Mutations of programs of calls: whole steps are inserted and removed, so that programs grow and
// steps stay aligned.

#include <algorithm>
#include <cstdint>

#include "corpus/random_source.h"
#include "fuzz/engine/engine.h"
#include "fuzz/runtime/call_sequence.h"

namespace gradproof::fuzz {
namespace {

/// A place between steps.
std::size_t any_border(std::size_t size, corpus::RandomSource& random) {
  return step_bytes *
         static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size / step_bytes)));
}

std::size_t insert_step(std::uint8_t* data, std::size_t size, corpus::RandomSource& random) {
  const std::size_t at = any_border(size, random);
  std::copy_backward(data + at, data + size, data + size + step_bytes);
  std::generate_n(data + at, step_bytes, [&] { return static_cast<std::uint8_t>(random.next()); });
  return size + step_bytes;
}

std::size_t remove_step(std::uint8_t* data, std::size_t size, corpus::RandomSource& random) {
  const std::size_t at = any_border(size - step_bytes, random);
  std::copy(data + at + step_bytes, data + size, data + at);
  return size - step_bytes;
}

}  // namespace
}  // namespace gradproof::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  using namespace gradproof::fuzz;
  gradproof::corpus::RandomSource random(seed, 0);
  if (random.chance(20)) return LLVMFuzzerMutate(data, size, max_size);
  if (random.chance(25) && size >= step_bytes) return remove_step(data, size, random);
  for (std::int64_t times = random.between(1, 8); times > 0; --times) {
    if (size + step_bytes > max_size) break;
    size = insert_step(data, size, random);
  }
  return size;
}
