#include "properties/advice/logs/layout.h"

#include <algorithm>

#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

/// N, C, O and I as they are; spatial axes by their place: 0 or D first.
std::string plain_letters(std::string_view layout) {
  std::string letters;
  for (char letter : layout) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    if (letter == 'B') letter = 'N';
    if (letter == 'F') letter = 'C';
    letters += letter;
  }
  return letters;
}

bool is_spatial(char letter) {
  return std::string_view("NCOIM").find(letter) == std::string_view::npos;
}

int spatial_place(char letter) {
  constexpr std::string_view order = "DHWLT";
  const std::size_t at = order.find(letter);
  return at == std::string_view::npos ? letter : static_cast<int>(at);
}

/// As many letters as the tensor has axes: NHWC of a tensor of 3 axes is NWC, of 5 NDHWC.
std::string fitted(std::string letters, std::size_t rank) {
  if (letters.size() == rank && letters.find('S') == std::string::npos) return letters;
  const auto first = std::ranges::find_if(letters, is_spatial);
  const auto last = std::find_if_not(first, letters.end(), is_spatial);
  const auto others =
      static_cast<std::size_t>(letters.size() - static_cast<std::size_t>(last - first));
  if (first == letters.end() || others + 1 > rank) return {};
  std::string spatial;
  for (std::size_t i = 0; i < rank - others; ++i) spatial += static_cast<char>('0' + i);
  return std::string(letters.begin(), first) + spatial + std::string(last, letters.end());
}

}  // namespace

NamedLayouts layouts_named_in(std::string_view text) {
  NamedLayouts found;
  for (const Word& word : words_in(text)) {
    // MLX_NHWC, DataFormat_NHWC; but x_nhwc is a tensor's name.
    std::string_view name = word.text;
    const std::string_view last = name.substr(name.rfind('_') + 1);
    if (last.size() > 1 && in_small_letters(last) != last) name = last;
    const std::string small = in_small_letters(name.substr(0, 16));
    // PyTorch's memory format leaves the shape as it is.
    const bool is_memory = has_any(line_around(text, word.begin), "memory_format|torch.channels");
    if (is_one_of("|nhwc|ndhwc|nwc|nlc|hwcn|chwn|whcn|nhwcb|", small) ||
        (small == "channels_last" && !is_memory))
      found.input = name;
    if (is_one_of("|hwio|dhwio|wio|ohwi|odhwi|owi|hwoi|hwcf|dhwcf|krsc|rsck|", small))
      found.weight = name;
  }
  return found;
}

std::optional<Integers> reordered(const Integers& lengths, std::string_view layout,
                                  std::string_view first) {
  const std::string letters = fitted(plain_letters(layout), lengths.size());
  if (letters.size() != lengths.size() || lengths.size() < 3) return std::nullopt;
  std::vector<std::size_t> order;
  for (const char letter : first) {
    const std::size_t at = letters.find(letter);
    if (at == std::string::npos) return std::nullopt;
    order.push_back(at);
  }
  std::vector<std::size_t> spatial;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (is_spatial(letters[i])) spatial.push_back(i);
  }
  std::ranges::stable_sort(spatial, {}, [&](std::size_t at) { return spatial_place(letters[at]); });
  order.insert(order.end(), spatial.begin(), spatial.end());
  if (order.size() != lengths.size()) return std::nullopt;
  Integers result;
  for (const std::size_t at : order) result.push_back(lengths[at]);
  return result;
}

Integers spatial_alone(const Integers& values, std::string_view layout, std::size_t axes) {
  if (values.size() != axes + 2) return values;
  const auto all = reordered(values, layout, "NC");
  return all ? Integers(all->begin() + 2, all->end()) : values;
}

std::optional<DimLabels> dim_labels(std::string_view text) {
  std::string plain;
  const std::size_t open = text.find('<');
  if (open != std::string_view::npos) text.remove_prefix(open + 1);
  for (const char letter : text) {
    if (is_word_letter(letter) || letter == '-' || letter == '>')
      plain += letter == 'x' ? '_' : letter;
  }
  const std::size_t bar = plain.find('_');
  const std::size_t arrow = plain.find("->");
  if (bar == std::string::npos || arrow == std::string::npos || arrow < bar) return std::nullopt;
  DimLabels labels{plain.substr(0, bar), plain.substr(bar + 1, arrow - bar - 1),
                   plain.substr(arrow + 2)};
  std::erase(labels.output, '>');  // of "#mhlo.conv<...>"
  return labels;
}

}  // namespace gradproof::advice
