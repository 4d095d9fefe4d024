#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"

namespace gradproof::oracle {

/// Notes in the verdict what a certificate tells of each output that was compared: one element with
/// its bits, and, where every sum is exact and every element has its value, a residue of all of
/// them. Of aclnnConvolutionBackward alone; a verdict on anything else is left as it is.
///
/// The residue is the sum of a_n u_c b_q out[n, c, q] modulo p = 2^61 - 1, with n the batch (of
/// gradWeight: the kernel), c the channel and q the position (D, H, W in row-major order). A value
/// m 2^e counts as m 2^(e mod 61), for 2^61 is 1. Coefficient i of a is
/// chained(chained(seed, 0), i) modulo p; u has 1 and b has 2 in the place of the 0. The seed
/// follows from the data's seed and every bit of the output.
void attest(const corpus::Case& test_case, const corpus::Observation& observed,
            corpus::Verdict& verdict);

}  // namespace gradproof::oracle
