#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/session/tensor_memory.h"

namespace gradproof::targets {

/// First message of both sides; the target's has its name behind it (docs/pipe.md).
inline constexpr std::string_view pipe_greeting = "gradproof-pipe 1";

/// Behind the greeting of both sides where operands are storages (docs/pipe.md).
inline constexpr std::string_view pipe_views = " views";

/// Calls that are sent before an answer must come.
inline constexpr std::size_t most_calls_at_once = 16;

/// Appends a number of calls, which their bytes follow.
void append_count(std::vector<std::byte>& bytes, std::uint32_t count);

/// Appends a call with its operands: elements, dense and row-major, or storages, each behind its
/// size. The answer repeats `number`.
void append_call(std::vector<std::byte>& bytes, std::uint32_t number, const corpus::Case& test_case,
                 OperandLayout layout);

/// Appends a call that says nothing of its data's recipe, its id or its source: no JSON.
/// `operands`: by InputRole, bytes of the elements, dense and row-major, whatever data the case
/// has.
void append_bare_call(std::vector<std::byte>& bytes, std::uint32_t number,
                      const corpus::Case& test_case,
                      const corpus::PerInput<std::span<const std::byte>>& operands);

/// An answer and how many bytes it has.
struct TakenAnswer {
  corpus::Observation seen;
  std::size_t size = 0;
};

/// The answer to call `number`, which is `test_case`, at the begin of `bytes`. nullopt: more bytes
/// must come first. Errors: a clause about the target, whose bytes are no such answer.
tl::expected<std::optional<TakenAnswer>, std::string> take_answer(std::span<const std::byte> bytes,
                                                                  std::uint32_t number,
                                                                  const corpus::Case& test_case);

}  // namespace gradproof::targets
