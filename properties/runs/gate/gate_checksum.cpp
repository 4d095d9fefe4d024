#include "properties/runs/gate/gate_checksum.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "properties/cases/calls/case_convolution.h"
#include "properties/runs/gate/sum_lengths.h"
#include "properties/runs/gate/tap_walk.h"

namespace gradproof::runs {
namespace {

using corpus::DataType;
using corpus::InputRole;
using corpus::OutputRole;
using Numbers = std::vector<double>;

Numbers decoded(DataType type, std::span<const std::byte> bytes) {
  Numbers numbers(bytes.size() / corpus::size_bytes(type));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = element(type, bytes, i);
  return numbers;
}

Numbers squared(Numbers numbers) {
  for (double& number : numbers) number *= number;
  return numbers;
}

/// Coefficients of both signs, far from 0 and of all sizes: of equal ones, elements that have
/// changed places would not show.
Numbers coefficients(std::int64_t count, Secret& secret) {
  Numbers drawn(to_size(count));
  for (double& one : drawn) one = (0.5 + secret.uniform()) * (secret.chance(50) ? 1 : -1);
  return drawn;
}

/// The larger map, the smaller one and the weight, of which one is a result. The operator is linear
/// in each: coefficients `of_channels` times `of_places` take the place of the result's elements.
struct ChecksumFactors {
  Numbers big, small, weight, of_channels, of_places;
};

ChecksumFactors squared(const ChecksumFactors& factors) {
  return {squared(factors.big), squared(factors.small), squared(factors.weight),
          squared(factors.of_channels), squared(factors.of_places)};
}

enum class ResultPart : std::uint8_t { Big, Small, Weight };

/// Sums of which each takes every element of a sample of a map, or of a row of the weight.
class ElementSums {
 public:
  ElementSums(const cases::Convolution& convolution, ResultPart part)
      : walk_(convolution),
        batch_(convolution.batch),
        groups_(convolution.groups),
        small_channels_(convolution.small_channels_per_group),
        big_channels_(convolution.big_channels_per_group),
        part_(part) {}

  std::int64_t channels() const {
    return part_ == ResultPart::Small ? groups_ * small_channels_ : groups_ * big_channels_;
  }
  std::int64_t places() const {
    return part_ == ResultPart::Weight ? walk_.taps()
           : part_ == ResultPart::Big  ? walk_.big()
                                       : walk_.small();
  }
  /// Sums that one draw of coefficients gives.
  std::int64_t count() const {
    return part_ == ResultPart::Weight ? groups_ * small_channels_ : batch_;
  }
  /// Multiplications of one draw, at most.
  double cost() const {
    const auto maps = part_ == ResultPart::Weight ? batch_ : small_channels_ + big_channels_;
    return double(groups_) * double(maps) * double(walk_.small()) * double(walk_.taps());
  }

  /// Sums over the result's elements, each times its coefficient.
  Numbers of_result(const Numbers& result, const ChecksumFactors& factors) const {
    Numbers sums(to_size(count()));
    const auto all = static_cast<std::int64_t>(factors.of_places.size());
    const std::int64_t rows = static_cast<std::int64_t>(result.size()) / all;
    const std::int64_t rows_of_a_sum = rows / count();
    for (std::int64_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::int64_t i = 0; i < all; ++i)
        sum += result[to_size(row * all + i)] * factors.of_places[to_size(i)];
      const std::int64_t of = row / rows_of_a_sum;
      sums[to_size(of)] += sum * factors.of_channels[to_size(channel_of(of, row % rows_of_a_sum))];
    }
    return sums;
  }

  /// Sums as of_result adds them, made of the exact products instead.
  Numbers of_products(const ChecksumFactors& factors) const {
    if (part_ == ResultPart::Weight) return of_weights(factors);
    return part_ == ResultPart::Big ? of_maps(factors, factors.small, walk_.small())
                                    : of_maps(factors, factors.big, walk_.big());
  }

 private:
  std::int64_t channel_of(std::int64_t sum, std::int64_t row) const {
    return part_ == ResultPart::Weight ? sum / small_channels_ * big_channels_ + row : row;
  }

  Numbers of_weights(const ChecksumFactors& factors) const {
    Numbers sums(to_size(count()));
    const auto big = to_size(walk_.big()), small = to_size(walk_.small());
    for (std::int64_t row = 0; row < batch_ * groups_; ++row) {
      const std::int64_t group = row % groups_;
      Numbers mixed(big), reached(small);
      for (std::int64_t c = 0; c < big_channels_; ++c) {
        const double by = factors.of_channels[to_size(group * big_channels_ + c)];
        const double* const map = &factors.big[to_size(row * big_channels_ + c) * big];
        for (std::size_t i = 0; i < big; ++i) mixed[i] += by * map[i];
      }
      for (std::int64_t tap = 0; tap < walk_.taps(); ++tap) {
        const double by = factors.of_places[to_size(tap)];
        walk_.for_each_pair(
            tap, [&](std::size_t to, std::size_t from) { reached[to] += by * mixed[from]; });
      }
      for (std::int64_t k = 0; k < small_channels_; ++k) {
        const double* const map = &factors.small[to_size(row * small_channels_ + k) * small];
        double& sum = sums[to_size(group * small_channels_ + k)];
        for (std::size_t i = 0; i < small; ++i) sum += map[i] * reached[i];
      }
    }
    return sums;
  }

  /// Weights of one channel of the given map, by tap: those of the result's channels together.
  Numbers mixed_weights(const ChecksumFactors& factors, std::int64_t channel) const {
    const std::int64_t taps = walk_.taps();
    Numbers mixed(to_size(taps));
    const bool is_big = part_ == ResultPart::Big;
    const std::int64_t given = is_big ? small_channels_ : big_channels_,
                       others = is_big ? big_channels_ : small_channels_;
    const std::int64_t group = channel / given, place = channel % given;
    for (std::int64_t other = 0; other < others; ++other) {
      const std::int64_t k = group * small_channels_ + (is_big ? place : other);
      const std::int64_t c = is_big ? other : place;
      const double by = factors.of_channels[to_size(group * others + other)];
      const double* const row = &factors.weight[to_size((k * big_channels_ + c) * taps)];
      for (std::int64_t tap = 0; tap < taps; ++tap) mixed[to_size(tap)] += by * row[tap];
    }
    return mixed;
  }

  Numbers of_maps(const ChecksumFactors& factors, const Numbers& given, std::int64_t size) const {
    Numbers sums(to_size(count()));
    const std::int64_t channels =
        groups_ * (part_ == ResultPart::Big ? small_channels_ : big_channels_);
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      const Numbers weights = mixed_weights(factors, channel);
      Numbers reached(to_size(size));
      for (std::int64_t tap = 0; tap < walk_.taps(); ++tap) {
        const double by = weights[to_size(tap)];
        walk_.for_each_pair(tap, [&](std::size_t small, std::size_t big) {
          const bool is_big = part_ == ResultPart::Big;
          reached[is_big ? small : big] += by * factors.of_places[is_big ? big : small];
        });
      }
      for (std::int64_t n = 0; n < batch_; ++n) {
        const double* const map = &given[to_size((n * channels + channel) * size)];
        for (std::int64_t i = 0; i < size; ++i) sums[to_size(n)] += map[i] * reached[to_size(i)];
      }
    }
    return sums;
  }

  TapWalk walk_;
  std::int64_t batch_, groups_, small_channels_, big_channels_;
  ResultPart part_;
};

/// Half a unit of a number near 1.
double half_unit(DataType type) {
  return type == DataType::BFloat16 ? 0x1p-8 : type == DataType::Float16 ? 0x1p-11 : 0x1p-24;
}

/// Difference of each sum, in standard deviations of what roundings leave. After K additions of
/// products p whose sum is s, in random order, the squares of the partial sums are p^2 K / 6 +
/// s^2 / 3 in the mean.
Numbers shares_of(const ElementSums& sums, const Numbers& result, const Numbers& squares,
                  const ChecksumFactors& factors, double length, DataType type) {
  constexpr double roundoff = 0x1p-24;
  const ChecksumFactors spread = squared(factors);
  Numbers shares = sums.of_result(result, factors);
  const Numbers exact = sums.of_products(factors), products = sums.of_products(spread);
  const Numbers magnitude = sums.of_result(squares, spread);
  const double half_least = type == DataType::Float16 ? 0x1p-50 : 0;  // squared
  const double elements = double(result.size()) / double(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double of_additions = length * roundoff * roundoff * (products[i] / 6 + magnitude[i] / 3);
    const double of_format = magnitude[i] * std::pow(half_unit(type), 2) + elements * half_least;
    const double difference = std::abs(shares[i] - exact[i]);
    // Or nothing can be said.
    const bool may_be_infinite = type == DataType::Float16 && std::isinf(difference);
    const bool is_exact = difference == 0 || !std::isfinite(exact[i]) || may_be_infinite;
    shares[i] = is_exact ? 0 : difference / std::sqrt(of_additions + of_format);
    if (std::isnan(shares[i])) shares[i] = HUGE_VAL;
  }
  return shares;
}

/// The convolution that adds up what it is given: gradBias is the gradient of its weight.
cases::Convolution sum_over_places(const std::vector<std::int64_t>& shape) {
  cases::Convolution sum;
  sum.batch = shape[0];
  sum.small_channels_per_group = shape[1];
  cases::SpatialAxis places;
  for (std::size_t i = 2; i < shape.size(); ++i) places.big = shape[i], sum.axes.push_back(places);
  return sum;
}

}  // namespace

std::optional<ChecksumShares> checksum_shares(const GateCall& call, OutputRole role,
                                              const corpus::Observation& seen, Secret& secret) {
  auto convolution = cases::convolution_of(call.test_case);
  const bool is_bias = role == OutputRole::GradBias;
  const auto type = call.test_case.input->dtype;
  if (!convolution || type == DataType::Double) return std::nullopt;
  const auto given = [&](InputRole input) {
    return decoded(type, call.operands.at(static_cast<std::size_t>(input)));
  };
  ChecksumFactors factors{
      given(InputRole::Input), given(InputRole::GradOutput), given(InputRole::Weight), {}, {}};
  if (is_bias) {
    convolution = sum_over_places(call.test_case.grad_output->shape);
    factors.big.assign(factors.small.size() / to_size(convolution->small_channels_per_group), 1);
  }
  if (convolution->transposed) std::swap(factors.big, factors.small);
  const ElementSums sums(*convolution, role != OutputRole::GradInput ? ResultPart::Weight
                                       : convolution->transposed     ? ResultPart::Small
                                                                     : ResultPart::Big);
  const Numbers result = decoded(type, seen.outputs[role].bits), squares = squared(result);
  constexpr double most_cost = 3e7, many = 16;
  const double rounds =
      std::min(most_cost / (sums.cost() + double(result.size() + factors.weight.size())),
               std::ceil(many / double(sums.count())));
  ChecksumShares shares;
  for (int i = 0; i == 0 || i < int(rounds); ++i) {
    factors.of_channels = coefficients(sums.channels(), secret);
    factors.of_places = coefficients(sums.places(), secret);
    const auto length = double(sum_lengths(call.test_case)[role]);
    for (const double share : shares_of(sums, result, squares, factors, length, type)) {
      shares.largest = std::max(shares.largest, share);
      shares.usual += share * share;
      ++shares.sums;
    }
  }
  shares.usual = std::sqrt(shares.usual / double(shares.sums));
  shares.sums = std::min(shares.sums, result.size());  // others say nothing new
  return shares;
}

}  // namespace gradproof::runs
