// Differences in words, and what their size says.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/differences/differences.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

bool is_half_type(std::string_view dtype) {
  return !dtype.empty() && dtype != "double" && dtype != "float64" && dtype != "DOUBLE" &&
         dtype[0] != 'b' && dtype[0] != 'B';
}

}  // namespace

std::string words_of(const Difference& difference) {
  std::string words(difference.gradient);
  if (!words.empty()) words += ": ";
  if (difference.measure == "limits rtol and atol")
    return words + fmt::format("limits: rtol {}, atol {}", difference.limit, difference.reference);
  words += difference.measure;
  if (!difference.value.empty()) words += fmt::format(" {}", difference.value);
  const bool counts = difference.measure == "wrong elements";
  if (!difference.reference.empty())
    words += fmt::format("{} {}", counts ? " of" : ", against", difference.reference);
  if (!difference.limit.empty()) words += fmt::format(", limit {}", difference.limit);
  if (!difference.place.empty()) words += fmt::format(", at {}", difference.place);
  return words;
}

std::string words_of(const GradientCheck& check) {
  if (!check.is_there) return {};
  std::string words =
      "the gradient is compared with differences of finite steps; a "
      "convolution is linear in each "
      "operand, so these are off by rounding alone: ulp(y) / (2 step)";
  const double step = check.step.value_or(0);
  const auto off = [&](double unit) { return unit / (2 * step); };
  if (step > 0 && (check.is_float || !check.is_double)) {
    words += fmt::format(", with step {:g} in FLOAT {:.2g} for results near 1", step, off(0x1p-23));
  }
  if (step > 0 && check.is_double)
    words += fmt::format(", with step {:g} in double {:.2g}", step, off(0x1p-52));
  return words + "; a mismatch of that size shows no wrong gradient";
}

std::string words_of_overflow(const Differences& differences) {
  const bool is_there =
      std::ranges::find(differences.all, not_finite, &Difference::measure) != differences.all.end();
  if (!is_there) return {};
  constexpr double largest_half = 65504;
  const bool is_half = is_half_type(differences.dtype);
  const bool is_beyond =
      is_half && std::strtod(differences.largest.c_str(), nullptr) > largest_half;
  return fmt::format(
      "NaN and infinity are no rounding{}: look for the first tensor that has one "
      "(torch.autograd.set_detect_anomaly, or a check behind each layer){}",
      is_beyond ? fmt::format("; {} is beyond FLOAT16's largest number 65504", differences.largest)
                : std::string(),
      is_half ? "; a smaller loss scale, or BFLOAT16 or FLOAT for this layer" : "");
}

std::optional<Difference> of_two_devices(std::string_view line, std::size_t number) {
  constexpr std::string_view names =
      "|cpu|gpu|npu|tpu|mps|xpu|webgl|webgpu|wasm|host|device|ref|reference|golden|";
  Difference found{.measure = "one element, by two programs", .line = number};
  std::string_view first;
  std::size_t last = line.npos;
  for (const Word& word : words_in(line)) {
    if (word.text == first || !is_one_of(names, word.text)) continue;
    std::size_t at = word.end();
    if (line.substr(at).starts_with('[')) at = std::min(line.find(']', at), line.size() - 1) + 1;
    const std::size_t gap = line.find_first_of("0123456789-", at);  // "npu result: 1.375"
    at = gap == line.npos || gap > at + 12 || has_any(line.substr(at, gap - at), ",|;|(|)")
             ? line.size()
             : gap;
    std::string value(line.substr(at, line.find_first_not_of("0123456789.e+-", at) - at));
    while (value.ends_with('.')) value.pop_back();
    const std::size_t digit = value.find_first_of("0123456789");
    const bool is_fraction = digit != value.npos && value.find_first_of(".e") != value.npos &&
                             std::ranges::count(value, '.') < 2;
    if (!is_fraction || digit > 1) continue;
    if (!found.reference.empty()) return std::nullopt;  // a third
    if (at == last) return std::nullopt;                // one number behind both names
    last = at;
    (first.empty() ? found.value : found.reference) = value;
    if (first.empty()) first = word.text;
  }
  if (found.reference.empty()) return std::nullopt;
  return found;
}

bool fails(std::string_view line) { return has_any(line, "fail|✗|❌|不通过|不达标| error |"); }

bool passes(std::string_view line) {
  if (fails(line)) return false;
  const bool says = std::ranges::any_of(text_parts(line, "|"), [](std::string_view cell) {
    return cell == "ok" || cell == "pass" || cell == "passed";
  });
  return says || line.starts_with("pass") ||
         (line.ends_with(" pass") && !line.ends_with("ward pass")) ||
         has_any(line, " passed|[pass|verifies ok|... ok|[ok|(ok|: ok|, ok|> ok|✓|✅|通过");
}

bool is_verdict(std::string_view line) {
  return has_any(line.substr(0, 9), "result|status|verdict|结果");
}

bool means_it(const Difference& one, const std::string& line) {
  const bool is_percent = one.measure.starts_with("relative difference in percent");
  if (is_percent) return one.value.ends_with('%');
  if (one.measure == "a value, by two programs" &&
      !has_any(line, "grad|mismatch|diff|wrong|weight|bias|dw|dx|db|sum|norm|梯度"))
    return false;
  return !one.measure.ends_with("by two programs") ||
         !has_any(line, " ms|sec|fps|ghz|it/s|time|耗时|latency|gb|mb|%");
}

}  // namespace gradproof::advice
