#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace gradproof::fuzz::runtime {

constexpr std::size_t block_bytes = 64;
constexpr std::int64_t block_floats = 16;
constexpr int none = -1;
constexpr int default_context = 0;

/// State of a block's bytes, which are all the same: settled, or the result of the last task of a
/// stream.
struct Block {
  int byte = 0;
  int stream = none;  ///< none: the host may look
  int tick = 0;       ///< of its last task
};

struct Event {
  int context = default_context;
  int stream = none;  ///< that recorded it last
  int tick = 0;
};

enum class Life { Fresh, Repeatable, Over };

struct Executor {
  int from = 0, to = 0;
  Life life = Life::Fresh;
};

/// Numbers stand for handles; a number is given out once.
struct Model {
  int next = 1, tick = 0;
  int current = default_context;  ///< none: the thread's context was destroyed
  std::set<int> contexts{default_context};
  std::map<int, int> streams;  ///< stream: its context
  std::map<int, Block> blocks;
  std::map<int, Event> events;
  std::map<int, Executor> executors;
  std::set<int> dead_contexts, dead_streams, dead_blocks, dead_events;

  bool has_context() const { return current != none; }

  /// The host waited for what a stream had to do up to a tick.
  void settle(int stream, int up_to) {
    for (auto& [id, block] : blocks) {
      if (block.stream == stream && block.tick <= up_to) block.stream = none;
    }
  }
  bool is_free_for(int block, int stream) const {
    const int owner = blocks.at(block).stream;
    return owner == none || owner == stream;
  }
  void write(int block, int byte, int stream) { blocks[block] = {byte, stream, ++tick}; }
};

}  // namespace gradproof::fuzz::runtime
