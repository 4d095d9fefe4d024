#pragma once

#include "fuzz/runtime/handles.h"
#include "fuzz/runtime/model.h"

#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include <map>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

namespace gradproof::fuzz::runtime {

using Command = rc::state::Command<Model, Runtime>;

template <typename Numbers>
int any_of(const Numbers& numbers) {
  RC_PRE(!numbers.empty());
  std::vector<int> keys;
  for (const auto& number : numbers) {
    if constexpr (std::is_same_v<std::decay_t<decltype(number)>, int>) {
      keys.push_back(number);
    } else {
      keys.push_back(number.first);
    }
  }
  return *rc::gen::elementOf(keys);
}

inline std::map<std::string, int> times_carried_out;

/// Common part of all commands: the numbers that they are about, and a name to show.
template <typename Derived>
struct Step : Command {
  void run(const Model& model, Runtime& runtime) const override {
    static_cast<const Derived&>(*this).carry_out(model, runtime);
    ++times_carried_out[Derived::name];
  }
  void show(std::ostream& out) const override {
    out << Derived::name;
    for (const int number : static_cast<const Derived&>(*this).numbers()) out << ' ' << number;
  }
};

}  // namespace gradproof::fuzz::runtime
