#include "properties/advice/logs/differences/difference_lines.h"

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

// How it was measured; what the numbers are: v value, l limit, r reference, m magnitude, x none and
// no limit behind it, - none; phrases, with a blank for an underscore. The first that fits a line
// counts; a limit may stand behind it.
constexpr std::string_view measure_rows = R"(
largest absolute difference | v | greatest absolute difference: #
largest relative difference | v | greatest relative difference: #
correlation, which hides single wrong elements | vl | pcc = ~, but required = # ; pcc*~ < # ; pcc*~ below #
correlation, which hides single wrong elements | v | pcc*~
wrong elements | v | 失败样本*#
largest absolute difference | v | max absolute difference*# ; absolute difference*median=*min=*max=# ; absolute difference*min=*max=#
largest relative difference | v | max relative difference*# ; relative difference*median=*min=*max=# ; relative difference*min=*max=#
wrong elements | vr | mismatched elements: # / #
wrong elements | v | mismatched elements # ; mismatched elements is #
mean relative difference | v | mean relative*# ; mean rel*# ; average relative*# ; 平均相对误差*#
wrong elements | vr | 不匹配*# / # ; 不匹配*#/# ; mismatch # / # ; mismatched # / # ; mismatches: # / # ; # / # elements mismatch ; # / # mismatch ; # / # elements differ ; # / # elements are wrong ; # of # elements mismatch ; # of # elements differ ; # out of # elements ; # of # elements are ; # of # values are ; # of # values differ
wrong elements in percent | v | mismatch*# of elements ; # element mismatch ; # elements mismatch ; # of elements mismatch ; # mismatched ; # of the elements mismatch ; # of elements are ; # of the elements are
wrong elements in percent | v | (mismatch #%
root mean square of the differences | vr-l | rmse (res-fp64): #, (ref-fp64): #*multiplier: #*tol: #
root mean square of the differences | vr | rmse (res-fp64): #, (ref-fp64): #
largest difference, in tolerances | vxx | error # exceeds tolerance rtol=#, atol=#
one element, by two programs | vr | location of maximum error*a=#, b=#
largest absolute difference | mv | absmaxv:# - diffmax #
one element: what came and what was expected | r-v | fp: # fp0: # dt: # diff ; fp:# fp0:# dt:# diff
one element: what came and what was expected | rv | expect ~ but got # ; expected: <~> but was: <#>
root mean square of the differences | v | rmse*~ ; root mean square*~
difference of one element | v | difference between * is #, which exceeds
gradient that was computed | v | computed gradient evaluates to #
gradient by finite differences | v | estimated gradient evaluates to #
difference of one element | v | not close dif = [#
limit of the difference | l | threshold*scale evaluates to # ; not close tol = [#
difference of one element | v | diff:# rdiff:#
largest difference of all elements | v | final: diff: #
wrong elements | vr | failed (errors:# total:#
largest relative difference | vl | max gradient diff # over limit #
relative difference in percent | v | off by*# ; wrong by*# ; deviates by*# ; deviate by*# ; differ by*# ; differs by*# ; # off ; # too large ; # too small ; # higher ; # lower ; # larger ; # smaller ; 偏差*# ; 相差*#
wrong elements in percent | v | # of elements differ ; # of the elements differ
largest absolute difference | v | max gradient diff value*# ; maximum gradient error*# ; max gradient error*#
largest relative difference | vl | max*rel*diff*# > #
largest absolute difference | vl | max*diff*# > # ; max*diff*# (tol*#
largest relative difference | v | max rel*diff*# ; max rel*# ; max relative error*#
largest absolute difference | v | max abs*diff*# ; max abs*# ; max absolute error*# ; max diff*~ ; max diff: # ; max diff = # ; maxdiff*~ ; max difference*~ ; maximum*difference*~ ; largest error*# ; largest diff*# ; largest ~ ; l inf*~ ; linf*~ ; max |*| = ~ ; not close dif*# ; maximum abs*# ; 最大误差为 #
difference | vl | actual: # vs # ; # not less than # ; # not less than or equal to # ; assert # < # ; assert # <= # ; expansion: # < # ; expansion: # <= # ; 误差 # 超过*#
relative difference of the elements | vl | mare # > # ; mere # > #
norm of a gradient, by two programs | vr | grad norm*# vs # ; grad norm*# vs. # ; grad norm*# where*it is # ; grad norm*# but*it is # ; grad norm*# instead of # ; gradient norm*# vs # ; gradient norm*# vs. # ; gradient norm*# where*it is # ; gradient norm*# but*it is # ; gradient norm*# instead of #
norm of the difference | v | diff norm*~ ; norm of diff*~ ; norm of the diff*~ ; difference norm*~
largest relative difference | v | max*relative error*# ; max*rel*err*~
largest absolute difference | v | max*abs*err*~
largest absolute difference | vl | max*error*# > #
largest absolute difference | v | max error*~ ; max err*~ ; maximum error*~
mean difference | v | 平均误差*# ; 平均绝对误差*# ; mean abs*# ; avg diff*# ; average diff*#
mean difference | v | mean*diff*~ ; mean absolute error*~ ; mean abs*err*~
mean square of the differences | v | mse*~ ; mean squared error*~
relative difference in the 2-norm | v | relative error (norm)*# ; relative l2*~ ; rel l2*~ ; l2 relative*~ ; l2 error*~
largest relative difference | vl | relative error*# > #
largest relative difference | v | # relative error ; relative error*~ ; rel err*~ ; relative difference*~ ; rel diff*~ ; rel. diff*~ ; relative gradient diff*~
largest absolute difference | v | max(*abs(*)) = # ; max(*abs(*)): # ; abs(*).max() = # ; abs(*).max(): # ; abs().max() = #
difference | v | dw error: # ; dx error: # ; db error: # ; abs err*~ ; absolute error*~ ; absolute difference*~
standard deviation of the differences | v | stddev # > ; stddev: ~ ; std dev*~
cosine, which hides single wrong elements | v | single cos ~ ; entire cos ~ ; cosine*~ ; cos sim*~ ; 余弦相似度*~
peak signal to noise in dB | v | psnr*~
signal to noise in dB | v | snr*~ ; sqnr*~
units in the last place | lv | equal to # ulp*max is #
units in the last place | l | equal to # ulp
units in the last place | v | worst*# ulp ; # ulps away ; # ulp away ; max ulp*# ; max*# ulp ; differ by # ulp ; differs by # ulp ; error*# ulp
limits rtol and atol | lr | not equal to tolerance rtol=#, atol=#
check by finite differences | -- | jacobian mismatch for output # with respect to input #
check by finite differences |  | jacobian mismatch ; gradcheckerror ; gradcheck failed ; gradient check failed ; gradient check*failed
check by finite differences | v | error = ~*gradient
check by finite differences |  | grad estimate] are ; vjp cotangent projection ; jvp tangent ; numerical gradient ; numeric gradient ; numerical: ; finite difference ; differs from the numerical ; 数值梯度
NaN or infinity |  | contains # nan ; # nan values ; returned nan values ; contains inf ; has inf ; has nan ; nan location mismatch ; gradient is nan ; gradient of*is nan ; -> nan ; is nan after ; gradients are nan ; grad is nan ; nan gradient ; nan in grad ; grad: nan ; grad nan ; grad = nan ; grad norm*nan ; grad norm*inf ; gradnorm*nan ; loss nan ; loss is nan ; loss: nan ; goes nan ; goes to nan ; turns nan ; turns to nan ; became nan ; goes inf ; loss = nan ; nan loss ; all nan ; tensor(nan ; tensor([nan ; contains nan ; becomes nan ; become nan ; produces nan ; isnan(*true ; isfinite*false ; 梯度*nan ; 出现nan ; 出现 nan ; 全是nan
bits differ |  | torch.equal(*) = false ; array equal(*) = false
allclose is False |  | allclose*false ; allclose*failed ; isclose*false ; isapprox(*false
the arrays are not close |  | tensor-likes are not close ; values are not close ; tensors are not close ; is not close to
the arrays are not equal |  | tensor-likes are not equal
the arrays are not equal to so many decimals | l | arrays are not almost equal to # decimals
the arrays are not equal |  | arrays are not equal ; a is different from b
a comparison of accuracy failed |  | accuracy failed for ; fail accuracy ; accuracy check failed ; 精度不达标 ; 精度不一致 ; 精度异常 ; 精度*失败
difference | v | verification failed: ~
difference | vl | failed: ~ > # ; distance ~ > #
one element: what came and what was expected | rv | expect*~ instead of # ; should be ~ instead of #
one element: what came and what was expected | vr | computed*# reference*# ; computed*# expected*# ; output*~ golden*# ; result*~ reference*# ; ~ instead of # ; ~ (expected # ; was ~ expected # ; 实际*~ 期望*#
one element: what came and what was expected | rv | expected*~ got # ; want # have # ; want # got # ; wanted # got # ; reference*~ computed*# ; golden*~ output*# ; expected ~ but was # ; 期望*~ 实际*#
one element: what came and what was expected | vrl | failed: ("~") is not equal to ("#") +/- ("#")
one element: what came and what was expected | vlr | # is within # of #
one element: what came and what was expected | vrl | # == # ± #
one element: what came and what was expected | -vr | difference at #: ~, expected #
one element: what came and what was expected | vr | isapprox(#, # ; isapprox(*[#*], *[# ; is # but should be # ; is #, should be #
one element: what came and what was expected | -vr | element at index # (#) does not match the expected (#)
one element: what came and what was expected | --vr | out[#] != ref[#]: # != #
one element: what came and what was expected | -v-r | actual[#] = #, expected[#] = #
one element: what came and what was expected | vr | ] = ~, want # ; failed: ("~") is not equal to ("#") ; #f == approx( # ; # == approx( # ; # == doctest::approx( #
one element, by two programs | vr | is # where*gives # ; gives # where*gives #
one element, by two programs | -vr | position #: # != # ; mismatch at #: # != # ; mismatch at #: # vs #
one element, by two programs | vr | ~ != ~ ; mismatch of*: # vs*: #
difference | v | convolution * failed: ~ ; failed: ~
a value, by two programs | vr | ~ vs ~ ; ~ vs. ~ ; ~ versus ~ ; ~ against ~ ; ~ 对比 ~
difference | l | exceeds tolerance*# ; exceeds threshold*#
difference | vl | diff*# > # ; error*~ > # ; tolerance: # ; 错误阈值*#
largest absolute difference | v | absolute difference: #
difference | v | err = ~ ; diff ~ ; err ~ ; error ~ ; error of ~ ; err=~ ; diff = ~ ; diff: ~ ; difference: ~ ; difference of ~ ; differ by ~ ; differs by ~
one element: what came and what was expected | rv | expected: ~*got: # ; expected ~*got # ; expected=~*actual=# ; expected: ~*actual: #
one element: what came and what was expected | vr | actual: ~*expected: # ; actual ~*expected # ; actual=~*expected=# ; got ~*expected # ; got: ~*expected: # ; got # want # ; got #, want #
a gradient is called wrong |  | wrong gradient ; incorrect gradient ; gradients are wrong ; gradients are incorrect ; gradient is wrong ; gradient is incorrect ; 梯度错误 ; 梯度不正确
gradients differ |  | gradients do not match ; gradients don't match ; gradient mismatch ; gradients mismatch ; gradients differ ; 梯度*不一致
one element: what came and what was expected | -rv | at index #: expected ~, actual # ; at index #: expected # but got #
results differ |  | outputs do not match ; results do not match ; results differ ; output mismatch ; result mismatch ; results mismatch ; numerical mismatch ; 结果不一致 ; 对不上 ; 对不齐 ; 无法对齐
bits differ |  | not bitwise ; md5 mismatch ; md5 differ ; checksum mismatch ; checksums differ ; hash mismatch
largest relative difference | v | 最大相对误差*#
largest absolute difference | v | 最大误差*# ; 最大绝对误差*#
relative difference | v | 相对误差*#
largest relative difference | v | rel=~ ; rel = ~ ; rel: ~
difference | v | 绝对误差*#
factor between both results | v | 差 # 倍 ; 差了 # 倍 ; 相差 # 倍 ; off by*factor of # ; differ by a factor of # ; differs by a factor of # ; # times too
)";

}  // namespace

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

}  // namespace gradproof::advice
