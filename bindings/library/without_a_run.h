#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/case.h"

namespace gradproof::library {

// A `call` is a case's JSON line, or words as `gradproof explain` takes them.

/// The call as a case's JSON line. Errors: a sentence.
tl::expected<std::string, std::string> case_line(std::string_view call);

/// The verdict on results that somebody computed, as JSON: `tensors` are the operands' and results'
/// elements, dense. Judged are the results that are there, whatever the call's mask says; one that
/// is not has no address. Errors: what is wrong with the call or with a tensor's size.
tl::expected<std::string, std::string> judged_tensors(
    std::string_view call, const std::array<std::span<const std::byte>, 6>& tensors);

/// The exact value and the allowed error of each element of a result
/// (properties/advice/tensors/limits.h), of `tensors`' operands. Errors: as judged_tensors, that
/// the call does not ask for the result, or that it has not as many elements as `exact` and
/// `allowed`, which are as long.
std::optional<std::string> limits_of_result(
    std::string_view call, const std::array<std::span<const std::byte>, 3>& operands,
    corpus::OutputRole role, std::span<double> exact, std::span<double> allowed);

/// Describes why the call is refused, or how exact it is. Errors: what is wrong with the call.
tl::expected<std::string, std::string> explained(std::string_view call, bool as_json);

}  // namespace gradproof::library
