#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "corpus/words/foreign_text.h"

namespace gradproof::targets::wire {

template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::byte>;

/// Writes values one after the other, as long as they fit.
class Writer {
 public:
  explicit Writer(std::span<std::byte> memory) : left_(memory) {}
  bool is_good() const { return good_; }
  std::span<std::byte> left() const { return left_; }

  void raw(const void* bytes, std::size_t count) {
    good_ = good_ && count <= left_.size();
    if (!good_ || count == 0) return;
    std::memcpy(left_.data(), bytes, count);
    left_ = left_.subspan(count);
  }

  template <Plain T>
  void operator()(const T& value) {
    raw(&value, sizeof value);
  }

  template <typename T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }

  template <typename T, std::size_t size>
  void operator()(const std::array<T, size>& values) {
    for (const T& value : values) (*this)(value);
  }

  void operator()(const std::vector<bool>& values) {
    (*this)(values.size());
    for (const bool value : values) (*this)(value);
  }

  template <typename T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    if constexpr (Plain<T>) {
      raw(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) (*this)(value);
    }
  }

  void operator()(const std::string& text) {
    (*this)(text.size());
    raw(text.data(), text.size());
  }

  template <typename T>
  requires requires(Writer& writer, T& value) { fields_of(writer, value); }
  void operator()(const T& value) {
    // One list of fields serves both directions; the writer changes none of them.
    fields_of(*this, const_cast<T&>(value));
  }

 private:
  std::span<std::byte> left_;
  bool good_ = true;
};

/// Reads what a Writer wrote, and believes nothing of it.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> memory) : left_(memory) {}
  bool is_good() const { return good_; }

  void raw(void* bytes, std::size_t count) {
    good_ = good_ && count <= left_.size();
    if (!good_ || count == 0) return;
    std::memcpy(bytes, left_.data(), count);
    left_ = left_.subspan(count);
  }

  template <Plain T>
  void operator()(T& value) {
    if constexpr (std::same_as<T, bool>) {
      std::uint8_t byte = 0;
      raw(&byte, sizeof byte);
      value = byte != 0;
    } else {
      raw(&value, sizeof value);
    }
  }

  template <typename T>
  void operator()(std::optional<T>& value) {
    bool is_there = false;
    (*this)(is_there);
    if (!is_there || !good_) return value.reset();
    // What is there already keeps its memory.
    if (!value) value.emplace();
    (*this)(*value);
  }

  template <typename T, std::size_t size>
  void operator()(std::array<T, size>& values) {
    for (T& value : values) (*this)(value);
  }

  void operator()(std::vector<bool>& values) {
    values.assign(length(sizeof(bool)), false);
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool value = false;
      (*this)(value);
      values[i] = value;
    }
  }

  template <typename T>
  void operator()(std::vector<T>& values) {
    const std::size_t count = length(Plain<T> ? sizeof(T) : 1);
    if constexpr (Plain<T>) {
      values.resize(count);
      raw(values.data(), values.size() * sizeof(T));
    } else {
      if (values.size() > count) values.resize(count);
      for (std::size_t i = 0; i < count && good_; ++i) {  // those of a forged length are never made
        if (i == values.size()) values.emplace_back();
        (*this)(values[i]);
      }
    }
  }

  /// Reads a text as a foreign one: a target may have written it, or written over it.
  void operator()(std::string& text) {
    const std::size_t size = length(1);
    if (!good_) return;
    text = corpus::foreign_text({reinterpret_cast<const char*>(left_.data()), size});
    left_ = left_.subspan(size);
  }

  template <typename T>
  requires requires(Reader& reader, T& value) { fields_of(reader, value); }
  void operator()(T& value) { fields_of(*this, value); }

 private:
  /// Reads the length of a row whose elements take at least so many bytes: the rest bounds it.
  std::size_t length(std::size_t least_element_bytes) {
    std::size_t count = 0;
    (*this)(count);
    good_ = good_ && count <= left_.size() / least_element_bytes;
    return good_ ? count : 0;
  }

  std::span<const std::byte> left_;
  bool good_ = true;
};

}  // namespace gradproof::targets::wire
