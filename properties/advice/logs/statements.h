#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/product.h"

namespace gradproof::advice {

/// A product that a text states.
struct StatedProduct {
  std::string word;
  /// nullopt: "Ascend910" alone, which programs also print on a 910B or an A3.
  std::optional<corpus::Product> product;
};

/// A version of a part of the software that a text states.
struct StatedVersion {
  std::string_view of;  ///< "CANN", "torch_npu", "PyTorch"
  std::string version;
};

/// The first product that is stated whole; else one that may be several.
std::optional<StatedProduct> product_in(std::string_view text);

std::vector<StatedVersion> versions_in(std::string_view text);

/// Statuses and message codes in the order of the text, each once: those that are known here, and
/// those that look like a message code of CANN.
std::vector<std::string> codes_in(std::string_view text);

}  // namespace gradproof::advice
