#include "properties/targets/pipe/pipe_messages.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cstring>

#include "corpus/case_json.h"
#include "corpus/words/foreign_text.h"
#include "properties/targets/session/unwritten.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;
using corpus::OutputRole;
using Bytes = std::vector<std::byte>;
using Axes = std::vector<std::int64_t>;

static_assert(std::endian::native == std::endian::little, "the protocol's numbers are");

template <typename Number>
void append(Bytes& bytes, Number number) {
  const auto* begin = reinterpret_cast<const std::byte*>(&number);
  bytes.insert(bytes.end(), begin, begin + sizeof number);
}

template <std::size_t count>
void append_padded(Bytes& bytes, const Axes& values, std::int64_t rest) {
  for (std::size_t i = 0; i < count; ++i) append(bytes, i < values.size() ? values[i] : rest);
}

constexpr std::uint32_t no_tensor = ~std::uint32_t{0};
constexpr std::size_t most_axes = 5;

void append_tensor(Bytes& bytes, const std::optional<corpus::TensorCase>& tensor) {
  append(bytes, tensor ? static_cast<std::uint32_t>(tensor->dtype) : no_tensor);
  append(bytes, static_cast<std::uint32_t>(tensor ? tensor->shape.size() : 0));
  append_padded<most_axes>(bytes, tensor ? tensor->shape : Axes{}, 0);
}

std::uint32_t mask_of(const Case& test_case) {
  std::uint32_t mask = 0;
  for (const OutputRole role : corpus::output_roles) {
    if (corpus::is_requested(test_case, role)) mask |= 1U << static_cast<unsigned>(role);
  }
  return mask;
}

void append_attributes(Bytes& bytes, const Case& test_case) {
  constexpr std::size_t spatial = 3;
  append(bytes, static_cast<std::int64_t>(test_case.groups));
  append_padded<spatial>(bytes, test_case.stride.value_or(Axes{}), 1);
  append_padded<spatial>(bytes, test_case.padding.value_or(Axes{}), 0);
  append_padded<spatial>(bytes, test_case.dilation.value_or(Axes{}), 1);
  append_padded<spatial>(bytes, test_case.output_padding.value_or(Axes{}), 0);
}

/// Head of an answer.
struct AnswerHead {
  std::uint32_t number = 0, outcome = 0;
  std::int32_t status = 0;
  std::uint32_t text_bytes = 0;
  std::array<std::int64_t, 3> changed{};  ///< first byte of each operand that was; -1: none
};
static_assert(sizeof(AnswerHead) == 40);

enum AnswerKind : std::uint32_t { Computed, Returned, Failed, Unsupported, AnswerKindCount };
constexpr std::uint32_t most_text = std::uint32_t{1} << 16;

std::string problem_with(const AnswerHead& head, std::uint32_t number) {
  if (head.number != number) {
    return fmt::format("answered call {} where call {} was next", head.number, number);
  }
  if (head.outcome >= AnswerKindCount) return fmt::format("answered with outcome {}", head.outcome);
  if (head.text_bytes > most_text) {
    return fmt::format("announced {} bytes of text; {} are allowed", head.text_bytes, most_text);
  }
  return {};
}

std::size_t size_of(const Case& test_case, OutputRole role) {
  if (!corpus::is_requested(test_case, role)) return 0;
  const auto& tensor = *corpus::tensor(test_case, role);
  return to_size(corpus::element_count(tensor.shape).value_or(0)) *
         corpus::size_bytes(tensor.dtype);
}

std::size_t size_of_results(const Case& test_case) {
  std::size_t size = 0;
  for (const OutputRole role : corpus::output_roles) size += size_of(test_case, role);
  return size;
}

Observation computed(std::span<const std::byte> results, const Case& test_case) {
  Observation seen = nothing_written(test_case);
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  for (const OutputRole role : corpus::output_roles) {
    const std::size_t size = size_of(test_case, role);
    if (size == 0) continue;
    seen.outputs[role].bits.assign(results.begin(), results.first(size).end());
    results = results.subspan(size);
  }
  return seen;
}

Observation without_results(const AnswerHead& head, std::string text, const Case& test_case) {
  if (head.outcome == Unsupported) {
    return corpus::not_run(text.empty() ? "the target does not take it" : std::move(text));
  }
  Observation seen = nothing_written(test_case);
  if (head.outcome == Failed) {
    seen.ended = text.empty() ? "the target failed" : std::move(text);
    return seen;
  }
  if (head.status == 0 && size_of_results(test_case) > 0) {
    seen.ended = "the target returned status 0, success, without the gradients";
    return seen;
  }
  seen.phase_one = static_cast<corpus::Status>(head.status);
  seen.out_parameters_untouched = true;
  seen.message = std::move(text);
  return seen;
}

void append_head(Bytes& bytes, std::uint32_t number, const Case& test_case, std::string_view line) {
  append(bytes, number);
  append(bytes, static_cast<std::uint32_t>(test_case.stride->size()));
  append(bytes, std::uint32_t{test_case.transposed ? 1U : 0U});
  append(bytes, mask_of(test_case));
  append(bytes, static_cast<std::uint32_t>(test_case.cube_math_type));
  append(bytes, static_cast<std::uint32_t>(line.size()));
  append_attributes(bytes, test_case);
  for (const corpus::InputRole role : corpus::input_roles) {
    append_tensor(bytes, corpus::tensor(test_case, role));
  }
  for (const OutputRole role : corpus::output_roles) {
    append_tensor(bytes, corpus::tensor(test_case, role));
  }
  for (const char letter : line) bytes.push_back(static_cast<std::byte>(letter));
}

/// An answer and how many bytes it has.
struct TakenAnswer {
  corpus::Observation seen;
  std::size_t size = 0;
};

/// The answer to call `number` at the begin of `bytes`; nullopt: more bytes must come first.
tl::expected<std::optional<TakenAnswer>, std::string> take_answer(std::span<const std::byte> bytes,
                                                                  std::uint32_t number,
                                                                  const Case& test_case) {
  AnswerHead head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (auto wrong = problem_with(head, number); !wrong.empty()) return tl::unexpected(wrong);
  const bool has_results = head.outcome == Computed && head.status == 0;
  const std::size_t results_at = sizeof head + head.text_bytes;
  const std::size_t size = results_at + (has_results ? size_of_results(test_case) : 0);
  if (bytes.size() < size) return std::nullopt;
  std::string text = corpus::foreign_text(
      {reinterpret_cast<const char*>(bytes.data()) + sizeof head, head.text_bytes});
  TakenAnswer answer;
  answer.size = size;
  answer.seen = has_results ? computed(bytes.subspan(results_at), test_case)
                            : without_results(head, std::move(text), test_case);
  for (std::size_t i = 0; i < head.changed.size(); ++i) {
    if (head.changed.at(i) >= 0) answer.seen.input_changed_byte.at(i) = head.changed.at(i);
  }
  return answer;
}

}  // namespace

void append_count(Bytes& bytes, std::uint32_t count) { append(bytes, count); }

void append_call(Bytes& bytes, std::uint32_t number, const Case& test_case, OperandLayout layout) {
  append_head(bytes, number, test_case, corpus::to_json_line(test_case));
  for (const corpus::InputRole role : corpus::input_roles) {
    if (!corpus::tensor(test_case, role)) continue;  // a forward call without a bias
    const auto operand = operand_bytes(test_case, role, layout);
    if (layout == OperandLayout::Storage) append(bytes, static_cast<std::int64_t>(operand.size()));
    bytes.insert(bytes.end(), operand.begin(), operand.end());
  }
}

void append_bare_call(Bytes& bytes, std::uint32_t number, const Case& test_case,
                      const corpus::PerInput<std::span<const std::byte>>& operands) {
  append_head(bytes, number, test_case, {});
  for (const auto operand : operands) bytes.insert(bytes.end(), operand.begin(), operand.end());
}

std::size_t size_of_answer(const Case& test_case) {
  return sizeof(AnswerHead) + size_of_results(test_case);
}

std::optional<std::string> take_answers(std::vector<std::byte>& bytes, std::uint32_t number,
                                        std::size_t calls,
                                        const std::function<const Case&(std::size_t)>& call_at,
                                        std::vector<corpus::Observation>& seen) {
  std::size_t taken = 0;
  std::optional<std::string> wrong;
  while (seen.size() < calls) {
    const auto done = static_cast<std::uint32_t>(seen.size());
    auto answer = take_answer(std::span(bytes).subspan(taken), number + done, call_at(done));
    if (!answer) wrong = answer.error();
    if (!answer || !*answer) break;
    taken += (*answer)->size;
    seen.push_back(std::move((*answer)->seen));
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
  return wrong;
}

}  // namespace gradproof::targets
