// The versions of the installed packages, without a device.
#include <cstring>

#include "family.h"

int main() {
  char runtime[] = "runtime", operators[] = "ops-nn", unknown[] = "no-such-package";
  char text[ACL_PKG_VERSION_MAX_SIZE] = "";
  std::int32_t number = 0, of_operators = 0;
  CHECK(aclsysGetVersionStr(runtime, text));
  CHECK(aclsysGetVersionNum(runtime, &number));
  CHECK(aclsysGetVersionNum(operators, &of_operators));
  std::printf("text: %s, number: %s\n", std::strchr(text, '.') != nullptr ? "with points" : text,
              number > 0 ? "one" : "none");
  std::printf("the operators' is the same: %d\n", number == of_operators);
  std::printf("no such package: %d\n", aclsysGetVersionNum(unknown, &number));
  return failures;
}
