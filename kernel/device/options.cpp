#include "kernel/device/options.h"

namespace gradproof::kernel::device {
namespace {

std::int64_t value_in_force(const Options* context, aclSysParamOpt option) {
  if (context != nullptr) {
    if (const auto value = context->value_of(option)) return *value;
  }
  return process_options().value_of(option).value_or(0);
}

}  // namespace

void Options::set(aclSysParamOpt option, std::int64_t value) {
  const std::lock_guard lock(mutex_);
  values_.at(option) = value;
}

std::optional<std::int64_t> Options::value_of(aclSysParamOpt option) const {
  const std::lock_guard lock(mutex_);
  return values_.at(option);
}

Options& process_options() {
  static Options& options = *new Options;
  return options;
}

bool is_option(aclSysParamOpt option) { return option >= 0 && option < Options::count; }

std::int64_t largest_value(aclSysParamOpt option) {
  return option == ACL_OPT_DETERMINISTIC ? 3 : 1;
}

std::int64_t deterministic_level(const Options* context) {
  const std::int64_t level = value_in_force(context, ACL_OPT_DETERMINISTIC);
  const bool is_strong = value_in_force(context, ACL_OPT_STRONG_CONSISTENCY) == 1;
  return level == 1 && is_strong ? 2 : level;
}

}  // namespace gradproof::kernel::device
