#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "fuzz/records/case_genes.h"

/// Ascend C's tiling classes told what a record says.
namespace gradproof::fuzz {

/// Flag of a record in fuzz_ascendc. With it a record is a program (ascendc_program.h), without it
/// the input of a tiling class.
inline constexpr std::uint8_t program_flag = four_paddings_flag;

bool is_program(std::span<const std::uint8_t> bytes);

/// Converts a record to the input of Conv3DBpInputTiling; nullopt: the record is a program.
std::optional<corpus::Case> tiling_case(std::span<const std::uint8_t> bytes);

/// The status against the rules; and Conv3dBpFilterTiling, told the same numbers, must fill its two
/// structures alike or leave both as they were. A flaw of the latter ends the process: no case says
/// it.
corpus::Verdict check_tiling(const corpus::Case& test_case);

}  // namespace gradproof::fuzz
