#pragma once

namespace gradproof::oracle {

/// Stops the program with the sentence where an invariant of the oracle itself does not hold; in
/// every build, since a verdict after it would be worth nothing.
void check(bool condition, const char* what_must_hold);

}  // namespace gradproof::oracle
