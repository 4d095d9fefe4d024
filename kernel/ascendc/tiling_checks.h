#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernel/ascendc/core/core.h"

namespace gradproof::kernel::ascendc {

/// A field of a tiling, by the name it has there.
struct Field {
  const char* name;
  std::uint64_t value;
};

/// Checks that the fields are positive. All checks of Init end the block, naming the first culprit.
void require_positive(Core& core, const char* call, std::initializer_list<Field> fields);
void require_one(Core& core, const char* call, std::initializer_list<Field> fields);
void require_at_most(Core& core, const char* call, std::uint64_t most,
                     std::initializer_list<Field> fields);
void require_multiple(Core& core, const char* call, std::uint64_t of,
                      std::initializer_list<Field> fields);

/// Checks lengths, strides and dilations: fields that both structures have.
template <typename Tiling>
void require_axes(Core& core, const char* call, const Tiling& t) {
  require_positive(core, call,
                   {{"dout", t.dout},
                    {"ho", t.ho},
                    {"wo", t.wo},
                    {"di", t.di},
                    {"hi", t.hi},
                    {"wi", t.wi},
                    {"dk", t.dk},
                    {"hk", t.hk},
                    {"wk", t.wk},
                    {"group", t.group},
                    {"strideD", t.strideD},
                    {"strideH", t.strideH},
                    {"strideW", t.strideW},
                    {"dilationD", t.dilationD},
                    {"dilationH", t.dilationH},
                    {"dilationW", t.dilationW}});
}

/// Checks blocks, steps and buffers: fields that both structures have.
template <typename Tiling>
void require_blocks(Core& core, const char* call, const Tiling& t) {
  constexpr std::uint64_t largest_block = 65536;
  require_positive(core, call,
                   {{"baseM", t.baseM},
                    {"baseK", t.baseK},
                    {"baseN", t.baseN},
                    {"stepKa", t.stepKa},
                    {"stepKb", t.stepKb},
                    {"al0Pbuffer", t.al0Pbuffer},
                    {"bl0Pbuffer", t.bl0Pbuffer},
                    {"cl0Pbuffer", t.cl0Pbuffer},
                    {"al1Pbuffer", t.al1Pbuffer},
                    {"bl1Pbuffer", t.bl1Pbuffer}});
  require_at_most(core, call, largest_block,
                  {{"baseM", t.baseM}, {"baseK", t.baseK}, {"baseN", t.baseN}});
  require_at_most(core, call, 2,
                  {{"al0Pbuffer", t.al0Pbuffer},
                   {"bl0Pbuffer", t.bl0Pbuffer},
                   {"cl0Pbuffer", t.cl0Pbuffer},
                   {"al1Pbuffer", t.al1Pbuffer},
                   {"bl1Pbuffer", t.bl1Pbuffer}});
  require_at_most(core, call, 1, {{"iterateOrder", t.iterateOrder}});
}

/// Checks one tensor's lengths: their product must be an addressable number of elements.
void require_addressable(Core& core, const char* call, const char* tensor,
                         std::initializer_list<std::uint64_t> lengths);

/// Checks that no dimension, with holes and padding, is so long that positions in it leave 64 bits.
void require_reach(Core& core, const char* call, std::initializer_list<Field> a,
                   std::initializer_list<Field> b);

/// Checks that the chip has this API: it is Ascend910B or Ascend910_93.
void require_product(Core& core, const char* call);

}  // namespace gradproof::kernel::ascendc
