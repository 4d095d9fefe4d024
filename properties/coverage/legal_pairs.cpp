#include "properties/coverage/legal_pairs.h"

#include <algorithm>
#include <array>

#include "properties/coverage/call_classes.h"

namespace gradproof::properties {
namespace {

/// No legal call has a class of `left` together with one of `right`; names with blanks between.
struct Exclusion {
  std::string_view left, right, reason;
};

constexpr Exclusion exclusions[] = {
    {"HIFLOAT8 FLOAT8_E4M3FN", "Ascend310P Ascend910 Ascend910B Ascend910_93",
     "DTYPE-01: 8-bit floats are Ascend950's"},
    {"HIFLOAT8 FLOAT8_E4M3FN", "normal", "F8-01: 8-bit floats only transposed"},
    {"HIFLOAT8 FLOAT8_E4M3FN", "mask=000 mask=001 mask=010 mask=011",
     "F8-01: an 8-bit call asks for gradInput"},
    {"HIFLOAT8 FLOAT8_E4M3FN", "mask=101 mask=111", "F8-06: no gradBias of 8-bit floats"},
    {"FLOAT8_E4M3FN", "mask=110", "F8-04: a weight gradient of HIFLOAT8 only"},
    {"BF16", "Ascend310P Ascend910", "DTYPE-01: no BF16 on these products"},
    {"rank=5", "Ascend310P Ascend910", "PROD-02: no volumes on these products"},
    {"BF16", "cube=2", "CUBE-05: BF16 has no way to FLOAT16"},
    {"asymmetric", "rank=3 rank=5", "LEN-03: two values an axis only for planes"},
};

using Reasons = std::array<std::array<std::string_view, call_classes.size()>, call_classes.size()>;

bool holds_name(std::string_view list, std::string_view name) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(' ', begin), list.size());
    if (list.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

std::string_view reason_of(std::string_view left, std::string_view right) {
  for (const Exclusion& row : exclusions) {
    if (holds_name(row.left, left) && holds_name(row.right, right)) return row.reason;
    if (holds_name(row.left, right) && holds_name(row.right, left)) return row.reason;
  }
  return {};
}

const Reasons& reasons() {
  static const Reasons table = [] {
    Reasons made;
    for (std::size_t i = 0; i < call_classes.size(); ++i) {
      for (std::size_t j = 0; j < call_classes.size(); ++j) {
        made.at(i).at(j) = reason_of(call_classes.at(i).name, call_classes.at(j).name);
      }
    }
    return made;
  }();
  return table;
}

}  // namespace

std::string_view why_illegal(std::size_t left, std::size_t right) {
  return reasons().at(left).at(right);
}

}  // namespace gradproof::properties
