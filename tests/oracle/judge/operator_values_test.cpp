#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/workload.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/operator_calls.h"

// The graph operators' gradients against loops over the tensors as they lie in memory: the format's
// letters say which axis is which, so nothing of the oracle's orders, geometry or sums is used.

namespace gradproof::oracle {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputRole;
using corpus::TensorCase;

constexpr Api dx = Api::Conv3DBackpropInputV2;
constexpr Api dw = Api::Conv3DBackpropFilterV2;

/// A coordinate by letter; the filter's N and C are those of its format's letters.
struct At {
  std::int64_t n, c, d, h, w;
};

std::int64_t by_letter(const At& at, char letter) {
  switch (letter) {
    case 'N':
      return at.n;
    case 'C':
      return at.c;
    case 'D':
      return at.d;
    case 'H':
      return at.h;
    default:
      return at.w;
  }
}

std::size_t place_of(const TensorCase& tensor, const At& at) {
  std::int64_t place = 0;
  const auto letters = corpus::name_of(tensor.format);
  for (std::size_t axis = 0; axis < 5; ++axis) {
    place = place * tensor.shape[axis] + by_letter(at, letters[axis]);
  }
  return static_cast<std::size_t>(place);
}

At lengths_of(const TensorCase& tensor) {
  At lengths{};
  const auto letters = corpus::name_of(tensor.format);
  for (std::size_t axis = 0; axis < 5; ++axis) {
    const std::int64_t length = tensor.shape[axis];
    (letters[axis] == 'N'   ? lengths.n
     : letters[axis] == 'C' ? lengths.c
     : letters[axis] == 'D' ? lengths.d
     : letters[axis] == 'H' ? lengths.h
                            : lengths.w) = length;
  }
  return lengths;
}

std::vector<double> numbers(const Case& problem, corpus::InputRole role) {
  const TensorCase& tensor = *corpus::tensor(problem, role);
  const auto bytes = corpus::element_values(problem, role);
  const std::size_t size = size_bytes(tensor.dtype);
  std::vector<double> result(bytes.size() / size);
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    result[i] = corpus::decode(tensor.dtype, bits).value();
  }
  return result;
}

void for_each(const At& lengths, const std::function<void(const At&)>& visit) {
  for (std::int64_t n = 0; n < lengths.n; ++n)
    for (std::int64_t c = 0; c < lengths.c; ++c)
      for (std::int64_t d = 0; d < lengths.d; ++d)
        for (std::int64_t h = 0; h < lengths.h; ++h)
          for (std::int64_t w = 0; w < lengths.w; ++w) visit({n, c, d, h, w});
}

std::int64_t attribute(const Case& problem, const std::vector<std::int64_t>& values, char letter) {
  return values.at(problem.attributes->data_format->find(letter));
}

/// Every product of the operator: places in out_backprop, in the feature map and in the filter.
void for_each_product(const Case& problem,
                      const std::function<void(std::size_t, std::size_t, std::size_t)>& visit) {
  const bool is_dx = problem.api == dx;
  const TensorCase& out = *problem.grad_output;
  const TensorCase& map = is_dx ? *problem.grad_input : *problem.input;
  const TensorCase& filter = is_dx ? *problem.weight : *problem.grad_weight;
  const At sizes = lengths_of(map);
  const At taps = lengths_of(filter);
  const std::int64_t groups = sizes.c / taps.c;
  const auto& it = *problem.attributes;
  const auto position = [&](char letter, std::int64_t small, std::int64_t tap) {
    const std::size_t side = letter == 'D' ? 0 : letter == 'H' ? 2 : 4;
    return small * attribute(problem, *it.strides, letter) - it.pads->at(side) +
           tap * attribute(problem, *it.dilations, letter);
  };
  for_each(lengths_of(out), [&](const At& o) {
    const std::int64_t group = o.c / (taps.n / groups);
    for_each({1, taps.c, taps.d, taps.h, taps.w}, [&](const At& k) {
      const At m{o.n, group * taps.c + k.c, position('D', o.d, k.d), position('H', o.h, k.h),
                 position('W', o.w, k.w)};
      const bool is_inside =
          m.d >= 0 && m.d < sizes.d && m.h >= 0 && m.h < sizes.h && m.w >= 0 && m.w < sizes.w;
      if (!is_inside) return;
      visit(place_of(out, o), place_of(map, m), place_of(filter, {o.c, k.c, k.d, k.h, k.w}));
    });
  });
}

/// What a right operator shows on the exact grid.
Observation run(const Case& problem) {
  const bool is_dx = problem.api == dx;
  const OutputRole role = is_dx ? OutputRole::GradInput : OutputRole::GradWeight;
  const TensorCase& result = *corpus::tensor(problem, role);
  const auto out = numbers(problem, corpus::InputRole::GradOutput);
  const auto other = numbers(problem, is_dx ? corpus::InputRole::Weight : corpus::InputRole::Input);
  std::vector<double> sums(static_cast<std::size_t>(*corpus::element_count(result.shape)));
  for_each_product(problem, [&](std::size_t o, std::size_t m, std::size_t f) {
    sums[is_dx ? m : f] += out[o] * other[is_dx ? f : m];
  });
  Observation seen;
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  auto& output = seen.outputs[static_cast<std::size_t>(role)];
  const std::size_t size = size_bytes(result.dtype);
  output.bits.resize(sums.size() * size);
  output.before.assign(output.bits.size(), std::byte{0xA5});
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto bits = corpus::encode_exactly(result.dtype, sums[i]).value();
    std::memcpy(output.bits.data() + i * size, &bits, size);
  }
  return seen;
}

template <typename T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return values.begin()[random() % values.size()];
}

OperatorCall random_operator_call(std::mt19937_64& random) {
  const auto length = [&](std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  OperatorCall call;
  call.api = one_of(random, {dx, dw});
  call.dtype = one_of(random, {DataType::Float, DataType::Float16, DataType::BFloat16});
  call.format = one_of(random, {Format::Ncdhw, Format::Ndhwc});
  call.filter_format = one_of(random, {Format::Ncdhw, Format::Ndhwc, Format::Dhwcn});
  call.groups = call.format == Format::Ndhwc ? 1 : static_cast<std::int32_t>(length(3));
  call.batch = length(2);
  call.out_channels_per_group = length(3);
  call.in_channels_per_group = length(3);
  for (std::size_t i = 0; i < 3; ++i) {
    call.kernel[i] = length(3);
    call.stride[i] = i == 0 ? length(call.kernel[i]) : length(3);
    call.dilation[i] = length(2);
    call.small[i] = length(4);
    const std::int64_t reach =
        (call.small[i] - 1) * call.stride[i] + (call.kernel[i] - 1) * call.dilation[i];
    call.pads[2 * i] = std::min(reach, length(3) - 1);
    call.pads[2 * i + 1] = std::min(reach - call.pads[2 * i], length(3) - 1);
  }
  return call;
}

/// The same with a result in FLOAT, which holds every sum of the exact grid.
OperatorCall random_float_call(std::mt19937_64& random) {
  OperatorCall call = random_operator_call(random);
  if (call.api == dx) call.dtype = DataType::Float;
  return call;
}

Case with_data(const Case& problem, std::uint64_t seed) {
  auto planned = with_recipe(problem, corpus::Distribution::ExactGrid, seed);
  EXPECT_TRUE(planned.has_value()) << planned.error();
  return *planned;
}

TEST(OperatorValues, AreThoseOfLoopsOverTheTensorsInMemory) {
  std::mt19937_64 random(8);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Case problem = with_data(operator_case(random_float_call(random)), seed);
    const auto verdict = judge({problem, Profile::Documented}, run(problem), {});
    EXPECT_TRUE(verdict.outcome == Outcome::Agree || verdict.outcome == Outcome::Vacuous)
        << verdict.reason;
    if (verdict.outcome != Outcome::Vacuous) {
      EXPECT_EQ(verdict.law, "exactness");
    }
  }
}

TEST(OperatorValues, ThatAreWrongInOneElementAreFoundThere) {
  std::mt19937_64 random(9);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Case problem = with_data(operator_case(random_float_call(random)), seed);
    const OutputRole role = problem.api == dx ? OutputRole::GradInput : OutputRole::GradWeight;
    Observation seen = run(problem);
    auto& bits = seen.outputs[static_cast<std::size_t>(role)].bits;
    const TensorCase& result = *corpus::tensor(problem, role);
    const std::size_t size = size_bytes(result.dtype);
    const std::size_t place = random() % (bits.size() / size);
    bits[place * size] ^= std::byte{1};
    const auto verdict = judge({problem, Profile::Documented}, seen, {});
    ASSERT_EQ(verdict.outcome, Outcome::Disagree);
    EXPECT_EQ(verdict.culprit, role);
    std::size_t found = 0;
    const auto& at = verdict.outputs[static_cast<std::size_t>(role)].worst->at;
    for (std::size_t axis = 0; axis < 5; ++axis) {
      found =
          found * static_cast<std::size_t>(result.shape[axis]) + static_cast<std::size_t>(at[axis]);
    }
    EXPECT_EQ(found, place);
  }
}

TEST(OperatorValues, UseTheRatioOfChannelsWhereGroupsIsOne) {
  for (const Api api : {dx, dw}) {
    Case problem = operator_case({.api = api, .dtype = DataType::Float, .groups = 2});
    problem.groups = 1;
    problem = with_data(problem, 3);
    const auto verdict = judge({problem, Profile::Documented}, run(problem), {});
    EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  }
}

TEST(OperatorValues, AreComparedInASampleWhereTheyAreTooMany) {
  for (const Format format : {Format::Ncdhw, Format::Ndhwc}) {
    const Case problem = with_data(operator_case({.dtype = DataType::Float,
                                                  .format = format,
                                                  .filter_format = Format::Dhwcn,
                                                  .small = {3, 9, 8}}),
                                   5);
    JudgeSettings settings;
    settings.largest_macs = 10;
    settings.sampled_products = 2000;
    Observation seen = run(problem);
    EXPECT_EQ(judge({problem, settings.profile}, seen, settings).outcome, Outcome::Agree);
    seen.outputs[0].bits[0] ^= std::byte{1};
    EXPECT_EQ(judge({problem, settings.profile}, seen, settings).outcome, Outcome::Disagree);
  }
}

TEST(OperatorValues, OfEveryCorrectKernelAreAccepted) {
  std::mt19937_64 random(10);
  constexpr corpus::Distribution distributions[] = {corpus::Distribution::ExactGrid,
                                                    corpus::Distribution::SparseFullMantissa};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    OperatorCall call = random_operator_call(random);
    if (seed % 3 == 0) call.soc = "Ascend950";
    call.enable_hf32 = seed % 2 == 0;
    const auto planned = with_recipe(operator_case(call), distributions[seed % 2], seed);
    ASSERT_TRUE(planned.has_value());
    const CorrectKernel kernel{.order = static_cast<Order>(seed % 5), .seed = seed};
    const auto verdict = judge({*planned, Profile::Documented}, observed(*planned, kernel, {}), {});
    EXPECT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason;
    EXPECT_NE(verdict.outcome, Outcome::NotComparable) << verdict.reason;
    EXPECT_NE(verdict.outcome, Outcome::Skipped) << verdict.reason;
  }
}

TEST(OperatorValues, AreMultipliedAsHf32OnlyWhereItIsEnabledAndTheDtypeIsFloat) {
  const auto operands = [](const OperatorCall& call) {
    return arithmetics(operator_case(call), OutputRole::GradInput, {}).at(0).operands;
  };
  EXPECT_EQ(operands({.dtype = DataType::Float}), NumberFormat::Float);
  EXPECT_EQ(operands({.dtype = DataType::Float, .enable_hf32 = true}), NumberFormat::Hf32Wide);
  EXPECT_EQ(operands({.soc = "Ascend950", .dtype = DataType::Float, .enable_hf32 = true}),
            NumberFormat::Hf32Narrow);
  EXPECT_EQ(operands({.dtype = DataType::Float16, .enable_hf32 = true}), NumberFormat::Float16);
}

TEST(OperatorValues, CostAsManyProductsAsTheFormulaHas) {
  Case problem = operator_case({.format = Format::Ndhwc, .filter_format = Format::Dhwcn});
  EXPECT_EQ(mac_count(problem), 2U * 4 * (2 * 3 * 4) * 8 * (2 * 3 * 3));
}

TEST(OperatorValues, OfUnlikeBatchesAreNotCompared) {
  Case problem = operator_case({.api = dw});
  problem = with_data(problem, 1);
  problem.grad_output->shape[0] = 1;
  Observation seen = run(problem);
  EXPECT_EQ(judge({problem, Profile::Documented}, seen, {}).outcome, Outcome::NotComparable);
}

}  // namespace
}  // namespace gradproof::oracle
