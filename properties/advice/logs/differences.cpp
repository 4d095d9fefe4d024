#include "properties/advice/logs/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view absolute_difference = "largest absolute difference";
constexpr std::string_view relative_difference = "largest relative difference";
constexpr std::string_view finite_differences = "check by finite differences";

// How it was measured; what the numbers are: v value, l limit, r reference, - none; phrases. The
// first that fits a line counts.
constexpr std::string_view measure_rows = R"(
largest absolute difference | vl | greatest absolute difference: # at*up to # allowed
largest relative difference | vl | greatest relative difference: # at*up to # allowed
largest absolute difference | v | greatest absolute difference: #
largest relative difference | v | greatest relative difference: #
largest absolute difference | vl | maxdiff = # > atol=#
largest absolute difference | v | max absolute difference*#
largest relative difference | v | max relative difference*#
wrong elements | vr | mismatched elements: # / #
wrong elements | v | mismatched elements*#
wrong elements in percent | v | (mismatch #%
root mean square of the differences | vrl | rmse (res-fp64): #, (ref-fp64): #*tol: #
root mean square of the differences | vl | rmse*# > #
root mean square of the differences | v | rmse*~ ; root mean square*~
largest absolute difference | vl | difference between * is #, which exceeds #
largest absolute difference | v | difference between * is #, which exceeds
gradient that was computed | v | computed_gradient evaluates to #
gradient by finite differences | v | estimated_gradient evaluates to #
limit of the difference | l | threshold_ * scale evaluates to #
difference of one element, absolute and relative | vr | diff:# rdiff:#
largest difference of all elements | vl | final: diff: # *trh: #
wrong elements | vr | failed (errors:# total:#
largest absolute difference | vl | max gradient diff value*# exceeds*#
largest absolute difference | v | max gradient diff value*# ; maximum gradient error*# ; max gradient error*#
largest relative difference | vl | max*rel*diff*# > #
largest absolute difference | vl | max*diff*# > # ; max*diff*# (tol*#
largest relative difference | v | max rel*diff*# ; max_rel*# ; max relative error*#
largest absolute difference | v | max abs*diff*# ; max_abs*# ; max absolute error*# ; max diff*~ ; max diff: # ; max diff = # ; max_diff*~ ; maxdiff*~ ; max difference*~ ; maximum*difference*~
largest relative difference | v | max*relative error*# ; max*rel*err*~
largest absolute difference | v | max*abs*err*~
largest absolute difference | vl | max*error*# > #
largest absolute difference | v | max error*~ ; max err*~ ; maximum error*~
mean difference | v | mean*diff*~ ; mean absolute error*~ ; mean abs*err*~
mean square of the differences | v | mse*~ ; mean squared error*~
relative difference in the 2-norm | v | relative l2*~ ; rel_l2*~ ; l2 relative*~ ; l2 error*~
largest relative difference | vl | relative error*# > #
largest relative difference | v | relative error*~ ; rel_err*~ ; rel err*~ ; relative difference*~ ; relative gradient diff*~
difference | v | abs_err*~ ; absolute error*~ ; absolute difference*~
standard deviation of the differences | v | stddev # > ; stddev: ~ ; std dev*~
cosine, which hides single wrong elements | v | cosine*~ ; cos_sim*~ ; 余弦相似度*~
signal to noise in dB | v | snr*~
units in the last place | vl | ulp*# > # ; almost equal to # ulp
units in the last place | v | max ulp*# ; # ulp
limits rtol and atol | lr | not equal to tolerance rtol=#, atol=#
check by finite differences | -- | jacobian mismatch for output # with respect to input #
check by finite differences |  | jacobian mismatch ; gradcheckerror ; gradcheck failed ; gradient check failed ; gradient check*failed
check by finite differences | v | error = ~*gradient
check by finite differences |  | numerical gradient ; numeric gradient ; numerical: ; finite difference ; differs from the numerical ; 数值梯度
NaN or infinity |  | returned nan values ; nan location mismatch ; gradient is nan ; gradients are nan ; grad is nan ; nan gradient ; nan in grad
allclose is False |  | allclose*false ; allclose*failed ; isclose*false
the arrays are not close |  | tensor-likes are not close ; values are not close ; tensors are not close ; is not close to
the arrays are not equal |  | tensor-likes are not equal
the arrays are not equal to so many decimals | l | arrays are not almost equal to # decimals
the arrays are not equal |  | arrays are not equal
a comparison of accuracy failed |  | accuracy failed for ; fail_accuracy ; accuracy check failed ; 精度不达标 ; 精度不一致 ; 精度异常 ; 精度*失败
difference | v | verification failed: ~
difference | vl | failed: ~ > # ; distance ~ > #
one element: what came and what was expected | -vr | difference at #: ~, expected #
one element, by two programs | -vr | mismatch at #: # != # ; mismatch at #: # vs #
one element, by two programs | vr | mismatch of*: # vs*: # ; cpu: # vs*: # ; cpu: #, npu: # ; cpu: #, gpu: # ; ref: # vs*: #
difference | v | convolution * failed: ~ ; failed: ~
difference | l | exceeds tolerance*# ; exceeds threshold*#
difference | vl | diff*# > # ; error*~ > #
difference | v | diff = ~ ; diff: ~ ; difference: ~ ; difference of ~ ; differ by ~ ; differs by ~
one element: what was expected and what came | rv | expected: ~*got: # ; expected ~*got # ; expected=~*actual=# ; expected: ~*actual: #
one element: what came and what was expected | vr | actual: ~*expected: # ; actual ~*expected # ; actual=~*expected=# ; got ~*expected # ; got: ~*expected: #
a gradient is called wrong |  | wrong gradient ; incorrect gradient ; gradients are wrong ; gradients are incorrect ; gradient is wrong ; gradient is incorrect ; 梯度错误 ; 梯度不正确
gradients differ |  | gradients do not match ; gradients don't match ; gradient mismatch ; gradients mismatch ; gradients differ ; 梯度*不一致
results differ |  | outputs do not match ; results do not match ; results differ ; output mismatch ; result mismatch ; results mismatch ; numerical mismatch ; 结果不一致
bits differ |  | not bitwise
bits differ from run to run |  | non-deterministic result ; differ from run to run ; differ between runs ; not reproducible
largest relative difference | v | 最大相对误差*#
largest absolute difference | v | 最大误差*# ; 最大绝对误差*#
relative difference | v | 相对误差*#
difference | v | 绝对误差*#
)";

struct Row {
  std::string_view measure, parts;
};
struct Measures {
  Patterns patterns;
  std::vector<Row> rows;  ///< of each pattern
};

const Measures& measures() {
  static const Measures all = [] {
    Measures made;
    for (const auto& row : table_rows(measure_rows, 3)) {
      for (const std::string_view pattern : parts_of_cell(row[2])) {
        made.patterns.add(pattern);
        made.rows.push_back({row[0], row[1]});
      }
    }
    return made;
  }();
  return all;
}

Difference difference_of(const Row& row, const std::vector<std::string>& numbers,
                         std::size_t line) {
  Difference found{.measure = row.measure, .line = line};
  for (std::size_t i = 0; i < std::min(numbers.size(), row.parts.size()); ++i) {
    if (row.parts[i] == 'v') found.value = numbers[i];
    if (row.parts[i] == 'l') found.limit = numbers[i];
    if (row.parts[i] == 'r') found.reference = numbers[i];
  }
  return found;
}

std::string place_in(const std::string& line) {
  const std::size_t at = line.find("at index (");
  const std::size_t close = at == std::string::npos ? at : line.find(')', at);
  return close != std::string::npos && close - at < 60 ? line.substr(at + 9, close - at - 8) : "";
}

void read_check(const std::string& line, GradientCheck& found) {
  static const Patterns steps = [] {
    Patterns all;
    for (const std::string_view pattern :
         {"stepsize_ = #", "stepsize = #", "step = #", "step=#", "step size = #", "epsilon = #",
          "epsilon=#", "eps=#", "eps = #", "delta = #", "delta=#"})
      all.add(pattern);
    return all;
  }();
  for (const auto& match : steps.in(line)) {
    const double step = std::strtod(match.numbers[0].c_str(), nullptr);
    if (!found.step && step > 0 && step < 1) found.step = step;
  }
  found.is_double = found.is_double || has_any(line, "double|float64|complex128");
  found.is_float = found.is_float ||
                   has_any(line, "float32|complex64|typeparam = float|torch.float,|torch.float)");
}

/// Adds what a line says: the first measure, and an absolute or relative one that stands behind it.
void read_line(const std::string& line, std::size_t number, Differences& found) {
  constexpr std::size_t most = 8;
  std::vector<Difference> here;
  for (const auto& [pattern, numbers] : measures().patterns.in(line)) {
    Difference one = difference_of(measures().rows[pattern], numbers, number);
    const bool is_second =
        !one.value.empty() && here.size() == 1 &&
        (one.measure == absolute_difference || one.measure == relative_difference) &&
        one.measure != here[0].measure && one.value != here[0].value &&
        (here[0].measure == absolute_difference || here[0].measure == relative_difference);
    if (here.empty() || is_second) here.push_back(std::move(one));
  }
  for (Difference& one : here) {
    found.check.is_there = found.check.is_there || one.measure == finite_differences ||
                           one.measure == "gradient by finite differences";
    one.place = place_in(line);
    const bool again =
        one.value.empty() && one.limit.empty() &&
        std::ranges::any_of(found.all, [&](auto& other) { return other.measure == one.measure; });
    if (found.all.size() < most && !again) found.all.push_back(std::move(one));
  }
}

}  // namespace

Differences differences_in(std::string_view text) {
  Differences found;
  std::size_t number = 0;
  bool is_torchs = false;
  for (const std::string_view raw : lines_of(text)) {
    const std::string line = plain_line(raw.substr(0, 4000));
    read_check(line, found.check);
    is_torchs = is_torchs || line.find("gradcheck") != std::string::npos;
    read_line(line, ++number, found);
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

std::string bits_in_words(const Difference& difference) {
  const double value =
      std::strtod(difference.value.c_str(), nullptr) / (difference.value.ends_with('%') ? 100 : 1);
  if (difference.measure.find("relative") == std::string_view::npos || !(value > 0) || value > 1)
    return {};
  struct Size {
    double least, most;
    std::string_view words;
  };
  constexpr Size sizes[] = {
      {0x1p-10, 0x1p-7,
       "rounding factors to BFLOAT16 (up to 2^-9 each) gives errors of that "
       "size"},
      {0x1p-13, 0x1p-10,
       "rounding factors to FLOAT16, TF32 or HF32 (up to 2^-11 each) gives errors of that size, "
       "FLOAT only where sums cancel: is allow_tf32, allow_hf32 or autocast on?"},
      {0x1p-25, 0x1p-20, "rounding in FLOAT (2^-24 each) gives errors of that size"}};
  for (const Size& size : sizes) {
    if (value >= size.least && value < size.most)
      return fmt::format("a relative difference of {} is 2^{:.1f}: {}", difference.value,
                         std::log2(value), size.words);
  }
  return {};
}

}  // namespace gradproof::advice
