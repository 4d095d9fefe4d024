// seeded_error ERROR: makes an error that a sanitizer must end it for.
#include <cstdio>
#include <limits>
#include <string>
#include <thread>

namespace {

/// Volatile, so that no compiler sees through what follows.
int* volatile block = nullptr;
volatile int number = std::numeric_limits<int>::max();
int shared = 0;

void use_after_free() {
  block = new int(1);
  delete block;
  number = *block;
}

void overflow() { number = number + 1; }

void leak() {
  block = new int[100];
  block = nullptr;
}

void race() {
  std::thread other([] { ++shared; });
  ++shared;
  other.join();
}

}  // namespace

int main(int count, char** words) {
  const std::string error = count > 1 ? words[1] : "";
  if (error == "use_after_free") use_after_free();
  if (error == "overflow") overflow();
  if (error == "race") race();
  if (error == "leak") {
    leak();  // looked for when the process ends
    return 0;
  }
  std::puts("still here");
  return 0;
}
