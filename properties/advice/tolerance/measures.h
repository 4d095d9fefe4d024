#pragma once

#include "properties/advice/tolerance/published_tolerance.h"

namespace gradproof::advice {

// How tools compare, each a Measure. r is the reference, c what was computed, sums and means
// are over an output's elements. NaN is never right, infinity never equal to a number.

/// True if c = r, zeros of either sign being equal.
bool all_equal(const MeasuredOutput& output, const PublishedTolerance& tolerance,
               const Threshold& threshold);

/// True if |c - r| <= absolute + relative |r| for every element.
bool all_close(const MeasuredOutput& output, const PublishedTolerance& tolerance,
               const Threshold& threshold);

/// True if sqrt(sum (c - r)^2 / n) / max(|c|, |r|) <= relative, over all elements.
bool root_mean_square_is_small(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                               const Threshold& threshold);

/// True if sqrt(sum (c - r)^2 / sum r^2) <= relative, for gradWeight times max(1, (n / 8)^0.4)
/// where n is the number of products in a sum.
bool norm_of_difference_is_small(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                                 const Threshold& threshold);

/// True if |c - r| / (|r| + 1e-7) has a mean below `relative` and a largest below ten times that.
bool relative_errors_are_small(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                               const Threshold& threshold);

/// True if |c - r| <= absolute + relative |r| for 99 % of the elements, and the largest error at
/// most the format's floor or 32 units in the last place. Source: oracle/numbers/format_row.h.
bool most_are_close(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                    const Threshold& threshold);

/// True if |c - r| / |r| is above `relative` for less than the share `absolute` of the elements.
bool few_are_far(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                 const Threshold& threshold);

/// True if |c - r| <= (gamma + the epsilons of shorter formats that the sum is cast to) n max|a|
/// max|b|, where gamma is 2nu/(1-2nu), or 6 sqrt(2n) u from 2nu = 0.01 on; u = 2^-23. A gamma of
/// 0.5 or more passes nothing: the tool throws. What it adds for operands that are cast is left
/// out, because the reference has them cast.
bool all_within_bound_of_maxima(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                                const Threshold& threshold);

}  // namespace gradproof::advice
