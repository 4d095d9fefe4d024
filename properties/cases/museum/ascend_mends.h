#pragma once

#include <span>

#include "properties/cases/museum/museum.h"

namespace gradproof::cases {

/// Mistakes that Ascend's vendor mended in this operator in 2026: the museum's last rows. Mends
/// that the simulated core has no counterpart of are left out: biases and scales, which this
/// operator has not, memory behind a tensor that is read and multiplied by 0, waits of two halves
/// of a memory for one signal, queues of destroyed streams.
std::span<const MuseumRow> ascend_mends();

}  // namespace gradproof::cases
