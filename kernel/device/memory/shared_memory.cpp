#include "kernel/device/memory/shared_memory.h"

#include "kernel/device/error_text.h"
#include "kernel/device/memory/memory_table.h"
#include "kernel/device/memory/shared_file.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

namespace gradproof::kernel::device {
namespace {

constexpr std::size_t header_bytes = 8192;
constexpr std::size_t most_processes = 32;

/// One export of an allocation, in the file that holds its bytes.
struct ExportRecord {
  Nonce nonce;
  std::uint64_t offset, size;
  std::atomic<std::uint32_t> is_live, is_open, processes_admitted;
  std::atomic<std::int32_t> processes[most_processes];
};

/// The begin of such a file. The allocation with its guard zones follows.
struct ExportHeader {
  static constexpr std::size_t most_records = 32;
  ExportRecord records[most_records];
};
static_assert(sizeof(ExportHeader) <= header_bytes);

struct Export {
  const HeapBlock* block;
  ExportRecord* record;
};

/// Exports and imports of this process. Guarded by the memory's lock.
struct SharedKeys {
  std::map<std::string, Export> exports;
  std::map<const HeapBlock*, std::shared_ptr<SharedFile>> files;
  std::multimap<std::string, HeapBlock*> imports;
};

SharedKeys& shared_keys() {
  static auto& instance = *new SharedKeys;
  return instance;
}

ExportHeader& header_of(const SharedFile& file) {
  return *reinterpret_cast<ExportHeader*>(file.bytes());
}

aclError refuse_key(aclError code, const char* function, const char* why) {
  return refuse(code, fmt::format("EE1001: {}: {}", function, why));
}

void forget_import(const HeapBlock& block) {
  std::erase_if(shared_keys().imports, [&](const auto& one) { return one.second == &block; });
}

/// Withdraws all keys of an allocation that ends.
void withdraw_exports(const HeapBlock& block) {
  shared_keys().files.erase(&block);
  std::erase_if(shared_keys().exports, [&](const auto& one) {
    if (one.second.block != &block) return false;
    one.second.record->is_live = 0;
    return true;
  });
}

/// Moves the block's bytes into a file. nullptr where the system has no more.
std::shared_ptr<SharedFile> share(HeapBlock& block) {
  auto& file = shared_keys().files[&block];
  if (file != nullptr) return file;
  const std::size_t bytes = block.size + 2 * Heap::guard_bytes;
  auto created = SharedFile::create(header_bytes + bytes);
  if (created == nullptr) {
    shared_keys().files.erase(&block);
    return nullptr;
  }
  std::byte* const moved = created->bytes() + header_bytes;
  std::memcpy(moved, block.bytes - Heap::guard_bytes, bytes);
  block.home = std::exchange(block.bytes, moved + Heap::guard_bytes);
  block.is_poisoned = false;
  block.keeper = created;
  block.at_end = withdraw_exports;
  file = created;
  return created;
}

ExportRecord* free_record(ExportHeader& header, std::uint32_t& place) {
  for (place = 0; place < ExportHeader::most_records; ++place) {
    if (header.records[place].is_live == 0) return &header.records[place];
  }
  return nullptr;
}

aclError check_export(const HeapBlock* block, const void* address, std::size_t size) {
  constexpr const char* function = "aclrtIpcMemGetExportKey";
  if (block == nullptr || block->origin != HeapBlock::Origin::Allocated || size == 0) {
    return refuse_key(
        ACL_ERROR_RT_PARAM_INVALID, function,
        fmt::format("devPtr {} with {} bytes is no part of what aclrtMalloc gave", address, size)
            .c_str());
  }
  // A task has the bytes' present place.
  if (block->holds > 0 && block->home == nullptr) {
    return refuse_key(ACL_ERROR_RT_PARAM_INVALID, function,
                      "the memory is in use by a task that has not ended; synchronise first");
  }
  return 0;
}

/// True if the record belongs to the key and lets this process in.
bool admits(const ExportRecord& record, const FileAddress& address) {
  if (record.is_live == 0 || record.nonce != address.nonce) return false;
  if (record.is_open != 0) return true;
  const std::uint32_t count = std::min<std::uint32_t>(record.processes_admitted, most_processes);
  return std::any_of(record.processes, record.processes + count,
                     [](const auto& process) { return process == ::getpid(); });
}

aclError close_import(std::multimap<std::string, HeapBlock*>::iterator import,
                      std::shared_ptr<void>& keeper) {
  if (import->second->holds > 0) {
    return refuse_key(ACL_ERROR_RT_PARAM_INVALID, "aclrtIpcMemClose",
                      "the memory is in use by a task that has not ended; synchronise first");
  }
  keeper = finish(*import->second);
  return 0;
}

}  // namespace

aclError export_memory(const void* address, std::size_t size, bool is_open, std::string& key) {
  const std::lock_guard lock(memory().mutex);
  HeapBlock* const block = live_block(number(address), size);
  if (const aclError code = check_export(block, address, size)) return code;
  const auto file = share(*block);
  std::uint32_t place = 0;
  ExportRecord* const record = file == nullptr ? nullptr : free_record(header_of(*file), place);
  if (record == nullptr) {
    return refuse_key(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "aclrtIpcMemGetExportKey",
                      "no shared memory is left, or the allocation has 32 keys already");
  }
  record->nonce = new_nonce();
  record->offset = header_bytes + Heap::guard_bytes + (number(address) - block->address);
  record->size = size;
  record->is_open = is_open ? 1 : 0;
  record->processes_admitted = 0;
  record->is_live = 1;
  key = FileAddress{::getpid(), file->file(), place, record->nonce}.text();
  shared_keys().exports.emplace(key, Export{block, record});
  return 0;
}

aclError admit_processes(const std::string& key, std::span<const std::int32_t> processes) {
  constexpr const char* function = "aclrtIpcMemSetImportPid";
  const std::lock_guard lock(memory().mutex);
  const auto found = shared_keys().exports.find(key);
  if (found == shared_keys().exports.end())
    return refuse_key(ACL_ERROR_RT_PARAM_INVALID, function, "this process has no such key");
  ExportRecord& record = *found->second.record;
  const std::uint32_t before = record.processes_admitted;
  if (before + processes.size() > most_processes)
    return refuse_key(ACL_ERROR_RT_PARAM_INVALID, function, "at most 32 processes for a key");
  for (std::size_t at = 0; at < processes.size(); ++at)
    record.processes[before + at] = processes[at];
  record.processes_admitted = before + static_cast<std::uint32_t>(processes.size());
  return 0;
}

aclError import_memory(const std::string& key, int device, void*& address) {
  constexpr const char* function = "aclrtIpcMemImportByKey";
  const auto parsed = FileAddress::parse(key);
  const bool is_foreign = parsed.has_value() && parsed->process != ::getpid() &&
                          parsed->record < ExportHeader::most_records;
  const auto file = is_foreign ? SharedFile::open(*parsed) : nullptr;
  if (file == nullptr || file->size() < header_bytes ||
      !admits(header_of(*file).records[parsed->record], *parsed)) {
    return refuse_key(ACL_ERROR_RT_DRV_INTERNAL_ERROR, function,
                      "the key names nothing that another process lets this one import");
  }
  const ExportRecord& record = header_of(*file).records[parsed->record];
  if (record.offset > file->size() || record.size > file->size() - record.offset)
    return refuse_key(ACL_ERROR_RT_DRV_INTERNAL_ERROR, function, "the exported memory is damaged");
  const std::lock_guard lock(memory().mutex);
  HeapBlock* const block = memory().heap.place({.address = 0,
                                                .bytes = file->bytes() + record.offset,
                                                .size = record.size,
                                                .device = device,
                                                .origin = HeapBlock::Origin::Imported,
                                                .keeper = file});
  if (block == nullptr)
    return refuse_key(ACL_ERROR_RT_MEMORY_ALLOCATION, function, "no addresses are left");
  shared_keys().imports.emplace(key, block);
  block->at_end = forget_import;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  address = reinterpret_cast<void*>(block->address);
  return 0;
}

aclError close_shared_memory(const std::string& key) {
  std::shared_ptr<void> keeper;  // ends after the lock
  const std::lock_guard lock(memory().mutex);
  const auto import = shared_keys().imports.find(key);
  if (import != shared_keys().imports.end()) return close_import(import, keeper);
  const auto exported = shared_keys().exports.find(key);
  if (exported == shared_keys().exports.end()) {
    return refuse_key(ACL_ERROR_RT_PARAM_INVALID, "aclrtIpcMemClose",
                      "this process has neither exported nor imported by the key");
  }
  exported->second.record->is_live = 0;
  shared_keys().exports.erase(exported);
  return 0;
}

namespace {

/// Has all streams move on, and looks again and again, until `is_used` is false of what is locked.
template <typename IsUsed>
void drain_while(std::chrono::milliseconds limit, IsUsed is_used) {
  constexpr std::chrono::milliseconds look_interval{1};
  const auto end = std::chrono::steady_clock::now() + limit;
  const auto is_locked_and_used = [&] {
    const std::lock_guard lock(memory().mutex);
    return is_used();
  };
  // A task that called would wait for its own end.
  while (StreamQueue::running() == nullptr && is_locked_and_used()) {
    if (std::chrono::steady_clock::now() >= end) return;
    demand_all_streams();
    std::this_thread::sleep_for(look_interval);
  }
}

}  // namespace

void drain(const void* address, std::chrono::milliseconds limit) {
  drain_while(limit, [&] {
    const HeapBlock* const block = live_block(number(address), 1);
    return block != nullptr && block->holds > 0;
  });
}

void drain(const std::string& key, std::chrono::milliseconds limit) {
  drain_while(limit, [&] {
    const auto import = shared_keys().imports.find(key);
    return import != shared_keys().imports.end() && import->second->holds > 0;
  });
}

bool knows_key(const std::string& key) {
  const std::lock_guard lock(memory().mutex);
  return shared_keys().exports.contains(key) || shared_keys().imports.contains(key);
}

}  // namespace gradproof::kernel::device
