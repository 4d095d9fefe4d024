#include "fuzz/runtime/call_sequence.h"

#include <rapidcheck.h>
#include <rapidcheck/detail/ImplicitParam.h>
#include <rapidcheck/detail/Results.h>
#include <rapidcheck/gen/detail/GenerationHandler.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "acl/acl.h"
#include "fuzz/runtime/repertoire.h"

namespace gradproof::fuzz {
namespace {

using Command = std::shared_ptr<const runtime::Command>;

/// Steps draw their numbers from RapidCheck; here each draw is decided by a byte.
class ByteChoices : public rc::gen::detail::GenerationHandler {
 public:
  explicit ByteChoices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  rc::detail::Any onGenerate(const rc::Gen<rc::detail::Any>& gen) override {
    const std::uint8_t byte = at_ < bytes_.size() ? bytes_[at_++] : 0;
    return gen(rc::Random(byte), size_of_draws).value();
  }

 private:
  static constexpr int size_of_draws = 100;
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

template <typename Step>
Command made(const runtime::Model& model) {
  return std::make_shared<const Step>(model);
}

template <typename... Steps>
Command chosen_step(std::uint8_t number, const runtime::Model& model, runtime::StepList<Steps...>) {
  constexpr std::array makers{&made<Steps>...};
  return makers[number % makers.size()](model);
}

/// The step that four bytes say; null where it cannot be done now.
Command step_of(std::span<const std::uint8_t> bytes, const runtime::Model& model) {
  using rc::detail::ImplicitParam;
  ByteChoices choices(bytes.subspan(1));
  const ImplicitParam<rc::gen::detail::param::CurrentHandler> current(&choices);
  try {
    Command command = chosen_step(bytes[0], model, runtime::Repertoire{});
    command->checkPreconditions(model);
    return command;
  } catch (const rc::detail::CaseResult&) {  // a precondition does not hold
    return nullptr;
  }
}

std::string words(const runtime::Command& command) {
  std::ostringstream text;
  command.show(text);
  return text.str();
}

/// Longer programs show nothing new.
constexpr std::size_t most_steps = 256;

void start_once() {
  static const aclError started = aclInit(nullptr);
  if (started == ACL_SUCCESS) return;
  std::abort();  // nothing can be fuzzed
}

}  // namespace

CallSequence carry_out(std::span<const std::uint8_t> bytes) {
  start_once();
  aclrtSetDevice(0);
  runtime::Model model;
  runtime::Runtime handles;
  CallSequence done;
  for (std::size_t i = 0; i + step_bytes <= bytes.size() && i < most_steps * step_bytes;
       i += step_bytes) {
    const Command command = step_of(bytes.subspan(i, step_bytes), model);
    if (!command) continue;
    done.steps.push_back(words(*command));
    try {
      command->run(model, handles);
    } catch (const rc::detail::CaseResult& result) {
      done.failure = result.description;
      return done;
    }
    command->apply(model);
  }
  return done;
}

std::vector<std::uint8_t> shortened(std::vector<std::uint8_t> bytes) {
  bytes.resize(std::min(bytes.size() / step_bytes, most_steps) * step_bytes);
  if (!carry_out(bytes).failure) return bytes;
  for (std::size_t count = bytes.size() / step_bytes; count > 0; count /= 2) {
    for (std::size_t at = 0; at + count * step_bytes <= bytes.size();) {
      std::vector<std::uint8_t> fewer = bytes;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(count * step_bytes));
      if (carry_out(fewer).failure) {
        bytes = std::move(fewer);
      } else {
        at += step_bytes;
      }
    }
  }
  return bytes;
}

}  // namespace gradproof::fuzz
