#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/index_map.h"
#include "properties/cases/laws/law_rows.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;

/// Every permutation of channels that keeps groups together is made of these three rotations and
/// others of their kind.
struct Rotations {
  std::int64_t groups = 0, small = 0, big = 0;
};

std::int64_t rotated(std::int64_t at, std::int64_t by, std::int64_t length) {
  return (at + by) % length;
}

std::int64_t rotated_channel(std::int64_t at, std::int64_t per_group, std::int64_t by,
                             const Convolution& sizes, const Rotations& rotations) {
  return rotated(at / per_group, rotations.groups, sizes.groups) * per_group +
         rotated(at % per_group, by, per_group);
}

/// Draws a rotation, not 0 where the length allows another.
std::int64_t drawn_rotation(std::int64_t length, std::uint64_t choice) {
  if (length < 2) return 0;
  return static_cast<std::int64_t>(1 + choice % static_cast<std::uint64_t>(length - 1));
}

}  // namespace

bool has_channels_to_permute(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  return sizes && (sizes->groups > 1 || sizes->small_channels_per_group > 1 ||
                   sizes->big_channels_per_group > 1);
}

bool has_samples(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  return sizes && sizes->batch > 1;
}

Related channel_permutation(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const Rotations rotations{
      drawn_rotation(sizes->groups, choice_of(test_case, 5)),
      drawn_rotation(sizes->small_channels_per_group, choice_of(test_case, 6)),
      drawn_rotation(sizes->big_channels_per_group, choice_of(test_case, 7))};
  Part permuted{*sizes, [=](const Index& index) -> std::optional<std::int64_t> {
                  switch (index.space) {
                    case Space::SmallChannel:
                      return rotated_channel(index.at, sizes->small_channels_per_group,
                                             rotations.small, *sizes, rotations);
                    case Space::BigChannel:
                      return rotated_channel(index.at, sizes->big_channels_per_group, rotations.big,
                                             *sizes, rotations);
                    case Space::BigChannelOfGroup:
                      return rotated(index.at, rotations.big, sizes->big_channels_per_group);
                    default:
                      return index.at;
                  }
                }};
  return relation_to_parts(test_case, *sizes, {std::move(permuted)});
}

Related batch_permutation(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const std::int64_t by = drawn_rotation(sizes->batch, choice_of(test_case, 8));
  Part permuted{*sizes, [=](const Index& index) -> std::optional<std::int64_t> {
                  return index.space == Space::Sample ? rotated(index.at, by, sizes->batch)
                                                      : index.at;
                }};
  return relation_to_parts(test_case, *sizes, {std::move(permuted)});
}

}  // namespace gradproof::cases::laws_detail
