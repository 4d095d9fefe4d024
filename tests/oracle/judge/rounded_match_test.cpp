#include "oracle/judge/rounded_match.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/judge/judge.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using enum NumberFormat;

std::size_t bytes_of(NumberFormat format) {
  if (format == Float || format == Hf32Wide || format == Hf32Narrow) return 4;
  return format == Float16 || format == BFloat16 ? 2 : 1;
}

std::vector<std::byte> words_of(NumberFormat format, const std::vector<std::uint32_t>& codes) {
  const std::size_t size = bytes_of(format);
  std::vector<std::byte> bytes(codes.size() * size);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &codes[i], size);
  }
  return bytes;
}

std::vector<std::uint32_t> all_or_some_codes(NumberFormat format) {
  std::vector<std::uint32_t> codes;
  const auto bits = static_cast<unsigned>(8 * bytes_of(format));
  Random random(5);
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    const auto drawn = static_cast<std::uint32_t>(random.bits());
    codes.push_back(bits == 32 ? drawn & (random.one_in(8) ? 0x807FFFFF : 0xFFFFFFFF)
                               : i & ((1U << bits) - 1));
  }
  return codes;
}

TEST(NumbersAsDoubles, AreWhatTheDecodedNumbersAre) {
  for (const auto format :
       {Float, Float16, BFloat16, Hf32Wide, Hf32Narrow, Float8E4M3FN, HiFloat8}) {
    const auto codes = all_or_some_codes(format);
    std::vector<double> values(codes.size());
    decode_all(format, words_of(format, codes), std::span<double>(values));
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const double expected = to_double(decode(format, codes[i]));
      ASSERT_TRUE(std::isnan(expected)
                      ? std::isnan(values[i])
                      : values[i] == expected && std::signbit(values[i]) == std::signbit(expected))
          << name_of(format) << " 0x" << std::hex << codes[i];
    }
  }
}

/// Chains of roundings that outputs go through, and the format that the last one leaves.
const std::array<std::pair<std::vector<NumberFormat>, NumberFormat>, 10> chains{{
    {{}, Float},
    {{Float16}, Float16},
    {{Float16}, Float},
    {{BFloat16}, BFloat16},
    {{Float16, BFloat16}, BFloat16},
    {{BFloat16, Float16}, Float16},
    {{BFloat16, Float16}, Float},
    {{Float8E4M3FN}, Float8E4M3FN},
    {{Float16, Float8E4M3FN}, Float8E4M3FN},
    {{HiFloat8}, HiFloat8},
}};

/// An integer near a midpoint of two numbers of some precision, or any.
Int128 drawn_sum(Random& random, int most_bits) {
  const auto bits = random.in(1, most_bits);
  Int128 sum = (Int128{static_cast<std::int64_t>(random.bits() >> 1U)} << 64) |
               static_cast<Int128>(random.bits());
  sum &= (Int128{1} << bits) - 1;
  const auto cleared = random.in(0, 3) == 0 ? 0 : random.in(0, bits);
  sum = sum >> cleared << cleared;
  if (cleared > 0 && random.one_in(2)) sum |= Int128{1} << (cleared - 1);  // a tie, for some
  if (random.one_in(3)) sum += random.in(-1, 1);
  const Int128 limit = (Int128{1} << most_bits) - 1;
  if (sum > limit || sum < 0) sum = limit;
  return random.one_in(2) ? -sum : sum;
}

struct Sums {
  std::string name;
  ExactTensor exact;
};

/// The same kind of sums in every representation; units reach FLOAT's ends.
std::vector<Sums> drawn_sums(Random& random, std::size_t count) {
  const auto unit =
      static_cast<int>(random.in(0, 2) == 0 ? random.in(-298, 100) : random.in(-40, 0));
  LargeVector<double> doubles;
  LargeVector<Int128> integers;
  LargeVector<ExactSum> wide(count);
  std::vector<Dyadic> dyadics;
  for (std::size_t i = 0; i < count; ++i) {
    doubles.push_back(static_cast<double>(static_cast<std::int64_t>(drawn_sum(random, 53))));
    integers.push_back(drawn_sum(random, 126));
    const auto factor = static_cast<std::int32_t>(random.in(-(1 << 24), 1 << 24));
    const auto exponent = static_cast<std::int32_t>(random.in(-149, 100));
    wide[i].add_product({factor, exponent}, {1 << 12, 0});
    if (random.one_in(2)) wide[i].add_product({1, -149}, {random.one_in(2) ? 1 : -1, -149});
    dyadics.push_back(wide[i].dyadic());
  }
  return {{"doubles", {std::move(doubles), unit}},
          {"integers", {std::move(integers), unit}},
          {"wide", {std::move(wide), 0}},
          {"dyadic", {std::move(dyadics), 0}}};
}

Number expected_of(const Arithmetic& way, const ExactTensor& exact, std::size_t i) {
  return rounded_through(way, exact.truncated(i));
}

/// The codes that are right.
std::vector<std::uint32_t> right_codes(const Arithmetic& way, const ExactTensor& exact) {
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    codes.push_back(encode(way.output, expected_of(way, exact, i)));
  }
  return codes;
}

/// Those of a kernel that rounds to the output's format alone.
std::vector<std::uint32_t> codes_without_the_chain(const Arithmetic& way,
                                                   const ExactTensor& exact) {
  return right_codes({.roundings = {way.output}, .overflow = way.overflow, .output = way.output},
                     exact);
}

/// How many elements are found where these codes were computed; none may be found whose value is
/// another than the expected one.
std::size_t found_rightly(const Arithmetic& way, const Sums& sums,
                          const std::vector<std::uint32_t>& codes) {
  const std::size_t count = sums.exact.size();
  RoundedMatch match(sums.exact, way);
  match.look_at(0, count, words_of(way.output, codes));
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!match.holds(i)) continue;
    ++found;
    const Number computed = decode(way.output, codes[i]);
    const Number expected = expected_of(way, sums.exact, i);
    EXPECT_TRUE(same_value(computed, expected))
        << sums.name << ' ' << sums.exact.dyadic(i).to_double();
    EXPECT_EQ(match.computed(i), to_double(expected));
    EXPECT_EQ(match.exact(i), sums.exact.approximate(i));
  }
  return found;
}

/// Elements that no rounding of the chain made infinite, or may have saturated.
std::size_t finite_ones(const Arithmetic& way, const ExactTensor& exact) {
  double limit = largest_finite(way.output);
  for (const NumberFormat format : way.roundings) limit = std::min(limit, largest_finite(format));
  std::size_t count = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const Number expected = expected_of(way, exact, i);
    count += expected.is_finite() && std::fabs(to_double(expected)) < limit ? 1 : 0;
  }
  return count;
}

TEST(RoundedMatch, FindsWhatTheChainOfRoundingsGivesAndNothingElse) {
  Random random(20);
  std::size_t found = 0, finite = 0;
  for (int round = 0; round < 80; ++round) {
    for (const Sums& sums : drawn_sums(random, RoundedMatch::block)) {
      for (const auto& [roundings, output] : chains) {
        for (const auto overflow : {Overflow::ToInfinity, Overflow::Saturate}) {
          const Arithmetic way{.roundings = roundings, .overflow = overflow, .output = output};
          auto codes = right_codes(way, sums.exact);
          const std::size_t right = found_rightly(way, sums, codes);
          found_rightly(way, sums, codes_without_the_chain(way, sums.exact));
          for (std::uint32_t& code : codes) code += random.one_in(2) ? 1U : ~0U;
          found_rightly(way, sums, codes);
          if (output == HiFloat8) {
            ASSERT_EQ(right, 0U);
            continue;
          }
          if (sums.exact.is_of_doubles()) {
            ASSERT_GE(right, finite_ones(way, sums.exact)) << sums.name;
          }
          found += right;
          finite += finite_ones(way, sums.exact);
        }
      }
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(found, finite * 3 / 4);  // ties of what doubles do not hold are left out
}

/// Every figure that the evidence has, and the verdict's words.
std::string told(const corpus::Verdict& verdict) {
  std::string text = verdict.signature() + verdict.reason;
  for (const auto& output : verdict.outputs) {
    text += fmt::format("|{} {} {} {} {} {} {} {} {} {}", output.compared, output.elements,
                        output.compared_elements, output.breaches, output.ulp_max, output.mare,
                        output.mere, output.rmse, output.bound_ratio, output.sums_are_exact);
    for (const auto elements : output.ulp_histogram) text += fmt::format(" {}", elements);
    for (const auto& standard : output.standards)
      text += standard.name + (standard.met ? "met" : "missed");
    if (output.worst) text += output.worst->computed + output.worst->exact + output.worst->bound;
  }
  return text;
}

TEST(RoundedMatch, ChangesNoVerdictAndNoFigureOfIt) {
  std::size_t disagreements = 0, agreements = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    corpus::Case test_case = random_case(random, random_mode(random));
    if (random.one_in(3)) {
      test_case.data = random_bits(random, test_case);
    } else {
      test_case.data.emplace().seed = random.bits();
      test_case.data->range_low = -2;
      test_case.data->range_high = random.one_in(2) ? 2 : 300;
    }
    Faults faults;
    if (random.one_in(2)) {
      faults.result = [&](corpus::OutputRole, std::vector<std::byte>& bits, std::size_t) {
        for (std::byte& byte : bits)
          if (random.one_in(64)) byte ^= static_cast<std::byte>(1U << random.in(0, 7));
      };
    }
    JudgeSettings settings;
    const auto seen = observed(test_case, {.seed = seed}, settings, faults);
    const auto quick = judge({test_case, settings.profile}, seen, settings);
    settings.each_element_alone = true;
    ASSERT_EQ(told(quick), told(judge({test_case, settings.profile}, seen, settings)))
        << to_json_line(test_case);
    disagreements += quick.outcome == corpus::Outcome::Disagree ? 1 : 0;
    agreements += quick.outcome == corpus::Outcome::Agree ? 1 : 0;
  }
  EXPECT_GT(disagreements, 200U);
  EXPECT_GT(agreements, 500U);
}

}  // namespace
}  // namespace gradproof::oracle
