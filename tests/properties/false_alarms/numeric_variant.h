#pragma once

#include <functional>
#include <memory>
#include <string>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/target/library.h"

namespace gradproof::runs {

/// Computes the gradients of a legal call that has products.
using Computation = std::function<corpus::Observation(const corpus::Case&)>;

/// A library without a device: statuses as the documents say, and gradients of its own. It has
/// aclnnConvolutionBackward and every product.
std::shared_ptr<const targets::Library> numeric_variant(std::string name, Computation computation);

}  // namespace gradproof::runs
