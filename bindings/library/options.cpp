#include "bindings/library/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "corpus/case_error.h"
#include "corpus/data_type_row.h"
#include "corpus/json/json_text.h"
#include "corpus/words/spelling.h"
#include "corpus/words/words.h"
#include "properties/targets/session/unwritten.h"

namespace gradproof::library {
namespace {

using Json = nlohmann::json;

/// Stops reading with what is wrong about a value: what was expected, or a whole sentence.
struct Wrong {
  std::string expected = {};
  std::string sentence = {};  ///< instead of what was expected
};

std::uint64_t count(const Json& value) {
  if (!value.is_number_unsigned()) throw Wrong{"an integer from 0"};
  return value.get<std::uint64_t>();
}

std::string text(const Json& value) {
  if (!value.is_string()) throw Wrong{"a string"};
  return value.get<std::string>();
}

/// Converts a text by a reader of the command line's words.
template <typename Value>
Value meaning(const Json& value, corpus::Meaning<Value> (*read)(std::string_view)) {
  auto found = read(text(value));
  if (!found) throw Wrong{.sentence = found.error()};
  return *std::move(found);
}

bool truth(const Json& value) {
  if (value.is_string()) return meaning(value, corpus::truth_from_words);
  if (!value.is_boolean()) throw Wrong{"true or false"};
  return value.get<bool>();
}

/// A list; a text is one of words, as on the command line; anything else is a list of itself.
Json list(const Json& value) {
  if (value.is_string()) return corpus::words_of_list(value.get<std::string>());
  return value.is_array() ? value : Json::array({value});
}

/// A string, or a number or truth value said as one.
std::string as_text(const Json& value) {
  return value.is_string() ? text(value) : corpus::json_text(value);
}

corpus::DataType dtype(const Json& value) {
  const auto type = meaning(value, corpus::data_type_from_words);
  const bool computes = corpus::is_convolution_type(type) || type == corpus::DataType::Double;
  if (!computes) throw Wrong{"FLOAT, FLOAT16, BF16, HIFLOAT8, FLOAT8_E4M3FN or DOUBLE"};
  return type;
}

/// One operator: its function's arguments are those of the operator.
void read_api(Options& options, const Json& value) {
  const auto api = corpus::api_named(text(value));
  const auto& known = targets::apis_of_tensors;
  if (!api || std::ranges::find(known, *api) == known.end()) {
    throw Wrong{"aclnnConvolutionBackward or aclnnConvolution"};
  }
  options.selection.apis = {*api};
}

int rank(const Json& value) { return meaning(as_text(value), cases::rank_from_words); }

/// Reads "specials" as `--machine specials=` on the command line.
bool specials(const Json& value) {
  const std::string word = text(value);
  if (word != "judged" && word != "ignored") throw Wrong{"judged or ignored"};
  return word == "judged";
}

std::chrono::milliseconds seconds(const Json& value) {
  constexpr double most_seconds = 1e9;
  if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > most_seconds) {
    throw Wrong{"a number of seconds from 0 to 1e9"};
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(value.get<double>() * 1e3));
}

void read_product(Options& options, const Json& value) {
  options.product = meaning(value, corpus::product_from_words);
  options.soc = corpus::name_of(options.product);
}

void read_cube_math_type(Options& options, const Json& value) {
  if (value.is_string()) {
    const auto mode = meaning(value, corpus::cube_math_type_from_words);
    options.selection.cube_math_type = static_cast<std::uint8_t>(mode);  // 0 to 3
    return;
  }
  constexpr std::uint64_t last = 3;
  if (count(value) > last) throw Wrong{"0, 1, 2 or 3"};
  options.selection.cube_math_type = value.get<int>();
}

void read_dtypes(Options& options, const Json& value) {
  for (const Json& name : list(value)) options.selection.dtypes.push_back(dtype(name));
}

void read_ranks(Options& options, const Json& value) {
  for (const Json& axes : list(value)) options.selection.ranks.push_back(rank(axes));
}

void read_direction(Options& options, const Json& value) {
  options.selection.transposed = meaning(as_text(value), corpus::truth_from_words);
}

void read_domain(Options& options, const Json& value) {
  options.selection.domain = meaning(value, cases::domain_from_words);
}

using Read = void (*)(Options&, const Json&);
const std::map<std::string, Read>& readers() {
  static const std::map<std::string, Read> table{
      {"name", [](Options& to, const Json& value) { to.name = text(value); }},
      {"seed", [](Options& to, const Json& value) { to.seed = count(value); }},
      {"seconds", [](Options& to, const Json& value) { to.time = seconds(value); }},
      {"pipe", [](Options& to, const Json& value) { to.pipe = text(value); }},
      {"timeout", [](Options& to, const Json& value) { to.timeout = seconds(value); }},
      {"cases", [](Options& to, const Json& value) { to.cases = count(value); }},
      {"findings", [](Options& to, const Json& value) { to.findings = count(value); }},
      {"dtype", read_dtypes},
      {"mixed", [](Options& to, const Json& value) { to.selection.mixed = truth(value); }},
      {"empty", [](Options& to, const Json& value) { to.selection.empty = truth(value); }},
      {"views", [](Options& to, const Json& value) { to.selection.views = truth(value); }},
      {"repeat", [](Options& to, const Json& value) { to.repeat = truth(value); }},
      {"specials", [](Options& to, const Json& value) { to.selection.specials = specials(value); }},
      {"domain", read_domain},
      {"api", read_api},
      {"soc", read_product},
      {"cube_math_type", read_cube_math_type},
      {"transposed", read_direction},
      {"rank", read_ranks},
      {"max_macs",
       [](Options& to, const Json& value) {
         to.selection.max_macs = static_cast<std::int64_t>(count(value));
       }},
      {"target", [](Options& to, const Json& value) { to.target = text(value); }},
      {"out", [](Options& to, const Json& value) { to.out = text(value); }},
      {"files",
       [](Options& to, const Json& value) {
         for (const Json& file : list(value)) to.files.emplace_back(text(file));
       }},
  };
  return table;
}

std::vector<std::string> names_of_options() {
  std::vector<std::string> names;
  for (const auto& [name, read] : readers()) names.push_back(name);
  return names;
}

}  // namespace

std::vector<std::string> not_asked(const Options& options) {
  if (!options.files.empty()) return {};
  auto left_out = cases::not_asked(options.selection, options.repeat);
  if (!options.selection.empty) left_out.emplace_back("empty tensors");
  return left_out;
}

tl::expected<Options, std::string> options_from_json(std::string_view options) {
  Json json;
  try {
    json = Json::parse(options);
  } catch (const Json::exception& error) {
    return tl::unexpected("options: " + corpus::words_of_json_error(error));
  }
  if (!json.is_object()) return tl::unexpected(std::string("options: expected a JSON object"));
  Options result;
  constexpr std::int64_t most_macs = 100'000;
  result.selection.max_macs = most_macs;
  result.selection.max_macs_binds = true;
  result.selection.kind = cases::Kind::Valid;
  result.selection.mixed = result.selection.empty = false;
  result.selection.cube_math_type = 0;
  result.selection.of_tensors = true;
  result.selection.views = result.selection.specials = false;
  for (const auto& [key, value] : json.items()) {
    const auto reader = readers().find(key == "dtypes" ? "dtype" : key == "ranks" ? "rank" : key);
    if (reader == readers().end()) {
      return tl::unexpected(fmt::format("options: there is no option \"{}\"; nearest: {}", key,
                                        corpus::nearest_word(key, names_of_options())));
    }
    try {
      reader->second(result, value);
    } catch (const Wrong& wrong) {
      const std::string words =
          fmt::format("expected {}, found {}", wrong.expected, corpus::json_text(value));
      return tl::unexpected(
          fmt::format("options: {}: {}", key, wrong.sentence.empty() ? words : wrong.sentence));
    }
  }
  result.selection.products = {result.product};
  if (result.selection.dtypes.empty()) result.selection.dtypes = {corpus::DataType::Float};
  constexpr std::chrono::milliseconds default_time{10'000};
  if (!result.time && !result.cases && result.files.empty()) result.time = default_time;
  return result;
}

}  // namespace gradproof::library
