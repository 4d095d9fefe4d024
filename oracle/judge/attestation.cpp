#include "oracle/judge/attestation.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "corpus/element_hash.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/modular.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

/// SplitMix64 as a chain over words of 8 bytes, the last one filled with zeros. No cryptographic
/// hash: the seed must depend on every bit, so that coefficients cannot be known before the output
/// is.
std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    seed = corpus::mixed(seed + corpus::golden + word);
  }
  return seed;
}

std::vector<Residue> weights(std::int64_t count, std::uint64_t seed, std::int64_t axis) {
  std::vector<Residue> result;
  result.reserve(to_size(count));
  const std::uint64_t stream = corpus::chained(seed, axis);
  for (std::int64_t i = 0; i < count; ++i) result.emplace_back(corpus::chained(stream, i));
  return result;
}

/// The exponent of a unit below that of every FLOAT; 2 to it is 1 modulo p, since 61 divides it.
constexpr int below_all = -61 * 10;

/// Finite numbers alone. The coefficient of an element is a product of three, a_n u_c b_q: the
/// difference of two outputs is a polynomial of degree 3 in them, so that of coefficients drawn at
/// random a share of at most 3 / p gives different outputs one residue (J. T. Schwartz, Fast
/// probabilistic algorithms for verification of polynomial identities, J. ACM 27, 1980; R. Zippel,
/// Probabilistic algorithms for sparse polynomials, EUROSAM 1979).
Residue weighted_sum(const Dense<Number>& output, std::uint64_t seed) {
  const Shape& shape = output.shape();
  const std::int64_t positions = shape[2] * shape[3] * shape[4];
  const auto outer = weights(shape[0], seed, 0), channels = weights(shape[1], seed, 1),
             inner = weights(positions, seed, 2);
  Residue sum;
  std::size_t at = 0;
  for (const Residue& n : outer) {
    for (const Residue& c : channels) {
      Residue row;
      for (const Residue& q : inner) row = row + q * Residue::of(output[at++], below_all);
      sum = sum + n * c * row;
    }
  }
  return sum;
}

std::uint64_t index_of(const std::vector<std::int64_t>& at,
                       const std::vector<std::int64_t>& shape) {
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    index = index * static_cast<std::uint64_t>(shape[axis]) + static_cast<std::uint64_t>(at[axis]);
  }
  return index;
}

corpus::AttestedOutput attested(const corpus::Case& test_case, OutputRole role,
                                std::span<const std::byte> bytes,
                                const corpus::OutputEvidence& evidence) {
  const corpus::TensorCase& output = *corpus::tensor(test_case, role);
  const std::size_t size = corpus::size_bytes(output.dtype);
  corpus::AttestedOutput result;
  result.seed = hash_of(bytes, test_case.data->seed + static_cast<std::uint64_t>(role));
  result.index = evidence.worst ? index_of(evidence.worst->at, output.shape)
                                : result.seed % (bytes.size() / size);
  std::memcpy(&result.bits, bytes.data() + result.index * size, size);
  // Of sums that are exact the largest relative error is 0 only where each element is its sum.
  const bool adds_up = evidence.sums_are_exact && evidence.breaches == 0 && evidence.mare == 0;
  if (!adds_up || evidence.compared_elements != evidence.elements) return result;
  const auto geometry = geometry_of(test_case);
  const auto numbers = decoded(*format_of(output.dtype), bytes, geometry->shape(role));
  const bool is_finite = std::ranges::all_of(numbers.elements(), &Number::is_finite);
  if (is_finite) result.residue = weighted_sum(numbers, result.seed).value();
  return result;
}

}  // namespace

void attest(const corpus::Case& test_case, const corpus::Observation& observed,
            corpus::Verdict& verdict) {
  if (test_case.api != corpus::Api::ConvolutionBackward || !test_case.data) return;
  for (const OutputRole role : corpus::output_roles) {
    auto& evidence = verdict.outputs[role];
    const auto& bytes = observed.outputs[role].bits;
    if (!evidence.compared || evidence.compared_elements == 0 || bytes.empty()) continue;
    evidence.attested = attested(test_case, role, bytes, evidence);
  }
}

}  // namespace gradproof::oracle
