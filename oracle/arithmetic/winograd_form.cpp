#include "oracle/arithmetic/winograd_form.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gradproof::oracle {
namespace {

using corpus::Algorithm;

bool is_power_of_two(double entry) {
  int exponent = 0;
  return std::frexp(entry, &exponent) == 0.5;
}

bool is_one_float(double entry) { return static_cast<double>(static_cast<float>(entry)) == entry; }

/// Rows of integers, each over its denominator.
struct Fractions {
  std::vector<std::vector<double>> rows;
  std::vector<double> denominators;

  Magnitudes divided() const {
    return made([this](std::size_t row) { return denominators[row]; });
  }
  Magnitudes undivided() const {
    return made([](std::size_t) { return 1.0; });
  }

 private:
  template <typename Divisor>
  Magnitudes made(Divisor divisor) const {
    Magnitudes result{.rows = rows.size(), .columns = rows.front().size(), .entries = {}};
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const double entry : rows[row]) result.entries.push_back(entry / divisor(row));
    }
    return result;
  }
};

Magnitudes of_integers(std::vector<std::vector<double>> rows) {
  const std::vector<double> ones(rows.size(), 1);
  return Fractions{std::move(rows), ones}.divided();
}

AxisForm made_form(Magnitudes larger, const Fractions& smaller, const Fractions& results) {
  AxisForm made{.larger = std::move(larger),
                .smaller = smaller.divided(),
                .results = results.divided(),
                .undivided = smaller.undivided()};
  const auto is_whole = [](double denominator) { return denominator == 1; };
  made.keeps_integers = std::ranges::all_of(smaller.denominators, is_power_of_two) &&
                        std::ranges::all_of(results.denominators, is_power_of_two);
  made.smaller_has_fractions = !std::ranges::all_of(smaller.denominators, is_whole);
  return made;
}

/// Points 0, 1, -1 and infinity.
Magnitudes three_points() {
  return of_integers({{1, 0, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 0, 1}});
}

/// Points 0, 1, -1, 2, -2 and infinity.
Magnitudes five_points() {
  return of_integers({{4, 0, 5, 0, 1, 0},
                      {0, 4, 4, 1, 1, 0},
                      {0, 4, 4, 1, 1, 0},
                      {0, 2, 1, 2, 1, 0},
                      {0, 2, 1, 2, 1, 0},
                      {0, 4, 0, 5, 0, 1}});
}

AxisForm three_of_two() {
  return made_form(three_points(), {{{1, 0}, {1, 1}, {1, 1}, {0, 1}}, {1, 1, 1, 1}},
                   {{{2, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 2}}, {2, 2, 2}});
}

AxisForm two_of_three() {
  return made_form(three_points(), {{{1, 0, 0}, {1, 1, 1}, {1, 1, 1}, {0, 0, 1}}, {1, 2, 2, 1}},
                   {{{1, 1, 1, 0}, {0, 1, 1, 1}}, {1, 1}});
}

AxisForm four_of_three() {
  return made_form(
      five_points(),
      {{{1, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 2, 4}, {1, 2, 4}, {0, 0, 1}}, {4, 6, 6, 24, 24, 1}},
      {{{1, 1, 1, 1, 1, 0}, {0, 1, 1, 2, 2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, 1, 8, 8, 1}},
       {1, 1, 1, 1}});
}

AxisForm three_of_four() {
  return made_form(
      five_points(),
      {{{1, 0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 2, 4, 8}, {1, 2, 4, 8}, {0, 0, 0, 1}},
       {4, 6, 6, 24, 24, 1}},
      {{{1, 1, 1, 1, 1, 0}, {0, 1, 1, 2, 2, 0}, {0, 1, 1, 4, 4, 1}}, {1, 1, 1}});
}

}  // namespace

double Magnitudes::largest_row_sum() const {
  double largest = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < columns; ++column) sum += at(row, column);
    largest = std::max(largest, sum);
  }
  return largest;
}

std::size_t Magnitudes::most_non_zeros() const {
  std::size_t most = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t count = 0;
    for (std::size_t column = 0; column < columns; ++column) count += at(row, column) != 0 ? 1 : 0;
    most = std::max(most, count);
  }
  return most;
}

std::uint64_t Magnitudes::roundings() const {
  std::uint64_t most = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint64_t additions = 0, of_factors = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      const double entry = at(row, column);
      if (entry == 0) continue;
      ++additions;
      const std::uint64_t of_this = is_power_of_two(entry) ? 0 : is_one_float(entry) ? 1 : 2;
      of_factors = std::max(of_factors, of_this);
    }
    most = std::max(most, additions - std::min<std::uint64_t>(additions, 1) + of_factors);
  }
  return most;
}

const AxisForm& axis_form(Algorithm algorithm) {
  static const AxisForm of_two = three_of_two(), of_four = three_of_four(), two = two_of_three(),
                        four = four_of_three();
  switch (algorithm) {
    case Algorithm::Winograd3x2:
      return of_two;
    case Algorithm::Winograd3x4:
      return of_four;
    case Algorithm::Winograd2x3:
      return two;
    case Algorithm::Winograd4x3:
      return four;
    default:
      return plain_axis();
  }
}

const AxisForm& plain_axis() {
  static const AxisForm plain;
  return plain;
}

}  // namespace gradproof::oracle
