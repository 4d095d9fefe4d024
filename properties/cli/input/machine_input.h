#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "corpus/machine/machine.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::cli {

/// The machine of a file. Errors: a sentence, also where the machine is no sum of a gradient (an
/// order by axes that the gradient has not).
tl::expected<corpus::Machine, std::string> machine_of_file(const std::string& file);

/// Why a machine cannot be that of a target of this name, as a sentence; nullopt where it can. A
/// machine names the files that were measured, or is a person's and says what it likes.
std::optional<std::string> of_another_library(const corpus::Machine& machine,
                                              const std::string& target);

/// Whether the simulated backend is what was measured.
bool is_of_the_simulated_backend(const corpus::Machine& machine);

/// Why no verdict can rest on the machine, as a sentence; nullopt where one can.
std::optional<std::string> unjudgeable(const corpus::Machine& machine);

/// How operands are rounded to HFLOAT32, where the machine has such operands; a way that no product
/// has is Unknown.
std::optional<oracle::Hf32Rounding> hf32_rounding_of(const corpus::Machine& machine);

}  // namespace gradproof::cli
