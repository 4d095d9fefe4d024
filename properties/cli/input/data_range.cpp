#include "properties/cli/input/data_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "corpus/words/words.h"
#include "properties/advice/interop/tensor_file.h"

namespace gradproof::cli {
namespace {

std::optional<double> finite_number(const std::string& text) {
  double number = 0;
  const char* last = text.data() + text.size();
  const auto read = std::from_chars(text.data(), last, number);
  const bool is_number = read.ec == std::errc{} && read.ptr == last && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

/// "-1,1", "normal" or "normal,0.02"; nullopt: none of them.
std::optional<advice::DataLaw> law_in_words(const std::string& text) {
  const auto ends = corpus::words_of_list(text);
  if (!ends.empty() && ends[0] == "normal" && ends.size() <= 2) {
    const auto deviation = ends.size() == 1 ? std::optional(1.0) : finite_number(ends[1]);
    if (!deviation || *deviation <= 0) return std::nullopt;
    return advice::normal_law(*deviation);
  }
  if (ends.size() != 2) return std::nullopt;
  const auto low = finite_number(ends[0]), high = finite_number(ends[1]);
  if (!low || !high) return std::nullopt;
  if (*low == 0 && *high == 0) return std::nullopt;
  return advice::uniform_law(std::min(*low, *high), std::max(*low, *high));
}

tl::expected<DataRange, std::string> range_of_file(const std::string& text) {
  const auto tensor = advice::read_tensor_file(text, advice::ElementOrder::Any);
  if (!tensor) return tl::unexpected(tensor.error());
  const auto found = advice::magnitudes_of(*tensor);
  if (!found) return tl::unexpected(fmt::format("{}: {}", text, found.error()));
  if (found->not_finite > 0) {
    return tl::unexpected(
        fmt::format("{}: {} of {} elements are NaN or infinite; no tolerance holds for them", text,
                    found->not_finite, found->elements));
  }
  if (found->largest == 0) return tl::unexpected(text + ": holds nothing but zeros");
  return DataRange{
      advice::law_of_values(found->values, "like that of " + text),
      fmt::format("{}: {} [{}], absolute values {:.3g} to {:.3g}{}\n", text, name_of(tensor->dtype),
                  fmt::join(tensor->shape, ", "), found->smallest, found->largest,
                  found->zeros > 0 ? fmt::format(", and {} zeros", found->zeros) : "")};
}

}  // namespace

tl::expected<DataRange, std::string> data_range(const std::optional<std::string>& text) {
  if (!text) return DataRange{};
  if (const auto law = law_in_words(*text)) return DataRange{*law};
  std::error_code ignored;
  const bool names_file = std::filesystem::exists(*text, ignored) ||
                          text->find(':') != std::string::npos || text->ends_with(".npy");
  if (names_file) return range_of_file(*text);
  return tl::unexpected(
      fmt::format("\"{}\" is no range of numbers such as -1,1, and no file of data (FILE.npy, "
                  "FILE:DTYPE); data of a normal law: normal,DEVIATION",
                  *text));
}

}  // namespace gradproof::cli
