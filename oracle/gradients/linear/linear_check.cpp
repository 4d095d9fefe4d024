#include "oracle/gradients/linear/linear_check.h"

#include <algorithm>
#include <cstring>

#include "corpus/element_hash.h"
#include "oracle/gradients/linear/equations.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

class LinearCheck {
 public:
  LinearCheck(const LinearProblem& problem, const ModularDot& modular_dot)
      : problem_(problem), modular_dot_(modular_dot) {
    const Shape grad_output = problem.geometry.shape(InputRole::GradOutput);
    if (wants(OutputRole::GradInput)) {
      const std::int64_t channels = problem.geometry.shape(OutputRole::GradInput)[1];
      map_.emplace(problem, modular_dot, ChannelRange{0, channels}, seen(InputRole::Weight));
      difference_.resize(to_size(grad_output[0]));
    }
    if (wants(OutputRole::GradWeight)) weight_.emplace(problem, modular_dot);
    if (wants(OutputRole::GradBias)) sums_.resize(to_size(grad_output[1]));
  }

  LinearFindings operator()() {
    const std::int64_t batch = problem_.geometry.batch, step = entries_at_a_time();
    for (std::int64_t begin = 0; begin < batch; begin += step) {
      add_entries(begin, std::min(begin + step, batch));
    }
    if (map_) finding(OutputRole::GradInput).wrong_entry = first_wrong(difference_);
    if (weight_) compare_weight();
    if (wants(OutputRole::GradBias)) compare_bias();
    return findings_;
  }

 private:
  bool wants(OutputRole role) const { return problem_.outputs[role].has_value(); }
  const IntegerTensor& output(OutputRole role) const { return *problem_.outputs[role]; }
  const IntegerTensor& input(InputRole role) const { return problem_.inputs[role]; }
  IntegersSeen& seen(InputRole role) { return findings_.inputs[role]; }
  LinearFinding& finding(OutputRole role) { return findings_.outputs[role]; }

  std::int64_t entries_at_a_time() const {
    std::int64_t step = entries_at_once(input(InputRole::GradOutput));
    if (weight_) step = std::min(step, entries_at_once(input(InputRole::Input)));
    return step;
  }

  /// Each tensor's entries are read once, whatever they are needed for.
  void add_entries(std::int64_t begin, std::int64_t end) {
    const bool grad_output_is_big = problem_.geometry.transposed;
    const auto read = [&](bool is_big) {
      const InputRole role =
          is_big == grad_output_is_big ? InputRole::GradOutput : InputRole::Input;
      if (role == InputRole::Input && !weight_) return;
      visit_pieces(input(role), begin, end, modular_dot_, seen(role), [&](const Piece& piece) {
        if (role == InputRole::GradOutput) add_grad_output(piece);
        if (weight_ && is_big) weight_->add_big(piece);
        if (weight_ && !is_big) weight_->add_small(piece);
      });
    };
    if (weight_) weight_->begin_entries(begin, end);
    read(true);
    if (weight_) weight_->end_big();
    read(false);
    if (!map_) return;
    visit_pieces(output(OutputRole::GradInput), begin, end, modular_dot_,
                 finding(OutputRole::GradInput).seen, [&](const Piece& piece) {
                   Residue& difference = difference_[to_size(piece.entry)];
                   difference = difference + map_->left(piece);
                 });
  }

  void add_grad_output(const Piece& piece) {
    if (map_) {
      Residue& difference = difference_[to_size(piece.entry)];
      difference = difference - map_->right(piece);
    }
    if (sums_.empty()) return;
    for_each_channel(piece, input(InputRole::GradOutput).positions(),
                     [&](std::int64_t channel, std::int64_t /*position*/, const auto& numbers) {
                       std::int64_t sum = 0;
                       for (const std::int32_t value : numbers.values) sum += value;
                       sums_[to_size(channel)] += sum;
                     });
  }

  static std::optional<std::int64_t> first_wrong(const std::vector<Residue>& differences) {
    const auto wrong = std::ranges::find_if(
        differences, [](const Residue& difference) { return difference != Residue(); });
    if (wrong == differences.end()) return std::nullopt;
    return wrong - differences.begin();
  }

  void compare_weight() {
    const IntegerTensor& tensor = output(OutputRole::GradWeight);
    std::vector<Residue> differences(to_size(tensor.shape[0]));
    auto& result = finding(OutputRole::GradWeight);
    visit_pieces(tensor, 0, tensor.shape[0], modular_dot_, result.seen, [&](const Piece& piece) {
      Residue& difference = differences[to_size(piece.entry)];
      difference = difference + weight_->left(piece);
    });
    for (std::size_t i = 0; i < differences.size(); ++i) {
      differences[i] = differences[i] - weight_->right()[i];
    }
    result.wrong_entry = first_wrong(differences);
  }

  /// gradBias has one entry: its elements lie along the second axis.
  void compare_bias() {
    auto& result = finding(OutputRole::GradBias);
    visit_pieces(output(OutputRole::GradBias), 0, 1, modular_dot_, result.seen,
                 [&](const Piece& piece) {
                   for (std::size_t i = 0; i < piece.numbers.values.size(); ++i) {
                     const std::int64_t at = piece.first + static_cast<std::int64_t>(i);
                     if (piece.numbers.values[i] == sums_[to_size(at)]) continue;
                     if (!result.wrong_entry) result.wrong_entry = at;
                   }
                 });
  }

  const LinearProblem& problem_;
  const ModularDot& modular_dot_;
  std::optional<MapEquation> map_;
  std::optional<WeightEquation> weight_;
  std::vector<Residue> difference_;  ///< of gradInput's equations, by batch entry
  std::vector<std::int64_t> sums_;   ///< of gradOutput, by channel
  LinearFindings findings_;
};

}  // namespace

LinearFindings check_linearly(const LinearProblem& problem, const ModularDot& modular_dot) {
  return LinearCheck(problem, modular_dot)();
}

/// Chains side by side, since each waits for its own last step. A step is a bijection of the
/// chain's state, so that a word that differs changes it for good.
std::uint64_t answer_seed(std::span<const std::byte> bytes, std::uint64_t seed) {
  constexpr std::size_t chain_count = 8, stride = chain_count * sizeof(std::uint64_t);
  std::array<std::uint64_t, chain_count> chains{};
  for (std::size_t i = 0; i < chain_count; ++i) {
    chains[i] = corpus::chained(seed, static_cast<std::int64_t>(i));
  }
  const auto step = [](std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * corpus::golden;
    return state ^ (state >> 32);
  };
  std::size_t at = 0;
  for (; at + stride <= bytes.size(); at += stride) {
    std::array<std::uint64_t, chain_count> words;
    std::memcpy(words.data(), bytes.data() + at, stride);
    for (std::size_t i = 0; i < chain_count; ++i) chains[i] = step(chains[i], words[i]);
  }
  for (std::size_t i = 0; at < bytes.size(); at += sizeof(std::uint64_t), ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    chains[i] = step(chains[i], word);
  }
  std::uint64_t result = bytes.size();
  for (const std::uint64_t chain : chains) result = corpus::mixed(result + corpus::golden + chain);
  return result;
}

}  // namespace gradproof::oracle
