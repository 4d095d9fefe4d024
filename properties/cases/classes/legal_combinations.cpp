#include "properties/cases/classes/legal_combinations.h"

#include "corpus/product_row.h"

#include <algorithm>

namespace gradproof::cases {
namespace {

/// No legal call has one class of each list at once; names with blanks between, no lists behind
/// the last.
struct Exclusion {
  std::array<std::string_view, 6> lists;
  std::string_view reason;
};

// All dtypes or products of a kind; these names are no classes' names.
constexpr std::string_view eight_bit = "8-bit";
constexpr std::string_view first_generation = "generation=1";
constexpr std::string_view second_generation = "generation=2";

constexpr Exclusion exclusions[] = {
    {{eight_bit, first_generation}, "DTYPE-01: 8-bit floats are Ascend950's"},
    {{eight_bit, second_generation}, "DTYPE-01: 8-bit floats are Ascend950's"},
    {{eight_bit, "normal"}, "F8-01: 8-bit floats only transposed"},
    {{eight_bit, "mask=000 mask=001 mask=010 mask=011"}, "F8-01: an 8-bit call asks for gradInput"},
    {{eight_bit, "mask=101 mask=111"}, "F8-06: no gradBias of 8-bit floats"},
    {{"BF16", first_generation}, "DTYPE-01: no BF16 on these products"},
    {{"rank=5", first_generation}, "PROD-02: no volumes on these products"},
    {{"BF16", "cube=2"}, "CUBE-05: BF16 has no way to FLOAT16"},
    {{"FLOAT mixed", first_generation, "cube=0"}, "CUBE-02: no FLOAT in mode 0 on these products"},
    {{"FLOAT mixed", first_generation, "cube=3"}, "CUBE-03: no FLOAT in mode 3 on these products"},
    {{"FLOAT mixed", second_generation, "cube=2", "rank=5", "depthwise groups>1",
      "mask=010 mask=011 mask=110 mask=111"},
     "CUBE-07: no FLOAT gradWeight of several groups from half precision in 3D"},
    {{"asymmetric", "rank=3 rank=5"}, "LEN-03: two values an axis only for planes"},
    {{"kernel=mixed", "rank=3"}, "a line has one kernel"},
    {{"kernel=1", "dilation>1"}, "a kernel of 1 reaches over nothing"},
    {{"kernel=1", "padding=same padding=full"}, "a kernel of 1 reaches over nothing"},
};

bool holds_name(std::string_view list, std::string_view name) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(' ', begin), list.size());
    if (list.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

/// Kind of a class of products or 8-bit dtypes; empty for others.
std::string_view kind_of(const CallClass& named) {
  if (named.dimension == Dimension::DataType) {
    const auto type = corpus::data_type_named(named.name);
    return type && corpus::is_8_bit_float(*type) ? eight_bit : std::string_view{};
  }
  if (named.dimension != Dimension::Product) return {};
  const auto generation = corpus::row_of(*corpus::product_named(named.name)).generation;
  if (generation == corpus::Generation::First) return first_generation;
  return generation == corpus::Generation::Second ? second_generation : std::string_view{};
}

ClassSet classes_named(std::string_view list) {
  ClassSet named;
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    const std::string_view kind = kind_of(call_classes.at(i));
    named.set(
        i, holds_name(list, call_classes.at(i).name) || (!kind.empty() && holds_name(list, kind)));
  }
  return named;
}

/// An exclusion whose names are looked up.
struct Conflict {
  std::vector<ClassSet> sets;
  std::string_view reason;

  bool forbids(const ClassSet& classes) const {
    return std::ranges::all_of(sets, [&](const ClassSet& set) { return (set & classes).any(); });
  }
};

const std::vector<Conflict>& conflicts() {
  static const std::vector<Conflict> rows = [] {
    std::vector<Conflict> made;
    for (const Exclusion& exclusion : exclusions) {
      Conflict& conflict = made.emplace_back(Conflict{{}, exclusion.reason});
      for (const auto list : exclusion.lists) {
        if (!list.empty()) conflict.sets.push_back(classes_named(list));
      }
    }
    return made;
  }();
  return rows;
}

bool are_apart(std::size_t left, std::size_t right) {
  return call_classes.at(left).dimension != call_classes.at(right).dimension;
}

/// Legal triples, and where each is found.
class TripleTable {
 public:
  TripleTable() : places_(count * count * count, none) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        if (are_apart(i, j)) add_thirds(i, j);
      }
    }
  }
  const std::vector<Triple>& triples() const { return triples_; }
  std::optional<std::size_t> place(const Triple& triple) const {
    const std::uint16_t found = places_[flat(triple)];
    return found == none ? std::nullopt : std::optional<std::size_t>(found);
  }

 private:
  static constexpr std::size_t count = call_classes.size();
  static constexpr std::uint16_t none = UINT16_MAX;
  static_assert(count * count * count / 6 < none);

  static std::size_t flat(const Triple& triple) {
    return (triple[0] * count + triple[1]) * count + triple[2];
  }
  void add_thirds(std::size_t i, std::size_t j) {
    for (std::size_t k = j + 1; k < count; ++k) {
      if (!are_apart(j, k) || is_excluded(ClassSet().set(i).set(j).set(k))) continue;
      const Triple triple{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j),
                          static_cast<std::uint8_t>(k)};
      places_[flat(triple)] = static_cast<std::uint16_t>(triples_.size());
      triples_.push_back(triple);
    }
  }

  std::vector<std::uint16_t> places_;
  std::vector<Triple> triples_;
};

const TripleTable& triple_table() {
  static const TripleTable table;
  return table;
}

}  // namespace

bool is_excluded(const ClassSet& classes) {
  return std::ranges::any_of(conflicts(),
                             [&](const Conflict& row) { return row.forbids(classes); });
}

std::string_view why_illegal(std::size_t left, std::size_t right) {
  const ClassSet pair = ClassSet().set(left).set(right);
  const auto row = std::ranges::find_if(
      conflicts(), [&](const Conflict& conflict) { return conflict.forbids(pair); });
  return row == conflicts().end() ? std::string_view{} : row->reason;
}

const std::vector<Triple>& legal_triples() { return triple_table().triples(); }

std::optional<std::size_t> place_of(const Triple& triple) { return triple_table().place(triple); }

}  // namespace gradproof::cases
