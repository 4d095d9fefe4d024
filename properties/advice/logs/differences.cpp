#include "properties/advice/logs/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

struct DifferenceRow {
  std::string_view pattern;  ///< of a line (pattern.h)
  std::string_view measure;
  std::string_view parts =
      {};  ///< what its numbers are: value, limit, reference, place, step; - is none
};

constexpr std::string_view absolute_difference = "largest absolute difference";
constexpr std::string_view relative_difference = "largest relative difference";
constexpr std::string_view root_mean_square = "root mean square of the differences";
constexpr std::string_view wrong_elements = "wrong elements";
constexpr std::string_view finite_differences = "check by finite differences";
constexpr std::string_view some_difference = "difference";

/// The first that fits a line counts.
constexpr DifferenceRow difference_rows[] = {
    {"greatest absolute difference: # at*up to # allowed", absolute_difference, "vl"},
    {"greatest relative difference: # at*up to # allowed", relative_difference, "vl"},
    {"greatest absolute difference: #", absolute_difference, "v"},
    {"greatest relative difference: #", relative_difference, "v"},
    {"maxdiff = # > atol=#", absolute_difference, "vl"},
    {"max absolute difference*#", absolute_difference, "v"},
    {"max relative difference*#", relative_difference, "v"},
    {"mismatched elements: # / #", wrong_elements, "vr"},
    {"mismatched elements*#", wrong_elements, "v"},
    {"rmse (res-fp64): #, (ref-fp64): #*tol: #", root_mean_square, "vrl"},
    {"rmse*# > #", root_mean_square, "vl"},
    {"rmse*~", root_mean_square, "v"},
    {"root mean square*~", root_mean_square, "v"},
    {"difference between * is #, which exceeds #", absolute_difference, "vl"},
    {"difference between * is #, which exceeds", absolute_difference, "v"},
    {"computed_gradient evaluates to #", "gradient that was computed", "v"},
    {"estimated_gradient evaluates to #", "gradient by finite differences", "v"},
    {"threshold_ * scale evaluates to #", "limit of the difference", "l"},
    {"diff:# rdiff:#", "difference of one element, absolute and relative", "vr"},
    {"final: diff: # *trh: #", "largest difference of all elements", "vl"},
    {"failed (errors:# total:#", wrong_elements, "vr"},
    {"max gradient diff value*# exceeds*#", absolute_difference, "vl"},
    {"max gradient diff value*#", absolute_difference, "v"},
    {"maximum gradient error*#", absolute_difference, "v"},
    {"max*rel*diff*# > #", relative_difference, "vl"},
    {"max*diff*# > #", absolute_difference, "vl"},
    {"max*diff*# (tol*#", absolute_difference, "vl"},
    {"max rel*diff*#", relative_difference, "v"},
    {"max_rel*#", relative_difference, "v"},
    {"max abs*diff*#", absolute_difference, "v"},
    {"max_abs*#", absolute_difference, "v"},
    {"max diff*~", absolute_difference, "v"},
    {"max_diff*~", absolute_difference, "v"},
    {"maxdiff*~", absolute_difference, "v"},
    {"maximum*difference*~", absolute_difference, "v"},
    {"max*relative error*#", relative_difference, "v"},
    {"max*rel*err*~", relative_difference, "v"},
    {"max*abs*err*~", absolute_difference, "v"},
    {"max*error*# > #", absolute_difference, "vl"},
    {"max error*~", absolute_difference, "v"},
    {"maximum error*~", absolute_difference, "v"},
    {"mean*diff*~", "mean difference", "v"},
    {"mean absolute error*~", "mean difference", "v"},
    {"mse*~", "mean square of the differences", "v"},
    {"relative error*# > #", relative_difference, "vl"},
    {"relative error*~", relative_difference, "v"},
    {"rel_err*~", relative_difference, "v"},
    {"rel err*~", relative_difference, "v"},
    {"stddev # > ", "standard deviation of the differences", "v"},
    {"stddev: ~", "standard deviation of the differences", "v"},
    {"std dev*~", "standard deviation of the differences", "v"},
    {"cosine*~", "cosine, which hides single wrong elements", "v"},
    {"cos_sim*~", "cosine, which hides single wrong elements", "v"},
    {"ulp*# > #", "units in the last place", "vl"},
    {"max ulp*#", "units in the last place", "v"},
    {"# ulp", "units in the last place", "v"},
    {"not equal to tolerance rtol=#, atol=#", "limits rtol and atol", "lr"},
    {"jacobian mismatch for output # with respect to input #", finite_differences, "--"},
    {"jacobian mismatch", finite_differences},
    {"gradcheckerror", finite_differences},
    {"gradcheck failed", finite_differences},
    {"gradient check failed", finite_differences},
    {"gradient check*failed", finite_differences},
    {"error = ~*gradient", finite_differences, "v"},
    {"numerical gradient", finite_differences},
    {"numeric gradient", finite_differences},
    {"numerical:", finite_differences},
    {"finite difference", finite_differences},
    {"differs from the numerical", finite_differences},
    {"allclose*false", "allclose is False"},
    {"allclose*failed", "allclose is False"},
    {"isclose*false", "allclose is False"},
    {"tensor-likes are not close", "the arrays are not close"},
    {"tensor-likes are not equal", "the arrays are not equal"},
    {"arrays are not almost equal to # decimals", "the arrays are not equal to so many decimals",
     "l"},
    {"arrays are not equal", "the arrays are not equal"},
    {"accuracy failed for", "a comparison of accuracy failed"},
    {"fail_accuracy", "a comparison of accuracy failed"},
    {"accuracy check failed", "a comparison of accuracy failed"},
    {"verification failed: ~", some_difference, "v"},
    {"failed: ~ > #", some_difference, "vl"},
    {"distance ~ > #", some_difference, "vl"},
    {"difference at #: ~, expected #", "one element: what came and what was expected", "-vr"},
    {"convolution * failed: ~", some_difference, "v"},
    {"failed: ~", some_difference, "v"},
    {"exceeds tolerance*#", some_difference, "l"},
    {"exceeds threshold*#", some_difference, "l"},
    {"diff*# > #", some_difference, "vl"},
    {"error*~ > #", some_difference, "vl"},
    {"diff = ~", some_difference, "v"},
    {"diff: ~", some_difference, "v"},
    {"difference: ~", some_difference, "v"},
    {"expected: ~*got: #", "one element: what was expected and what came", "rv"},
    {"expected ~*got #", "one element: what was expected and what came", "rv"},
    {"expected=~*actual=#", "one element: what was expected and what came", "rv"},
    {"wrong gradient", "a gradient is called wrong"},
    {"incorrect gradient", "a gradient is called wrong"},
    {"gradients are wrong", "a gradient is called wrong"},
    {"gradients are incorrect", "a gradient is called wrong"},
    {"gradients do not match", "gradients differ"},
    {"gradients don't match", "gradients differ"},
    {"gradient mismatch", "gradients differ"},
    {"outputs do not match", "results differ"},
    {"results differ", "results differ"},
    {"output mismatch", "results differ"},
    {"numerical mismatch", "results differ"},
    {"not bitwise", "bits differ"},
    {"non-deterministic result", "bits differ from run to run"},
    {"\xe7\xb2\xbe\xe5\xba\xa6\xe4\xb8\x8d\xe8\xbe\xbe\xe6\xa0\x87",
     "a comparison of accuracy failed"},
    {"\xe7\xb2\xbe\xe5\xba\xa6*\xe5\xa4\xb1\xe8\xb4\xa5", "a comparison of accuracy failed"},
    {"\xe6\x9c\x80\xe5\xa4\xa7\xe8\xaf\xaf\xe5\xb7\xae*#", absolute_difference, "v"},
    {"\xe7\x9b\xb8\xe5\xaf\xb9\xe8\xaf\xaf\xe5\xb7\xae*#", relative_difference, "v"},
    {"\xe7\xbb\x9d\xe5\xaf\xb9\xe8\xaf\xaf\xe5\xb7\xae*#", absolute_difference, "v"},
};

/// Cheap: most lines of a log speak of nothing of this.
bool may_speak(std::string_view line) {
  constexpr std::string_view words =
      "diff|distance|err|mismatch|fail|rmse|stddev|std "
      "dev|close|cosine|cos_sim|ulp|exceeds|evaluates|gradient|grad|jacobian|"
      "numerical:|equal|expected|max_abs|max_rel|mse|accuracy|root "
      "mean|bitwise|deterministic|\xe5\xba\xa6|\xe5\xb7\xae";
  return has_any(line, words);
}

Difference difference_of(const DifferenceRow& row, const std::vector<std::string>& numbers,
                         std::size_t line) {
  Difference found{.measure = row.measure, .line = line};
  for (std::size_t i = 0; i < std::min(numbers.size(), row.parts.size()); ++i) {
    if (row.parts[i] == 'v') found.value = numbers[i];
    if (row.parts[i] == 'l') found.limit = numbers[i];
    if (row.parts[i] == 'r') found.reference = numbers[i];
  }
  return found;
}

void read_place(const std::string& line, Difference& found) {
  const std::size_t at = line.find("at index (");
  if (at == std::string::npos) return;
  const std::size_t close = line.find(')', at);
  if (close != std::string::npos && close - at < 60)
    found.place = line.substr(at + 9, close - at - 8);
}

void read_check(const std::string& line, GradientCheck& found) {
  for (const std::string_view pattern :
       {"stepsize_ = #", "stepsize = #", "step = #", "step=#", "epsilon = #", "epsilon=#", "eps=#",
        "eps = #", "delta = #"}) {
    const auto numbers = matched(line, pattern);
    if (!numbers || found.step) continue;
    const double step = std::strtod((*numbers)[0].c_str(), nullptr);
    if (step > 0 && step < 1) found.step = step;
  }
  found.is_double = found.is_double || has_any(line, "double|float64");
  found.is_float =
      found.is_float || has_any(line, "float32|typeparam = float|torch.float,|torch.float)");
}

}  // namespace

Differences differences_in(std::string_view text) {
  Differences found;
  std::size_t number = 0;
  bool is_torchs = false;
  for (const std::string_view raw : lines_of(text)) {
    ++number;
    const std::string small = in_small_letters(raw.substr(0, 4000));
    read_check(small, found.check);
    is_torchs = is_torchs || small.find("gradcheck") != std::string::npos;
    if (!may_speak(small)) continue;
    const std::string line = plain_line(small);
    for (const DifferenceRow& row : difference_rows) {
      const auto numbers = matched(line, row.pattern);
      if (!numbers) continue;
      found.check.is_there = found.check.is_there || row.measure == finite_differences ||
                             row.measure == "gradient by finite differences";
      Difference one = difference_of(row, *numbers, number);
      read_place(line, one);
      constexpr std::size_t most = 8;
      const bool again =
          one.value.empty() && one.limit.empty() &&
          std::ranges::any_of(found.all, [&](auto& other) { return other.measure == one.measure; });
      if (found.all.size() < most && !again) found.all.push_back(std::move(one));
      break;
    }
  }
  if (is_torchs && found.check.is_there && !found.check.step) found.check.step = 1e-6;
  return found;
}

std::string words_of(const Difference& difference) {
  std::string words(difference.measure);
  if (!difference.value.empty()) words += fmt::format(" {}", difference.value);
  if (!difference.reference.empty()) words += fmt::format(", against {}", difference.reference);
  if (!difference.limit.empty()) words += fmt::format(", limit {}", difference.limit);
  if (!difference.place.empty()) words += fmt::format(", at {}", difference.place);
  return words;
}

std::string words_of(const GradientCheck& check) {
  if (!check.is_there) return {};
  std::string words =
      "the gradient is compared with differences of finite steps; a convolution is linear in each "
      "operand, so these are "
      "off by rounding alone: ulp(y) / (2 step)";
  const double step = check.step.value_or(0);
  const auto off = [&](double unit) { return unit / (2 * step); };
  if (step > 0 && (check.is_float || !check.is_double)) {
    words += fmt::format(", with step {:g} in FLOAT {:.2g} for results near 1", step, off(0x1p-23));
  }
  if (step > 0 && check.is_double)
    words += fmt::format(", with step {:g} in double {:.2g}", step, off(0x1p-52));
  return words + "; a mismatch of that size shows no wrong gradient";
}

}  // namespace gradproof::advice
