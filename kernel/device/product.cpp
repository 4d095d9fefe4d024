#include "kernel/device/product.h"

#include <algorithm>
#include <iterator>

namespace gradproof::kernel::device {
namespace {

constexpr std::int64_t kib = std::int64_t{1} << 10;
constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t gib = std::int64_t{1} << 30;

constexpr CubeMemories memories_of_310b = {
    .l1 = mib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 128 * kib};
constexpr CubeMemories memories_of_950 = {
    .l1 = 512 * kib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 256 * kib};
constexpr CubeMemories first_memories = {
    .l1 = mib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 256 * kib};
constexpr CubeMemories second_memories = {
    .l1 = 512 * kib, .l0a = 64 * kib, .l0b = 64 * kib, .l0c = 128 * kib};

// Stream limit of Ascend310, which CANN's present runtime no longer lists: that of its successor.
constexpr ProductLimits limits[] = {
    // product, name, generation, architecture, most streams, events and notifies, slack of an
    // allocation, memories, unified buffer; has saturation, has infnan, has bfloat16
    {Product::Ascend310, "Ascend310", Generation::None, 2002, 512, 65536, 1024, 32, first_memories,
     262144, true, false, false},
    {Product::Ascend310B, "Ascend310B", Generation::None, 3002, 512, 65536, 1024, 32,
     memories_of_310b, 253952, true, false, false},
    {Product::Ascend310P, "Ascend310P", Generation::HalfOnly, 2002, 1024, 1023, 1024, 32,
     first_memories, 262144, true, false, false},
    {Product::Ascend910, "Ascend910", Generation::HalfOnly, 1001, 2048, 65535, 1024, 32,
     first_memories, 262144, true, false, false},
    {Product::Ascend910B, "Ascend910B", Generation::Wide, 2201, 1984, 65536, 8192, 32,
     second_memories, 196608, true, true, true},
    {Product::Ascend910_93, "Ascend910_93", Generation::Wide, 2201, 1984, 65536, 8192, 32,
     second_memories, 196608, true, true, true},
    {Product::Ascend950, "Ascend950", Generation::EightBit, 3510, 1984, 65536, 65535, 0,
     memories_of_950, 253952, false, true, true},
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
