#include "properties/cli/input/values.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

namespace gradproof::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr Unit time_units[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}};  // milliseconds
constexpr Unit byte_units[] = {{"", 1}, {"K", 1024}, {"M", 1048576}, {"G", 1073741824}};

/// Integers up to here are exact in a double.
constexpr double largest_count = 9007199254740992.0;

bool parse_number(std::string_view text, double& number, std::string_view& rest) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{} && std::isfinite(number);
}

}  // namespace

tl::expected<std::chrono::milliseconds, std::string> parse_duration(std::string_view text) {
  double number = 0;
  std::string_view unit;
  const auto bad = [&] {
    return tl::unexpected(
        fmt::format("\"{}\" is not a duration; write 500ms, 60s, 5m or 2h", text));
  };
  if (!parse_number(text, number, unit) || number < 0) return bad();
  if (unit.empty()) unit = "s";
  for (const Unit& known : time_units) {
    const double milliseconds = number * known.factor;
    if (unit != known.name) continue;
    if (milliseconds > largest_count) return bad();
    return std::chrono::milliseconds(std::llround(milliseconds));
  }
  return bad();
}

tl::expected<std::uint64_t, std::string> parse_count(std::string_view text) {
  std::uint64_t exact = 0;
  const char* last = text.data() + text.size();
  const auto whole = std::from_chars(text.data(), last, exact);
  if (whole.ec == std::errc{} && whole.ptr == last) return exact;
  double number = 0;
  std::string_view rest;
  const bool read = parse_number(text, number, rest) && rest.empty();
  if (!read || number < 0 || number > largest_count || number != std::floor(number)) {
    return tl::unexpected(fmt::format("\"{}\" is not a whole number; write 300 or 2e7", text));
  }
  return static_cast<std::uint64_t>(number);
}

tl::expected<std::uint64_t, std::string> parse_bytes(std::string_view text) {
  double number = 0;
  std::string_view unit;
  const bool read = parse_number(text, number, unit) && number >= 0;
  if (unit.ends_with('B')) unit.remove_suffix(1);
  if (unit.ends_with('i')) unit.remove_suffix(1);
  for (const Unit& known : byte_units) {
    const double bytes = number * known.factor;
    if (!read || unit != known.name || bytes > largest_count) continue;
    return static_cast<std::uint64_t>(std::llround(bytes));
  }
  return tl::unexpected(fmt::format("\"{}\" is not a size; write 65536, 512K, 64M or 1G", text));
}

tl::expected<bool, std::string> parse_yes_no(std::string_view text) {
  if (text == "yes") return true;
  if (text == "no") return false;
  return tl::unexpected(fmt::format("\"{}\" is neither yes nor no", text));
}

tl::expected<std::vector<std::string>, std::string> parse_list(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) {
      return tl::unexpected(fmt::format("\"{}\" is not a list of names with commas between", text));
    }
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace gradproof::cli
