#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/case_error.h"
#include "corpus/data_type.h"
#include "corpus/product.h"

namespace gradproof::runs {

/// Storage and arithmetic of all tensors of a call.
struct ProofMode {
  corpus::DataType dtype = corpus::DataType::Float;
  std::int8_t cube_math_type = 0;
  corpus::Product product = corpus::Product::Ascend910B;

  friend bool operator==(const ProofMode&, const ProofMode&) = default;
};

/// "FLOAT:0 on Ascend910B".
std::string words_of(const ProofMode& mode);

/// One spatial axis of a call. `input` and `output` are the lengths of input and gradOutput.
struct AxisSizes {
  std::int64_t input = 1, kernel = 1, stride = 1, padding = 0, dilation = 1, output_padding = 0;
  std::int64_t output = 1;
  std::int64_t more_at_end = 0;  ///< padding at the end of the axis beyond that at its begin

  friend bool operator==(const AxisSizes&, const AxisSizes&) = default;
};

/// Batch and channels of a call.
struct ChannelSizes {
  std::int64_t batch = 1, groups = 1;
  std::int64_t input = 1, output = 1;  ///< channels of input and gradOutput, of all groups

  friend bool operator==(const ChannelSizes&, const ChannelSizes&) = default;
};

/// A call of aclnnConvolutionBackward in the terms that a scope enumerates.
struct CallSizes {
  bool transposed = false;
  ChannelSizes channels;
  std::vector<AxisSizes> axes;               ///< L, H W or D H W
  std::vector<bool> mask{true, true, true};  ///< dx, dw, db

  friend bool operator==(const CallSizes&, const CallSizes&) = default;
};

/// The case of a call: contiguous tensors, no data. In 2D, where an axis has more padding at its
/// end, padding has four values.
corpus::Case case_of(const CallSizes& sizes, const ProofMode& mode, std::string id);

/// Ranges whose combinations make a scope. Each list holds every value of its kind, none twice.
struct ScopeRanges {
  std::string name = "small";
  std::vector<std::int64_t> axes{1, 2};  ///< numbers of spatial axes
  std::vector<bool> transposed{false, true};
  std::vector<std::int64_t> extents{1, 2, 3, 4};  ///< of input
  std::vector<std::int64_t> kernels{1, 2, 3}, strides{1, 2}, paddings{0, 1, 2}, dilations{1, 2};
  std::vector<std::int64_t> batch{1, 2}, channels{1, 2}, groups{1, 2};
  bool all_masks = true;  ///< all seven that ask for something, else the one that asks for all
};

/// Combinations of independent choices, and so a part of a scope.
struct ScopePart {
  bool transposed = false;
  std::vector<std::vector<AxisSizes>> axes;  ///< the choices of each axis
  std::vector<ChannelSizes> channels;
  std::vector<std::vector<bool>> masks;  ///< dx, dw, db
};

/// Masks that a call can ask for: all three gradients first, then the six others that ask.
std::vector<std::vector<bool>> all_masks();

/// A set of calls, each with a number: the calls are made from it when they are asked for, so a
/// scope of any size takes no memory.
class Scope {
 public:
  /// All legal combinations: shapes of at least one position, groups that divide both numbers of
  /// channels, outputPadding below the stride. Errors: there is none.
  static tl::expected<Scope, std::string> all_in(const ScopeRanges& ranges);

  /// `name` and `words` go into the claim.
  Scope(std::string name, std::string words, std::vector<ScopePart> parts);

  const std::string& name() const { return name_; }
  /// Ranges whose combinations it has; nullopt: it is a list of calls.
  const std::optional<ScopeRanges>& ranges() const { return ranges_; }
  /// Describes the scope in a sentence without its end.
  const std::string& words() const { return words_; }
  std::uint64_t size() const { return ends_.empty() ? 0 : ends_.back(); }

  /// `number` below size(). Calls that differ in their mask alone follow each other.
  CallSizes call(std::uint64_t number) const;

 private:
  std::string name_, words_;
  std::optional<ScopeRanges> ranges_;
  std::vector<ScopePart> parts_;
  std::vector<std::uint64_t> ends_;  ///< calls of this part and those before it
};

/// The scope that a name stands for (`small`, `blocks`), or the one in this file. Errors: the file,
/// and the key or the place in it.
tl::expected<Scope, corpus::CaseError> scope_named(const std::filesystem::path& name_or_file);

/// The scope in a JSON text: docs/prove.md has its keys. Strict: unknown and repeated keys, values
/// out of range and ranges that are empty are errors.
tl::expected<Scope, corpus::CaseError> parse_scope(std::string_view text);

/// Calls with channels at the edges of the blocks that optimised libraries cut them into:
/// depthwise, grouped and dense, ordinary and transposed, with strides, dilations, paddings,
/// kernels and masks.
///
/// A covering array of strength 3: every combination of any three of these choices is in some call.
/// Then 2D calls whose axes have other paddings at their ends than at their begins.
/// Built greedily (Cohen et al., "The AETG System", 1997), the same on every machine.
Scope block_scope();

}  // namespace gradproof::runs
