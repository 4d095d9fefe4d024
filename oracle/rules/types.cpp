#include "oracle/rules/types.h"

#include <algorithm>
#include <span>

#include "corpus/data_type_row.h"

namespace gradproof::oracle::rules {
namespace {

using corpus::DataType;

/// The products' lists grow with the generation, so each is the beginning of this one.
constexpr const auto& by_generation = corpus::convolution_types;

std::span<const DataType> list_of_product(ProductClass product_class) {
  const std::span<const DataType> all = by_generation;
  switch (product_class) {
    case ProductClass::A1:
      return all.first(2);
    case ProductClass::A23:
      return all.first(3);
    case ProductClass::A5:
      return all;
    case ProductClass::Unsupported:
      break;
  }
  return {};
}

}  // namespace

bool is_listed(const Facts& facts, DataType type) {
  const auto list = list_of_product(facts.product_class);
  return std::ranges::find(list, type) != list.end();
}

std::vector<std::string_view> listed_types(const Facts& facts) {
  std::vector<std::string_view> names;
  for (const DataType type : list_of_product(facts.product_class)) {
    names.push_back(corpus::name_of(type));
  }
  return names;
}

}  // namespace gradproof::oracle::rules
