#include "properties/cases/coverage/corners.h"

#include <array>

#include "oracle/tiling/input_blocks.h"
#include "oracle/tiling/input_problem.h"

namespace gradproof::cases {
namespace {

struct Tiling {
  const oracle::tiling::InputProblem& it;
  const oracle::tiling::InputBlocks& blocks;

  std::int64_t window() const { return it.h.kernel * it.w.kernel * it.c0(); }
  std::int64_t k() const { return window() * it.cout1(); }
  std::int64_t n() const { return it.cin1() * it.c0(); }
  /// Elements of K of each operand that lie in L1 at a time.
  std::int64_t a_in_l1() const { return blocks.step_ka * blocks.base_k; }
  std::int64_t b_in_l1() const { return blocks.step_kb * blocks.base_k; }
};

struct Row {
  std::string_view name;
  bool (*contains)(const Tiling&);
};

constexpr Row corner_rows[] = {
    {"GetTiling: short last block of M",
     [](const Tiling& t) { return t.blocks.single_core_m % t.blocks.base_m != 0; }},
    {"GetTiling: short last block of K",
     [](const Tiling& t) { return t.k() % t.blocks.base_k != 0; }},
    {"GetTiling: short last block of N",
     [](const Tiling& t) { return t.n() % t.blocks.base_n != 0; }},
    {"GetTiling: short last core's share of M",
     [](const Tiling& t) { return t.it.plane() % t.blocks.single_core_m != 0; }},
    {"GetTiling: a core takes a whole slice",
     [](const Tiling& t) { return t.blocks.single_core_m == t.it.plane(); }},
    {"GetTiling: all of B in L1",
     [](const Tiling& t) { return t.b_in_l1() >= t.k() && t.blocks.b_buffers_in_l1 == 1; }},
    {"GetTiling: B in steps", [](const Tiling& t) { return t.b_in_l1() < t.k(); }},
    {"GetTiling: more of A than of B in L1",
     [](const Tiling& t) { return t.a_in_l1() > t.b_in_l1(); }},
    {"GetTiling: more of B than of A in L1",
     [](const Tiling& t) { return t.b_in_l1() > t.a_in_l1(); }},
    {"GetTiling: both operands twice in L1",
     [](const Tiling& t) {
       return t.blocks.a_buffers_in_l1 == 2 && t.blocks.b_buffers_in_l1 == 2;
     }},
    {"GetTiling: no operand twice in L1",
     [](const Tiling& t) {
       return t.blocks.a_buffers_in_l1 == 1 && t.blocks.b_buffers_in_l1 == 1;
     }},
    {"GetTiling: a window of several blocks of K",
     [](const Tiling& t) { return t.window() > t.blocks.base_k; }},
    {"GetTiling: a block of several windows",
     [](const Tiling& t) { return t.blocks.base_k > t.window(); }},
    {"GetTiling: dx must be zeroed", [](const Tiling& t) { return must_zero_output(t.it); }},
    {"GetTiling: transposed convolution", [](const Tiling& t) { return t.it.transposed; }},
};

constexpr std::string_view nothing_fits = "GetTiling: nothing fits L1";

constexpr auto names = [] {
  std::array<std::string_view, std::size(corner_rows) + 1> all{};
  for (std::size_t i = 0; i < std::size(corner_rows); ++i) all.at(i) = corner_rows[i].name;
  all.back() = nothing_fits;
  return all;
}();

}  // namespace

std::span<const std::string_view> tiling_class_corners() { return names; }

std::vector<std::uint16_t> tiling_class_corners_of(const corpus::Case& test_case) {
  if (test_case.api != corpus::Api::Conv3DBpInputTiling) return {};
  const auto it = oracle::tiling::input_problem_of(test_case);
  if (!it) return {};
  const auto blocks = oracle::tiling::input_blocks_of(*it);
  if (!blocks) return {static_cast<std::uint16_t>(names.size() - 1)};
  std::vector<std::uint16_t> places;
  for (std::size_t i = 0; i < std::size(corner_rows); ++i) {
    if (corner_rows[i].contains({*it, *blocks})) places.push_back(static_cast<std::uint16_t>(i));
  }
  return places;
}

}  // namespace gradproof::cases
