// Dtypes that a text names, in a call or elsewhere.

#include "properties/advice/logs/denial.h"
#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

/// "half of it" names no dtype.
bool is_type(std::string_view text, std::size_t at, std::string_view name) {
  const std::string_view behind = text.substr(at + name.size(), 5);
  const char before = at == 0 ? '\n' : text[at - 1];
  const bool is_line = before == '\n' && (behind.empty() || behind[0] == '\n');
  const bool is_mode = has_any(text.substr(at < 6 ? 0 : at - 6, 5), "mode=");  // of a padding
  return name != "half" || is_line || (!is_mode && has_any({&before, 1}, ".|-|'|\"|:")) ||
         any_part(" prec|-prec|()", '|', [&](auto sign) { return behind.starts_with(sign); });
}

/// The first of the names that a text names as a dtype; empty: none.
std::string_view name_in(std::string_view text, std::string_view names) {
  std::string_view found;
  any_part(names, '|', [&](std::string_view type) {
    constexpr int most = 64;
    int tries = 0;
    for (std::size_t at = text.find(type); at != text.npos && ++tries <= most;
         at = text.find(type, at + 1)) {
      // "wmma_bf16" names a type; "first_half" does not, nor "avx512_bf16", a processor's.
      const std::string_view before = text.substr(0, at);
      const bool is_part = at > 0 && is_word_letter(text[at - 1]) &&
                           !(text[at - 1] == '_' && is_decimal(type.back()));
      const bool is_processors = before.ends_with("avx512_") || before.ends_with("amx_");
      // A warning names what the text has not.
      const bool warns = has_any(line_around(text, at), "Warning|warning|support list");
      // DT_FLOAT16 is no DT_FLOAT.
      const bool goes_on =
          type.ends_with("FLOAT") &&
          is_decimal(text.substr(at + type.size(), 1).empty() ? 'x' : text[at + type.size()]);
      if (is_part || goes_on || is_processors || warns || !is_type(text, at, type) ||
          is_denied(text, at, at + type.size()))
        continue;
      found = type;
      return true;
    }
    return false;
  });
  return found;
}

}  // namespace

NamedTypes types_named_in(std::string_view text) {
  // Wider ones last: a reference is DOUBLE.
  constexpr std::string_view families[] = {
      "bfloat16|BFLOAT16|BFloat16|bf16|BF16",
      "float16|FLOAT16|fp16|FP16|f16|F16|half_type|half|kHalf|HALF|HalfTensor",
      "float32|FLOAT32|fp32|FP32|f32|F32|float_type|DT_FLOAT|ACL_FLOAT|FloatTensor",
      "double|float64|DOUBLE|f64"};
  NamedTypes found;
  int count = 0;
  for (const std::string_view family : families) {
    std::string_view name = name_in(text, family);
    if (name.ends_with("Tensor") || name.ends_with("_type"))
      name = family.substr(0, family.find('|'));
    const bool is_float = family.starts_with("float32");
    if (name.empty()) continue;
    if (found.nearby.empty() && !is_float) found.nearby = name;
    if (!family.starts_with("double") && ++count == 1) found.only = name;
  }
  if (count != 1) found.only = {};
  return found;
}

}  // namespace gradproof::advice
