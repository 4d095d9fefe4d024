#include "properties/targets/isolation/wire.h"

#include <algorithm>
#include <utility>

#include "properties/targets/isolation/wire_archive.h"

namespace gradproof::targets {
namespace wire {

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
      it.cube_math_type, it.kernel_size, it.attributes, it.deterministic, it.shape_consistent,
      it.data, it.expect);
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
      it.phase_two_on_another_thread, it.rebound_executor, it.used_memory);
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

}  // namespace wire

namespace {

using wire::Reader;
using wire::Writer;

/// Marks the end, so that a message that was cut off or shifted is not accepted.
constexpr std::uint64_t end_mark = 0x6C61'7374'7661'6C75U;

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
  for (const corpus::Case& test_case : cases) writer(test_case);
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

bool read_response(std::span<const std::byte> memory, std::size_t cases, Response& response) {
  std::size_t count = 0;
  Reader(memory.first(sizeof count))(count);
  return count == cases && read_back(memory, response);
}

ResponseWriter::ResponseWriter(std::span<std::byte> memory, std::size_t cases) : left_(memory) {
  Writer writer(left_);
  writer(cases);
  left_ = writer.left();
}

void ResponseWriter::add(const corpus::Observation& seen) {
  Writer writer(left_);
  writer(seen);
  good_ = good_ && writer.is_good();
  left_ = writer.left();
}

bool ResponseWriter::finish(const Response& response) {
  return good_ && written(left_, response.free_memory, response.problem);
}

std::vector<corpus::Observation> read_seen(std::span<const std::byte> memory, std::size_t cases,
                                           std::size_t done) {
  Reader reader(memory);
  std::size_t count = 0;
  reader(count);
  std::vector<corpus::Observation> seen;
  while (count == cases && seen.size() < std::min(done, cases)) {
    corpus::Observation one;
    reader(one);
    if (!reader.is_good()) break;
    seen.push_back(std::move(one));
  }
  return seen;
}

}  // namespace gradproof::targets
