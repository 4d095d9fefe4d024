#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::advice {

/// A call with one parameter changed, or two.
struct ChangedCall {
  std::string field;  ///< the parameter, as CANN names it
  std::string words;  ///< "stride [1, 1] instead of [0, 1]"
  corpus::Case call;
  bool is_pair = false;  ///< of two parameters
};

/// Parameters that must change with a parameter because it follows from it.
enum class Follow : unsigned char {
  Nothing,
  Outputs,  ///< shapes and dtypes of the gradients, biasSizes
  Shapes,   ///< gradOutput's shape, and then the outputs
};

/// The changes worth trying, the least first. Keeps only those that do change the call.
class ChangeList {
 public:
  explicit ChangeList(const corpus::Case& original) : original_(original) {}

  const corpus::Case& original() const { return original_; }
  std::vector<ChangedCall> taken() && { return std::move(changes_); }

  /// Adds the change by itself, and then again with each thing that may follow, up to `most`.
  void add(std::string_view field, const std::string& words,
           const std::function<void(corpus::Case&)>& apply, Follow most = Follow::Nothing);

 private:
  void add_following(std::string_view field, const std::string& words, const corpus::Case& changed,
                     Follow follow);

  const corpus::Case& original_;
  std::vector<ChangedCall> changes_;
};

/// "[2, 3, 8, 8]".
std::string list_in_words(const std::vector<std::int64_t>& values);

/// "stride [1, 1] instead of [0, 1]".
std::string words_for(std::string_view name, const std::vector<std::int64_t>& now,
                      const std::vector<std::int64_t>& before);

// The single changes of each kind, in the order in which they are preferred.
void supply_what_is_null(ChangeList& list);
void add_batch(ChangeList& list);
void put_channels_second(ChangeList& list);
void fit_each_output(ChangeList& list);
void choose_math_type(ChangeList& list);
void use_plain_formats(ChangeList& list);
void fit_bias_sizes(ChangeList& list);
void fit_array_lengths(ChangeList& list);
void agree_output_padding(ChangeList& list);
void derive_grad_output(ChangeList& list);
void narrow_mask(ChangeList& list);
void bound_attributes(ChangeList& list);
void make_kernel_fit(ChangeList& list);
void choose_groups(ChangeList& list);
void fit_weight(ChangeList& list);
void fit_input(ChangeList& list);
void choose_dtypes(ChangeList& list);
void turn_around(ChangeList& list);

/// True if the profile admits success alone, with values that mean something.
bool is_certainly_legal(const corpus::Case& test_case, oracle::Profile profile);

/// True if success is one of the answers that the profile admits, with values that mean something.
bool may_succeed(const corpus::Case& test_case, oracle::Profile profile);

/// Single changes of a refused call that make it legal, the least first, at most three; where none
/// does, the first two changes together that do. What
/// follows from a change (gradOutput's shape, the gradients) goes with it where the change alone
/// does not suffice. Each is put to the oracle: legal by the rules of the profile and of the
/// documents both, so that no remedy is one that only one of them allows. Empty where the call is
/// legal, or two changes do not suffice.
std::vector<ChangedCall> remedies(const corpus::Case& test_case, oracle::Profile profile);

}  // namespace gradproof::advice
