#include "tests/support/fake_convolution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace gradproof::targets {
namespace {

using enum Misbehaviour;

bool is(const aclOpExecutor& call, std::size_t output) { return call.mask[output]; }

/// A FLOAT's significand with so many bits, by `whole`.
double in_bits(double value, int bits, float (*whole)(float)) {
  if (value == 0) return value;
  int exponent = 0;
  const float fraction = std::frexp(static_cast<float>(value), &exponent);
  return std::ldexp(whole(std::ldexp(fraction, bits)), exponent - bits);
}

double rounded_to_bits(double value, int bits) { return in_bits(value, bits, std::nearbyint); }
double truncated_to_bits(double value, int bits) { return in_bits(value, bits, std::trunc); }
double half_rounded(double value) { return rounded_to_bits(value, 11); }

using Index = std::array<std::int64_t, 5>;

/// The convolution that is computed, in terms of its larger and its smaller map.
struct Loop {
  explicit Loop(const aclOpExecutor& of)
      : call(of), big(of.transposed ? of.dy : of.x), small(of.transposed ? of.x : of.dy) {
    for (std::size_t i = 0; i < 3; ++i) {
      stride[i] = of.stride[i];
      dilation[i] = of.dilation[i];
      begin[i] = of.begin[i];
    }
  }
  std::int64_t small_per_group() const { return small.shape[1] / groups; }

  const aclOpExecutor& call;
  const View &big, &small;
  std::int64_t groups = call.groups;
  std::array<std::int64_t, 3> stride{}, dilation{}, begin{};
};

/// Attributes that are taken for others.
struct AttributeRow {
  Misbehaviour what;
  void (*change)(Loop& loop);
};
constexpr AttributeRow attribute_rows[] = {
    {IgnoreGroups, [](Loop& loop) { loop.groups = 1; }},
    {TakeDilationForStride, [](Loop& loop) { loop.stride[2] = loop.dilation[2]; }},
    {TakeStrideForDilation, [](Loop& loop) { loop.dilation[2] = loop.stride[2]; }},
    {ExchangeStrideAndDilation, [](Loop& loop) { std::swap(loop.dilation[2], loop.stride[2]); }},
    {SwapStrides, [](Loop& loop) { std::swap(loop.stride[1], loop.stride[2]); }},
    {IgnorePadding, [](Loop& loop) { loop.begin[2] = 0; }},
    {PaddingOneTooLarge, [](Loop& loop) { ++loop.begin[1]; }},
};

/// Where a product is: elements of both maps, and the taps of D H W.
struct Meeting {
  Index small, big;
  std::array<std::int64_t, 3> tap;
};

bool is_last_sample(const Loop& loop, const Meeting& at) {
  return at.small[0] + 1 == loop.small.shape[0];
}

/// Products that are left out.
struct LossRow {
  Misbehaviour what;
  bool (*loses)(const Loop& loop, const Meeting& at);
};
constexpr LossRow loss_rows[] = {
    {LoseFirstTap, [](auto&, auto& at) { return at.tap[2] == 0; }},
    {LoseLastTapIn1D,
     [](auto& loop, auto& at) {
       return loop.call.rank == 3 && at.tap[2] + 1 == loop.call.w.shape[4];
     }},
    {OnlyFirstSample, [](auto&, auto& at) { return at.small[0] > 0; }},
    {LoseLastSampleIfTransposed,
     [](auto& loop, auto& at) { return loop.call.transposed && is_last_sample(loop, at); }},
    {LoseLastChannel, [](auto& loop, auto& at) { return at.small[1] + 1 == loop.small.shape[1]; }},
    {LoseLastChannelOfGroups,
     [](auto& loop, auto& at) {
       const std::int64_t channels = loop.small_per_group();
       return loop.groups > 1 && at.small[1] % channels == channels - 1;
     }},
    {LoseFirstColumn, [](auto&, auto& at) { return at.big[4] == 0; }},
    {LoseLastColumn, [](auto& loop, auto& at) { return at.big[4] + 1 == loop.big.shape[4]; }},
    {LoseTailBeyondEight,
     [](auto& loop, auto& at) { return at.big[4] >= loop.big.shape[4] / 8 * 8; }},
    {LoseColumnsBetweenStrides,
     [](auto& loop, auto& at) { return (at.big[4] + loop.begin[2]) % loop.stride[2] != 0; }},
    {LoseOutputPadding,
     [](auto& loop, auto& at) {
       return loop.call.transposed && at.big[4] >= loop.big.shape[4] - loop.call.output_padding[2];
     }},
    {LosePaddingEnd,
     [](auto& loop, auto& at) {
       return at.small[4] + 1 == loop.small.shape[4] && loop.call.end[2] > 0;
     }},
    // What only some sizes have: a bug of a path or of a limit.
    {LoseSampleOfBatchBeyondNine,
     [](auto& loop, auto& at) { return is_last_sample(loop, at) && loop.small.shape[0] > 9; }},
    {LoseChannelOfMultiplesOfFour,
     [](auto& loop, auto& at) {
       const std::int64_t channels = loop.small_per_group();
       return channels % 4 == 0 && at.small[1] % channels == channels - 1;
     }},
    {LoseSampleOfSumsBeyondSixty,
     [](auto& loop, auto& at) {
       const auto& shape = loop.small.shape;
       return is_last_sample(loop, at) && shape[0] * shape[2] * shape[3] * shape[4] > 60;
     }},
    {LoseSampleOfKernelsOfThree,
     [](auto& loop, auto& at) { return is_last_sample(loop, at) && loop.call.w.shape[4] == 3; }},
};

/// What a number becomes on its way.
struct NumberRow {
  Misbehaviour what;
  double (*becomes)(double value);
};
constexpr NumberRow operand_rows[] = {
    // HFLOAT32 of Ascend910B: 11 bits behind the leading one.
    {RoundInputsToHf32, [](double value) { return rounded_to_bits(value, 12); }},
    {TruncateInputsToHf32, [](double value) { return truncated_to_bits(value, 12); }},
};
constexpr NumberRow product_rows[] = {{RoundProductsToHalf, half_rounded}};
constexpr NumberRow read_rows[] = {
    {ReadNanAsZero, [](double value) { return std::isnan(value) ? 0 : value; }}};
constexpr NumberRow grad_output_rows[] = {{RoundGradOutputToHalf, half_rounded},
                                          {RoundNegativeGradOutputToHalf, [](double value) {
                                             return value < 0 ? half_rounded(value) : value;
                                           }}};
constexpr NumberRow result_rows[] = {{DoubleGradients, [](double value) { return 2 * value; }},
                                     {NegateGradients, [](double value) { return -value; }},
                                     {RoundResultsToHalf, half_rounded}};

double passed(std::span<const NumberRow> rows, double value) {
  const auto row = std::ranges::find(rows, fake_cann().misbehaviour, &NumberRow::what);
  return row == rows.end() ? value : row->becomes(value);
}

/// What a product counts for in gradWeight; `n`: its sample.
struct WeightRow {
  Misbehaviour what;
  double (*factor)(const aclOpExecutor& call, std::int64_t n);
};
constexpr WeightRow weight_rows[] = {
    {DoubleGradWeight, [](auto&, auto) { return 2.0; }},
    {CountFirstSampleTwice, [](auto&, auto n) { return n == 0 ? 2.0 : 1.0; }},
    {LoseGradWeightWithoutGradInput, [](auto& call, auto) { return call.mask[0] ? 1.0 : 0.0; }},
    {DoubleGradWeightOfNd,
     [](auto& call, auto) { return call.format == ACL_FORMAT_ND ? 2.0 : 1.0; }},
    {DoubleGradWeightInOtherModes, [](auto& call, auto) { return call.mode == 0 ? 1.0 : 2.0; }},
};

template <typename Visit>
void for_each(const Index& shape, Visit visit) {
  Index at{};
  for (at[0] = 0; at[0] < shape[0]; ++at[0])
    for (at[1] = 0; at[1] < shape[1]; ++at[1])
      for (at[2] = 0; at[2] < shape[2]; ++at[2])
        for (at[3] = 0; at[3] < shape[3]; ++at[3])
          for (at[4] = 0; at[4] < shape[4]; ++at[4]) visit(at);
}

Index shape_of(const View& view) {
  Index shape{};
  std::ranges::copy(view.shape, shape.begin());
  return shape;
}

/// A gradient in doubles, by N C D H W.
class Sums {
 public:
  explicit Sums(const View& view) : view_(view), sums_(to_size(view.count())) {}

  double& at(const Index& at) { return sums_[place(at)]; }
  void store() {
    for_each(shape_of(view_), [&](const Index& at) {
      const float old = does(AddToOutputs) ? view_.at(at) : 0;
      view_.at(at) = old + static_cast<float>(passed(result_rows, sums_[place(at)]));
    });
  }

 private:
  std::size_t place(const Index& at) const {
    std::int64_t index = 0;
    for (std::size_t i = 0; i < at.size(); ++i) index = index * view_.shape[i] + at[i];
    return to_size(index);
  }

  const View& view_;
  std::vector<double> sums_;
};

/// The element of the larger map that a product reads; nullopt: it lies in the padding.
std::optional<Index> big_of(const Loop& loop, const Index& small, const Index& tap) {
  const std::int64_t per_group = loop.call.w.shape[1];
  Index big{small[0], small[1] / loop.small_per_group() * per_group + tap[1], 0, 0, 0};
  if (big[1] >= loop.big.shape[1]) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i) {
    big[i + 2] = small[i + 2] * loop.stride[i] + tap[i + 2] * loop.dilation[i] - loop.begin[i];
    if (big[i + 2] < 0 || big[i + 2] >= loop.big.shape[i + 2]) return std::nullopt;
  }
  return big;
}

float operand(double value) { return static_cast<float>(passed(operand_rows, value)); }

double product_of(float left, float right) {
  return passed(product_rows, operand(left) * operand(right));
}

/// Every contributing product: dx += dy * w, dw += dy * x.
void accumulate(const aclOpExecutor& call) {
  Loop loop(call);
  const Misbehaviour what = fake_cann().misbehaviour;
  for (const AttributeRow& row : attribute_rows) {
    if (row.what == what) row.change(loop);
  }
  const auto* loss = std::ranges::find(loss_rows, what, &LossRow::what);
  const auto* weights = std::ranges::find(weight_rows, what, &WeightRow::what);
  std::optional<Sums> dx, dw;
  if (call.dx) dx.emplace(*call.dx);
  if (call.dw) dw.emplace(*call.dw);
  const Index taps{1, call.w.shape[1], call.w.shape[2], call.w.shape[3], call.w.shape[4]};
  for_each(shape_of(loop.small), [&](const Index& small) {
    for_each(taps, [&](const Index& tap) {
      const auto big = big_of(loop, small, tap);
      if (!big) return;
      const Meeting at{small, *big, {tap[2], tap[3], tap[4]}};
      if (loss != std::end(loss_rows) && loss->loses(loop, at)) return;
      Index weight{small[1], tap[1], tap[2], tap[3], tap[4]};
      for (std::size_t i = 2; i < 5 && what == FlipKernel; ++i) {
        weight.at(i) = call.w.shape[i] - 1 - weight.at(i);
      }
      const Index& of_x = call.transposed ? small : *big;
      const Index& of_dy = call.transposed ? *big : small;
      const auto dy =
          static_cast<float>(passed(grad_output_rows, passed(read_rows, call.dy.at(of_dy))));
      const auto x = static_cast<float>(passed(read_rows, call.x.at(of_x)));
      if (dx) dx->at(of_x) += product_of(dy, call.w.at(weight));
      const double factor = weights == std::end(weight_rows) ? 1 : weights->factor(call, small[0]);
      if (dw) dw->at(weight) += factor * product_of(dy, x);
    });
  });
  if (dx) dx->store();
  if (dw) dw->store();
}

double bias_term(const aclOpExecutor& call, float value) {
  const bool rounds = does(RoundBiasInOtherModes) && call.mode != 0;
  return rounds ? half_rounded(value) : value;
}

void sum_bias(const aclOpExecutor& call) {
  const std::int64_t samples = call.dy.shape[0] - (does(BiasMissesLastSample) ? 1 : 0);
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

/// What is done wrong in memory. Outputs are those that the call asked for, unless another is
/// meant.
struct MemoryRow {
  Misbehaviour what;
  void (*misbehave)(const aclOpExecutor& call, std::byte* workspace);
};

bool asks_for_dx(const aclOpExecutor& call) { return call.dx && is(call, 0); }

void add_to_dx(const aclOpExecutor& call, bool where, float value = 1) {
  if (where && asks_for_dx(call)) call.dx->first[0] += value;
}

/// Adds to the gradInput of the samples that it is true of.
template <typename Predicate>
void add_to_samples(const aclOpExecutor& call, Predicate is_shown) {
  if (!asks_for_dx(call)) return;
  for_each(shape_of(*call.dx), [&](const Index& at) {
    if (is_shown(at[0])) call.dx->at(at) += 1;
  });
}

bool is_dense(const View& view) {
  std::int64_t next = 1;
  for (std::size_t i = view.shape.size(); i-- > 0; next *= view.shape[i]) {
    if (view.shape[i] > 1 && view.strides[i] != next) return false;
  }
  return true;
}

constexpr MemoryRow memory_rows[] = {
    {ShowBatchSize,
     [](auto& call, auto*) {
       add_to_samples(call, [&](auto) { return call.x.shape[0] % 7 == 0; });
     }},
    {ShowPlaceInBatch,
     [](auto& call, auto*) { add_to_samples(call, [](auto n) { return n > 0; }); }},
    {ShowNeighbours,
     [](auto& call, auto*) {
       add_to_samples(call, [&](auto n) {
         const std::int64_t samples = call.dy.shape[0], next = (n + 1) % samples;
         return next != n && call.dy.at({next, 0, 0, 0, 0}) > 0;
       });
     }},
    {ShowGroups,
     [](auto& call, auto*) { add_to_samples(call, [&](auto) { return call.groups > 1; }); }},
    {ShowStrides,
     [](auto& call, auto*) { add_to_samples(call, [&](auto) { return !is_dense(call.dy); }); }},
    {WritePastOutput,
     [](auto& call, auto*) {
       if (call.dw) call.dw->first[call.dw->count()] = 1;
     }},
    {WriteBeforeOutput,
     [](auto& call, auto*) {
       if (call.dx) call.dx->first[-1] = 1;
     }},
    {WriteIntoInput, [](auto& call, auto*) { call.x.first[0] += 1; }},
    {WriteIntoInputGuard, [](auto& call, auto*) { call.w.first[-2] = 3; }},
    {WritePastWorkspace,
     [](auto&, auto* workspace) { workspace[fake_cann().workspace_size] = std::byte{7}; }},
    {WriteUnrequestedOutput,
     [](auto& call, auto*) {
       for (const auto& [view, index] : {std::pair{call.dx, 0U}, {call.dw, 1U}, {call.db, 2U}}) {
         if (view && !is(call, index)) view->first[0] = 2;
       }
     }},
    {ReadWorkspace,
     [](auto& call, auto* workspace) {
       if (asks_for_dx(call)) call.dx->first[0] = static_cast<float>(workspace[0]);
     }},
    {AddOneToGradInput, [](auto& call, auto*) { add_to_dx(call, true); }},
    {MixUpStreams,
     [](auto& call, auto*) { add_to_dx(call, fake_cann().unsynchronised_launches > 1); }},
    {VaryFromCallToCall,
     [](auto& call, auto*) {
       static float varying = 0;
       if (asks_for_dx(call)) add_to_dx(call, true, varying += 1);
     }},
    {ShowScheduleInBits,
     [](auto& call, auto*) { add_to_dx(call, setting(call, "schedule_seed") == "13"); }},
    {LoseSumInSomeSchedules,
     [](auto& call, auto*) {
       if (call.dw && is(call, 1) && setting(call, "schedule_seed") == "14") call.dw->first[0] += 1;
     }},
    {ReadAddress,
     [](auto& call, auto*) {
       const bool is_odd = reinterpret_cast<std::uintptr_t>(call.dy.first) % 64 != 0;
       if (call.dx && is_odd) call.dx->first[0] += 1;
     }},
    {KeepGradOutputOfCallBefore,
     [](auto& call, auto*) {
       const FakeCann& fake = fake_cann();
       if (fake.shape_before != call.dy.shape) return;
       add_to_dx(call, true, fake.grad_output_before - call.dy.first[0]);
     }},
    {DoublePlainPath,
     [](auto& call, auto*) {
       if (asks_for_dx(call) && setting(call, "path") == "plain") call.dx->first[0] *= 2;
     }},
};

}  // namespace

bool does(Misbehaviour what) { return fake_cann().misbehaviour == what; }

View view_of(const aclTensor& tensor) {
  View view{tensor.shape, tensor.strides, static_cast<float*>(tensor.data) + tensor.offset};
  if (does(IgnoreStrides)) {
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
  if (!is(call, 0) || does(LeaveGradInputUnwritten)) call.dx.reset();
  if (!is(call, 1)) call.dw.reset();
  accumulate(call);
  if (is(call, 2) && call.db) sum_bias(call);
}

void misbehave_in_memory(const aclOpExecutor& call, std::byte* workspace) {
  for (const MemoryRow& row : memory_rows) {
    if (row.what == fake_cann().misbehaviour) row.misbehave(call, workspace);
  }
}

}  // namespace gradproof::targets
