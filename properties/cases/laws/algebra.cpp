#include <algorithm>
#include <cmath>
#include <optional>

#include "corpus/element_encoding.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/exact_data.h"
#include "properties/cases/laws/index_map.h"
#include "properties/cases/laws/law_rows.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::InputRole;

/// Exponents of two that gradOutput, input and weight are multiplied by.
using Exponents = corpus::PerInput<int>;
constexpr Exponents scalings[] = {{2, 1, 3}, {-1, 1, 2}, {1, -1, -1}, {1, 1, 1}, {-1, -1, -1}};

/// Scales the data; nullopt: an element has no such multiple in its type.
std::optional<Case> scaled(Case test_case, const Exponents& by) {
  for (const InputRole role : corpus::input_roles) {
    const auto type = corpus::tensor(test_case, role)->dtype;
    for (auto& element : test_case.data->listed[role]) {
      const auto value = corpus::decode(type, element.bits);
      const auto bits =
          value ? corpus::encode_exactly(type, std::ldexp(*value, by[role])) : std::nullopt;
      if (!bits) return std::nullopt;
      element.bits = *bits;
    }
  }
  return test_case;
}

bool is_scalable(const Case& test_case) {
  const auto known = exactness_of(test_case);
  return std::ranges::any_of(corpus::output_roles, [&](corpus::OutputRole role) {
    return corpus::is_requested(test_case, role) && known[role].scalable;
  });
}

}  // namespace

Related scaling(const Case& test_case) {
  if (!whole_convolution(test_case)) return no_whole_convolution();
  const Case listed = with_listed_data(test_case);
  const std::uint64_t first = choice_of(test_case, 1);
  for (std::size_t i = 0; i < std::size(scalings); ++i) {
    const Exponents& by = scalings[(first + i) % std::size(scalings)];
    auto run = scaled(listed, by);
    if (!run || !is_scalable(*run)) continue;
    Relation relation = same_elements(test_case, std::move(*run));
    relation.scale = {by[0] + by[2], by[0] + by[1], by[0]};
    relation.demand = Demand::Scalable;
    return relation;
  }
  return tl::unexpected(std::string("no power of two leaves the data in their types' ranges"));
}

Related batch_additivity(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  if (sizes->batch < 2) return tl::unexpected(std::string("one sample has no parts"));
  const auto cut = static_cast<std::int64_t>(1 + choice_of(test_case, 2) %
                                                     static_cast<std::uint64_t>(sizes->batch - 1));
  const auto samples = [&](std::int64_t begin, std::int64_t end) {
    Part part{*sizes, [=](const Index& index) -> std::optional<std::int64_t> {
                if (index.space != Space::Sample) return index.at;
                if (index.at < begin || index.at >= end) return std::nullopt;
                return index.at - begin;
              }};
    part.sizes.batch = end - begin;
    return part;
  };
  Relation relation =
      relation_to_parts(test_case, *sizes, {samples(0, cut), samples(cut, sizes->batch)});
  relation.demand = Demand::Exact;  // what is added up must not have been rounded
  return relation;
}

}  // namespace gradproof::cases::laws_detail
