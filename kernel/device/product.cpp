#include "kernel/device/product.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace gradproof::kernel::device {
namespace {

constexpr std::int64_t kib = std::int64_t{1} << 10;
constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t gib = std::int64_t{1} << 30;

constexpr CubeMemories first_memories = {
    .l1 = mib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 256 * kib};
constexpr CubeMemories second_memories = {
    .l1 = 512 * kib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 128 * kib};

// Stream limit of Ascend310, which CANN's present runtime no longer lists: that of its successor.
constexpr ProductLimits limits[] = {
    {.product = Product::Ascend310,
     .name = "Ascend310",
     .generation = Generation::None,
     .npu_architecture = 2002,
     .max_streams = 512,
     .max_events = 65536,
     .max_notifies = 1024,
     .allocation_slack = 32,
     .cube_memories = first_memories,
     .unified_buffer = 262144,
     .has_saturation = true,
     .has_infnan = false,
     .has_bfloat16 = false},
    {.product = Product::Ascend310B,
     .name = "Ascend310B",
     .generation = Generation::None,
     .npu_architecture = 3002,
     .max_streams = 512,
     .max_events = 65536,
     .max_notifies = 1024,
     .allocation_slack = 32,
     .cube_memories = {.l1 = mib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 128 * kib},
     .unified_buffer = 253952,
     .has_saturation = true,
     .has_infnan = false,
     .has_bfloat16 = false},
    {.product = Product::Ascend310P,
     .name = "Ascend310P",
     .generation = Generation::HalfOnly,
     .npu_architecture = 2002,
     .max_streams = 1024,
     .max_events = 1023,
     .max_notifies = 1024,
     .allocation_slack = 32,
     .cube_memories = first_memories,
     .unified_buffer = 262144,
     .has_saturation = true,
     .has_infnan = false,
     .has_bfloat16 = false},
    {.product = Product::Ascend910,
     .name = "Ascend910",
     .generation = Generation::HalfOnly,
     .npu_architecture = 1001,
     .max_streams = 2048,
     .max_events = 65535,
     .max_notifies = 1024,
     .allocation_slack = 32,
     .cube_memories = first_memories,
     .unified_buffer = 262144,
     .has_saturation = true,
     .has_infnan = false,
     .has_bfloat16 = false},
    {.product = Product::Ascend910B,
     .name = "Ascend910B",
     .generation = Generation::Wide,
     .npu_architecture = 2201,
     .max_streams = 1984,
     .max_events = 65536,
     .max_notifies = 8192,
     .allocation_slack = 32,
     .cube_memories = second_memories,
     .unified_buffer = 196608,
     .has_saturation = true,
     .has_infnan = true,
     .has_bfloat16 = true},
    {.product = Product::Ascend910_93,
     .name = "Ascend910_93",
     .generation = Generation::Wide,
     .npu_architecture = 2201,
     .max_streams = 1984,
     .max_events = 65536,
     .max_notifies = 8192,
     .allocation_slack = 32,
     .cube_memories = second_memories,
     .unified_buffer = 196608,
     .has_saturation = true,
     .has_infnan = true,
     .has_bfloat16 = true},
    {.product = Product::Ascend950,
     .name = "Ascend950",
     .generation = Generation::EightBit,
     .npu_architecture = 3510,
     .max_streams = 1984,
     .max_events = 65536,
     .max_notifies = 65535,
     .allocation_slack = 0,
     .cube_memories = {.l1 = 512 * kib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 256 * kib},
     .unified_buffer = 253952,
     .has_saturation = false,
     .has_infnan = true,
     .has_bfloat16 = true},
};

// Source: CANN runtime, platform configuration. Memory of the Ascend310 and Ascend910 families is
// not given there: that of the boards they were sold on. Of the Ascend950 parts whose sizes are
// published as a range, a size inside it.
constexpr Soc socs[] = {
    // name, product, cube cores, vector cores, L2, memory
    {"Ascend310", Product::Ascend310, 2, 0, 8 * mib, 8 * gib},
    {"Ascend310B1", Product::Ascend310B, 1, 1, 4 * mib, 16 * gib},
    {"Ascend310B2", Product::Ascend310B, 1, 1, 4 * mib, 16 * gib},
    {"Ascend310B3", Product::Ascend310B, 1, 1, 4 * mib, 16 * gib},
    {"Ascend310B4", Product::Ascend310B, 1, 1, 4 * mib, 8 * gib},
    {"Ascend310P1", Product::Ascend310P, 10, 8, 16 * mib, 24'000'000'000},
    {"Ascend310P3", Product::Ascend310P, 8, 7, 16 * mib, 24'000'000'000},
    {"Ascend310P5", Product::Ascend310P, 8, 7, 16 * mib, 24'000'000'000},
    {"Ascend310P7", Product::Ascend310P, 8, 7, 16 * mib, 24'000'000'000},
    {"Ascend910A", Product::Ascend910, 32, 0, 32 * mib, 32 * gib},
    {"Ascend910ProA", Product::Ascend910, 32, 0, 32 * mib, 32 * gib},
    {"Ascend910PremiumA", Product::Ascend910, 32, 0, 32 * mib, 32 * gib},
    {"Ascend910B", Product::Ascend910, 30, 0, 32 * mib, 32 * gib},
    {"Ascend910ProB", Product::Ascend910, 30, 0, 32 * mib, 32 * gib},
    {"Ascend910B1", Product::Ascend910B, 24, 48, 192 * mib, 64 * gib},
    {"Ascend910B2", Product::Ascend910B, 24, 48, 192 * mib, 64 * gib},
    {"Ascend910B2C", Product::Ascend910B, 24, 48, 192 * mib, 64 * gib},
    {"Ascend910B3", Product::Ascend910B, 20, 40, 192 * mib, 64 * gib},
    {"Ascend910B4", Product::Ascend910B, 20, 40, 96 * mib, 32 * gib},
    {"Ascend910B4-1", Product::Ascend910B, 20, 40, 168 * mib, 32 * gib},
    {"Ascend910_9362", Product::Ascend910_93, 20, 40, 168 * mib, 64 * gib},
    {"Ascend910_9363", Product::Ascend910_93, 20, 40, 168 * mib, 32 * gib},
    {"Ascend910_9372", Product::Ascend910_93, 20, 40, 192 * mib, 64 * gib},
    {"Ascend910_9381", Product::Ascend910_93, 24, 48, 192 * mib, 64 * gib},
    {"Ascend910_9382", Product::Ascend910_93, 24, 48, 192 * mib, 64 * gib},
    {"Ascend910_9391", Product::Ascend910_93, 24, 48, 192 * mib, 64 * gib},
    {"Ascend910_9392", Product::Ascend910_93, 24, 48, 192 * mib, 64 * gib},
    {"Ascend950PR_9579", Product::Ascend950, 28, 56, 128 * mib, 128 * gib},
    {"Ascend950PR_957b", Product::Ascend950, 28, 56, 112 * mib, 112 * gib},
    {"Ascend950PR_957c", Product::Ascend950, 28, 56, 112 * mib, 112 * gib},
    {"Ascend950PR_957d", Product::Ascend950, 28, 56, 96 * mib, 84 * gib},
    {"Ascend950PR_9589", Product::Ascend950, 32, 64, 128 * mib, 128 * gib},
    {"Ascend950PR_958b", Product::Ascend950, 32, 64, 112 * mib, 112 * gib},
    {"Ascend950PR_9599", Product::Ascend950, 36, 72, 128 * mib, 128 * gib},
    {"Ascend950DT_9571", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9572", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9573", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9574", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9575", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9576", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9577", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9578", Product::Ascend950, 28, 56, 128 * mib, 144 * gib},
    {"Ascend950DT_9581", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9582", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9583", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9584", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9585", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9586", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9587", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9588", Product::Ascend950, 32, 64, 128 * mib, 144 * gib},
    {"Ascend950DT_9591", Product::Ascend950, 36, 72, 128 * mib, 144 * gib},
    {"Ascend950DT_9592", Product::Ascend950, 36, 72, 128 * mib, 144 * gib},
    {"Ascend950DT_9595", Product::Ascend950, 36, 72, 128 * mib, 144 * gib},
    {"Ascend950DT_9596", Product::Ascend950, 36, 72, 128 * mib, 144 * gib},
    {"Ascend950DT_95A1", Product::Ascend950, 36, 72, 128 * mib, 144 * gib},
    {"Ascend950DT_95A2", Product::Ascend950, 36, 72, 128 * mib, 144 * gib},
};

constexpr bool limits_stand_in_order_of_product() {
  for (std::size_t index = 0; index < std::size(limits); ++index) {
    if (limits[index].product != static_cast<Product>(index)) return false;
  }
  return true;
}
static_assert(limits_stand_in_order_of_product());
static_assert(std::size(limits) == static_cast<std::size_t>(Product::Ascend950) + 1);

}  // namespace

const ProductLimits& limits_of(Product product) {
  return limits[static_cast<std::size_t>(product)];
}

std::string_view name_of(Product product) { return limits_of(product).name; }

std::string names_of(Generation generation) {
  std::string names;
  for (const ProductLimits& row : limits) {
    if (row.generation != generation) continue;
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

const Soc* soc_named(std::string_view name) {
  const auto* found = std::ranges::find(socs, name, &Soc::name);
  return found == std::end(socs) ? nullptr : found;
}

std::span<const Soc> all_socs() { return socs; }

}  // namespace gradproof::kernel::device
