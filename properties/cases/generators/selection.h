#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/words/words.h"

namespace gradproof::cases {

/// Half of the space of calls to draw from.
enum class Kind : std::uint8_t { Valid, Invalid, All };

/// Set of legal calls.
enum class Domain : std::uint8_t {
  Cann,     ///< what the documents of aclnnConvolutionBackward allow
  PyTorch,  ///< PyTorch's: no ranges of a product, output padding up to the dilation too
  Any,      ///< all that the arithmetic defines: PyTorch's, and negative padding
};

/// Functions and operators that generated cases call by default.
extern const std::vector<corpus::Api> generated_apis;
/// Returns these, and those that are called only where they are asked for by their names.
std::vector<corpus::Api> every_api();

/// A call that a user typed.
struct TypedCall {
  corpus::Case test_case;
  std::string word;  ///< that says it on a command line, quoted for a shell

  friend bool operator==(const TypedCall&, const TypedCall&) = default;
};

/// Layers of FLOAT with 3 taps that are drawn for kernels that compute in Winograd's tiles.
enum class TileLayers : std::uint8_t {
  None,
  Ascend950s,  ///< of as many channels as its library needs, however many products that makes
  All,         ///< small ones of every product too
};

/// Restrictions of a run. An empty list means: no restriction.
struct Selection {
  /// Functions and operators to call, at least one.
  std::vector<corpus::Api> apis{corpus::Api::ConvolutionBackward};
  std::vector<corpus::Product> products;
  std::vector<corpus::DataType> dtypes;  ///< of gradOutput, input and weight
  std::vector<int> ranks;                ///< 3, 4, 5
  std::optional<bool> transposed;
  Kind kind = Kind::All;
  std::vector<std::string> rules;  ///< invalid cases break one of these
  std::vector<std::string> laws;
  std::vector<std::string> claims;            ///< of the library, to be held to (laws/claims.h)
  std::vector<corpus::Distribution> recipes;  ///< instead of the default ones
  std::int64_t max_macs = 1'000'000;          ///< of one gradient of a generated call
  TileLayers tile_layers = TileLayers::None;
  bool max_macs_binds = false;  ///< it was asked for: no other call is larger either
  std::optional<int> cube_math_type;
  bool mixed = true;  ///< the tensors of a call may differ in dtype
  bool empty = true;  ///< the tensors of a call may have no elements
  Domain domain = Domain::Cann;
  /// True if the target is a function of tensors: DOUBLE is a dtype of it, and no status is.
  bool of_tensors = false;
  bool views = true;     ///< tensors with strides and offsets too
  bool specials = true;  ///< infinities and NaN among the data too

  /// Every case is this call, on the products in turn; only laws and recipes say more.
  std::optional<TypedCall> call;

  friend bool operator==(const Selection&, const Selection&) = default;
};

/// "cann", "pytorch", "any".
std::string_view name_of(Domain domain);
/// "none", "ascend950", "all".
std::string_view name_of(TileLayers layers);

// What a person writes for parts of a selection, on a command line and in gradproof_open alike.
corpus::Meaning<Domain> domain_from_words(std::string_view words);
corpus::Meaning<TileLayers> tile_layers_from_words(std::string_view words);
corpus::Meaning<int> rank_from_words(std::string_view words);

/// Describes what a function of tensors could be asked and is not, in words: "views".
std::vector<std::string> not_asked(const Selection& selection, bool repeats);

/// True if a list of a selection admits a value; an empty one admits all.
template <typename Value>
bool admits(const std::vector<Value>& chosen, const Value& value) {
  return chosen.empty() || std::ranges::find(chosen, value) != chosen.end();
}

/// Describes why a run that is narrowed like this does not ask the call, in words; null: it may.
/// What is generated, stored, tried while a finding is made small or explained, derived by a law or
/// replayed is decided here and nowhere else (check/check.h). A typed call says where a
/// run begins, not what a finding of it is made small to; recipes and laws say nothing of calls.
const char* why_outside(const Selection& selection, const corpus::Case& test_case);

/// True if the run may ask the call.
inline bool admits(const Selection& selection, const corpus::Case& test_case) {
  return why_outside(selection, test_case) == nullptr;
}

/// The options that say this selection on a command line, with a leading blank each; empty for the
/// default one.
std::string options_of(const Selection& selection);
/// Options that leave calls out; a replay keeps to them as well.
std::string narrowing_of(const Selection& selection);

}  // namespace gradproof::cases
