#pragma once

#include <cstdint>
#include <optional>

#include "corpus/data_type.h"

namespace gradproof::corpus {

/// Encoding of input elements, so that a case can say its data as numbers. It only decides which
/// bits both sides receive; what the bits mean to a gradient is the business of kernel/ and
/// oracle/, each with its own conversions. Encodable are the five types of which a case can list
/// elements as numbers: FLOAT, FLOAT16, BF16, HIFLOAT8, FLOAT8_E4M3FN.

/// The value of these bits; every encodable value is a double. nullopt for a type that is not
/// encodable.
std::optional<double> decode(DataType type, std::uint64_t bits);

/// The bits of the representable value nearest to `value` that is not further from zero; the
/// largest finite one where `value` is beyond it; infinity and NaN as the type's own, or its NaN
/// where it lacks infinity. nullopt for a type that is not encodable.
std::optional<std::uint64_t> encode_towards_zero(DataType type, double value);

/// The bits whose value is exactly `value` (a NaN: the type's canonical one), or nullopt.
std::optional<std::uint64_t> encode_exactly(DataType type, double value);

}  // namespace gradproof::corpus
