#pragma once

#include <cstdint>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/findings/certificate/certificate_writer.h"

namespace gradproof::runs {

/// Runs that have a line of their own in results.jsonl.
enum class Recording : std::uint8_t {
  All,
  Failures,  ///< disagreements; the others are counted together in lines of sums
};

/// Where each verdict of a campaign has a line, and what the judge was told.
struct Certification {
  findings::CertificateWriter* certificate = nullptr;  ///< must outlive the campaign; null: nowhere
  oracle::JudgeSettings judge = {};
};

}  // namespace gradproof::runs
