#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gradproof::corpus {

/// Chips that a case can name.
enum class Product : std::uint8_t {
  Ascend310,
  Ascend310B,
  Ascend310P,
  Ascend910,
  Ascend910B,
  Ascend910_93,
  Ascend950,
};

/// All of them.
std::vector<Product> products();

/// The family name in case files, e.g. "Ascend910_93".
std::string_view name_of(Product product);

/// The product of that family name, or nullopt.
std::optional<Product> product_named(std::string_view name);

/// The product that a device's own name ("Ascend910B1", "Ascend950PR_9589") belongs to, or nullopt
/// for a chip that no case can name. Note that the device name "Ascend910B" is a part of the
/// product Ascend910.
std::optional<Product> product_of_device(std::string_view soc_name);

}  // namespace gradproof::corpus
