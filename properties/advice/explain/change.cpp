#include "properties/advice/explain/change.h"

#include <fmt/format.h>

#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {

using corpus::Case;

void ChangeList::add(std::string_view field, const std::string& words,
                     const std::function<void(Case&)>& apply, Follow most) {
  Case changed = original_;
  apply(changed);
  if (changed == original_) return;
  changes_.push_back({.field = std::string(field), .words = words, .call = changed});
  if (!changed.grad_output || !changed.input || !changed.weight) return;
  if (most == Follow::Nothing) return;
  add_following(field, words, changed, Follow::Outputs);
  if (most == Follow::Shapes) add_following(field, words, changed, Follow::Shapes);
}

void ChangeList::add_following(std::string_view field, const std::string& words,
                               const Case& changed, Follow follow) {
  Case following = changed;
  std::string consequence = "the gradients following";
  if (follow == Follow::Shapes) {
    const auto shape = targets::derived_grad_output(following);
    if (!shape) return;
    following.grad_output->shape = *shape;
    following.grad_output->strides.reset();
    following.grad_output->storage_shape.reset();
    following.grad_output->offset = 0;
    if (following.grad_output != changed.grad_output) {
      consequence = fmt::format("gradOutput then is {}", list_in_words(*shape));
    }
  }
  targets::make_outputs_fit(following);
  if (following == changed) return;
  changes_.push_back({.field = std::string(field),
                      .words = fmt::format("{} ({})", words, consequence),
                      .call = std::move(following)});
}

std::string list_in_words(const std::vector<std::int64_t>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string words_for(std::string_view name, const std::vector<std::int64_t>& now,
                      const std::vector<std::int64_t>& before) {
  return fmt::format("{} {} instead of {}", name, list_in_words(now), list_in_words(before));
}

}  // namespace gradproof::advice
