#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::fuzz {

/// Numbers that stand in a text, and 1.
inline std::vector<std::int64_t> numbers_of(std::string_view text) {
  std::vector<std::int64_t> numbers{1};
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && advice::is_decimal(text[end])) ++end;
    const auto value = advice::integer_of(text.substr(i, end - i));
    if (value && std::ranges::find(numbers, *value) == numbers.end()) numbers.push_back(*value);
    i = std::max(end, i + 1);
  }
  return numbers;
}

/// True if a number is the sum, difference, product or quotient of two of the others.
inline bool is_computed(std::int64_t number, const std::vector<std::int64_t>& others) {
  return std::ranges::any_of(others, [&](std::int64_t one) {
    return std::ranges::any_of(others, [&](std::int64_t other) {
      std::int64_t result = 0;
      const bool product = !__builtin_mul_overflow(one, other, &result) && result == number;
      const bool sum = !__builtin_add_overflow(one, other, &result) && result == number;
      const bool difference = !__builtin_sub_overflow(one, other, &result) && result == number;
      return product || sum || difference || (other != 0 && one / other == number);
    });
  });
}

/// The first length of input, weight or gradOutput of a call that the text neither states nor
/// states the parts of, as numbers of one or two operations; empty: there is none.
inline std::string unstated_number(const advice::FoundCall& call, std::string_view text) {
  // Lists may be counted, and stand for their lengths.
  if (text.find("[[") != text.npos || text.find('*') != text.npos) return {};
  std::string stated(text);  // and what a command means that leaves an option out
  for (const advice::CallRow& row : advice::call_rows())
    if (row.notation == call.notation && row.form == advice::Form::Words) stated += row.means;
  const auto numbers = numbers_of(stated);
  for (const auto* word : {&call.words.input, &call.words.weight, &call.words.grad_output}) {
    const auto lengths = advice::integers_of_line(word->value_or(""));
    // How many weights there are says the channels of each: ncnn.
    std::int64_t product = 1;
    for (const std::int64_t length : lengths.value_or(advice::Integers{}))
      if (__builtin_mul_overflow(product, length, &product)) product = 0;
    if (call.notation.starts_with("ncnn") && std::ranges::count(numbers, product) > 0) continue;
    for (const std::int64_t length : lengths.value_or(advice::Integers{}))
      if (length > 1 && !is_computed(length, numbers)) return std::to_string(length);  // or 1 * it
  }
  return {};
}

}  // namespace gradproof::fuzz
