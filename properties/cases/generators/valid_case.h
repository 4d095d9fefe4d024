#pragma once

#include <cstdint>
#include <vector>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// The plain call of a convolution: contiguous tensors of `types`' dtypes, everything requested,
/// cubeMathType 1 where 0 is not allowed.
corpus::Case plain_case(const Convolution& convolution, const Frame& frame);

/// A legal call inside the frame, data left open: profile `documented` admits success alone.
corpus::Case draw_valid_case(const Frame& frame, const Selection& selection,
                             corpus::RandomSource& random);

/// A legal call that is asked for its status alone: too large to be computed.
corpus::Case draw_status_case(const Frame& frame, const Selection& selection,
                              corpus::RandomSource& random);

/// Properties that a call has whatever the draws say.
struct CallWishes {
  std::int8_t cube_math_type = 0;
  std::vector<bool> output_mask;
  bool has_views = false;
};

/// A call of these sizes as wished, the rest drawn: which dtypes are mixed, null arguments,
/// formats, which tensors are views. `frame`, sizes and wishes must be legal together.
corpus::Case draw_wished_case(const Frame& frame, const Selection& selection,
                              const Convolution& convolution, const CallWishes& wishes,
                              corpus::RandomSource& random);

/// Draws a call with a problem that is not empty, and with one that is (not for the first
/// generation, which has none). `needs`, where given, has the last word on the sizes.
using SizeChange = void (*)(Convolution&, corpus::RandomSource&);
corpus::Case draw_non_empty_case(const Frame& frame, const Selection& selection,
                                 corpus::RandomSource& random, SizeChange needs = nullptr);
corpus::Case draw_empty_case(const Frame& frame, const Selection& selection,
                             corpus::RandomSource& random, SizeChange needs = nullptr);

}  // namespace gradproof::cases
