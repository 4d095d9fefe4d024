#pragma once

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

namespace gradproof::runs {

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
using Operands = corpus::PerInput<std::vector<double>>;

/// Makes calls of one shape on a target, and counts them.
class Prober {
 public:
  /// The call must have a geometry; its data do not matter. `calls`: how many may be made.
  Prober(targets::Target& target, corpus::Case call, std::uint64_t calls,
         const std::atomic<bool>& stop);

  const corpus::Case& call() const { return call_; }
  std::uint64_t calls() const { return made_; }

  /// The element of each slot, for any number of questions; as many calls as that takes.
  Probed<std::vector<double>> ask(const cases::SitePlan& plan, const cases::Site& site,
                                  const ProbeValues& shared,
                                  std::span<const ProbeValues> questions);

  /// The gradients' bytes for these operands, by OutputRole.
  Probed<corpus::PerOutput<std::vector<std::byte>>> run(const Operands& operands);

  /// Zeros for all elements.
  Operands zeros() const;

 private:
  corpus::Case with_data(const Operands& operands) const;

  targets::Target& target_;
  corpus::Case call_;
  corpus::PerInput<oracle::Shape> shapes_{};
  std::uint64_t limit_, made_ = 0;
  const std::atomic<bool>& stop_;
};

/// The value of an element of an output.
double element_value(const std::vector<std::byte>& bytes, corpus::DataType dtype,
                     std::size_t index);
std::uint64_t element_bits(const std::vector<std::byte>& bytes, corpus::DataType dtype,
                           std::size_t index);

}  // namespace gradproof::runs
