#include "tests/support/fake_convolution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gradproof::properties {
namespace {

bool is(const aclOpExecutor& call, std::size_t output) { return call.mask[output]; }

float rounded_to_bits(float value, int bits) {
  if (value == 0) return value;
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

float half_rounded(float value) { return rounded_to_bits(value, 11); }

float truncated_to_bits(float value, int bits) {
  if (value == 0) return value;
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

/// HFLOAT32 of Ascend910B: 11 bits behind the leading one.
float as_multiplied(float value) {
  if (does(Misbehaviour::RoundInputsToHf32)) return rounded_to_bits(value, 12);
  if (does(Misbehaviour::TruncateInputsToHf32)) return truncated_to_bits(value, 12);
  return value;
}

double as_stored(double value) {
  if (does(Misbehaviour::DoubleGradients)) return 2 * value;
  if (does(Misbehaviour::NegateGradients)) return -value;
  if (does(Misbehaviour::RoundResultsToHalf)) return half_rounded(static_cast<float>(value));
  return value;
}

/// Where a product is: sample, channel of the small map, last tap, last coordinate of the big map.
struct Meeting {
  std::int64_t n, c, kw, v;
};

bool is_lost_by_law_breaker(const aclOpExecutor& call, const Meeting& at) {
  const View& small = call.transposed ? call.x : call.dy;
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::LoseLastTapIn1D:
      return call.rank == 3 && at.kw + 1 == call.w.shape[4];
    case Misbehaviour::LoseLastSampleIfTransposed:
      return call.transposed && at.n + 1 == small.shape[0];
    case Misbehaviour::LoseLastChannel:
      return at.c + 1 == small.shape[1];
    case Misbehaviour::LoseFirstColumn:
      return at.v == 0;
    default:
      return false;
  }
}

double factor_of_grad_weight(const aclOpExecutor& call, std::int64_t n) {
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::DoubleGradWeight:
      return 2;
    case Misbehaviour::CountFirstSampleTwice:
      return n == 0 ? 2 : 1;
    case Misbehaviour::LoseGradWeightWithoutGradInput:
      return call.mask[0] ? 1 : 0;
    case Misbehaviour::DoubleGradWeightOfNd:
      return call.format == ACL_FORMAT_ND ? 2 : 1;
    case Misbehaviour::DoubleGradWeightInOtherModes:
      return call.mode == 0 ? 1 : 2;
    default:
      return 1;
  }
}

/// What only some sizes have: a bug of a path or of a limit.
bool is_lost_by_size(const View& small, const View& weight, std::int64_t groups, std::int64_t n,
                     std::int64_t c) {
  const bool is_last_sample = n + 1 == small.shape[0];
  const std::int64_t positions = small.shape[2] * small.shape[3] * small.shape[4];
  const std::int64_t channels = small.shape[1] / groups;
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::LoseSampleOfBatchBeyondNine:
      return is_last_sample && small.shape[0] > 9;
    case Misbehaviour::LoseChannelOfMultiplesOfFour:
      return channels % 4 == 0 && c % channels == channels - 1;
    case Misbehaviour::LoseSampleOfSumsBeyondSixty:
      return is_last_sample && small.shape[0] * positions > 60;
    case Misbehaviour::LoseSampleOfKernelsOfThree:
      return is_last_sample && weight.shape[4] == 3;
    default:
      return false;
  }
}

/// An element of gradOutput or of another operand as a bug reads it.
float as_read(float element, bool is_grad_output) {
  if (does(Misbehaviour::ReadNanAsZero) && std::isnan(element)) return 0;
  const bool is_rounded =
      is_grad_output && (does(Misbehaviour::RoundGradOutputToHalf) ||
                         (does(Misbehaviour::RoundNegativeGradOutputToHalf) && element < 0));
  return is_rounded ? half_rounded(element) : element;
}

/// Sums by N C D H W.
void store(const View& view, const std::vector<double>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::array<std::int64_t, 5> at{};
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t axis = 5; axis-- > 0; rest /= view.shape[axis]) {
      at.at(axis) = rest % view.shape[axis];
    }
    const float old = does(Misbehaviour::AddToOutputs) ? view.at(at) : 0;
    view.at(at) = old + static_cast<float>(as_stored(sums[i]));
  }
}

/// Every contributing product: dx += dy * w, dw += dy * x, in terms of the larger and the smaller
/// map.
void accumulate(const aclOpExecutor& call) {  // NOLINT(readability-function-size): nine loops
  const View& big = call.transposed ? call.dy : call.x;
  const View& small = call.transposed ? call.x : call.dy;
  const auto groups = does(Misbehaviour::IgnoreGroups) ? 1 : call.groups;
  const std::int64_t small_per_group = small.shape[1] / groups, big_per_group = call.w.shape[1];
  std::array<std::int64_t, 3> stride{}, dilation{}, begin{};
  for (std::size_t i = 0; i < 3; ++i) {
    stride[i] = call.stride[i];
    dilation[i] = call.dilation[i];
    begin[i] = call.begin[i];
  }
  if (does(Misbehaviour::TakeDilationForStride)) stride[2] = dilation[2];
  if (does(Misbehaviour::TakeStrideForDilation)) dilation[2] = stride[2];
  if (does(Misbehaviour::SwapStrides)) std::swap(stride[1], stride[2]);
  if (does(Misbehaviour::IgnorePadding)) begin[2] = 0;
  if (does(Misbehaviour::PaddingOneTooLarge)) ++begin[1];
  const auto is_lost = [&](std::int64_t n, std::int64_t c, std::int64_t v, std::int64_t kw) {
    if (does(Misbehaviour::LoseFirstTap)) return kw == 0;
    if (does(Misbehaviour::OnlyFirstSample)) return n > 0;
    if (does(Misbehaviour::LoseLastChannelOfGroups)) {
      return groups > 1 && c % small_per_group == small_per_group - 1;
    }
    if (does(Misbehaviour::LoseTailBeyondEight)) return v >= big.shape[4] / 8 * 8;
    if (does(Misbehaviour::LoseColumnsBetweenStrides)) return (v + begin[2]) % stride[2] != 0;
    return does(Misbehaviour::LoseOutputPadding) && call.transposed &&
           v >= big.shape[4] - call.output_padding[2];
  };
  const bool lose_column = does(Misbehaviour::LoseLastColumn);
  const auto product = [](float a, float b) {
    const float exact = as_multiplied(a) * as_multiplied(b);
    return does(Misbehaviour::RoundProductsToHalf) ? half_rounded(exact) : exact;
  };
  std::vector<double> dx(call.dx ? static_cast<std::size_t>(call.dx->count()) : 0),
      dw(call.dw ? static_cast<std::size_t>(call.dw->count()) : 0);
  const auto index_of = [](const View& view, const std::array<std::int64_t, 5>& at) {
    std::int64_t index = 0;
    for (std::size_t i = 0; i < 5; ++i) index = index * view.shape[i] + at[i];
    return static_cast<std::size_t>(index);
  };
  for (std::int64_t n = 0; n < small.shape[0]; ++n)
    for (std::int64_t c = 0; c < small.shape[1]; ++c)
      for (std::int64_t od = 0; od < small.shape[2]; ++od)
        for (std::int64_t oh = 0; oh < small.shape[3]; ++oh)
          for (std::int64_t ow = 0; ow < small.shape[4]; ++ow)
            for (std::int64_t b = 0; b < big_per_group; ++b)
              for (std::int64_t kd = 0; kd < call.w.shape[2]; ++kd)
                for (std::int64_t kh = 0; kh < call.w.shape[3]; ++kh)
                  for (std::int64_t kw = 0; kw < call.w.shape[4]; ++kw) {
                    const std::int64_t d = od * stride[0] + kd * dilation[0] - begin[0];
                    const std::int64_t h = oh * stride[1] + kh * dilation[1] - begin[1];
                    const std::int64_t v = ow * stride[2] + kw * dilation[2] - begin[2];
                    if (d < 0 || h < 0 || v < 0 || d >= big.shape[2] || h >= big.shape[3] ||
                        v >= big.shape[4]) {
                      continue;
                    }
                    if (lose_column && v + 1 == big.shape[4]) continue;
                    if (is_lost_by_law_breaker(call, {n, c, kw, v})) continue;
                    if (does(Misbehaviour::LosePaddingEnd) && ow + 1 == small.shape[4] &&
                        call.end[2] > 0) {
                      continue;
                    }
                    if (is_lost(n, c, v, kw)) continue;
                    if (is_lost_by_size(small, call.w, groups, n, c)) continue;
                    const std::int64_t channel = c / small_per_group * big_per_group + b;
                    const std::array<std::int64_t, 5> at_big{n, channel, d, h, v},
                        at_small{n, c, od, oh, ow};
                    std::array<std::int64_t, 5> at_weight{c, b, kd, kh, kw};
                    if (does(Misbehaviour::FlipKernel)) {
                      for (std::size_t i = 2; i < 5; ++i) {
                        at_weight[i] = call.w.shape[i] - 1 - at_weight[i];
                      }
                    }
                    if (channel >= big.shape[1]) continue;
                    const auto& at_dx = call.transposed ? at_small : at_big;
                    const float dy =
                        as_read(call.transposed ? big.at(at_big) : small.at(at_small), true);
                    const float x =
                        as_read(call.transposed ? small.at(at_small) : big.at(at_big), false);
                    if (!dx.empty()) {
                      dx[index_of(*call.dx, at_dx)] += product(dy, call.w.at(at_weight));
                    }
                    if (!dw.empty()) {
                      dw[index_of(*call.dw, at_weight)] +=
                          factor_of_grad_weight(call, n) * product(dy, x);
                    }
                  }
  if (call.dx) store(*call.dx, dx);
  if (call.dw) store(*call.dw, dw);
}

float bias_term(const aclOpExecutor& call, float value) {
  const bool rounds = does(Misbehaviour::RoundBiasInOtherModes) && call.mode != 0;
  return rounds ? half_rounded(value) : value;
}

void sum_bias(const aclOpExecutor& call) {
  const std::int64_t samples =
      call.dy.shape[0] - (does(Misbehaviour::BiasMissesLastSample) ? 1 : 0);
  for (std::int64_t c = 0; c < call.dy.shape[1]; ++c) {
    double sum = 0;
    for (std::int64_t n = 0; n < samples; ++n)
      for (std::int64_t d = 0; d < call.dy.shape[2]; ++d)
        for (std::int64_t h = 0; h < call.dy.shape[3]; ++h)
          for (std::int64_t v = 0; v < call.dy.shape[4]; ++v)
            sum += bias_term(call, call.dy.at({n, c, d, h, v}));
    call.db->first[c] = static_cast<float>(sum);
  }
}

/// What the call was planned with.
std::string setting(const aclOpExecutor& call, const std::string& name) {
  const auto found = call.settings.find(name);
  return found == call.settings.end() ? "" : found->second;
}

}  // namespace

bool does(Misbehaviour what) { return fake_cann().misbehaviour == what; }

View view_of(const aclTensor& tensor) {
  View view{tensor.shape, tensor.strides, static_cast<float*>(tensor.data) + tensor.offset};
  if (does(Misbehaviour::IgnoreStrides)) {
    std::int64_t next = 1;
    for (std::size_t i = view.shape.size(); i-- > 0;) {
      view.strides[i] = next;
      next *= view.shape[i];
    }
  }
  while (view.shape.size() < 5) {
    view.shape.insert(view.shape.begin() + 2, 1);
    view.strides.insert(view.strides.begin() + 2, 0);
  }
  return view;
}

void compute(const aclOpExecutor& requested) {
  aclOpExecutor call = requested;
  if (!is(call, 0) || does(Misbehaviour::LeaveGradInputUnwritten)) call.dx.reset();
  if (!is(call, 1)) call.dw.reset();
  accumulate(call);
  if (is(call, 2) && call.db) sum_bias(call);
}

void misbehave_in_memory(const aclOpExecutor& call, std::byte* workspace) {
  static float varying = 0;
  switch (fake_cann().misbehaviour) {
    case Misbehaviour::WritePastOutput:
      if (call.dw) call.dw->first[call.dw->count()] = 1;
      return;
    case Misbehaviour::WriteBeforeOutput:
      if (call.dx) call.dx->first[-1] = 1;
      return;
    case Misbehaviour::WriteIntoInput:
      call.x.first[0] += 1;
      return;
    case Misbehaviour::WriteIntoInputGuard:
      call.w.first[-2] = 3;
      return;
    case Misbehaviour::WritePastWorkspace:
      workspace[fake_cann().workspace_size] = std::byte{7};
      return;
    case Misbehaviour::WriteUnrequestedOutput:
      for (const auto& [view, index] : {std::pair{call.dx, 0U}, {call.dw, 1U}, {call.db, 2U}}) {
        if (view && !is(call, index)) view->first[0] = 2;
      }
      return;
    case Misbehaviour::ReadWorkspace:
      if (call.dx && is(call, 0)) call.dx->first[0] = static_cast<float>(workspace[0]);
      return;
    case Misbehaviour::AddOneToGradInput:
      if (call.dx && is(call, 0)) call.dx->first[0] += 1;
      return;
    case Misbehaviour::MixUpStreams:
      if (call.dx && is(call, 0) && fake_cann().unsynchronised_launches > 1) call.dx->first[0] += 1;
      return;
    case Misbehaviour::VaryFromCallToCall:
      if (call.dx && is(call, 0)) call.dx->first[0] += varying += 1;
      return;
    case Misbehaviour::ShowScheduleInBits:
      if (call.dx && is(call, 0) && setting(call, "schedule_seed") == "13") call.dx->first[0] += 1;
      return;
    case Misbehaviour::LoseSumInSomeSchedules:
      if (call.dw && is(call, 1) && setting(call, "schedule_seed") == "14") call.dw->first[0] += 1;
      return;
    case Misbehaviour::ReadAddress:
      if (call.dx && reinterpret_cast<std::uintptr_t>(call.dy.first) % 64 != 0) {
        call.dx->first[0] += 1;
      }
      return;
    case Misbehaviour::DoublePlainPath:
      if (call.dx && is(call, 0) && setting(call, "path") == "plain") call.dx->first[0] *= 2;
      return;
    default:
      return;
  }
}

}  // namespace gradproof::properties
