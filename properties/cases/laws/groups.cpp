#include <algorithm>

#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/index_map.h"
#include "properties/cases/laws/law_rows.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;

/// Group that an index of a channel belongs to; nullopt for other spaces.
std::optional<std::int64_t> group_of(const Convolution& sizes, const Index& index) {
  if (index.space == Space::SmallChannel) return index.at / sizes.small_channels_per_group;
  if (index.space == Space::BigChannel) return index.at / sizes.big_channels_per_group;
  return std::nullopt;
}

/// Largest number of groups of a depthwise convolution: they stand for all.
constexpr std::int64_t most_groups = 3;

}  // namespace

bool has_groups(const Case& test_case) { return test_case.groups > 1; }

Related group_independence(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const auto emptied = static_cast<std::int64_t>(choice_of(test_case, 3) %
                                                 static_cast<std::uint64_t>(sizes->groups));
  Part others{*sizes, [=](const Index& index) -> std::optional<std::int64_t> {
                if (group_of(*sizes, index) == emptied) return std::nullopt;
                return index.at;
              }};
  return relation_to_parts(test_case, *sizes, {std::move(others)});
}

Related one_group_at_a_time(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const auto first = static_cast<std::int64_t>(choice_of(test_case, 4) %
                                               static_cast<std::uint64_t>(sizes->groups));
  std::vector<Part> parts;
  for (std::int64_t i = 0; i < std::min(most_groups, sizes->groups); ++i) {
    const std::int64_t group = (first + i) % sizes->groups;
    Part part{*sizes, [=](const Index& index) -> std::optional<std::int64_t> {
                const auto of = group_of(*sizes, index);
                if (!of) return index.at;
                if (*of != group) return std::nullopt;
                const bool small = index.space == Space::SmallChannel;
                return index.at %
                       (small ? sizes->small_channels_per_group : sizes->big_channels_per_group);
              }};
    part.sizes.groups = 1;
    parts.push_back(std::move(part));
  }
  return relation_to_parts(test_case, *sizes, std::move(parts));
}

}  // namespace gradproof::cases::laws_detail
