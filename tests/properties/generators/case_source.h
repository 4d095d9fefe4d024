#pragma once

#include <gtest/gtest.h>

#include "properties/cases/generators/random_case.h"

namespace gradproof::cases {

/// The source of the selection; one that there is none for fails the test.
inline CaseSource source_of(const Selection& selection) {
  auto source = CaseSource::of(selection);
  EXPECT_TRUE(source) << (source ? "" : source.error());
  return std::move(*source);
}

}  // namespace gradproof::cases
