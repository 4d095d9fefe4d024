#pragma once

#include <cstdint>
#include <optional>

#include "corpus/case.h"

namespace gradproof::oracle {

/// Multiply-accumulates of one gradient (dx; dw has as many), padding not subtracted:
/// N * (channels of the smaller feature map) * its spatial size * weight.C * kernel size.
/// nullopt where the case has no such number (a tensor is null, ranks differ, overflow); 0 for
/// empty problems. Of a graph operator or a tiling class, that of its one gradient.
/// The same number serves dx and dw, because each entry of the relation is one product in both.
std::optional<std::uint64_t> mac_count(const corpus::Case& test_case);

}  // namespace gradproof::oracle
