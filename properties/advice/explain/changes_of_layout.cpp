#include <fmt/core.h>

#include <algorithm>

#include "properties/advice/explain/change.h"
#include "properties/cases/calls/convolution.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::TensorCase;
using Shape = std::vector<std::int64_t>;

void lay_out(TensorCase& tensor, Shape shape) {
  const corpus::Format format = cases::plain_format(shape.size());
  tensor = targets::contiguous(std::move(shape), tensor.dtype, format);
}

Shape with_batch(Shape shape) {
  shape.insert(shape.begin(), 1);
  return shape;
}

/// N ... C as N C ...
Shape channels_moved(Shape shape) {
  std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  return shape;
}

}  // namespace

/// PyTorch takes (C, H, W) for (1, C, H, W); the operator does not.
void add_batch(ChangeList& list) {
  const Case& call = list.original();
  const bool is_unbatched =
      call.input && call.weight && call.input->shape.size() + 1 == call.weight->shape.size();
  if (!is_unbatched) return;
  const Shape shape = with_batch(call.input->shape);
  list.add(
      "input",
      fmt::format("input {} instead of {}: it has no batch, add one of 1 (unsqueeze(0))",
                  list_in_words(shape), list_in_words(call.input->shape)),
      [&](Case& fixed) {
        if (fixed.grad_output && fixed.grad_output->shape.size() == fixed.input->shape.size()) {
          lay_out(*fixed.grad_output, with_batch(fixed.grad_output->shape));
        }
        lay_out(*fixed.input, shape);
      },
      Follow::Shapes);
}

/// Adds the change from shapes N H W C under a format N C H W; the weight's may be either.
void put_channels_second(ChangeList& list) {
  const Case& call = list.original();
  if (!call.input || !call.weight || !call.grad_output) return;
  const Shape& now = call.input->shape;
  const bool may_be = now.size() > 2 && call.weight->shape.size() == now.size() &&
                      call.grad_output->shape.size() == now.size() &&
                      call.input->format == cases::plain_format(now.size());
  if (!may_be) return;
  for (const bool moves_weight : {false, true}) {
    const std::string words =
        fmt::format("input {} instead of {}: its channels are last, {} has them second{}",
                    list_in_words(channels_moved(now)), list_in_words(now),
                    name_of(call.input->format), moves_weight ? "; the weight likewise" : "");
    list.add(
        "input", words,
        [&](Case& fixed) {
          lay_out(*fixed.input, channels_moved(now));
          lay_out(*fixed.grad_output, channels_moved(call.grad_output->shape));
          if (moves_weight) lay_out(*fixed.weight, channels_moved(call.weight->shape));
        },
        Follow::Shapes);
  }
}

}  // namespace gradproof::advice
