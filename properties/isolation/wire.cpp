#include "properties/isolation/wire.h"

#include <array>
#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>

namespace gradproof::properties {
namespace {

template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::byte>;

/// Marks the end, so that a message that was cut off or shifted is not accepted.
constexpr std::uint64_t end_mark = 0x6C61'7374'7661'6C75U;

class Writer {
 public:
  explicit Writer(std::span<std::byte> memory) : left_(memory) {}
  bool is_good() const { return good_; }

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
    values.resize(length(Plain<T> ? sizeof(T) : 1));
    if constexpr (Plain<T>) {
      raw(values.data(), values.size() * sizeof(T));
    } else {
      for (T& value : values) (*this)(value);
    }
  }

  void operator()(std::string& text) {
    text.assign(length(1), '\0');
    raw(text.data(), text.size());
  }

  template <typename T>
  requires requires(Reader& reader, T& value) { fields_of(reader, value); }
  void operator()(T& value) { fields_of(*this, value); }

 private:
  /// Of a row whose elements take at least so many bytes each: what is left bounds it.
  std::size_t length(std::size_t least_element_bytes) {
    std::size_t count = 0;
    (*this)(count);
    good_ = good_ && count <= left_.size() / least_element_bytes;
    return good_ ? count : 0;
  }

  std::span<const std::byte> left_;
  bool good_ = true;
};

template <typename Archive, typename... Fields>
void all(Archive& archive, Fields&... fields) {
  (archive(fields), ...);
}

// Found through the archive's namespace, whatever the value's.

template <typename Archive>
void fields_of(Archive& archive, corpus::TensorFill& it) {
  all(archive, it.density, it.magnitude, it.exponent, it.exponent_low, it.exponent_high);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::ListedElement& it) {
  all(archive, it.at, it.bits);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::DataRecipe& it) {
  all(archive, it.seed, it.distribution, it.range_low, it.range_high, it.fills, it.listed);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::TensorCase& it) {
  all(archive, it.shape, it.dtype, it.format, it.strides, it.offset, it.storage_shape);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::OperatorAttributes& it) {
  all(archive, it.data_format, it.pads, it.strides, it.dilations, it.input_size, it.filter_size,
      it.enable_hf32, it.pad_mode);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::TilingField& it) {
  all(archive, it.name, it.value);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::Expectation& it) {
  all(archive, it.status, it.stage, it.profile, it.tiling);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::Case& it) {
  all(archive, it.id, it.source, it.api, it.soc, it.soc_exercised, it.grad_output, it.input,
      it.weight, it.bias, it.grad_input, it.grad_weight, it.grad_bias, it.bias_sizes, it.stride,
      it.padding, it.dilation, it.output_padding, it.transposed, it.groups, it.output_mask,
      it.cube_math_type, it.attributes, it.deterministic, it.shape_consistent, it.data, it.expect);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::OutputObservation& it) {
  all(archive, it.bits, it.before, it.overwritten_byte);
}
template <typename Archive>
void fields_of(Archive& archive, corpus::Observation& it) {
  all(archive, it.unsupported, it.signal, it.timed_out, it.ended, it.failure, it.phase_one,
      it.out_parameters_untouched, it.workspace_size, it.phase_two, it.synchronise, it.message,
      it.tiling, it.outputs, it.input_changed_byte, it.bias_changed_byte,
      it.workspace_overwritten_byte, it.repeat_differs, it.repeated, it.milliseconds);
}

template <typename Archive>
void fields_of(Archive& archive, MachineSettings& it) {
  all(archive, it.schedule_seed, it.host_threads, it.cores, it.plain_path, it.profile);
}
template <typename Archive>
void fields_of(Archive& archive, PhaseForm& it) {
  all(archive, it.added_workspace, it.workspace_shift, it.data_between_phases, it.default_stream,
      it.phase_two_on_another_thread, it.rebound_executor);
}
template <typename Archive>
void fields_of(Archive& archive, RunSettings& it) {
  all(archive, it.status_only, it.memory_limit_bytes, it.workspace_poison, it.reuse_executor,
      it.phases, it.machine, it.address_shift, it.host_threads, it.outputs_hold_ones,
      it.interleaving);
}
template <typename Archive>
void fields_of(Archive& archive, Request& it) {
  all(archive, it.kind, it.settings);
}
template <typename Archive>
void fields_of(Archive& archive, Device& it) {
  all(archive, it.id, it.soc_name, it.product);
}
template <typename Archive>
void fields_of(Archive& archive, Introduction& it) {
  all(archive, it.name, it.devices, it.remarks, it.apis, it.takes_machine_settings);
}
template <typename Archive>
void fields_of(Archive& archive, Greeting& it) {
  all(archive, it.problem, it.introduction);
}
template <typename Archive>
void fields_of(Archive& archive, Response& it) {
  all(archive, it.seen, it.free_memory, it.problem);
}

template <typename... Values>
bool written(std::span<std::byte> memory, const Values&... values) {
  Writer writer(memory);
  (writer(values), ...);
  writer(end_mark);
  return writer.is_good();
}

template <typename... Values>
bool read_back(std::span<const std::byte> memory, Values&... values) {
  Reader reader(memory);
  (reader(values), ...);
  std::uint64_t mark = 0;
  reader(mark);
  return reader.is_good() && mark == end_mark;
}

}  // namespace

bool write_request(std::span<std::byte> memory, const Request& request,
                   std::span<const corpus::Case> cases) {
  Writer writer(memory);
  writer(request);
  writer(cases.size());
  for (const corpus::Case& problem : cases) writer(problem);
  writer(end_mark);
  return writer.is_good();
}

bool read_request(std::span<const std::byte> memory, Request& request,
                  std::vector<corpus::Case>& cases) {
  return read_back(memory, request, cases);
}

bool write_greeting(std::span<std::byte> memory, const Greeting& greeting) {
  return written(memory, greeting);
}

bool read_greeting(std::span<const std::byte> memory, Greeting& greeting) {
  return read_back(memory, greeting);
}

bool write_response(std::span<std::byte> memory, const Response& response) {
  return written(memory, response);
}

bool read_response(std::span<const std::byte> memory, Response& response) {
  return read_back(memory, response);
}

}  // namespace gradproof::properties
