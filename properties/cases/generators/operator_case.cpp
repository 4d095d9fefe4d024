#include "properties/cases/generators/operator_case.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gradproof::cases {

using corpus::Api;
using corpus::Case;

namespace {

struct OperatorRow {
  Api api;
  const OperatorGenerator& generator;
};

std::span<const OperatorRow> generator_rows() {
  static const std::array rows{OperatorRow{Api::Conv3DBackpropInputV2, graph_operator_generator},
                               OperatorRow{Api::Conv3DBackpropFilterV2, graph_operator_generator},
                               OperatorRow{Api::ConvTbcBackward, conv_tbc_generator},
                               OperatorRow{Api::Convolution, forward_convolution_generator},
                               OperatorRow{Api::ConvTbc, forward_tbc_generator},
                               OperatorRow{Api::ConvDepthwise2d, depthwise_generator}};
  return rows;
}

const OperatorRow* generator_row(Api api) {
  const auto row = std::ranges::find(generator_rows(), api, &OperatorRow::api);
  return row == generator_rows().end() ? nullptr : &*row;
}

constexpr std::array generators{&graph_operator_generator, &conv_tbc_generator,
                                &forward_convolution_generator, &forward_tbc_generator,
                                &depthwise_generator};

void add_frames(const OperatorRow& row, int rank, bool transposed, const Selection& selection,
                std::vector<OperatorFrame>& frames) {
  for (const corpus::Product product : row.generator.products) {
    if (!admits(selection.products, product)) continue;
    for (const corpus::DataType dtype : corpus::data_types()) {
      const OperatorFrame frame{row.api, product, dtype, rank, transposed};
      if (admits(selection.dtypes, dtype) && row.generator.takes(frame)) frames.push_back(frame);
    }
  }
}

void add_frames(const OperatorRow& row, const Selection& selection,
                std::vector<OperatorFrame>& frames) {
  for (const int rank : row.generator.ranks) {
    if (!admits(selection.ranks, rank)) continue;
    for (const bool transposed : {false, true}) {
      const bool is_taken = !transposed || row.generator.takes_transposed;
      if (!is_taken || selection.transposed.value_or(transposed) != transposed) continue;
      add_frames(row, rank, transposed, selection, frames);
    }
  }
}

std::string dimensions_of(const OperatorGenerator& generator) {
  std::string text;
  for (const int rank : generator.ranks)
    text += fmt::format("{}{}D", text.empty() ? "" : ", ", rank - 2);
  return text;
}

}  // namespace

std::span<const OperatorGenerator* const> operator_generators() { return generators; }

std::string what_operators_take() {
  std::string all;
  for (const OperatorRow& row : generator_rows()) {
    all += fmt::format("{}{} takes {} convolutions on", all.empty() ? "" : ", ", name_of(row.api),
                       dimensions_of(row.generator));
    std::string_view before = " ";
    for (const corpus::Product product : row.generator.products) {
      all.append(std::exchange(before, ", ")).append(name_of(product));
    }
  }
  return all;
}

std::vector<OperatorFrame> operator_frames_of(const Selection& selection) {
  std::vector<OperatorFrame> frames;
  for (const Api api : selection.apis) {
    if (const OperatorRow* row = generator_row(api)) add_frames(*row, selection, frames);
  }
  return frames;
}

Case draw_operator_case(const OperatorFrame& frame, std::int64_t max_macs,
                        const OperatorWishes& wishes, corpus::RandomSource& random) {
  return generator_row(frame.api)->generator.draw(frame, max_macs, wishes, random);
}

}  // namespace gradproof::cases
