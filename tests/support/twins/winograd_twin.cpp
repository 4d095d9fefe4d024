#include "tests/support/twins/winograd_twin.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "oracle/geometry/geometry.h"
#include "oracle/judge/operand_store.h"
#include "tests/oracle/judge/correct_kernel.h"

namespace gradproof::oracle {
namespace {

using corpus::Algorithm;
using corpus::OutputRole;
using Matrix = std::vector<std::vector<float>>;
using Block = std::vector<float>;  ///< row-major; its lengths are known from the context

const Matrix identity{{1}};

struct TwoAxes {
  const Matrix *high, *wide;
};

class Twin {
 public:
  Twin(const corpus::Case& test_case, const WinogradTwin& twin)
      : twin_(twin),
        role_(role_of(twin.algorithm)),
        geometry_(*geometry_of(test_case)),
        grad_output_(numbers(test_case, corpus::InputRole::GradOutput)),
        other_(numbers(test_case, role_ == OutputRole::GradInput ? corpus::InputRole::Weight
                                                                 : corpus::InputRole::Input)) {
    const SignedForm& form = twin.form != nullptr ? *twin.form : signed_form(twin.algorithm);
    const bool high = geometry_.axes[1].kernel == 3, wide = geometry_.axes[2].kernel == 3;
    larger_ = {high ? &form.larger : &identity, wide ? &form.larger : &identity};
    smaller_ = {high ? &form.smaller : &identity, wide ? &form.smaller : &identity};
    results_ = {high ? &form.results : &identity, wide ? &form.results : &identity};
    shift_high_ = high ? twin.shift : 0;
    shift_wide_ = wide ? twin.shift : 0;
  }

  /// `direct`: the gradient as sums of products, for what the twin leaves to them.
  std::vector<float> gradient(const std::vector<float>& direct) const {
    std::vector<float> result = direct;
    if (role_ == OutputRole::GradWeight) {
      compute_weight(result);
    } else {
      compute_map(result);
    }
    return result;
  }

 private:
  struct Range {
    std::int64_t high, wide;
  };

  static Dense<float> numbers(const corpus::Case& test_case, corpus::InputRole role) {
    const Geometry geometry = *geometry_of(test_case);
    const Dense<Number> exact = operand_in_memory(test_case, role, geometry);
    Dense<float> result(exact.shape());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      result[i] = static_cast<float>(to_double(exact[i]));
    }
    return result;
  }

  static std::int64_t rows(const Matrix* matrix) {
    return static_cast<std::int64_t>(matrix->size());
  }
  static std::int64_t columns(const Matrix* matrix) {
    return static_cast<std::int64_t>(matrix->front().size());
  }

  float multiplied_and_added(float factor, float value, float sum) const {
    return twin_.fused ? std::fma(factor, value, sum) : sum + factor * value;
  }

  /// L X R^T, rows first: a sum per entry, zeros of the matrices left out.
  Block transformed(const TwoAxes& by, const Block& block) const {
    const auto in_high = columns(by.high), in_wide = columns(by.wide);
    const auto out_high = rows(by.high), out_wide = rows(by.wide);
    const auto dot = [&](const std::vector<float>& row, auto value) {
      float sum = 0;
      bool is_first = true;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == 0) continue;
        const float each = value(static_cast<std::int64_t>(i));
        sum = is_first ? row[i] * each : multiplied_and_added(row[i], each, sum);
        is_first = false;
      }
      return sum;
    };
    Block half(static_cast<std::size_t>(out_high * in_wide));
    for (std::int64_t i = 0; i < out_high; ++i)
      for (std::int64_t w = 0; w < in_wide; ++w)
        half[static_cast<std::size_t>(i * in_wide + w)] =
            dot((*by.high)[static_cast<std::size_t>(i)],
                [&](std::int64_t h) { return block[static_cast<std::size_t>(h * in_wide + w)]; });
    Block result(static_cast<std::size_t>(out_high * out_wide));
    for (std::int64_t i = 0; i < out_high; ++i)
      for (std::int64_t j = 0; j < out_wide; ++j)
        result[static_cast<std::size_t>(i * out_wide + j)] =
            dot((*by.wide)[static_cast<std::size_t>(j)],
                [&](std::int64_t w) { return half[static_cast<std::size_t>(i * in_wide + w)]; });
    static_cast<void>(in_high);
    return result;
  }

  /// The part of a map that begins at {n, channel, d, h, w}, zeros outside of it.
  static Block cut(const Dense<float>& map, const Shape& at, Range size) {
    Block block(static_cast<std::size_t>(size.high * size.wide));
    if (at[2] >= map.shape()[2]) return block;
    for (std::int64_t i = 0; i < size.high; ++i)
      for (std::int64_t j = 0; j < size.wide; ++j) {
        const std::int64_t h = at[3] + i, w = at[4] + j;
        if (h < 0 || h >= map.shape()[3] || w < 0 || w >= map.shape()[4]) continue;
        block[static_cast<std::size_t>(i * size.wide + j)] = map.at({at[0], at[1], at[2], h, w});
      }
    return block;
  }

  static bool is_zero(const Block& block) {
    return std::ranges::all_of(block, [](float value) { return value == 0; });
  }

  struct Terms {
    std::vector<Block> products;
  };

  void add(Terms& terms, const Block& smaller, const Block& larger) const {
    if (twin_.skips_zero_tiles && (is_zero(smaller) || is_zero(larger))) return;
    const Block u = transformed(smaller_, smaller), v = transformed(larger_, larger);
    Block product(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) product[i] = u[i] * v[i];
    terms.products.push_back(std::move(product));
  }

  Block summed(std::vector<Block> parts) const {
    const auto size = static_cast<std::size_t>(rows(larger_.high) * rows(larger_.wide));
    if (parts.empty()) return Block(size);
    const auto plus = [](Block a, const Block& b) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
      return a;
    };
    if (twin_.sum == WinogradTwin::Sum::Backwards) std::ranges::reverse(parts);
    if (twin_.sum == WinogradTwin::Sum::Pairwise) {
      while (parts.size() > 1) {
        std::vector<Block> next;
        for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
          next.push_back(plus(parts[i], parts[i + 1]));
        }
        if (parts.size() % 2 == 1) next.push_back(parts.back());
        parts = std::move(next);
      }
      return parts.front();
    }
    Block sum = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) sum = plus(std::move(sum), parts[i]);
    return sum;
  }

  void compute_weight(std::vector<float>& result) const {
    const Dense<float>& small = geometry_.transposed ? other_ : grad_output_;
    const Dense<float>& big = geometry_.transposed ? grad_output_ : other_;
    const std::int64_t step_high = columns(smaller_.high), step_wide = columns(smaller_.wide);
    const Shape shape = geometry_.weight_shape();
    for (std::int64_t k = 0; k < shape[0]; ++k)
      for (std::int64_t c = 0; c < shape[1]; ++c) {
        const auto channel = k / geometry_.small_channels * geometry_.big_channels + c;
        Terms terms;
        for (std::int64_t n = 0; n < geometry_.batch; ++n)
          for (std::int64_t d = 0; d < small.shape()[2]; ++d)
            for (std::int64_t h = -shift_high_; h < small.shape()[3]; h += step_high)
              for (std::int64_t w = -shift_wide_; w < small.shape()[4]; w += step_wide)
                add(terms, cut(small, {n, k, d, h, w}, {step_high, step_wide}),
                    cut(big,
                        {n, channel, d, h - geometry_.axes[1].padding_begin,
                         w - geometry_.axes[2].padding_begin},
                        {columns(larger_.high), columns(larger_.wide)}));
        const Block taps = transformed(results_, summed(std::move(terms.products)));
        std::ranges::copy(taps, &result[offset_of(shape, {k, c, 0, 0, 0})]);
      }
  }

  Block kernel_of(std::int64_t k, std::int64_t c) const {
    Block taps = cut(other_, {k, c, 0, 0, 0}, {columns(smaller_.high), columns(smaller_.wide)});
    if (!geometry_.transposed) std::ranges::reverse(taps);
    return taps;
  }

  void compute_map(std::vector<float>& result) const {
    const Shape shape = geometry_.shape(OutputRole::GradInput);
    const std::int64_t step_high = rows(results_.high), step_wide = rows(results_.wide);
    for (std::int64_t n = 0; n < shape[0]; ++n)
      for (std::int64_t c = 0; c < shape[1]; ++c)
        for (std::int64_t d = 0; d < shape[2]; ++d)
          for (std::int64_t h = -shift_high_; h < shape[3]; h += step_high)
            for (std::int64_t w = -shift_wide_; w < shape[4]; w += step_wide)
              compute_tile({n, c, d, h, w}, result);
  }

  void compute_tile(const Shape& at, std::vector<float>& result) const {
    const bool turned = !geometry_.transposed;
    const Axis &high = geometry_.axes[1], &wide = geometry_.axes[2];
    const std::int64_t begin_high =
        at[3] + (turned ? high.padding_begin - (high.kernel - 1) : -high.padding_begin);
    const std::int64_t begin_wide =
        at[4] + (turned ? wide.padding_begin - (wide.kernel - 1) : -wide.padding_begin);
    const Range reads{columns(larger_.high), columns(larger_.wide)};
    const Shape shape = geometry_.shape(OutputRole::GradInput);
    const Range writes{rows(results_.high), rows(results_.wide)};
    const bool crosses =
        begin_high < 0 || begin_wide < 0 || begin_high + reads.high > grad_output_.shape()[3] ||
        begin_wide + reads.wide > grad_output_.shape()[4] || at[3] < 0 || at[4] < 0 ||
        at[3] + writes.high > shape[3] || at[4] + writes.wide > shape[4];
    if (twin_.borders_directly && crosses) return;
    const std::int64_t own = turned ? geometry_.big_channels : geometry_.small_channels;
    const std::int64_t across = turned ? geometry_.small_channels : geometry_.big_channels;
    const std::int64_t group = at[1] / own;
    Terms terms;
    for (std::int64_t i = 0; i < across; ++i) {
      add(terms, turned ? kernel_of(group * across + i, at[1] % own) : kernel_of(at[1], i),
          cut(grad_output_, {at[0], group * across + i, at[2], begin_high, begin_wide}, reads));
    }
    const Block block = transformed(results_, summed(std::move(terms.products)));
    for (std::int64_t i = 0; i < writes.high; ++i)
      for (std::int64_t j = 0; j < writes.wide; ++j) {
        const std::int64_t h = at[3] + i, w = at[4] + j;
        if (h < 0 || w < 0 || h >= shape[3] || w >= shape[4]) continue;
        result[offset_of(shape, {at[0], at[1], at[2], h, w})] =
            block[static_cast<std::size_t>(i * writes.wide + j)];
      }
  }

  const WinogradTwin& twin_;
  OutputRole role_;
  Geometry geometry_;
  Dense<float> grad_output_, other_;
  TwoAxes larger_{}, smaller_{}, results_{};
  std::int64_t shift_high_ = 0, shift_wide_ = 0;
};

}  // namespace

OutputRole role_of(Algorithm algorithm) {
  const bool is_weight = algorithm == Algorithm::Winograd3x2 || algorithm == Algorithm::Winograd3x4;
  return is_weight ? OutputRole::GradWeight : OutputRole::GradInput;
}

corpus::Observation observed_in_tiles(const corpus::Case& test_case, const WinogradTwin& twin,
                                      const JudgeSettings& settings, const Spoil& spoil) {
  corpus::Observation seen = observed(test_case, {}, settings);
  const OutputRole role = role_of(twin.algorithm);
  if (!is_requested(test_case, role)) return seen;
  auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
  std::vector<float> direct(bits.size() / sizeof(float));
  if (direct.empty()) return seen;
  std::memcpy(direct.data(), bits.data(), bits.size());
  auto result = Twin(test_case, twin).gradient(direct);
  if (spoil) spoil(result);
  std::memcpy(bits.data(), result.data(), bits.size());
  return seen;
}

}  // namespace gradproof::oracle
