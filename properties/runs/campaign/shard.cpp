#include "properties/runs/campaign/shard.h"

#include "corpus/random_source.h"

namespace gradproof::runs {

std::uint64_t id_hash(std::string_view id) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char letter : id) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  }
  return corpus::mixed(hash);
}

}  // namespace gradproof::runs
