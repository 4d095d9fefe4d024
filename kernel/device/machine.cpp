#include "kernel/device/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <thread>

namespace gradproof::kernel::device {
namespace {

constexpr std::string_view file_object = "gradproof";
constexpr int max_cores = 1024;
constexpr int max_host_threads = 64;

template <class Integer>
std::optional<Integer> integer_in(std::string_view text, Integer lowest, Integer highest) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < lowest || value > highest) return std::nullopt;
  return value;
}

bool set_devices(std::string_view text, Machine& machine) {
  machine.devices.clear();
  while (true) {
    const std::size_t comma = text.find(',');
    const Soc* soc = soc_named(text.substr(0, comma));
    if (soc == nullptr || machine.devices.size() == Machine::max_devices) return false;
    machine.devices.push_back(soc);
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

/// Sets `target` to the value whose name is `text`.
template <class Value, std::size_t Size>
bool set_named(std::string_view text, const std::pair<std::string_view, Value> (&names)[Size],
               auto& target) {
  const auto* found = std::ranges::find(names, text, &std::pair<std::string_view, Value>::first);
  if (found == std::end(names)) return false;
  target = found->second;
  return true;
}

bool set_profile(std::string_view text, Machine& machine) {
  return set_named<Profile>(text,
                            {{"documented", Profile::Documented}, {"released", Profile::Released}},
                            machine.profile);
}

bool set_hf32_rounding(std::string_view text, Machine& machine) {
  return set_named<Hf32Rounding>(
      text, {{"even", Hf32Rounding::NearestEven}, {"away", Hf32Rounding::NearestAway}},
      machine.hf32_rounding);
}

bool set_float_products(std::string_view text, Machine& machine) {
  return set_named<FloatProducts>(
      text, {{"fused", FloatProducts::Fused}, {"rounded", FloatProducts::Rounded}},
      machine.float_products);
}

bool set_overflow_mode(std::string_view text, Machine& machine) {
  return set_named<aclrtFloatOverflowMode>(
      text,
      {{"infnan", ACL_RT_OVERFLOW_MODE_INFNAN}, {"saturation", ACL_RT_OVERFLOW_MODE_SATURATION}},
      machine.overflow_mode);
}

bool set_schedule_seed(std::string_view text, Machine& machine) {
  machine.schedule_seed = integer_in<std::uint64_t>(text, 0, UINT64_MAX);
  return machine.schedule_seed.has_value();
}

bool set_cores(std::string_view text, Machine& machine) {
  machine.cores = integer_in<int>(text, 1, max_cores);
  return machine.cores.has_value();
}

bool set_checks(std::string_view text, Machine& machine) {
  return set_named<CheckLevel>(
      text, {{"0", CheckLevel::Off}, {"1", CheckLevel::Cheap}, {"2", CheckLevel::Full}},
      machine.checks);
}

bool set_pace(std::string_view text, Machine& machine) {
  return set_named<StreamPace>(
      text, {{"deferred", StreamPace::Deferred}, {"eager", StreamPace::Eager}}, machine.pace);
}

bool set_path(std::string_view text, Machine& machine) {
  return set_named<OperatorPath>(text,
                                 {{"device", OperatorPath::Device},
                                  {"scalar", OperatorPath::Scalar},
                                  {"plain", OperatorPath::Plain}},
                                 machine.path);
}

bool set_winograd(std::string_view text, Machine& machine) {
  return set_named<bool>(text, {{"on", true}, {"off", false}}, machine.winograd);
}

bool set_host_threads(std::string_view text, Machine& machine) {
  machine.host_threads = integer_in<int>(text, 1, max_host_threads);
  return machine.host_threads.has_value();
}

/// One thing about the machine that can be configured.
struct Setting {
  const char* variable;  // in the environment
  std::string_view key;  // in the file's object
  bool (*set)(std::string_view text, Machine& machine);
  std::string_view allowed;  // nothing: the names of the SoC table
};

constexpr Setting settings[] = {
    {"GRADPROOF_DEVICES", "devices", set_devices, ""},
    {"GRADPROOF_PROFILE", "profile", set_profile, "documented, released"},
    {"GRADPROOF_HF32_ROUNDING", "hf32_rounding", set_hf32_rounding, "even, away"},
    {"GRADPROOF_FLOAT_PRODUCTS", "float_products", set_float_products, "fused, rounded"},
    {"GRADPROOF_OVERFLOW_MODE", "overflow_mode", set_overflow_mode, "infnan, saturation"},
    {"GRADPROOF_SCHEDULE_SEED", "schedule_seed", set_schedule_seed,
     "an integer of 64 bits, from 0"},
    {"GRADPROOF_CORES", "cores", set_cores, "an integer from 1 to 1024"},
    {"GRADPROOF_CHECKS", "checks", set_checks, "0, 1, 2"},
    {"GRADPROOF_STREAMS", "streams", set_pace, "deferred, eager"},
    {"GRADPROOF_PATH", "path", set_path, "device, scalar, plain"},
    {"GRADPROOF_WINOGRAD", "winograd", set_winograd, "on, off"},
    {"GRADPROOF_HOST_THREADS", "host_threads", set_host_threads, "an integer from 1 to 64"},
};

std::string allowed_values(const Setting& setting) {
  if (!setting.allowed.empty()) return std::string(setting.allowed);
  std::vector<std::string_view> names;
  std::ranges::transform(all_socs(), std::back_inserter(names), &Soc::name);
  return fmt::format("a list, separated by commas, of at most {} of {}", Machine::max_devices,
                     fmt::join(names, " "));
}

ConfigurationError not_allowed(std::string_view where, std::string_view value,
                               const Setting& setting) {
  return {ACL_ERROR_FILE_ATTR_INVALID,
          fmt::format("{} is \"{}\"; allowed: {}", where, value, allowed_values(setting))};
}

/// Returns a JSON value as the environment would spell it: text, number, or a list of texts;
/// nullopt for anything else.
std::optional<std::string> as_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  if (!value.is_array() || value.empty()) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto& part : value) {
    if (!part.is_string()) return std::nullopt;
    parts.push_back(part.get<std::string>());
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

std::optional<ConfigurationError> apply_entry(const std::string& path, const std::string& key,
                                              const nlohmann::json& value, Machine& machine) {
  const auto* setting = std::ranges::find(settings, key, &Setting::key);
  const std::string where = fmt::format("{}: {}.{}", path, file_object, key);
  if (setting == std::end(settings)) {
    std::vector<std::string_view> keys;
    std::ranges::transform(settings, std::back_inserter(keys), &Setting::key);
    return ConfigurationError{
        ACL_ERROR_FILE_ATTR_INVALID,
        fmt::format("{} is no key; allowed: {}", where, fmt::join(keys, ", "))};
  }
  const auto text = as_text(value);
  if (!text.has_value() || !setting->set(*text, machine)) {
    return not_allowed(where, text.value_or(value.dump()), *setting);
  }
  return std::nullopt;
}

std::optional<ConfigurationError> read_file(const char* config_path, Machine& machine) {
  const std::string path = config_path;
  std::ifstream file(path);
  if (!file)
    return ConfigurationError{ACL_ERROR_INVALID_FILE, fmt::format("{}: can't be opened", path)};
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(file);
  } catch (const nlohmann::json::exception& error) {
    return ConfigurationError{ACL_ERROR_PARSE_FILE,
                              fmt::format("{}: not JSON: {}", path, error.what())};
  }
  if (!document.is_object()) {
    return ConfigurationError{ACL_ERROR_PARSE_FILE, fmt::format("{}: not a JSON object", path)};
  }
  if (!document.contains(file_object)) return std::nullopt;
  const auto& object = document.at(std::string(file_object));
  if (!object.is_object()) {
    return ConfigurationError{ACL_ERROR_FILE_ATTR_INVALID,
                              fmt::format("{}: {} is not an object", path, file_object)};
  }
  for (const auto& [key, value] : object.items()) {
    if (auto error = apply_entry(path, key, value, machine)) return error;
  }
  return std::nullopt;
}

std::optional<ConfigurationError> read_environment(const Environment& environment,
                                                   Machine& machine) {
  for (const Setting& setting : settings) {
    const char* value = environment(setting.variable);
    if (value != nullptr && !setting.set(value, machine)) {
      return not_allowed(fmt::format("environment variable {}", setting.variable), value, setting);
    }
  }
  return std::nullopt;
}

bool has_mode(const Soc& soc, aclrtFloatOverflowMode mode) {
  const ProductLimits& limits = limits_of(soc.product);
  return mode == ACL_RT_OVERFLOW_MODE_INFNAN ? limits.has_infnan : limits.has_saturation;
}

std::optional<ConfigurationError> check_overflow_mode(const Machine& machine) {
  if (!machine.overflow_mode.has_value()) return std::nullopt;
  for (const Soc* soc : machine.devices) {
    if (has_mode(*soc, *machine.overflow_mode)) continue;
    const bool infnan = *machine.overflow_mode == ACL_RT_OVERFLOW_MODE_INFNAN;
    return ConfigurationError{
        ACL_ERROR_FILE_ATTR_INVALID,
        fmt::format("overflow mode (GRADPROOF_OVERFLOW_MODE, overflow_mode) is {}, which {} does "
                    "not have; allowed: {}",
                    infnan ? "infnan" : "saturation", soc->name, infnan ? "saturation" : "infnan")};
  }
  return std::nullopt;
}

/// Applies CANN's own variable for the default overflow mode; not on chips without a choice.
void apply_vendor_default(const Environment& environment, Machine& machine) {
  const char* value = environment("INF_NAN_MODE_ENABLE");
  if (value == nullptr || machine.overflow_mode.has_value()) return;
  const auto mode = std::string_view(value) == "0" ? ACL_RT_OVERFLOW_MODE_SATURATION
                                                   : ACL_RT_OVERFLOW_MODE_INFNAN;
  const bool everywhere =
      std::ranges::all_of(machine.devices, [mode](const Soc* soc) { return has_mode(*soc, mode); });
  if (everywhere) machine.overflow_mode = mode;
}

}  // namespace

int Machine::cube_cores(std::size_t device) const {
  return cores.value_or(devices.at(device)->cube_cores);
}

int Machine::vector_cores(std::size_t device) const {
  const Soc& soc = *devices.at(device);
  if (soc.vector_cores == 0) return cube_cores(device);
  const bool is_split = soc.vector_cores == 2 * soc.cube_cores;
  return is_split ? 2 * cube_cores(device) : soc.vector_cores;
}

int Machine::threads() const {
  // Once: the system would read files for each call. 0: unknown.
  static const auto of_the_host = static_cast<int>(std::thread::hardware_concurrency());
  return host_threads.value_or(std::clamp(of_the_host, 1, max_host_threads));
}

aclrtFloatOverflowMode Machine::default_overflow_mode(std::size_t device) const {
  if (overflow_mode.has_value()) return *overflow_mode;
  return limits_of(devices.at(device)->product).has_infnan ? ACL_RT_OVERFLOW_MODE_INFNAN
                                                           : ACL_RT_OVERFLOW_MODE_SATURATION;
}

std::optional<std::string> set_by_key(Machine& machine, std::string_view key,
                                      std::string_view value) {
  const auto* setting = std::ranges::find(settings, key, &Setting::key);
  if (setting->set(value, machine)) return std::nullopt;
  return not_allowed(key, value, *setting).problem;
}

tl::expected<Machine, ConfigurationError> read_machine(const char* config_path,
                                                       const Environment& environment) {
  Machine machine;
  machine.devices = {soc_named("Ascend910B1")};
  if (config_path != nullptr) {
    if (auto error = read_file(config_path, machine)) return tl::unexpected(*std::move(error));
  }
  if (auto error = read_environment(environment, machine)) return tl::unexpected(*std::move(error));
  if (auto error = check_overflow_mode(machine)) return tl::unexpected(*std::move(error));
  apply_vendor_default(environment, machine);
  return machine;
}

}  // namespace gradproof::kernel::device
