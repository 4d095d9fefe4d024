#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/cases/classes/call_classes.h"

namespace gradproof::cases {

/// Some classes, by their index in `call_classes`.
using ClassSet = std::bitset<call_classes.size()>;

/// True if no legal call has all of these classes, of different dimensions: a rule forbids some of
/// them together.
bool is_excluded(const ClassSet& classes);

/// Names the rule that forbids both classes (of different dimensions). Empty: the pair is legal,
/// and a campaign must hit it.
std::string_view why_illegal(std::size_t left, std::size_t right);

/// Three classes of different dimensions that some legal call has at once; lowest index first.
using Triple = std::array<std::uint8_t, 3>;

/// All of them, in lexical order. A triple is named by its place here.
const std::vector<Triple>& legal_triples();

/// The place of a triple whose classes stand in ascending order; nullopt for an illegal one.
std::optional<std::size_t> place_of(const Triple& triple);

/// Visits the place of each legal triple among the classes of one call.
template <typename Visit>
void for_each_triple(const Classes& classes, Visit&& visit) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t j = i + 1; j < classes.size(); ++j) {
      for (std::size_t k = j + 1; k < classes.size(); ++k) {
        if (const auto place = place_of({classes[i], classes[j], classes[k]})) visit(*place);
      }
    }
  }
}

}  // namespace gradproof::cases
