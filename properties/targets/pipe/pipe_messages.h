#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Bytes of an answer that has results and no text.
std::size_t size_of_answer(const corpus::Case& test_case);

/// Takes the whole answers from the begin of `bytes` until `calls` were seen; the first call is
/// `number`. nullopt: each was one. Else a clause about the target: why its bytes are none.
std::optional<std::string> take_answers(
    std::vector<std::byte>& bytes, std::uint32_t number, std::size_t calls,
    const std::function<const corpus::Case&(std::size_t)>& call_at,
    std::vector<corpus::Observation>& seen);

}  // namespace gradproof::targets
