// MIOpen's log of API calls, and the commands of its driver.

#include <algorithm>
#include <map>
#include <optional>

#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"
#include "properties/advice/logs/sizes.h"

namespace gradproof::properties {
namespace {

using Fields = std::map<std::string, std::string, std::less<>>;

struct DriverOption {
  std::string_view letter, word;
  std::string_view field;
};
constexpr DriverOption driver_options[] = {
    {"-n", "--batchsize", "n"},      {"-c", "--in_channels", "c"},
    {"-k", "--out_channels", "k"},   {"-H", "--in_h", "ih"},
    {"-W", "--in_w", "iw"},          {"-!", "--in_d", "id"},
    {"-y", "--fil_h", "kh"},         {"-x", "--fil_w", "kw"},
    {"-@", "--fil_d", "kd"},         {"-p", "--pad_h", "ph"},
    {"-q", "--pad_w", "pw"},         {"-$", "--pad_d", "pd"},
    {"-u", "--conv_stride_h", "sh"}, {"-v", "--conv_stride_w", "sw"},
    {"-#", "--conv_stride_d", "sd"}, {"-l", "--dilation_h", "dh"},
    {"-j", "--dilation_w", "dw"},    {"-^", "--dilation_d", "dd"},
    {"-g", "--group_count", "g"},    {"-F", "--forw", "direction"},
    {"-m", "--mode", "mode"},        {"-_", "--spatial_dim", "axes"},
};

Fields fields_of(const std::vector<std::string_view>& parts) {
  Fields fields;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    for (const DriverOption& option : driver_options) {
      if (parts[i] == option.letter || parts[i] == option.word) {
        fields[std::string(option.field)] = parts[i + 1];
      }
    }
  }
  return fields;
}

/// Reads numbers of the driver's options; what is missing or no number is lacking.
class Driver {
 public:
  Driver(const Fields& fields, FoundCall& call) : fields_(fields), call_(call) {}

  std::int64_t number(const std::string& field, std::optional<std::int64_t> otherwise) {
    const auto found = fields_.find(field);
    const auto value = found == fields_.end() ? otherwise : integer_of(found->second);
    if (!value) call_.lacking.push_back("the driver's " + option_of(field));
    return value.value_or(0);
  }

  Integers axes(char kind, std::optional<std::int64_t> otherwise) {
    Integers values;
    for (const char axis : std::string_view(number("axes", 2) == 3 ? "dhw" : "hw")) {
      values.push_back(number({kind, axis}, otherwise));
    }
    return values;
  }

 private:
  static std::string option_of(std::string_view field) {
    const auto* option = std::ranges::find(driver_options, field, &DriverOption::field);
    return std::string(option->letter) + " (" + std::string(option->word) + ")";
  }

  const Fields& fields_;
  FoundCall& call_;
};

/// 1: forward, 2: gradInput, 4: gradWeight, and their sums; 0: all.
void add_direction(std::int64_t direction, FoundCall& call) {
  if (direction == 2) call.words.mask = "1,0,0";
  if (direction == 4) call.words.mask = "0,1,0";
  if (direction == 1) call.notes.emplace_back("a forward convolution: its gradients are explained");
}

FoundCall driver_call(const std::vector<std::string_view>& parts, std::string_view command) {
  FoundCall call{.notation = "MIOpenDriver"};
  const Fields fields = fields_of(parts);
  Driver driver(fields, call);
  Sizes sizes;
  sizes.batch = driver.number("n", std::nullopt);
  sizes.in_channels = driver.number("c", std::nullopt);
  sizes.out_channels = driver.number("k", std::nullopt);
  sizes.groups = driver.number("g", 1);
  sizes.input = driver.axes('i', std::nullopt);
  sizes.kernel = driver.axes('k', std::nullopt);
  sizes.padding = driver.axes('p', std::nullopt);
  sizes.stride = driver.axes('s', std::nullopt);
  sizes.dilation = driver.axes('d', 1);
  const auto mode = fields.find("mode");
  sizes.transposed = mode != fields.end() && mode->second.starts_with("trans");
  call.words.dtype = command == "convfp16"    ? "FLOAT16"
                     : command == "convbfp16" ? "BFLOAT16"
                                              : "FLOAT";
  add_direction(driver.number("direction", 0), call);
  if (call.lacking.empty()) add_sizes(sizes, call);
  return call;
}

/// The log's last call, which is filled line by line.
struct MiopenCall {
  bool is_gradient = false;
  std::size_t line = 0;
  std::string name;
  std::map<std::string, Integers, std::less<>> tensors;
  std::optional<Integers> attributes;
};

/// "miopenConvolution, 1, 1, 2, 2, 1, 1, ": paddings, strides, dilations; 3D logs differ.
std::optional<Integers> attributes_of(std::string_view text, std::string_view& mode) {
  const std::size_t comma = text.find(',');
  mode = text.substr(0, comma);
  if (comma == std::string_view::npos) return std::nullopt;
  const auto values = integers_of_line(text.substr(comma + 1));
  return values && values->size() == 6 ? values : std::nullopt;
}

std::optional<FoundCall> call_of(const MiopenCall& logged) {
  const auto tensor = [&](std::string_view one, std::string_view other) {
    const auto found = logged.tensors.find(one);
    const auto second = logged.tensors.find(other);
    if (found != logged.tensors.end()) return std::optional(found->second);
    return second == logged.tensors.end() ? std::nullopt : std::optional(second->second);
  };
  const auto x = tensor("dxDesc", "xDesc");
  const auto w = tensor("dwDesc", "wDesc");
  const auto y = tensor("dyDesc", "yDesc");
  if (!logged.is_gradient || !x || !w || !logged.attributes) return std::nullopt;
  FoundCall call{.notation = "MIOpen", .line = logged.line};
  const Integers& values = *logged.attributes;
  call.words.input = with_commas(*x);
  call.words.weight = with_commas(*w);
  if (y) call.words.grad_output = with_commas(*y);
  call.words.padding = with_commas({values[0], values[1]});
  call.words.stride = with_commas({values[2], values[3]});
  call.words.dilation = with_commas({values[4], values[5]});
  const bool of_data = logged.name.find("BackwardData") != std::string::npos;
  call.words.mask = of_data ? "1,0,0" : "0,1,0";
  if (w->size() == 4 && x->size() == 4 && (*w)[1] > 0 && (*x)[1] > (*w)[1] &&
      (*x)[1] % (*w)[1] == 0) {
    call.words.groups = std::to_string((*x)[1] / (*w)[1]);
    call.notes.emplace_back("groups are not printed: input's channels over the weight's");
  }
  call.notes.emplace_back("dtype is not stated: FLOAT");
  return call;
}

void read_line(std::string_view line, MiopenCall& logged) {
  const std::size_t sign = line.find(" = ");
  if (sign == std::string_view::npos) return;
  const auto names = words_in(line.substr(0, sign));
  if (names.empty()) return;
  const std::string name(names.back().text);
  std::string_view value = line.substr(sign + 3);
  if (name == "convDesc") {
    std::string_view mode;
    logged.attributes = attributes_of(value, mode);
    if (mode != "miopenConvolution") logged.is_gradient = false;
  } else if (name.ends_with("Desc")) {
    value = value.substr(0, value.find('}'));
    if (value.starts_with('{')) value.remove_prefix(1);
    const auto shape = integers_of_line(value);
    if (shape && shape->size() >= 3) logged.tensors[name] = *shape;
  }
}

}  // namespace

std::vector<FoundCall> miopen_driver_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const auto driver = behind(line, "MIOpenDriver");
    const auto parts = driver ? parts_between(*driver, " \t") : std::vector<std::string_view>{};
    if (parts.size() < 3 || !parts[0].starts_with("conv")) continue;
    calls.push_back(driver_call(parts, parts[0]));
    calls.back().line = number;
  }
  return calls;
}

std::vector<FoundCall> miopen_log_calls(std::string_view text) {
  std::vector<FoundCall> calls;
  MiopenCall logged;
  std::size_t number = 0;
  const auto finish = [&] {
    if (auto call = call_of(logged)) calls.push_back(*std::move(call));
  };
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::size_t begin = line.find("miopenStatus_t miopen");
    if (begin == std::string_view::npos) {
      read_line(line, logged);
      continue;
    }
    finish();
    const std::string_view name = line.substr(begin + 15, line.find('(', begin) - begin - 15);
    logged =
        MiopenCall{.is_gradient = name.find("ConvolutionBackwardData") != std::string_view::npos ||
                                  name.find("ConvolutionBackwardWeights") != std::string_view::npos,
                   .line = number,
                   .name = std::string(name),
                   .tensors = {},
                   .attributes = {}};
  }
  finish();
  return calls;
}

}  // namespace gradproof::properties
