#pragma once

#include "oracle/arithmetic/judge_settings.h"
#include "properties/findings/certificate/certificate_writer.h"

namespace gradproof::runs {

/// Where each verdict of a campaign has a line, and what the judge was told.
struct Certification {
  findings::CertificateWriter* certificate = nullptr;  ///< must outlive the campaign; null: nowhere
  oracle::JudgeSettings judge = {};
};

}  // namespace gradproof::runs
