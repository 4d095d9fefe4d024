#include "properties/advice/logs/values/given_arguments.h"

#include <algorithm>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {

std::string_view without_prefixes(std::string_view line) {
  constexpr std::string_view prefixes =
      R"(julia>|>>>|...|$|let |local |mut |const |constexpr |auto |auto* |int |int64_t |ROOT |var )";
  const auto begins = [&](std::string_view prefix) {
    const bool is_it = line.starts_with(prefix);
    if (is_it) line = without_blanks(line.substr(prefix.size()));
    return is_it;
  };
  line = without_blanks(line);
  while (any_part(prefixes, '|', begins)) {
  }
  return line;
}

std::size_t assignment_sign(std::string_view line) {
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    depth += letter == '(' || letter == '[' || letter == '{' ? 1 : 0;
    depth -= letter == ')' || letter == ']' || letter == '}' ? 1 : 0;
    if (letter != '=' || depth != 0 || i == 0) continue;
    const bool compares = i + 1 < line.size() && (line[i + 1] == '=' || line[i + 1] == '>');
    const bool changes = std::string_view("=<>!+-*/%|&^").find(line[i - 1]) != line.npos;
    return compares || changes ? line.npos : i;
  }
  return std::string_view::npos;
}

std::string_view name_of(std::string_view left) {
  // "std::vector<int64_t> shape", "aclIntArray *stride", "torch::Tensor x", "bool mask[3]".
  if (has_any(left, "std::|acl|bool |auto |Tensor |_tensor")) {
    left = without_blanks(left.substr(0, left.find('[')));
    left = left.substr(left.find_last_of(" *&>") + 1);
  }
  if (left.ends_with("[]")) left.remove_suffix(2);  // of C
  left = without_blanks(left.substr(0, left.find(':')));
  const bool fits = std::ranges::all_of(left, [](char letter) {
    return is_word_letter(letter) || letter == '.' || letter == '%' || letter == '#' ||
           letter == '$' || letter == '@';
  });
  return fits && !left.empty() && !is_decimal(left[0]) ? left : std::string_view{};
}

std::size_t type_begin(std::string_view line, std::size_t at) {
  for (const std::string_view shape : {"'s shape", ".shape", ".size()", " shape", ".dims"}) {
    if (!line.substr(at).starts_with(shape)) continue;
    at = line.find_first_not_of(" \t:=-><", at + shape.size());
    const std::string_view rest = at < line.size() ? line.substr(at) : "";
    const bool is_shape = rest.starts_with("is ") || rest.starts_with('(') ||
                          rest.starts_with('[') || rest.starts_with("torch.Size(") ||
                          rest.starts_with("TensorShape(");
    if (!is_shape) return std::string_view::npos;
    return rest.starts_with("is ") ? at + 3 : at;
  }
  // ONNX prints %x[FLOAT, 2x3x8x8].
  const std::string_view bracket = line.substr(at);
  if (bracket.starts_with('[') && bracket.size() > 2 && bracket[1] >= 'A' && bracket[1] <= 'Z' &&
      bracket.find("FLOAT") < 4)
    return at;
  at = skip_blanks(line, at);
  const std::string_view next = line.substr(std::min(at, line.size()));
  if (any_part("torch.Size([|FLOAT [|FLOAT16 [|BFLOAT16 [", '|',
               [&](auto sign) { return next.starts_with(sign); }))
    return at;
  if (at >= line.size() || line[at] != ':') return std::string_view::npos;
  at = skip_blanks(line, at + 1);
  if (at < line.size() && (line[at] == '"' || line[at] == '!')) ++at;
  constexpr std::string_view types =
      R"(f32[|f16[|bf16[|f64[|float32[|float16[|bfloat16[|tensor<|torch.vtensor<|Tensor[(|Float(|Half(|BFloat16(|Double(|R.Tensor((|T.Buffer((|torch.Size([)";
  const std::string_view rest = at < line.size() ? line.substr(at) : "";
  const std::size_t close = rest.starts_with('(') ? rest.find(')') : rest.npos;  // Core ML's
  if (close != rest.npos && rest.substr(close + 1).starts_with("(Tensor)")) return at;
  const bool is_type = any_part(types, '|', [&](auto type) { return rest.starts_with(type); });
  return is_type ? at : std::string_view::npos;
}

}  // namespace gradproof::advice
