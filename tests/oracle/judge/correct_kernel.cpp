#include "tests/oracle/judge/correct_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/facts/axis_order.h"
#include "oracle/geometry/geometry.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/dyadic.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using Terms = std::vector<Term>;

float truncated_sum(float a, float b) {
  if (!std::isfinite(a + b)) return a + b;
  const auto exact = [](float value) {
    return Dyadic(decode(NumberFormat::Float, std::bit_cast<std::uint32_t>(value)));
  };
  const Dyadic sum = exact(a) + exact(b);
  return static_cast<float>(
      to_double(round_to(NumberFormat::Float, sum.truncated(), Rounding::TowardZero)));
}

/// Adds the products of one element.
class Adding {
 public:
  Adding(const CorrectKernel& kernel, const Faults& faults)
      : kernel_(kernel), faults_(faults), random_(kernel.seed) {}

  float operator()(Terms& terms) {
    if (kernel_.order == Order::Reversed) std::ranges::reverse(terms);
    if (kernel_.addition == Addition::Block) return flushed(by_blocks(terms));
    if (kernel_.addition == Addition::Compensated) return compensated(terms);
    if (kernel_.addition == Addition::Wide) return wide(terms, terms.size());
    if (kernel_.addition == Addition::WideInBlocks) return wide(terms, 32);
    const bool in_sequence = kernel_.order == Order::Sequential || kernel_.order == Order::Reversed;
    if (kernel_.fused && in_sequence) return fused(terms);
    products_.clear();
    for (const Term& term : terms) products_.push_back(flushed(term.left * term.right));
    switch (kernel_.order) {
      case Order::Pairwise:
        return tree(0, products_.size(), [](std::size_t n) { return n / 2; });
      case Order::RandomTree:
        return tree(0, products_.size(), [this](std::size_t n) {
          return to_size(random_.in(1, static_cast<std::int64_t>(n) - 1));
        });
      case Order::Blocked16:
        return blocked();
      case Order::Split:
        return split();
      case Order::Lanes:
        return lanes();
      default:
        break;
    }
    return sequential(0, products_.size());
  }

 private:
  float add(float a, float b) const {
    return flushed(kernel_.addition == Addition::Truncated ? truncated_sum(a, b) : a + b);
  }

  float flushed(float value) const {
    return kernel_.flushes_results && std::fabs(value) < 0x1p-126F ? 0 : value;
  }

  float sequential(std::size_t begin, std::size_t end) const {
    float sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum = add(sum, products_[i]);
    return sum;
  }

  float fused(const Terms& terms) const {
    float sum = 0;
    for (const Term& term : terms) sum = flushed(std::fma(term.left, term.right, sum));
    return sum;
  }

  template <typename Split>
  float tree(std::size_t begin, std::size_t end, Split split) {
    if (end - begin == 0) return 0;
    if (end - begin == 1) return products_[begin];
    const std::size_t middle = begin + split(end - begin);
    const float left = tree(begin, middle, split);
    return add(left, tree(middle, end, split));
  }

  float split() const {
    float sum = 0;
    for (std::size_t part = 0; part < kernel_.parts; ++part) {
      const std::size_t size = products_.size();
      sum = add(sum, sequential(size * part / kernel_.parts, size * (part + 1) / kernel_.parts));
    }
    return sum;
  }

  float lanes() const {
    std::vector<float> sums(kernel_.parts);
    for (std::size_t i = 0; i < products_.size(); ++i) {
      sums[i % kernel_.parts] = add(sums[i % kernel_.parts], products_[i]);
    }
    for (std::size_t half = kernel_.parts / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) sums[i] = add(sums[i], sums[i + half]);
    }
    return sums.front();
  }

  /// Neumaier's sum. What is not finite compensates nothing.
  static float compensated(const Terms& terms) {
    float sum = 0, lost = 0;
    for (const Term& term : terms) {
      const float product = term.left * term.right, next = sum + product;
      lost +=
          std::fabs(sum) >= std::fabs(product) ? (sum - next) + product : (product - next) + sum;
      sum = next;
    }
    return std::isfinite(sum) ? sum + lost : sum;
  }

  /// Exact products, so many of them in DOUBLE before they join a FLOAT.
  static float wide(const Terms& terms, std::size_t at_once) {
    float sum = 0;
    for (std::size_t begin = 0; begin < terms.size(); begin += at_once) {
      double partial = 0;
      for (std::size_t i = begin; i < std::min(begin + at_once, terms.size()); ++i) {
        partial += double{terms[i].left} * double{terms[i].right};
      }
      sum += static_cast<float>(partial);
    }
    return sum;
  }

  float blocked() const {
    float sum = 0;
    for (std::size_t begin = 0; begin < products_.size(); begin += 16) {
      const float partial = sequential(begin, std::min(begin + 16, products_.size()));
      sum = add(sum, faults_.partial ? faults_.partial(partial) : partial);
    }
    return sum;
  }

  /// A unit that aligns a block's exact products and the accumulator to the largest exponent and
  /// drops all bits below FLOAT's last place there, and again when it normalises the sum.
  static float by_blocks(const Terms& terms) {
    double sum = 0;
    for (std::size_t begin = 0; begin < terms.size(); begin += 16) {
      std::vector<double> addends{sum};
      for (std::size_t i = begin; i < std::min(begin + 16, terms.size()); ++i) {
        addends.push_back(double{terms[i].left} * terms[i].right);
      }
      double largest = 0;
      for (const double addend : addends) largest = std::max(largest, std::fabs(addend));
      if (largest == 0 || !std::isfinite(largest)) {
        sum = 0;
        for (const double addend : addends) sum += addend;
        continue;
      }
      sum = 0;
      for (const double addend : addends) sum += cut(addend, std::ilogb(largest));
      if (sum != 0 && std::isfinite(sum)) sum = cut(sum, std::ilogb(sum));
    }
    return static_cast<float>(sum);
  }

  static double cut(double value, int leading) {
    const double unit = std::ldexp(1.0, std::max(leading - 23, -149));
    return std::trunc(value / unit) * unit;
  }

  const CorrectKernel& kernel_;
  const Faults& faults_;
  Random random_;
  std::vector<float> products_;
};

class Kernel {
 public:
  Kernel(const corpus::Case& test_case, const CorrectKernel& kernel, const Faults& faults,
         const Geometry& geometry)
      : problem_(test_case),
        kernel_(kernel),
        faults_(faults),
        geometry_(geometry),
        adding_(kernel, faults) {}

  std::vector<std::byte> gradient(OutputRole role, const Arithmetic& arithmetic) {
    const InputRole other = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
    grad_output_ = operand(InputRole::GradOutput, arithmetic);
    other_ = role == OutputRole::GradBias ? Dense<float>{} : operand(other, arithmetic);
    const Shape shape = geometry_.shape(role);
    const std::size_t size = size_bytes(tensor(problem_, role)->dtype);
    std::vector<std::byte> bits(to_size(element_count(shape)) * size);
    Shape at{};
    std::size_t index = 0;
    for (at[0] = 0; at[0] < shape[0]; ++at[0])
      for (at[1] = 0; at[1] < shape[1]; ++at[1])
        for (at[2] = 0; at[2] < shape[2]; ++at[2])
          for (at[3] = 0; at[3] < shape[3]; ++at[3])
            for (at[4] = 0; at[4] < shape[4]; ++at[4], ++index) {
              terms_.clear();
              gather(role, at);
              if (faults_.terms) faults_.terms(role, index, terms_);
              const std::uint32_t code = marked(arithmetic, finished(arithmetic, adding_(terms_)));
              std::memcpy(bits.data() + index * size, &code, size);
            }
    if (faults_.result) faults_.result(role, bits, size);
    return bits;
  }

 private:
  Dense<float> operand(InputRole role, const Arithmetic& arithmetic) const {
    const auto raw = decoded(*format_of(tensor(problem_, role)->dtype),
                             logical_elements(problem_, role), geometry_.shape(role));
    Dense<float> result(raw.shape());
    const double smallest_normal = std::ldexp(1.0, smallest_normal_exponent(arithmetic.operands));
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const Number number =
          convert(arithmetic.operands, raw[i], arithmetic.operand_rounding, arithmetic.overflow);
      auto value = static_cast<float>(to_double(number));
      if (kernel_.flushes_operands && std::fabs(value) < smallest_normal) value = 0;
      result[i] = faults_.operand ? faults_.operand(role, value) : value;
    }
    return result;
  }

  static std::uint32_t finished(const Arithmetic& arithmetic, float sum) {
    Number number = decode(NumberFormat::Float, std::bit_cast<std::uint32_t>(sum));
    for (const NumberFormat format : arithmetic.roundings) {
      number = convert(format, number, default_rounding(format), arithmetic.overflow);
    }
    return encode(arithmetic.output, number);
  }

  /// Any NaN is as good as any other: all bits of the significand, and the sign.
  std::uint32_t marked(const Arithmetic& arithmetic, std::uint32_t code) const {
    const bool is_nan = decode(arithmetic.output, code).kind == Number::Kind::NaN;
    if (!kernel_.marks_nans || !is_nan) return code;
    return code | (arithmetic.output == NumberFormat::Float ? 0x803FFFFFU : 0U);
  }

  void gather(OutputRole role, const Shape& at) {
    if (role == OutputRole::GradBias) return gather_bias(at);
    if (role == OutputRole::GradWeight) return gather_weight(at);
    geometry_.transposed ? gather_small(at) : gather_big(at);
  }

  void gather_bias(const Shape& at) {
    const Shape& shape = grad_output_.shape();
    for (std::int64_t n = 0; n < shape[0]; ++n)
      for (std::int64_t d = 0; d < shape[2]; ++d)
        for (std::int64_t h = 0; h < shape[3]; ++h)
          for (std::int64_t w = 0; w < shape[4]; ++w) {
            terms_.push_back({grad_output_.at({n, at[1], d, h, w}), 1});
          }
  }

  template <typename Visit>
  void for_each_tap(Visit visit) const {
    for (std::int64_t d = 0; d < geometry_.axes[0].kernel; ++d)
      for (std::int64_t h = 0; h < geometry_.axes[1].kernel; ++h)
        for (std::int64_t w = 0; w < geometry_.axes[2].kernel; ++w) visit(d, h, w);
  }

  /// `met`: whether the other factor is inside its tensor.
  void add(bool met, const Dense<float>& map, const Shape& position, float factor) {
    if (met) {
      terms_.push_back({map.at(position), factor});
    } else if (kernel_.multiplies_padding) {
      terms_.push_back({0, factor});
    }
  }

  void gather_big(const Shape& at) {
    const std::int64_t group = at[1] / geometry_.big_channels;
    for (std::int64_t o = group * geometry_.small_channels;
         o < (group + 1) * geometry_.small_channels; ++o) {
      for_each_tap([&](std::int64_t d, std::int64_t h, std::int64_t w) {
        const auto pd = geometry_.axes[0].small_at(at[2], d);
        const auto ph = geometry_.axes[1].small_at(at[3], h);
        const auto pw = geometry_.axes[2].small_at(at[4], w);
        const bool met = pd && ph && pw;
        const float factor = other_.at({o, at[1] % geometry_.big_channels, d, h, w});
        add(met, grad_output_, met ? Shape{at[0], o, *pd, *ph, *pw} : Shape{}, factor);
      });
    }
  }

  void gather_small(const Shape& at) {
    const std::int64_t group = at[1] / geometry_.small_channels;
    for (std::int64_t c = 0; c < geometry_.big_channels; ++c) {
      for_each_tap([&](std::int64_t d, std::int64_t h, std::int64_t w) {
        const auto pd = geometry_.axes[0].big_at(at[2], d);
        const auto ph = geometry_.axes[1].big_at(at[3], h);
        const auto pw = geometry_.axes[2].big_at(at[4], w);
        const bool met = pd && ph && pw;
        const Shape position =
            met ? Shape{at[0], group * geometry_.big_channels + c, *pd, *ph, *pw} : Shape{};
        add(met, grad_output_, position, other_.at({at[1], c, d, h, w}));
      });
    }
  }

  void gather_weight(const Shape& at) {
    const Dense<float>& small = geometry_.transposed ? other_ : grad_output_;
    const Dense<float>& big = geometry_.transposed ? grad_output_ : other_;
    const std::int64_t channel = at[0] / geometry_.small_channels * geometry_.big_channels + at[1];
    const Shape& shape = small.shape();
    for (std::int64_t n = 0; n < shape[0]; ++n)
      for (std::int64_t d = 0; d < shape[2]; ++d)
        for (std::int64_t h = 0; h < shape[3]; ++h)
          for (std::int64_t w = 0; w < shape[4]; ++w) {
            const auto pd = geometry_.axes[0].big_at(d, at[2]);
            const auto ph = geometry_.axes[1].big_at(h, at[3]);
            const auto pw = geometry_.axes[2].big_at(w, at[4]);
            const bool met = pd && ph && pw;
            add(met, big, met ? Shape{n, channel, *pd, *ph, *pw} : Shape{},
                small.at({n, at[0], d, h, w}));
          }
  }

  const corpus::Case& problem_;
  const CorrectKernel& kernel_;
  const Faults& faults_;
  const Geometry& geometry_;
  Adding adding_;
  Dense<float> grad_output_, other_;
  Terms terms_;
};

std::vector<std::byte> sentinel(std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::byte>(0xA7 + 29 * i);
  return result;
}

/// Elements along N C D H W, as the tensor has them in memory.
std::vector<std::byte> as_in_memory(const corpus::Case& test_case,
                                    const corpus::TensorCase& described,
                                    std::vector<std::byte> logical) {
  const auto order = own_order(test_case, described);
  if (!order) return logical;
  Shape own{};
  std::ranges::copy(described.shape, own.begin());
  const Shape shape = in_logical_order(std::span<const std::int64_t, 5>(own), *order);
  const std::size_t size = size_bytes(described.dtype);
  std::vector<std::byte> result(logical.size());
  for (std::size_t i = 0; i * size < logical.size(); ++i) {
    const std::size_t place = offset_of(own, in_tensor_order(coordinate_of(shape, i), *order));
    std::memcpy(result.data() + place * size, logical.data() + i * size, size);
  }
  return result;
}

}  // namespace

corpus::Observation observed(const corpus::Case& test_case, const CorrectKernel& kernel,
                             const JudgeSettings& settings, const Faults& faults) {
  corpus::Observation observation;
  observation.phase_one = observation.phase_two = observation.synchronise = corpus::Status::Success;
  const Geometry geometry = *geometry_of(test_case);
  Kernel gradients(test_case, kernel, faults, geometry);
  for (const OutputRole role : corpus::output_roles) {
    const auto& described = tensor(test_case, role);
    if (!described) continue;
    auto& output = observation.outputs[role];
    const auto count = to_size(*corpus::element_count(described->shape));
    output.before = sentinel(count * size_bytes(described->dtype));
    output.bits = output.before;
    if (!is_requested(test_case, role)) continue;
    const auto ways = arithmetics(test_case, role, settings);
    output.bits = as_in_memory(test_case, *described,
                               gradients.gradient(role, ways.at(kernel.seed % ways.size())));
  }
  return observation;
}

}  // namespace gradproof::oracle
