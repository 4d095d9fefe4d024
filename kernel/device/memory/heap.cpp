#include "kernel/device/memory/heap.h"

#include "kernel/device/memory/backing.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace gradproof::kernel::device {
namespace {

constexpr std::size_t slab_bytes = AddressSpace::granule_bytes;
/// Blocks up to this come from slabs.
constexpr std::size_t largest_small = slab_bytes / 2;
constexpr std::size_t alignment = 256;

constexpr std::size_t rounded_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// Sizes of small blocks: four steps to each doubling, so that at most a quarter of a block lies
/// idle.
std::size_t class_of(std::size_t capacity) {
  const std::size_t step = std::max(std::bit_ceil(capacity) / 8, alignment);
  return rounded_up(capacity, step);
}

bool is_large(const HeapBlock& block) { return block.capacity > largest_small; }

std::byte* whole(const HeapBlock& block) { return block.bytes - Heap::guard_bytes; }

void fill(std::byte* bytes, std::byte value, std::size_t count) {
  std::memset(bytes, std::to_integer<int>(value), count);
}

bool is_all(const std::byte* bytes, std::byte value, std::size_t count) {
  return count == 0 || (bytes[0] == value && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

std::int64_t first_difference(const std::byte* bytes, std::byte value, std::size_t count) {
  return std::find_if(bytes, bytes + count, [value](std::byte found) { return found != value; }) -
         bytes;
}

}  // namespace

HeapBlock* Heap::allocate(std::size_t size, int device) {
  if (size > SIZE_MAX - 2 * guard_bytes - slab_bytes) return nullptr;
  const std::size_t capacity = size + 2 * guard_bytes;
  HeapBlock* block = capacity <= largest_small ? take_small(class_of(capacity))
                                               : take_large(rounded_up(capacity, slab_bytes));
  if (block == nullptr) return nullptr;
  make_live(*block, size, device);
  prepare(*block);
  return block;
}

void Heap::make_live(HeapBlock& block, std::size_t size, int device) {
  block.size = size;
  block.state = HeapBlock::State::Live;
  block.device = device;
  block.ordinal = ++allocations_;
  block.holds = 0;
  block.damage_is_known = false;
  block.origin = HeapBlock::Origin::Allocated;
  block.is_accessible = true;
  block.live_index = live_.size();
  live_.push_back(&block);
}

void Heap::end_life(HeapBlock& block) {
  live_[block.live_index] = live_.back();
  live_[block.live_index]->live_index = block.live_index;
  live_.pop_back();
  block.state = HeapBlock::State::Freed;
}

HeapBlock* Heap::place(Placement placement) {
  constexpr std::size_t page = 4096;
  // Its place in the page is the same, so that alignments of the bytes are those of the addresses.
  const std::size_t lead = reinterpret_cast<std::uintptr_t>(placement.bytes) % page;
  const bool is_free_to_choose = placement.address == 0;
  const std::size_t bytes =
      is_free_to_choose ? rounded_up(lead + placement.size, slab_bytes) : placement.size;
  const std::uintptr_t start = is_free_to_choose ? addresses_.take(bytes) : placement.address;
  if (start == 0) return nullptr;
  auto region = std::make_unique<Region>();
  region->start = start;
  region->bytes = region->block_bytes = bytes;
  region->has_own_addresses = is_free_to_choose;
  region->blocks.resize(1);
  HeapBlock& block = region->blocks.front();
  block.address = is_free_to_choose ? start + lead : start;
  block.bytes = placement.bytes;
  block.capacity = bytes;
  make_live(block, placement.size, placement.device);
  block.origin = placement.origin;
  block.keeper = std::move(placement.keeper);
  regions_.emplace(start, std::move(region));
  return &block;
}

std::shared_ptr<void> Heap::displace(HeapBlock& block) {
  end_life(block);
  std::shared_ptr<void> keeper = std::move(block.keeper);
  const auto region = std::prev(regions_.upper_bound(block.address));
  const std::uintptr_t start = region->second->start;
  const std::size_t bytes = region->second->bytes;
  const bool gives_back = region->second->has_own_addresses;
  regions_.erase(region);
  if (gives_back) addresses_.give_back(start, bytes);
  return keeper;
}

void Heap::release(HeapBlock& block) {
  end_life(block);
  if (is_large(block)) {
    unmap_pages(whole(block), block.capacity);
    block.bytes = nullptr;
    block.is_poisoned = false;
  } else if (checks_ != CheckLevel::Off) {
    poison_again(block);
  } else {
    block.is_poisoned = false;
  }
  quarantine(block);
}

HeapBlock* Heap::find(std::uintptr_t address) {
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) return nullptr;
  Region& candidate = *std::prev(region)->second;
  const std::size_t offset = address - candidate.start;
  const std::size_t index = offset / candidate.block_bytes;
  return index < candidate.blocks.size() ? &candidate.blocks[index] : nullptr;
}

std::optional<GuardDamage> Heap::damage_of(const HeapBlock& block) {
  if (!block.is_guarded) return std::nullopt;
  const std::byte* front = whole(block);
  if (!is_all(front, guard_value, guard_bytes)) {
    return GuardDamage{first_difference(front, guard_value, guard_bytes) -
                       static_cast<std::int64_t>(guard_bytes)};
  }
  const std::byte* rear = block.bytes + block.size;
  if (!is_all(rear, guard_value, guard_bytes)) {
    return GuardDamage{static_cast<std::int64_t>(block.size) +
                       first_difference(rear, guard_value, guard_bytes)};
  }
  return std::nullopt;
}

HeapBlock* Heap::take_small(std::size_t size_class) {
  SizeClass& blocks = classes_[size_class];
  if (!blocks.reusable.empty()) {
    HeapBlock* block = blocks.reusable.back();
    blocks.reusable.pop_back();
    return block;
  }
  if (blocks.fresh.empty()) {
    std::byte* pages = map_pages(slab_bytes);
    if (pages == nullptr) return nullptr;
    Region* slab = add_region(slab_bytes, size_class, pages);
    if (slab == nullptr) return nullptr;
    for (auto block = slab->blocks.rbegin(); block != slab->blocks.rend(); ++block)
      blocks.fresh.push_back(&*block);
  }
  HeapBlock* block = blocks.fresh.back();
  blocks.fresh.pop_back();
  return block;
}

HeapBlock* Heap::take_large(std::size_t capacity) {
  std::byte* pages =
      checks_ == CheckLevel::Off ? map_pages(capacity) : map_poisoned_pages(capacity);
  if (pages == nullptr) return nullptr;
  Region* region = add_region(capacity, capacity, pages);
  if (region == nullptr) return nullptr;
  region->blocks.front().is_poisoned = checks_ != CheckLevel::Off;
  return &region->blocks.front();
}

Heap::Region* Heap::add_region(std::size_t bytes, std::size_t block_bytes, std::byte* pages) {
  const std::uintptr_t start = addresses_.take(bytes);
  if (start == 0) {
    unmap_pages(pages, bytes);
    return nullptr;
  }
  auto region = std::make_unique<Region>();
  region->start = start;
  region->pages = pages;
  region->bytes = bytes;
  region->block_bytes = block_bytes;
  region->blocks.resize(bytes / block_bytes);
  for (std::size_t index = 0; index < region->blocks.size(); ++index) {
    HeapBlock& block = region->blocks[index];
    block.address = start + index * block_bytes + guard_bytes;
    block.bytes = pages + index * block_bytes + guard_bytes;
    block.capacity = block_bytes;
  }
  return regions_.emplace(start, std::move(region)).first->second.get();
}

void Heap::prepare(HeapBlock& block) const {
  block.is_guarded = checks_ != CheckLevel::Off;
  if (!block.is_guarded) return;
  if (!block.is_poisoned) fill(whole(block), poison, block.capacity);
  block.is_poisoned = true;
  fill(whole(block), guard_value, guard_bytes);
  fill(block.bytes + block.size, guard_value, guard_bytes);
}

void Heap::poison_again(HeapBlock& block) {
  if (block.is_poisoned) {
    fill(whole(block), poison, guard_bytes);
    fill(block.bytes + block.size, poison, guard_bytes);
  } else {
    fill(whole(block), poison, block.capacity);
    block.is_poisoned = true;
  }
}

void Heap::quarantine(HeapBlock& block) {
  if (is_large(block)) {
    large_quarantine_.push_back(&block);
    if (large_quarantine_.size() <= quarantined_mappings) return;
    HeapBlock* oldest = large_quarantine_.front();
    large_quarantine_.pop_front();
    drop_mapping(*oldest);
    return;
  }
  small_quarantine_.push_back(&block);
  quarantined_bytes_ += block.capacity;
  while (quarantined_bytes_ > quarantine_bytes) {
    HeapBlock* oldest = small_quarantine_.front();
    small_quarantine_.pop_front();
    quarantined_bytes_ -= oldest->capacity;
    leave_quarantine(*oldest);
  }
}

void Heap::leave_quarantine(HeapBlock& block) {
  if (checks_ == CheckLevel::Full && block.is_poisoned &&
      !is_all(whole(block), poison, block.capacity)) {
    if (on_stale_write_) on_stale_write_(block);
    block.is_poisoned = false;
  }
  block.state = HeapBlock::State::Free;
  classes_[block.capacity].reusable.push_back(&block);
}

void Heap::drop_mapping(HeapBlock& block) {
  const std::uintptr_t start = block.address - guard_bytes;
  const std::size_t bytes = block.capacity;
  regions_.erase(start);
  addresses_.give_back(start, bytes);
}

}  // namespace gradproof::kernel::device
