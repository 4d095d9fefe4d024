#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/machine/algorithm.h"

namespace gradproof::corpus {

// How a library computes the gradients of one call, as `gradproof fingerprint` measured it or as a
// person wrote it down. docs/fingerprint.md explains each field.

/// Rounding of a value that needs more significand bits than there are.
enum class MachineRounding : std::uint8_t { NearestEven, NearestAway, TowardZero, Odd };

/// Operands before they are multiplied.
struct OperandConversion {
  std::string format = "FLOAT";  ///< decides the exponents; "HF32" and "TF32" have those of FLOAT
  int significand_bits = 24;     ///< with the leading one; FLOAT 24, HF32 12 or 11, BF16 8
  MachineRounding rounding = MachineRounding::NearestEven;

  friend bool operator==(const OperandConversion&, const OperandConversion&) = default;
};

/// Form in which a product enters its first addition.
enum class MachineProduct : std::uint8_t {
  Exact,  ///< every product enters exactly (block adders; or all products fit the accumulator)
  /// Multiply-add instructions: the first child of a node, where it is a product, is rounded to the
  /// accumulator; every other child that is a product enters exactly.
  Fused,
  Rounded,  ///< each product is rounded like a sum before it is added
};

/// Families of trees that add any number of products p(0) ... p(n - 1), in LeafOrder's order.
enum class TreeFamily : std::uint8_t {
  Sequential,  ///< ((p0 + p1) + p2) + ...
  Pairwise,    ///< neighbours are added, level by level; an odd last one goes up as it is
  Lanes,       ///< p(i) goes to lane i modulo `size`, each sequential; lanes are then combined
  Split,     ///< `size` neighbours at a time sequentially (the last part is shorter), then combined
  Blocks,    ///< accumulator = one addition of several addends: it and the next `size` products
  Explicit,  ///< `nodes`, for the measured call alone
};

/// Orders in which the sums of lanes or parts are added.
enum class TreeCombine : std::uint8_t {
  Sequential,  ///< from the first to the last
  Pairwise,    ///< neighbours, level by level
  Halves,      ///< s(i) + s(i + half), level by level, as vector registers are folded
};

/// An addition of an explicit tree. Children: numbers below `leaves` are products, `leaves` + i is
/// the node i, which comes before its parent. The last node is the root.
using TreeNode = std::vector<std::int64_t>;

/// Order in which the products of one element are added.
struct SummationTree {
  TreeFamily family = TreeFamily::Sequential;
  std::int64_t size = 0;  ///< lanes, products a part, products a block; 0: the family has none
  TreeCombine combine = TreeCombine::Sequential;  ///< lanes and split alone
  std::int64_t leaves = 0;                        ///< explicit alone
  std::vector<TreeNode> nodes;                    ///< explicit alone

  friend bool operator==(const SummationTree&, const SummationTree&) = default;
};

/// One loop of the order in which products come, e.g. "k", "-kh" (from the last to the first),
/// "k/16" (blocks of 16), "k%16" (inside a block).
struct OrderAxis {
  enum class Part : std::uint8_t { Whole, Block, Within };

  /// gradInput: "k" (channels of gradOutput of the group), "kd", "kh", "kw" (taps);
  /// gradWeight, gradBias: "n", "od", "oh", "ow" (positions of gradOutput).
  std::string axis;
  bool descending = false;
  Part part = Part::Whole;
  std::int64_t size = 0;  ///< of the blocks; 0 where the axis is whole

  friend bool operator==(const OrderAxis&, const OrderAxis&) = default;
};

/// Products of an element, and their order. A product has a number: row-major over (k, kd, kh, kw)
/// for gradInput, over (n, od, oh, ow) for gradWeight and gradBias, those that padding and stride
/// leave out included, so that the same product has one number in each element.
struct LeafOrder {
  std::vector<OrderAxis> loops;  ///< outermost first; empty: in the order of their numbers
  /// Products that meet padding are in the tree as zeros: they have a place in a lane or block.
  bool counts_absent = false;

  friend bool operator==(const LeafOrder&, const LeafOrder&) = default;
};

/// Elements of the measured call that add in another tree than its longest sum does.
struct OtherTree {
  /// D, H, W of the elements in the gradient's lifted shape: of every batch entry and channel.
  std::vector<std::array<std::int64_t, 3>> positions;
  SummationTree tree;  ///< of an explicit one the leaves are the products that the elements have
  LeafOrder order;

  friend bool operator==(const OtherTree&, const OtherTree&) = default;
};

/// One addition: addends, rounded once to accumulator_bits.
struct NodeArithmetic {
  MachineRounding rounding = MachineRounding::NearestEven;
  int accumulator_bits = 24;
  /// nullopt: the exact sum of the addends is rounded. Else a block adder: each addend is first cut
  /// toward zero at accumulator_bits + extra_bits below the largest addend's exponent.
  std::optional<int> extra_bits;

  friend bool operator==(const NodeArithmetic&, const NodeArithmetic&) = default;
};

enum class SubnormalHandling : std::uint8_t { Kept, Flushed, Unknown };

/// Handling of each kind of number that may be subnormal.
struct SubnormalHandlings {
  SubnormalHandling operands = SubnormalHandling::Kept;
  SubnormalHandling products = SubnormalHandling::Kept;  ///< whose magnitude is below 2^-126
  SubnormalHandling sums = SubnormalHandling::Kept;
  SubnormalHandling results = SubnormalHandling::Kept;  ///< in the format of the result

  friend bool operator==(const SubnormalHandlings&, const SubnormalHandlings&) = default;
};

enum class SpecialHandling : std::uint8_t { Kept, Lost, Unknown };

/// Handling of special values, of which no prediction is made.
struct SpecialHandlings {
  SpecialHandling nan =
      SpecialHandling::Unknown;  ///< Lost: the result of a NaN operand is a number
  /// NaN and infinite operands times zero are NaN; Lost: products with a zero are left out.
  SpecialHandling times_zero = SpecialHandling::Unknown;
  /// The sum of products that are all -0 is -0; Lost: it is +0, as where it begins with +0.
  SpecialHandling negative_zero = SpecialHandling::Unknown;

  friend bool operator==(const SpecialHandlings&, const SpecialHandlings&) = default;
};

enum class OverflowHandling : std::uint8_t { Infinity, Saturated, Unknown };

/// Experiments that were run before a model was made.
struct MachineEvidence {
  std::uint64_t calls = 0;      ///< of the target, for this gradient
  std::uint64_t predicted = 0;  ///< random results compared with the model
  std::uint64_t missed = 0;     ///< of those, other bits than predicted
  std::string tree_hash;        ///< 16 hexadecimal digits; of the measured tree, not of its family
  std::vector<std::string> unexplained;  ///< a sentence each

  friend bool operator==(const MachineEvidence&, const MachineEvidence&) = default;
};

/// Model of how one gradient is computed.
struct GradientMachine {
  OutputRole gradient = OutputRole::GradInput;
  OperandConversion operands;
  MachineProduct product = MachineProduct::Fused;  ///< gradBias has no products: Exact
  SummationTree tree;
  LeafOrder order;
  std::vector<OtherTree> elsewhere;  ///< for the measured call alone
  NodeArithmetic node;
  SubnormalHandlings subnormals;
  OverflowHandling overflow = OverflowHandling::Infinity;
  SpecialHandlings specials;
  /// Formats that the sum is rounded to, one after the other; the last is the tensor's.
  std::vector<std::string> output_formats = {"FLOAT"};
  MachineRounding output_rounding = MachineRounding::NearestEven;
  MachineEvidence evidence;

  friend bool operator==(const GradientMachine&, const GradientMachine&) = default;
};

/// A machine file.
struct Machine {
  std::string library;       ///< what was measured: file names, or a person's words
  std::string soc;           ///< as a case says it
  unsigned threads = 0;      ///< that the library was told to use; 0: not said
  std::optional<Case> call;  ///< shapes, dtypes and mode that it was measured with; no data
  std::vector<GradientMachine> gradients;          ///< at most one a gradient
  std::vector<GradientAlgorithm> algorithms = {};  ///< likewise; absent: direct

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// True if its trees are those of the measured call's shapes alone.
bool is_of_one_call(const GradientMachine& gradient);

/// The gradient's machine, or nullptr.
const GradientMachine* machine_of(const Machine& machine, OutputRole gradient);

std::string_view name_of(MachineRounding rounding);
std::string_view name_of(MachineProduct product);
std::string_view name_of(TreeFamily family);
std::string_view name_of(TreeCombine combine);
std::string_view name_of(SubnormalHandling handling);
std::string_view name_of(OverflowHandling handling);
std::string_view name_of(SpecialHandling handling);

/// "-kh", "k/16", "k%16".
std::string text_of(const OrderAxis& axis);

/// Returns the reason why the machine is impossible, in a sentence: a tree with a leaf that is used
/// twice, a family without its size, more bits than a double has.
std::optional<std::string> impossibility(const GradientMachine& gradient);

}  // namespace gradproof::corpus
