#pragma once

#include "acl/acl_base.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gradproof::kernel::device {

struct HeapBlock;

/// Device memory that several processes of one host use. An exported allocation's bytes move to a
/// file in memory that has no name: importers open it through the exporter's entry in /proc, and
/// the system takes it away with the last process that has it. Functions return the codes of the
/// API functions and report their own texts.

constexpr std::size_t export_key_length = 64;

/// A key for [address, address + size) of an allocation. `is_open`: to every process.
aclError export_memory(const void* address, std::size_t size, bool is_open, std::string& key);

/// Processes that may import an allocation that is not open to all.
aclError admit_processes(const std::string& key, std::span<const std::int32_t> processes);

/// Another address for the exported bytes, as memory of `device`.
aclError import_memory(const std::string& key, int device, void*& address);

/// Ends what this process imported by the key, or withdraws what it exported.
aclError close_shared_memory(const std::string& key);

/// Waits until no task that is queued uses the allocation around the address, or what this process
/// imported by the key. A task that waits for the program itself never ends: after `limit` it is
/// left to the function that is called next, which refuses.
void drain(const void* address, std::chrono::milliseconds limit = std::chrono::seconds(10));
void drain(const std::string& key, std::chrono::milliseconds limit = std::chrono::seconds(10));

/// True if this process has exported or imported by the key.
bool knows_key(const std::string& key);

}  // namespace gradproof::kernel::device
