#include "fuzz/records/case_genes.h"

#include <algorithm>

namespace gradproof::fuzz {
namespace {

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <typename Number>
  void operator()(Number& number) {
    std::uint64_t read = 0;
    for (std::size_t i = 0; i < sizeof number; ++i, ++at_) {
      if (at_ < bytes_.size()) read |= std::uint64_t{bytes_[at_]} << (8 * i);
    }
    number = static_cast<Number>(read);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

class Writer {
 public:
  template <typename Number>
  void operator()(const Number& number) {
    const auto written = static_cast<std::uint64_t>(number);
    for (std::size_t i = 0; i < sizeof number; ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(written >> (8 * i)));
    }
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Passes the fixed numbers to `action` in one order, for reading and for writing.
template <typename Action, typename Genes>
void each_fixed_number(Action& action, Genes& genes) {
  for (auto* number : {&genes.product, &genes.rank, &genes.flags, &genes.type, &genes.input_type,
                       &genes.weight_type, &genes.cube_math_type, &genes.unrequested, &genes.nulls,
                       &genes.free_formats, &genes.recipe}) {
    action(*number);
  }
  action(genes.seed);
  for (auto* number : {&genes.batch, &genes.groups, &genes.small_channels, &genes.big_channels}) {
    action(*number);
  }
  for (auto& axis : genes.axes) {
    for (auto* number : {&axis.positions, &axis.kernel, &axis.stride, &axis.dilation,
                         &axis.padding_begin, &axis.padding_more, &axis.unread}) {
      action(*number);
    }
  }
  for (auto& layout : genes.layouts) {
    for (auto* number : {&layout.order, &layout.gaps, &layout.offset, &layout.behind}) {
      action(*number);
    }
  }
}

template <typename Action, typename EditOrConst>
void each_number(Action& action, EditOrConst& edit) {
  for (auto* number : {&edit.kind, &edit.owner, &edit.position, &edit.operation}) action(*number);
  action(edit.value);
}

}  // namespace

CaseGenes genes_from_bytes(std::span<const std::uint8_t> bytes) {
  CaseGenes genes;
  Reader read(bytes);
  each_fixed_number(read, genes);
  const std::size_t tail = bytes.size() - std::min(bytes.size(), fixed_bytes);
  genes.edits.resize(std::min(tail / edit_bytes, most_edits));
  for (Edit& edit : genes.edits) each_number(read, edit);
  return genes;
}

std::vector<std::uint8_t> bytes_of_genes(const CaseGenes& genes) {
  Writer write;
  each_fixed_number(write, genes);
  for (const Edit& edit : genes.edits) each_number(write, edit);
  auto bytes = write.take();
  if (!genes.edits.empty()) return bytes;
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  return bytes;
}

}  // namespace gradproof::fuzz
