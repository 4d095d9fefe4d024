#include "fuzz/records/case_from_bytes.h"

#include <algorithm>
#include <array>

#include "fuzz/records/boundary_values.h"
#include "fuzz/records/case_fields.h"
#include "fuzz/records/choices.h"

namespace gradproof::fuzz {
namespace {

/// Lengths as records hold them (minus 1) around tiles of the cube and ends of documented ranges;
/// the last is an empty axis.
constexpr std::array<std::uint16_t, 22> telling_lengths{
    0, 1, 2, 3, 4, 7, 14, 15, 16, 30, 31, 32, 61, 62, 63, 64, 127, 253, 254, 255, 256, 0xFFFF};

std::uint16_t next_length(std::uint16_t before, corpus::RandomSource& random) {
  switch (random.between(0, 5)) {
    case 0:
      return static_cast<std::uint16_t>(before + 1);
    case 1:
      return static_cast<std::uint16_t>(before == 0 ? 0 : before - 1);
    case 2:
      return static_cast<std::uint16_t>(random.log_between(1, 1024) - 1);
    case 3:
      return random.one_of(std::span<const std::uint16_t>(telling_lengths));
    default:
      return static_cast<std::uint16_t>(random.between(0, 4));
  }
}

std::uint8_t any_byte(corpus::RandomSource& random) {
  return static_cast<std::uint8_t>(random.between(0, 0xFF));
}

/// A place in a table of `count`; the usual ones come first and twice as often.
std::uint8_t any_place(std::size_t count, std::size_t usual, corpus::RandomSource& random) {
  const std::size_t among = random.chance(66) ? std::min(count, usual) : count;
  return static_cast<std::uint8_t>(random.between(0, static_cast<std::int64_t>(among) - 1));
}

std::uint8_t other_bit(std::uint8_t bits, int count, corpus::RandomSource& random) {
  return static_cast<std::uint8_t>(bits ^ (1U << random.between(0, count - 1)));
}

void mutate_axis(AxisGenes& axis, corpus::RandomSource& random) {
  const std::array numbers{&axis.positions,     &axis.kernel,       &axis.stride, &axis.dilation,
                           &axis.padding_begin, &axis.padding_more, &axis.unread};
  std::uint16_t& number = *random.one_of(std::span<std::uint16_t* const>(numbers));
  number = next_length(number, random);
}

void mutate_batch_or_channels(CaseGenes& genes, corpus::RandomSource& random) {
  const std::array numbers{&genes.batch, &genes.groups, &genes.small_channels, &genes.big_channels};
  std::uint16_t& number = *random.one_of(std::span<std::uint16_t* const>(numbers));
  number = next_length(number, random);
}

void mutate_kind(CaseGenes& genes, corpus::RandomSource& random) {
  switch (random.between(0, 3)) {
    case 0:
      genes.product = any_place(products.size(), 5, random);
      break;
    case 1:
      genes.rank = any_place(ranks.size(), ranks.size(), random);
      break;
    case 2:
      genes.flags = other_bit(genes.flags, 3, random);
      break;
    default:
      genes.cube_math_type = random.chance(90) ? any_place(4, 4, random) : any_byte(random);
  }
}

void mutate_types(CaseGenes& genes, corpus::RandomSource& random) {
  constexpr std::size_t usual = 5;  // those that a convolution takes
  genes.type = any_place(data_types.size(), usual, random);
  genes.input_type = genes.weight_type = 0;
  if (random.chance(70)) return;
  genes.input_type = any_place(data_types.size() + 1, usual + 1, random);
  genes.weight_type = any_place(data_types.size() + 1, usual + 1, random);
}

void mutate_arguments(CaseGenes& genes, corpus::RandomSource& random) {
  switch (random.between(0, 3)) {
    case 0:
      genes.unrequested = other_bit(genes.unrequested, 3, random);
      break;
    case 1:
      genes.nulls = other_bit(genes.nulls, 4, random);
      break;
    case 2:
      genes.free_formats = other_bit(genes.free_formats, tensor_count, random);
      break;
    default:
      genes.unrequested = any_byte(random) & 7U;
      genes.nulls &= genes.unrequested;  // only an output that is not requested may be null
  }
}

void mutate_data(CaseGenes& genes, corpus::RandomSource& random) {
  genes.recipe = any_place(recipes.size(), 3, random);
  genes.seed = random.next();
}

void mutate_layout(CaseGenes& genes, corpus::RandomSource& random) {
  LayoutGenes& layout = genes.layouts.at(to_size(random.between(0, 5)));
  if (random.chance(25)) {
    layout = {};
    return;
  }
  layout.order = any_place(121, 7, random);
  layout.gaps = random.chance(50) ? 0 : any_byte(random);
  layout.offset = random.chance(50) ? 0 : any_byte(random);
  layout.behind = random.chance(70) ? 0 : any_byte(random) & 15U;
}

Edit any_edit(corpus::RandomSource& random) {
  Edit edit;
  edit.kind = static_cast<std::uint8_t>(random.between(0, field_kind_count - 1));
  edit.owner = static_cast<std::uint8_t>(random.between(0, tensor_count - 1));
  edit.position = static_cast<std::uint8_t>(random.between(0, 4));
  if (random.chance(60)) {
    const auto values = boundary_values(static_cast<FieldKind>(edit.kind));
    edit.operation = static_cast<std::uint8_t>(Edit::Operation::SetBoundary);
    edit.value = random.between(0, static_cast<std::int64_t>(values.size()) - 1);
  } else {
    edit.operation = static_cast<std::uint8_t>(Edit::Operation::Add);
    edit.value = random.one_of<std::int64_t>({1, 1, -1, -1, 2, -2, 16, -16});
  }
  return edit;
}

void mutate_edits(CaseGenes& genes, corpus::RandomSource& random) {
  const auto count = static_cast<std::int64_t>(genes.edits.size());
  if (count > 0 && random.chance(60)) {
    const auto at = random.between(0, count - 1);
    if (random.chance(60)) {
      genes.edits.erase(genes.edits.begin() + at);
    } else {
      genes.edits[to_size(at)] = any_edit(random);
    }
    return;
  }
  if (genes.edits.size() < most_edits) genes.edits.push_back(any_edit(random));
}

void mutate_once(CaseGenes& genes, corpus::RandomSource& random) {
  struct Row {
    int weight;
    void (*mutate)(CaseGenes&, corpus::RandomSource&);
  };
  constexpr auto any_axis = [](CaseGenes& mutant, corpus::RandomSource& source) {
    mutate_axis(mutant.axes.at(to_size(source.between(0, 2))), source);
  };
  constexpr std::array<Row, 8> rows{{{30, any_axis},
                                     {16, mutate_batch_or_channels},
                                     {12, mutate_kind},
                                     {8, mutate_types},
                                     {8, mutate_arguments},
                                     {6, mutate_data},
                                     {8, mutate_layout},
                                     {12, mutate_edits}}};
  std::int64_t drawn = random.between(0, 99);
  for (const Row& row : rows) {
    drawn -= row.weight;
    if (drawn < 0) return row.mutate(genes, random);
  }
}

}  // namespace

CaseGenes mutated(CaseGenes genes, corpus::RandomSource& random) {
  for (std::int64_t times = random.between(1, 4); times > 0; --times) mutate_once(genes, random);
  return genes;
}

CaseGenes crossed(const CaseGenes& one, const CaseGenes& other, corpus::RandomSource& random) {
  CaseGenes child = random.chance(50) ? one : other;
  const auto pick = [&](auto member) {
    child.*member = random.chance(50) ? one.*member : other.*member;
  };
  for (const auto member :
       {&CaseGenes::product, &CaseGenes::flags, &CaseGenes::cube_math_type, &CaseGenes::unrequested,
        &CaseGenes::nulls, &CaseGenes::free_formats, &CaseGenes::recipe}) {
    pick(member);
  }
  for (const auto member : {&CaseGenes::batch, &CaseGenes::groups, &CaseGenes::small_channels,
                            &CaseGenes::big_channels}) {
    pick(member);
  }
  const CaseGenes& types = random.chance(50) ? one : other;
  child.type = types.type;
  child.input_type = types.input_type;
  child.weight_type = types.weight_type;
  for (std::size_t i = 0; i < child.axes.size(); ++i) {
    child.axes[i] = random.chance(50) ? one.axes[i] : other.axes[i];
  }
  pick(&CaseGenes::layouts);
  pick(&CaseGenes::edits);
  return child;
}

}  // namespace gradproof::fuzz
