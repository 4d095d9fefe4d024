#pragma once

#include <cstdint>
#include <vector>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "properties/cases/machines/addition_tree.h"

namespace gradproof::cases {

/// One product of an element. Coordinates are of the lifted N C D H W.
struct SiteProduct {
  std::int64_t number = 0;  ///< as corpus::LeafOrder counts
  oracle::Shape varied{};   ///< in the operand that is different for each slot of a call
  oracle::Shape shared{};   ///< in the operand that all slots share; none of gradBias
};

/// An element of a gradient with its products, by ascending number.
struct Site {
  oracle::Shape element{};
  std::vector<SiteProduct> products;

  std::vector<std::int64_t> numbers() const;
};

/// Questions to one gradient of a call. One call asks as many questions as there are slots:
/// gradWeight and gradBias one for each channel of gradOutput, whose values there are the slot's
/// own; gradInput one for each channel of the input, whose weights are the slot's own.
class SitePlan {
 public:
  SitePlan(const oracle::Geometry& geometry, corpus::OutputRole role);

  corpus::OutputRole role() const { return role_; }
  const oracle::Geometry& geometry() const { return geometry_; }
  corpus::InputRole varied() const;
  corpus::InputRole shared() const;  ///< not of gradBias
  bool has_shared() const { return role_ != corpus::OutputRole::GradBias; }
  const AxisLengths& lengths() const { return lengths_; }

  std::int64_t slots() const;
  /// The element of a slot that corresponds to `element`, which is of slot 0.
  oracle::Shape element_of_slot(const oracle::Shape& element, std::int64_t slot) const;
  Site site_at(const oracle::Shape& element) const;
  /// The first element with the most products, of slot 0.
  Site richest_site() const;

 private:
  oracle::Geometry geometry_;
  corpus::OutputRole role_;
  AxisLengths lengths_{};
};

}  // namespace gradproof::cases
