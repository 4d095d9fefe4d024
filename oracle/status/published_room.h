#pragma once

#include "corpus/case.h"

namespace gradproof::oracle {

/// True if a legal call of aclnnConvolutionBackward may lack resources (HW-01): it is beyond some
/// limit that is published of any product or route, or its tensors take a good part of a device's
/// memory. Other calls are small: who refuses them does not lack resources. True also for what
/// leaves the limits undefined.
///
/// Limits: the smallest tile of dx or dw takes more than half of L1 (HW-02, HW-05; twice, since
/// tiles are loaded while others are multiplied), a row above 4096 (HW-03), a backward padding or
/// a dilation above 255 (HW-04), gradients of the weight of 8-bit floats (HW-06), a stride along D
/// above 255 or above the kernel, a kernel above 255 (HW-01).
bool may_lack_room(const corpus::Case& test_case);

}  // namespace gradproof::oracle
