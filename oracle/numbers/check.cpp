#include "oracle/numbers/check.h"

#include <cstdio>
#include <cstdlib>

namespace gradproof::oracle {

void check(bool condition, const char* what_must_hold) {
  if (condition) return;
  std::fprintf(stderr, "gradproof oracle: broken invariant: %s\n", what_must_hold);
  std::abort();
}

}  // namespace gradproof::oracle
