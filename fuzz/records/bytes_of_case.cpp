#include <algorithm>

#include "fuzz/records/case_fields.h"
#include "fuzz/records/case_from_bytes.h"
#include "fuzz/records/choices.h"
#include "properties/cases/calls/case_convolution.h"

namespace gradproof::fuzz {
namespace {

using corpus::Case;

constexpr std::int64_t largest_gene = 0xFFFF;

std::uint16_t minus_one(std::int64_t length) {
  return static_cast<std::uint16_t>(std::clamp<std::int64_t>(length, 1, largest_gene + 1) - 1);
}
std::uint16_t minus_one_or_zero(std::int64_t length) {
  return length == 0 ? largest_gene : minus_one(std::min(length, largest_gene));
}
std::uint16_t bounded(std::int64_t number) {
  return static_cast<std::uint16_t>(std::clamp<std::int64_t>(number, 0, largest_gene));
}

AxisGenes genes_of(const cases::SpatialAxis& axis) {
  AxisGenes genes;
  genes.positions = minus_one(cases::small_length(axis));
  genes.kernel = minus_one_or_zero(axis.kernel);
  genes.stride = minus_one(axis.stride);
  genes.dilation = minus_one(axis.dilation);
  genes.padding_begin = bounded(axis.padding_begin);
  genes.padding_more = static_cast<std::uint16_t>(bounded(axis.padding_end) - genes.padding_begin);
  genes.unread = bounded(cases::unread_length(axis));
  return genes;
}

void set_sizes(CaseGenes& genes, const cases::Convolution& sizes) {
  genes.batch = minus_one_or_zero(sizes.batch);
  genes.groups = minus_one(sizes.groups);
  genes.small_channels = minus_one_or_zero(sizes.small_channels_per_group);
  genes.big_channels = minus_one_or_zero(sizes.big_channels_per_group);
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) genes.axes[i] = genes_of(sizes.axes[i]);
}

void set_types(CaseGenes& genes, const Case& test_case) {
  if (!test_case.grad_output || !test_case.input || !test_case.weight) return;
  const auto type = test_case.grad_output->dtype;
  const auto others = [&](corpus::DataType other) {
    return static_cast<std::uint8_t>(other == type ? 0 : place_of(data_types, other) + 1);
  };
  genes.type = static_cast<std::uint8_t>(place_of(data_types, type));
  genes.input_type = others(test_case.input->dtype);
  genes.weight_type = others(test_case.weight->dtype);
}

std::uint8_t flags_of(const Case& test_case) {
  std::uint8_t flags = 0;
  if (test_case.transposed) flags |= transposed_flag;
  if (test_case.deterministic) flags |= deterministic_flag;
  if (!test_case.shape_consistent) flags |= inconsistent_flag;
  if (test_case.padding && test_case.padding->size() == 4) flags |= four_paddings_flag;
  return flags;
}

void set_arguments(CaseGenes& genes, const Case& test_case) {
  if (test_case.cube_math_type > 0) {
    genes.cube_math_type = static_cast<std::uint8_t>(test_case.cube_math_type % 4);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const auto role = corpus::output_roles[i];
    const auto bit = static_cast<std::uint8_t>(1U << i);
    if (!corpus::is_requested(test_case, role)) genes.unrequested |= bit;
    if (!corpus::tensor(test_case, role)) genes.nulls |= bit;
  }
  if (!test_case.bias_sizes) genes.nulls |= 8U;
  if (!test_case.data) {
    genes.recipe = static_cast<std::uint8_t>(recipes.size());
  } else {
    genes.recipe = static_cast<std::uint8_t>(place_of(recipes, test_case.data->distribution));
    genes.seed = test_case.data->seed;
  }
}

/// Adds edits for what the consistent part cannot say: every field that is still another is set.
void add_edits(CaseGenes& genes, const Case& test_case, const CaseLimits& limits) {
  Case made = case_of_genes(genes, limits);
  for (const CaseField& field : fields_of(test_case)) {
    const std::int64_t wanted = read(test_case, field).value_or(0);
    if (read(made, field) == wanted || genes.edits.size() == most_edits) continue;
    write(made, field, wanted);
    genes.edits.push_back({static_cast<std::uint8_t>(field.kind), field.owner, field.position,
                           static_cast<std::uint8_t>(Edit::Operation::Set), wanted});
  }
}

}  // namespace

std::vector<std::uint8_t> bytes_of_case(const Case& test_case, const CaseLimits& limits) {
  CaseGenes genes;
  const auto product = corpus::product_of(test_case);
  genes.product = static_cast<std::uint8_t>(product ? place_of(products, *product) : 0);
  genes.flags = flags_of(test_case);
  set_types(genes, test_case);
  set_arguments(genes, test_case);
  if (const auto sizes = cases::convolution_of(test_case)) {
    genes.rank =
        static_cast<std::uint8_t>(place_of(ranks, static_cast<int>(sizes->axes.size()) + 2));
    set_sizes(genes, *sizes);
  }
  add_edits(genes, test_case, limits);
  return bytes_of_genes(genes);
}

}  // namespace gradproof::fuzz
