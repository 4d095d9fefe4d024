// Mutations of case files: mostly lines that were valid a moment ago.

#include <algorithm>
#include <cstdint>
#include <string>

#include "corpus/case_json.h"
#include "fuzz/engine/checks.h"
#include "fuzz/engine/engine.h"
#include "fuzz/records/case_from_bytes.h"

namespace gradproof::fuzz {
namespace {

std::string any_line(corpus::RandomSource& random) {
  CaseGenes genes;
  for (int i = 0; i < 4; ++i) genes = mutated(genes, random);
  corpus::Case test_case = case_of_genes(genes, any_size);
  test_case.id = "fuzzed";
  return corpus::to_json_line(test_case);
}

}  // namespace
}  // namespace gradproof::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  gradproof::corpus::RandomSource random(seed, 0);
  const bool is_case = gradproof::fuzz::parsed_case({data, size}).has_value();
  if (!is_case && random.chance(30)) {
    const std::string line = gradproof::fuzz::any_line(random);
    size = std::min(line.size(), max_size);
    std::copy_n(line.begin(), size, data);
    if (random.chance(30)) return size;
  }
  for (std::int64_t times = random.between(1, 3); times > 0; --times) {
    size = LLVMFuzzerMutate(data, size, max_size);
  }
  return size;
}
