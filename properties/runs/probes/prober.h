#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "properties/cases/machines/site.h"
#include "properties/targets/target/target.h"

namespace gradproof::properties {

/// Values of an element's products on one side, by place in Site::products.
struct ProbeValues {
  double rest = 0;  ///< of all other places
  std::vector<std::pair<std::size_t, double>> at;
};

/// Why there is no answer.
struct ProbeProblem {
  enum class Kind : std::uint8_t { Refused, OutOfCalls, Stopped } kind = Kind::Refused;
  std::string words;
};

template <typename Value>
using Probed = tl::expected<Value, ProbeProblem>;

/// Elements of the three inputs, dense and row-major over the lifted shapes.
using Operands = std::array<std::vector<double>, 3>;

/// Makes calls of one shape on a target, and counts them.
class Prober {
 public:
  /// The call must have a geometry; its data do not matter. `calls`: how many may be made.
  Prober(Target& target, corpus::Case call, std::uint64_t calls, const std::atomic<bool>& stop);

  const corpus::Case& call() const { return call_; }
  std::uint64_t calls() const { return made_; }

  /// The element of each slot, for any number of questions; as many calls as that takes.
  Probed<std::vector<double>> ask(const SitePlan& plan, const Site& site, const ProbeValues& shared,
                                  std::span<const ProbeValues> questions);

  /// The gradients' bytes for these operands, by OutputRole.
  Probed<std::array<std::vector<std::byte>, 3>> run(const Operands& operands);

  /// Zeros for all elements.
  Operands zeros() const;

 private:
  corpus::Case with_data(const Operands& operands) const;

  Target& target_;
  corpus::Case call_;
  std::array<oracle::Shape, 3> shapes_{};
  std::uint64_t limit_, made_ = 0;
  const std::atomic<bool>& stop_;
};

/// The value of an element of an output.
double element_value(const std::vector<std::byte>& bytes, corpus::DataType dtype,
                     std::size_t index);
std::uint64_t element_bits(const std::vector<std::byte>& bytes, corpus::DataType dtype,
                           std::size_t index);

}  // namespace gradproof::properties
