#include "properties/advice/tolerance/published_tolerance.h"

#include <algorithm>
#include <array>

#include "oracle/numbers/format_row.h"
#include "properties/advice/tolerance/measures.h"

namespace gradproof::advice {
namespace {

using enum oracle::NumberFormat;

// Decided in the tool's favour where in doubt: a precision mode that a tool does not know is
// judged as the nearest one that it does (HF32 as TF32, FLOAT operands that are rounded to FLOAT16
// as FLOAT16), and it abstains from formats for which it has no threshold or one that no correct
// kernel could meet.

/// The measure knows its thresholds itself.
constexpr auto any_format = [] {
  std::array<Threshold, oracle::formats.size()> rows{};
  std::ranges::transform(oracle::number_formats, rows.begin(),
                         [](oracle::NumberFormat format) { return Threshold{format}; });
  return rows;
}();

constexpr Threshold winograd[] = {{Float, 2e-5}, {Float16, 7e-3}};

constexpr Threshold miopen[] = {{Float, 1.5e-6}, {Float16, 8.2e-3}, {BFloat16, 8 * 8.2e-3}};
constexpr Threshold miopen_of_weight[] = {
    {Float, 3e-6}, {Float16, 2 * 8.2e-3}, {BFloat16, 16 * 8.2e-3}};
constexpr Threshold implicit_gemm[] = {{Float, 1.5e-5}, {Float16, 8.2e-2}, {BFloat16, 80 * 8.2e-3}};
constexpr Threshold implicit_gemm_of_weight[] = {
    {Float, 1e-2}, {Float16, 10 * 8.2e-3}, {BFloat16, 16 * 8.2e-3}};

constexpr bool is_published(oracle::NumberFormat format) {
  return oracle::row(format).published.has_value();
}

/// The formats with a published precision, each with its threshold where that is wanted.
template <bool with_threshold>
constexpr auto published_rows = [] {
  constexpr auto count = std::ranges::count_if(oracle::number_formats, is_published);
  std::array<Threshold, to_size(count)> rows{};
  auto place = rows.begin();
  for (const oracle::NumberFormat format : oracle::number_formats) {
    if (!is_published(format)) continue;
    const double threshold = oracle::row(format).published->relative_threshold;
    *place++ = with_threshold ? Threshold{format, threshold} : Threshold{format};
  }
  return rows;
}();
constexpr auto& community = published_rows<true>;
constexpr auto& published_formats = published_rows<false>;  // the measure reads the thresholds

constexpr Threshold one_per_mille[] = {
    {Float, 1e-3, 1e-3}, {Hf32Wide, 1e-3, 1e-3}, {Hf32Narrow, 1e-3, 1e-3}, {Float16, 1e-3, 1e-3}};

constexpr Threshold assert_close[] = {{Float, 1.3e-6, 1e-5},
                                      {Hf32Wide, 1.3e-6, 5e-3},
                                      {Hf32Narrow, 1.3e-6, 5e-3},
                                      {Float16, 1e-3, 1e-5},
                                      {BFloat16, 1.6e-2, 1e-5}};

constexpr Threshold gradcheck[] = {{Float, 1e-3, 1e-5}};

constexpr Threshold plain_thresholds[] = {
    {Float, 1e-3, 1e-3}, {Hf32Wide, 1e-3, 1e-3}, {Hf32Narrow, 1e-3, 1e-3}, {Float16, 1e-3, 1e-3}};

constexpr Thresholds for_all(std::span<const Threshold> rows) { return {rows, rows, rows}; }

constexpr PublishedTolerance tolerances[] = {
    {.name = "benchdnn",
     .reference = Reference::Output,
     .accepts = all_equal,
     .compares = "c = r, every element",
     .thresholds = for_all(any_format),
     .source = "oneDNN, tests/benchdnn/conv: cfg.cpp, setup_cmp (threshold 0)"},
    {.name = "benchdnn-winograd",
     .reference = Reference::Output,
     .accepts = norm_of_difference_is_small,
     .compares = "|c - r| / |r| in the Euclidean norm <= 2e-5 (FLOAT), 7e-3 (FLOAT16)",
     .thresholds = for_all(winograd),
     .source = "oneDNN, tests/benchdnn/conv/conv.cpp, setup_cmp for Winograd"},
    {.name = "miopen",
     .reference = Reference::Single,
     .accepts = root_mean_square_is_small,
     .compares =
         "rms(c - r) / max(|c|, |r|) <= 1.5e-6 (FLOAT), 8.2e-3 (FLOAT16), twice for gradWeight",
     .thresholds = {miopen, miopen_of_weight, miopen},
     .source = "MIOpen, driver/conv_driver.hpp: GetDefaultTolerance, VerifyBackward"},
    {.name = "miopen-implicit-gemm",
     .reference = Reference::Single,
     .accepts = root_mean_square_is_small,
     .compares = "the same, ten times as wide; 0.01 for gradWeight in FLOAT (a work-around)",
     .thresholds = {implicit_gemm, implicit_gemm_of_weight, miopen},
     .source = "MIOpen, driver/conv_driver.hpp: VerifyBackward, WORKAROUND_ISSUE_2176"},
    {.name = "cann-single-standard",
     .reference = Reference::Single,
     .accepts = relative_errors_are_small,
     .compares = "mean of |c - r| / |r| < T and largest < 10 T, T = 2^-13 (FLOAT), 2^-10 (FLOAT16)",
     .thresholds = for_all(community),
     .source = "CANN community precision standard (MERE, MARE)"},
    {.name = "cann-mixed-tolerance",
     .reference = Reference::Single,
     .accepts = most_are_close,
     .compares = "|c - r| <= atol + rtol |r| for 99 %, the largest error at most a floor or 32 ULP",
     .thresholds = for_all(published_formats),
     .source = "CANN mixed tolerance, oracle/arithmetic/precision_standard.cpp"},
    {.name = "msprobe-one-per-mille",
     .reference = Reference::Single,
     .accepts = few_are_far,
     .compares = "|c - r| / |r| > 0.001 for less than 0.1 % of the elements",
     .thresholds = for_all(one_per_mille),
     .source = "Ascend msprobe, the rule for conv1d and conv2d"},
    {.name = "pytorch-assert-close",
     .reference = Reference::Output,
     .accepts = all_close,
     .compares = "|c - r| <= 1e-5 + rtol |r|, rtol = 1.3e-6 (FLOAT), 1e-3 (FLOAT16), 1.6e-2 (BF16)",
     .thresholds = for_all(assert_close),
     .source = "PyTorch, torch.testing.assert_close; TF32's 0.005 for HF32"},
    {.name = "pytorch-gradcheck",
     .reference = Reference::Double,
     .accepts = all_close,
     .compares = "|c - r| <= 1e-5 + 1e-3 |r|, FLOAT alone",
     .thresholds = for_all(gradcheck),
     .source = "PyTorch, torch.autograd.gradcheck's defaults, which it applies to float64"},
    {.name = "hipdnn",
     .reference = Reference::Double,
     .accepts = all_within_bound_of_maxima,
     .compares =
         "|c - r| <= gamma n max|a| max|b| + output casts, from the tensors' largest magnitudes",
     .thresholds = for_all(any_format),
     .source = "hipDNN test SDK, DynamicTolerancesConv.hpp"},
    {.name = "allclose-1e-3",
     .reference = Reference::Double,
     .accepts = all_close,
     .compares = "|c - r| <= 1e-3 + 1e-3 |r|",
     .thresholds = for_all(plain_thresholds),
     .source = "the tolerance of many hand-written tests"},
};

}  // namespace

std::span<const PublishedTolerance> published_tolerances() { return tolerances; }

Opinion opinion_of(const PublishedTolerance& tolerance, const MeasuredOutput& output) {
  const auto& thresholds = tolerance.thresholds[output.role];
  const auto row = std::ranges::find(thresholds, output.least_precise(), &Threshold::format);
  if (row == thresholds.end()) return Opinion::Abstains;
  return tolerance.accepts(output, tolerance, *row) ? Opinion::Accepts : Opinion::Rejects;
}

}  // namespace gradproof::advice
