#pragma once

#include <memory>
#include <string>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/targets/target/library.h"
#include "tests/oracle/judge/correct_kernel.h"

namespace gradproof::properties {

/// A library without a device: statuses as the documents say, gradients of `kernel` in the
/// arithmetic of `settings`. It has aclnnConvolutionBackward and every product.
std::shared_ptr<const Library> numeric_variant(std::string name,
                                               const oracle::CorrectKernel& kernel,
                                               const oracle::JudgeSettings& settings);

}  // namespace gradproof::properties
