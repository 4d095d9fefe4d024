#include "oracle/rules/messages.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace gradproof::oracle::rules {

std::string list_of(std::span<const std::int64_t> values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string_view chip(const Facts& facts) { return corpus::name_of(facts.product); }

std::string_view direction(const Facts& facts) {
  return facts.transposed() ? "transposed" : "not transposed";
}

std::string_view axis_name(std::size_t rank, std::size_t i) {
  constexpr std::string_view names[] = {"D", "H", "W"};
  return rank == 3 ? "L" : names[(i + 5 - rank) % 3];
}

std::string requested_or_not(const Facts& facts, corpus::OutputRole role) {
  return fmt::format("{} is {}requested", corpus::name_of(role),
                     facts.is_requested(role) ? "" : "not ");
}

std::string_view big_name(const Facts& facts) {
  return facts.transposed() ? "gradOutput" : "input";
}

std::string_view small_name(const Facts& facts) {
  return facts.transposed() ? "input" : "gradOutput";
}

}  // namespace gradproof::oracle::rules
