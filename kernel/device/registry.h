#pragma once

#include "kernel/device/handle.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace gradproof::kernel::device {

/// The live objects of one kind, by handle. A handle is a slot and its generation, and never an
/// address: what a caller passes is looked up and not dereferenced, so a destroyed, foreign or
/// uninitialised handle is found to be one. Thread-safe. The object that a handle names lives on
/// while a finder still holds it.
template <class Object>
class Registry {
 public:
  explicit Registry(HandleKind kind) : kind_(kind) {}

  /// The new handle, or nullptr when no slot is left.
  void* add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    if (free_slots_.empty()) {
      if (slots_.size() == Handle::max_slots) return nullptr;
      free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[slot].object = std::move(object);
    ++live_;
    return Handle{kind_, slots_[slot].generation, slot}.pointer();
  }

  /// The object, or nullptr if the handle is not live.
  std::shared_ptr<Object> find(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const Slot* slot = live_slot(handle);
    return slot == nullptr ? nullptr : slot->object;
  }

  /// Takes the object out: of several threads that remove one handle, one gets the object and the
  /// others nullptr.
  std::shared_ptr<Object> remove(const void* handle) {
    const std::lock_guard lock(mutex_);
    auto* slot = const_cast<Slot*>(live_slot(handle));
    if (slot == nullptr) return nullptr;
    ++slot->generation;
    free_slots_.push_back(static_cast<std::uint32_t>(slot - slots_.data()));
    --live_;
    return std::exchange(slot->object, nullptr);
  }

  /// Puts another object behind a live handle. False if it is not live.
  bool replace(const void* handle, std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    auto* slot = const_cast<Slot*>(live_slot(handle));
    if (slot == nullptr) return false;
    slot->object = std::move(object);
    return true;
  }

  std::vector<std::shared_ptr<Object>> all() const {
    std::vector<std::shared_ptr<Object>> objects;
    visit([&objects](void*, const std::shared_ptr<Object>& object) { objects.push_back(object); });
    return objects;
  }

  template <class Predicate>
  std::vector<void*> handles_where(Predicate holds) const {
    std::vector<void*> handles;
    visit([&](void* handle, const std::shared_ptr<Object>& object) {
      if (holds(*object)) handles.push_back(handle);
    });
    return handles;
  }

  template <class Predicate>
  std::size_t count_where(Predicate holds) const {
    std::size_t count = 0;
    visit([&](void*, const std::shared_ptr<Object>& object) { count += holds(*object) ? 1 : 0; });
    return count;
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return live_;
  }

  /// Describes why a handle that find() did not know is none, e.g. "was destroyed already".
  std::string_view standing(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto parts = Handle::parse(handle);
    if (!parts.has_value()) return "was never created (uninitialised or foreign)";
    if (parts->kind != kind_) return name_of(parts->kind);
    const bool existed =
        parts->slot < slots_.size() && parts->generation < slots_[parts->slot].generation;
    return existed ? "was destroyed already" : "was never created (uninitialised or foreign)";
  }

 private:
  struct Slot {
    std::uint32_t generation = 1;
    std::shared_ptr<Object> object;
  };

  template <class Visitor>
  void visit(Visitor visitor) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot].object == nullptr) continue;
      visitor(Handle{kind_, slots_[slot].generation, static_cast<std::uint32_t>(slot)}.pointer(),
              slots_[slot].object);
    }
  }

  const Slot* live_slot(const void* handle) const {
    const auto parts = Handle::parse(handle);
    if (!parts.has_value() || parts->kind != kind_ || parts->slot >= slots_.size()) return nullptr;
    const Slot& slot = slots_[parts->slot];
    return slot.object != nullptr && slot.generation == parts->generation ? &slot : nullptr;
  }

  const HandleKind kind_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::size_t live_ = 0;
};

}  // namespace gradproof::kernel::device
