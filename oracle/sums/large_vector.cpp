#include "oracle/sums/large_vector.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>

namespace gradproof::oracle {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21U;
constexpr std::size_t most_kept = std::size_t{1} << 26U;

/// The beginning of a block; what it is taken for follows, aligned as cache lines are.
struct alignas(64) Head {
  std::size_t bytes;  ///< of the block
};

void release(Head* block) { ::operator delete (block, std::align_val_t{huge_page}); }

/// True once the thread's spare blocks are gone, after which vectors may still end.
thread_local bool are_gone = false;

/// Blocks that a thread has no use for at present, the oldest first.
struct SpareBlocks {
  std::array<Head*, 4> blocks{};
  std::size_t count = 0, bytes = 0;

  ~SpareBlocks() {
    while (count > 0) release(remove(0));
    are_gone = true;
  }

  Head* remove(std::size_t index) {
    Head* const block = blocks.at(index);
    std::move(blocks.begin() + index + 1, blocks.begin() + count, blocks.begin() + index);
    --count;
    bytes -= block->bytes;
    return block;
  }

  void add(Head* block) {
    while (count == blocks.size() || (count > 0 && bytes + block->bytes > most_kept)) {
      release(remove(0));
    }
    blocks.at(count++) = block;
    bytes += block->bytes;
  }
};

thread_local SpareBlocks spares;

}  // namespace

/// A spare block serves if no more than half of it would lie idle.
void* LargeBlocks::take(std::size_t bytes) {
  const std::size_t wanted = (bytes + sizeof(Head) + huge_page - 1) / huge_page * huge_page;
  for (std::size_t i = 0; !are_gone && i < spares.count; ++i) {
    const std::size_t there = spares.blocks.at(i)->bytes;
    if (there >= wanted && there <= 2 * wanted) return spares.remove(i) + 1;
  }
  void* const memory = ::operator new (wanted, std::align_val_t{huge_page});
  ::madvise(memory, wanted, MADV_HUGEPAGE);  // advice: no result depends on it
  return new (memory) Head{wanted} + 1;
}

void LargeBlocks::give_back(void* memory) noexcept {
  Head* const block = static_cast<Head*>(memory) - 1;
  if (are_gone || block->bytes > most_kept) return release(block);
  spares.add(block);
}

}  // namespace gradproof::oracle
