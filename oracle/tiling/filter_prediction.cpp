#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "oracle/facts/operator_facts.h"
#include "oracle/numbers/int128.h"
#include "oracle/tiling/prediction.h"

namespace gradproof::oracle::tiling {
namespace {

using corpus::TilingField;

constexpr std::int64_t kibibyte = 1024;
constexpr std::int64_t l1_bytes = 512 * kibibyte, l0ab_bytes = 64 * kibibyte,
                       l0c_bytes = 128 * kibibyte;

std::int64_t bytes_of(const corpus::Case& problem) {
  return static_cast<std::int64_t>(corpus::size_bytes(problem.grad_output->dtype));
}

/// Fields by name; 0 where the structure has none of that name.
class Filled {
 public:
  explicit Filled(std::span<const TilingField> fields) : fields_(fields) {}

  std::int64_t operator[](std::string_view name) const {
    const auto found = std::ranges::find(fields_, name, &TilingField::name);
    return found == fields_.end() ? 0 : found->value;
  }

 private:
  std::span<const TilingField> fields_;
};

constexpr std::string_view counts[] = {
    "baseM",        "baseK",           "baseN",          "stepM",
    "stepN",        "stepKa",          "stepKb",         "singleCoreBatch",
    "singleCoreDk", "singleCoreGroup", "singleCoreCout", "singleCoreCin",
    "singleCoreHo", "singleCoreM",     "singleCoreN",    "singleCoreK"};
constexpr std::string_view buffers[] = {"al0Pbuffer", "bl0Pbuffer", "cl0Pbuffer", "al1Pbuffer",
                                        "bl1Pbuffer"};

std::optional<std::string> flaw_of_counts(const Filled& filled) {
  for (const std::string_view name : counts) {
    if (filled[name] < 1) return fmt::format("GetTiling gives {} = {}", name, filled[name]);
  }
  for (const std::string_view name : buffers) {
    if (filled[name] == 1 || filled[name] == 2) continue;
    return fmt::format("GetTiling gives {} = {}; 1 is a single buffer, 2 ping-pong", name,
                       filled[name]);
  }
  if (filled["iterateOrder"] > 1) {
    return fmt::format("GetTiling gives iterateOrder = {}; it is 0 or 1", filled["iterateOrder"]);
  }
  return std::nullopt;
}

/// Blocks are whole packs of channels; only the last one of a matrix may fill a fractal in part.
std::optional<std::string> flaw_of_packs(const Filled& filled, std::int64_t c0) {
  for (const std::string_view name : {"baseM", "baseK", "baseN"}) {
    if (filled[name] % c0 == 0) continue;
    return fmt::format("GetTiling gives {} = {}, no multiple of {}", name, filled[name], c0);
  }
  return std::nullopt;
}

/// Blocks in a buffer of the core: how many bytes, and how many it has.
struct Load {
  std::string_view buffer;
  Int128 bytes;
  std::int64_t capacity;
};

/// Necessary conditions; how much of L1 the input takes is left open.
/// Blocks of a matrix product M x K times K x N: A and B in the operands' type, sums in FLOAT.
/// L0A and L0B have 64 KiB each, L0C 128 KiB, L1 512 KiB.
std::optional<std::string> flaw_of_buffers(const Filled& filled, std::int64_t bytes) {
  const Int128 m = filled["baseM"], k = filled["baseK"], n = filled["baseN"];
  constexpr std::int64_t bytes_of_sum = 4;
  const Load loads[] = {
      {"L0A", m * k * bytes * filled["al0Pbuffer"], l0ab_bytes},
      {"L0B", k * n * bytes * filled["bl0Pbuffer"], l0ab_bytes},
      {"L0C", m * n * bytes_of_sum * filled["cl0Pbuffer"], l0c_bytes},
      {"L1", m * filled["stepM"] * k * filled["stepKa"] * bytes * filled["al1Pbuffer"], l1_bytes},
  };
  for (const Load& load : loads) {
    if (load.bytes <= load.capacity) continue;
    return fmt::format("GetTiling's blocks {} x {} x {} take more than the {} bytes of {}",
                       filled["baseM"], filled["baseK"], filled["baseN"], load.capacity,
                       load.buffer);
  }
  return std::nullopt;
}

/// Only where every operand is there can its blocks be said to be right.
bool is_defined(const corpus::Case& problem, const OperatorFacts& facts) {
  return facts.axes_are_known && problem.grad_output && bytes_of(problem) >= 2;
}

}  // namespace

Prediction filter_prediction(const corpus::Case& problem) {
  const OperatorFacts facts = operator_facts_of(problem);
  if (!is_defined(problem, facts)) return {};
  const Shape &out = *facts.out_backprop_shape, &map = *facts.feature_map_shape,
              &filter = *facts.filter_shape;
  const bool agrees =
      out[axis_n] == map[axis_n] && map[axis_c] == filter[axis_c] && out[axis_c] == filter[axis_n];
  if (!agrees) return {};
  Prediction prediction{.kind = Prediction::Kind::Fields};
  auto& fields = prediction.fields;
  fields = {{"batch", out[axis_n]},
            {"cin", map[axis_c]},
            {"cout", out[axis_c]},
            {"group", 1},
            {"channelSize", 32 / bytes_of(problem)},
            {"hf32Flag", 0}};
  constexpr std::string_view letters[] = {"D", "H", "W"};
  constexpr std::string_view small[] = {"dout", "ho", "wo"}, big[] = {"di", "hi", "wi"},
                             kernel[] = {"dk", "hk", "wk"};
  constexpr std::string_view begin[] = {"padFront", "padUp", "padLeft"},
                             end[] = {"padBack", "padDown", "padRight"};
  for (std::size_t i = 0; i < facts.axes.count; ++i) {
    const SpatialAxis& axis = facts.axes.values.at(i);
    fields.push_back({std::string(small[i]), axis.small});
    fields.push_back({std::string(big[i]), axis.big});
    fields.push_back({std::string(kernel[i]), axis.kernel});
    fields.push_back({fmt::format("stride{}", letters[i]), axis.stride});
    fields.push_back({fmt::format("dilation{}", letters[i]), axis.dilation});
    fields.push_back({std::string(begin[i]), axis.padding_begin});
    fields.push_back({std::string(end[i]), axis.padding_end});
  }
  return prediction;
}

/// Sufficient conditions only. 65535 is the longest run that a load takes; 16 positions are the
/// least K of a block.
std::optional<bool> filter_lacks_tiling(const corpus::Case& problem) {
  const OperatorFacts facts = operator_facts_of(problem);
  if (!is_defined(problem, facts)) return std::nullopt;
  const SpatialAxis &h = facts.axes.values[1], &w = facts.axes.values[2];
  constexpr std::int64_t longest_row = 65535;
  if (w.big > longest_row || w.small > longest_row) return true;
  if (w.big < 1 || w.small < 1 || h.kernel > l1_bytes || h.dilation > l1_bytes) return std::nullopt;
  // The shortest block of K, and the rows that its positions lie in.
  constexpr std::int64_t positions = 16, bytes_of_pack = 32;
  const std::int64_t steps = positions / w.small + 1;
  const std::int64_t rows = steps * h.stride + (h.kernel - 1) * h.dilation + 1;
  if (rows > l1_bytes / 4 / bytes_of_pack / w.big) return std::nullopt;
  return false;
}

std::optional<std::string> flaw_of_filter_blocks(const corpus::Case& problem,
                                                 std::span<const TilingField> fields) {
  if (!problem.grad_output || bytes_of(problem) < 2) return std::nullopt;
  const Filled filled(fields);
  if (auto flaw = flaw_of_counts(filled)) return flaw;
  if (auto flaw = flaw_of_packs(filled, 32 / bytes_of(problem))) return flaw;
  return flaw_of_buffers(filled, bytes_of(problem));
}

}  // namespace gradproof::oracle::tiling
