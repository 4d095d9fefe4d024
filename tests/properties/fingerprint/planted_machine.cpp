#include "tests/properties/fingerprint/planted_machine.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "corpus/element_values.h"
#include "properties/targets/target/target.h"

namespace gradproof::runs {
namespace {

/// A value that a double holds, and what it lacks: the sum is exact.
struct Exact {
  double value, rest;
};

/// D. Knuth's two-sum.
Exact exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

double smallest_unit(double magnitude, int bits) {
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  return std::ldexp(1, std::max(exponent - bits, -125 - bits));
}

/// To so many bits, of FLOAT's exponents.
double round_exact(Exact exact, int bits, PlantedRounding rounding) {
  if (exact.value == 0) return exact.value;
  const double sign = exact.value < 0 ? -1 : 1;
  double whole = sign * exact.value, rest = sign * exact.rest;
  double unit = smallest_unit(whole, bits);
  // A value just below a power of two has a smaller unit than the power.
  const bool is_power = std::ldexp(0.5, std::ilogb(whole) + 1) == whole;
  if (is_power && rest < 0) unit = smallest_unit(whole * 0.75, bits);
  double below = std::floor(whole / unit) * unit;
  if (below == whole && rest < 0) below -= unit;
  const double above = whole - below;  // exact: both are near
  const double half = unit / 2;
  const double halves = below / unit / 2;
  const bool is_odd = halves != std::floor(halves);
  const bool is_exact = above == 0 && rest == 0;
  const bool is_tie = above == half && rest == 0;
  const bool is_upper = above > half || (above == half && rest > 0);
  bool up = false;
  if (rounding == PlantedRounding::Even) up = is_upper || (is_tie && is_odd);
  if (rounding == PlantedRounding::Away) up = is_upper || is_tie;
  if (rounding == PlantedRounding::Odd) up = !is_exact && !is_odd;
  const double rounded = sign * (up ? below + unit : below);
  return std::fabs(rounded) >= 0x1p128 ? sign * std::numeric_limits<double>::infinity() : rounded;
}

/// Arithmetic of one machine. Products of two FLOATs are exact in double.
class Unit {
 public:
  explicit Unit(const PlantedMachine& machine) : machine_(machine) {}

  double operand(float value) const {
    if (machine_.flushes && std::fabs(value) < 0x1p-126F) return 0;
    if (machine_.operand_bits == 24) return value;
    return round_exact({value, 0}, machine_.operand_bits, machine_.operand_rounding);
  }

  /// As it enters a sum.
  double product(double one, double other) const {
    double product = one * other;
    const bool is_block = machine_.tree == PlantedTree::Blocks;
    if (!machine_.fused && !is_block) product = rounded({product, 0});
    return flushed(product);
  }

  double rounded(Exact exact) const {
    if (std::isnan(exact.value) || std::isinf(exact.value)) return exact.value;
    return round_exact(exact, machine_.bits, machine_.rounding);
  }

  double add(double sum, double term) const {
    if (!std::isfinite(sum) || !std::isfinite(term)) return sum + term;
    return flushed(rounded(exact_sum(sum, term)));
  }

  double chain(const std::vector<double>& terms) const {
    double sum = 0;
    for (const double term : terms) sum = add(sum, term);
    return sum;
  }

  double block(double sum, const double* terms, std::size_t count) const {
    std::vector<double> addends(terms, terms + count);
    addends.push_back(sum);
    double largest = 0;
    for (const double addend : addends) largest = std::max(largest, std::fabs(addend));
    if (largest == 0 || !std::isfinite(largest)) return largest == 0 ? 0 : sum + terms[0];
    const double unit =
        std::ldexp(1, std::ilogb(largest) - (machine_.bits - 1) - machine_.extra_bits);
    double units = 0;  // up to 17 integers of up to 30 bits: exact
    for (const double addend : addends) units += std::trunc(addend / unit);
    return flushed(round_exact({units * unit, 0}, machine_.bits, PlantedRounding::Zero));
  }

  double result(double sum) const {
    if (machine_.half_results == 0 || sum == 0) return flushed(sum);
    int exponent = 0;
    std::frexp(sum, &exponent);
    const double unit = std::ldexp(1, std::max(exponent - 11, -24));
    return std::nearbyint(sum / unit) * unit;
  }

  double flushed(double value) const {
    return machine_.flushes && std::fabs(value) < 0x1p-126 ? 0 : value;
  }

 private:
  const PlantedMachine& machine_;
};

double pairs(const Unit& unit, const double* terms, std::size_t count) {
  if (count == 1) return terms[0];
  std::vector<double> next;
  for (std::size_t i = 0; i < count; i += 2) {
    next.push_back(i + 1 < count ? unit.add(terms[i], terms[i + 1]) : terms[i]);
  }
  return pairs(unit, next.data(), next.size());
}

double fold(const Unit& unit, PlantedFold how, std::vector<double> sums) {
  if (how == PlantedFold::Pairs) return pairs(unit, sums.data(), sums.size());
  if (how == PlantedFold::Chain) {
    double total = sums[0];
    for (std::size_t i = 1; i < sums.size(); ++i) total = unit.add(total, sums[i]);
    return total;
  }
  for (std::size_t width = sums.size() / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) sums[i] = unit.add(sums[i], sums[i + width]);
  }
  return sums[0];
}

double added(const PlantedMachine& machine, const std::vector<double>& terms) {
  const Unit unit(machine);
  const auto size = to_size(machine.size);
  switch (machine.tree) {
    case PlantedTree::Chain:
      return unit.chain(terms);
    case PlantedTree::Pairs:
      return pairs(unit, terms.data(), terms.size());
    case PlantedTree::Lanes: {
      std::vector<double> sums(size, 0);
      for (std::size_t i = 0; i < terms.size(); ++i) {
        sums[i % size] = unit.add(sums[i % size], terms[i]);
      }
      return fold(unit, machine.fold, sums);
    }
    case PlantedTree::Parts: {
      std::vector<double> sums;
      for (std::size_t i = 0; i < terms.size(); i += size) {
        const auto end = std::min(i + size, terms.size());
        sums.push_back(unit.chain({terms.begin() + static_cast<std::ptrdiff_t>(i),
                                   terms.begin() + static_cast<std::ptrdiff_t>(end)}));
      }
      return fold(unit, machine.fold, sums);
    }
    case PlantedTree::Blocks: {
      double sum = 0;
      for (std::size_t i = 0; i < terms.size(); i += size) {
        sum = unit.block(sum, terms.data() + i, std::min(size, terms.size() - i));
      }
      return sum;
    }
  }
  return 0;
}

std::vector<float> values(const corpus::Case& test_case, corpus::InputRole role) {
  const auto bytes = corpus::element_values(test_case, role);
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

/// Products of one element in the order of their numbers, with their channel.
struct Gathered {
  std::vector<double> products;
  std::vector<std::int64_t> channels;
};

class Convolution2d {
 public:
  Convolution2d(const PlantedMachine& machine, const corpus::Case& test_case, std::uint64_t call)
      : machine_(machine),
        unit_(machine),
        call_(call),
        dy_(values(test_case, corpus::InputRole::GradOutput)),
        x_(values(test_case, corpus::InputRole::Input)),
        w_(values(test_case, corpus::InputRole::Weight)),
        dy_shape_(test_case.grad_output->shape),
        x_shape_(test_case.input->shape),
        w_shape_(test_case.weight->shape),
        stride_(test_case.stride.value()),
        padding_(test_case.padding.value()),
        dilation_(test_case.dilation.value()) {}

  std::vector<float> grad_input() const {
    std::vector<float> result;
    for_all(x_shape_, [&](auto n, auto c, auto h, auto w) {
      Gathered found;
      for_all({1, w_shape_[0], w_shape_[2], w_shape_[3]}, [&](auto, auto k, auto kh, auto kw) {
        const auto oh = h + padding_[0] - kh * dilation_[0],
                   ow = w + padding_[1] - kw * dilation_[1];
        if (oh < 0 || ow < 0 || oh % stride_[0] != 0 || ow % stride_[1] != 0) return;
        if (oh / stride_[0] >= dy_shape_[2] || ow / stride_[1] >= dy_shape_[3]) return;
        multiply(found, k, dy_[at(dy_shape_, n, k, oh / stride_[0], ow / stride_[1])],
                 w_[at(w_shape_, k, c, kh, kw)]);
      });
      if (w == machine_.turned_column) std::reverse(found.products.begin(), found.products.end());
      result.push_back(sum(std::move(found)));
    });
    return result;
  }

  std::vector<float> grad_weight() const {
    std::vector<float> result;
    for_all(w_shape_, [&](auto k, auto c, auto kh, auto kw) {
      Gathered found;
      for_all({1, dy_shape_[0], dy_shape_[2], dy_shape_[3]}, [&](auto, auto n, auto oh, auto ow) {
        const auto h = oh * stride_[0] - padding_[0] + kh * dilation_[0];
        const auto w = ow * stride_[1] - padding_[1] + kw * dilation_[1];
        if (h < 0 || w < 0 || h >= x_shape_[2] || w >= x_shape_[3]) return;
        multiply(found, n, dy_[at(dy_shape_, n, k, oh, ow)], x_[at(x_shape_, n, c, h, w)]);
      });
      result.push_back(sum(std::move(found)));
    });
    return result;
  }

  std::vector<float> grad_bias() const {
    std::vector<float> result;
    for (std::int64_t k = 0; k < dy_shape_[1]; ++k) {
      Gathered found;
      for_all({1, dy_shape_[0], dy_shape_[2], dy_shape_[3]}, [&](auto, auto n, auto oh, auto ow) {
        multiply(found, n, dy_[at(dy_shape_, n, k, oh, ow)], 1);
      });
      result.push_back(sum(std::move(found)));
    }
    return result;
  }

 private:
  using Lengths = std::vector<std::int64_t>;

  template <typename Each>
  static void for_all(const Lengths& lengths, Each each) {
    for (std::int64_t a = 0; a < lengths[0]; ++a) {
      for (std::int64_t b = 0; b < lengths[1]; ++b) {
        for (std::int64_t c = 0; c < lengths[2]; ++c) {
          for (std::int64_t d = 0; d < lengths[3]; ++d) each(a, b, c, d);
        }
      }
    }
  }

  static std::size_t at(const Lengths& shape, std::int64_t a, std::int64_t b, std::int64_t c,
                        std::int64_t d) {
    return to_size(((a * shape[1] + b) * shape[2] + c) * shape[3] + d);
  }

  void multiply(Gathered& found, std::int64_t channel, float one, float other) const {
    if (machine_.leaves_out_zeros && (one == 0 || other == 0)) return;
    found.products.push_back(unit_.product(unit_.operand(one), unit_.operand(other)));
    found.channels.push_back(channel);
  }

  float sum(Gathered found) const {
    if (found.products.empty()) return 0;
    reorder(found);
    if (machine_.skips) {
      const auto zero = std::find(found.products.begin() + 1, found.products.end(), 0.0);
      found.products.erase(zero, found.products.end());
    }
    if (machine_.last >= 0 && machine_.last < static_cast<int>(found.products.size())) {
      const auto moved = found.products.begin() + machine_.last;
      std::rotate(moved, moved + 1, found.products.end());
    }
    return static_cast<float>(unit_.result(added(machine_, found.products)));
  }

  void reorder(Gathered& found) const {
    if (machine_.order == PlantedOrder::Backwards) {
      std::reverse(found.products.begin(), found.products.end());
    }
    if (machine_.order == PlantedOrder::ChannelBlocksOf16) {
      std::vector<std::pair<std::int64_t, double>> keyed;
      for (std::size_t i = 0; i < found.products.size(); ++i) {
        keyed.emplace_back(found.channels[i] / 16, found.products[i]);
      }
      std::stable_sort(keyed.begin(), keyed.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      for (std::size_t i = 0; i < keyed.size(); ++i) found.products[i] = keyed[i].second;
    }
    if (machine_.varies) {
      std::rotate(
          found.products.begin(),
          found.products.begin() + static_cast<std::ptrdiff_t>(call_ % found.products.size()),
          found.products.end());
    }
  }

  const PlantedMachine& machine_;
  Unit unit_;
  std::uint64_t call_;
  std::vector<float> dy_, x_, w_;
  Lengths dy_shape_, x_shape_, w_shape_, stride_, padding_, dilation_;
};

class PlantedTarget final : public targets::Target {
 public:
  PlantedTarget(std::shared_ptr<const targets::Library> library, PlantedMachine machine)
      : targets::Target(std::move(library)), machine_(std::move(machine)) {}

  tl::expected<std::uint64_t, std::string> free_memory() override {
    return std::uint64_t{1} << 30U;
  }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return false; }

 private:
  corpus::Observation run_one(const corpus::Case& test_case, const targets::RunSettings&) override {
    corpus::Observation seen;
    ++calls_;
    const bool refuses =
        machine_.refuses_after >= 0 && calls_ > static_cast<std::uint64_t>(machine_.refuses_after);
    seen.phase_one = refuses ? corpus::Status::ParamInvalid : corpus::Status::Success;
    if (refuses) {
      seen.message = "no more";
      return seen;
    }
    seen.phase_two = seen.synchronise = corpus::Status::Success;
    const Convolution2d convolution(machine_, test_case, calls_);
    const auto fill = [&](corpus::OutputRole role, auto gradient) {
      if (!corpus::is_requested(test_case, role)) return;
      const std::vector<float> values = (convolution.*gradient)();
      auto& bits = seen.outputs[role].bits;
      bits.resize(values.size() * sizeof(float));
      std::memcpy(bits.data(), values.data(), bits.size());
    };
    fill(corpus::OutputRole::GradInput, &Convolution2d::grad_input);
    fill(corpus::OutputRole::GradWeight, &Convolution2d::grad_weight);
    fill(corpus::OutputRole::GradBias, &Convolution2d::grad_bias);
    return seen;
  }

  std::vector<corpus::Observation> run_several(std::span<const corpus::Case> cases,
                                               const targets::RunSettings& settings) override {
    std::vector<corpus::Observation> seen;
    for (const corpus::Case& test_case : cases) seen.push_back(run_one(test_case, settings));
    return seen;
  }
  std::vector<corpus::Observation> run_together(std::span<const corpus::Case> cases,
                                                const targets::RunSettings& settings) override {
    return run_several(cases, settings);
  }

  PlantedMachine machine_;
  std::uint64_t calls_ = 0;
};

class PlantedLibrary final : public targets::Library,
                             public std::enable_shared_from_this<PlantedLibrary> {
 public:
  explicit PlantedLibrary(PlantedMachine machine)
      : targets::Library({.name = machine.name,
                          .devices = {},
                          .remarks = {},
                          .apis = {corpus::Api::ConvolutionBackward}}),
        machine_(std::move(machine)) {}

  std::unique_ptr<targets::Target> new_target() const override {
    return std::make_unique<PlantedTarget>(shared_from_this(), machine_);
  }

 private:
  PlantedMachine machine_;
};

}  // namespace

std::shared_ptr<const targets::Library> planted_library(const PlantedMachine& machine) {
  return std::make_shared<PlantedLibrary>(machine);
}

}  // namespace gradproof::runs
