// Optional entry points of libFuzzer and AFL++, for targets whose inputs are cases.

#include <algorithm>
#include <cstdint>

#include "fuzz/engine/engine.h"
#include "fuzz/records/case_from_bytes.h"

namespace gradproof::fuzz {
namespace {

std::size_t store(const CaseGenes& genes, std::uint8_t* data, std::size_t max_size) {
  const auto bytes = bytes_of_genes(genes);
  const std::size_t size = std::min(bytes.size(), max_size);
  std::copy_n(bytes.begin(), size, data);
  return size;
}

}  // namespace
}  // namespace gradproof::fuzz

extern "C" {

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned int seed) {
  using namespace gradproof::fuzz;
  gradproof::corpus::RandomSource random(seed, 0);
  // The engine's own mutations know what was compared with what in the kernel.
  if (random.chance(15)) return LLVMFuzzerMutate(data, size, max_size);
  return store(mutated(genes_from_bytes({data, size}), random), data, max_size);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                      const std::uint8_t* data2, std::size_t size2,
                                      std::uint8_t* out, std::size_t max_out_size,
                                      unsigned int seed) {
  using namespace gradproof::fuzz;
  gradproof::corpus::RandomSource random(seed, 0);
  const CaseGenes child =
      crossed(genes_from_bytes({data1, size1}), genes_from_bytes({data2, size2}), random);
  return store(child, out, max_out_size);
}

}  // extern "C"
