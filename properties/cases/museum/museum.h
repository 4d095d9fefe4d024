#pragma once

#include <span>
#include <string_view>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

/// A published bug of a library's convolution gradients.
struct MuseumRow {
  /// "owner/repository#number", on github.com; of a mend, or of a mistake that is still there,
  /// "owner/repository@commit".
  std::string_view thread;
  std::string_view library;  ///< and what of it
  std::string_view mistake;  ///< one sentence
  std::string_view fault;    ///< the same mistake as a seeded fault
  /// True if the bug would show in this legal, non-empty call; nullptr where no such call can.
  bool (*triggers)(const corpus::Case&, const Convolution&) = nullptr;
  std::string_view why_no_trigger = {};
};

/// Rows in the order of the page docs/seeded-faults.md, then those of Ascend's vendor.
std::span<const MuseumRow> museum();

/// Mistakes that Ascend's vendor mended in this operator in 2026: the museum's last rows. Mends
/// that the simulated core has no counterpart of are left out: biases and scales, which this
/// operator has not, memory behind a tensor that is read and multiplied by 0, waits of two halves
/// of a memory for one signal, queues of destroyed streams.
std::span<const MuseumRow> ascend_mends();

}  // namespace gradproof::cases
