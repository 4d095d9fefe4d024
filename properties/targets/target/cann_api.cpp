#include "properties/targets/target/cann_api.h"

#include <algorithm>
#include <type_traits>

namespace gradproof::targets {
namespace {

template <auto member>
void assign(CannApi& api, void* address) {
  using Function = std::remove_reference_t<decltype(api.*member)>;
  api.*member = reinterpret_cast<Function>(address);
}

template <auto member>
bool is_present(const CannApi& api) {
  return api.*member != nullptr;
}

#define GRADPROOF_ENTRY_POINT(need, member, function) \
  {#function, Need::need, assign<&CannApi::member>, is_present<&CannApi::member>},

constexpr EntryPoint rows[] = {GRADPROOF_CANN_FUNCTIONS(GRADPROOF_ENTRY_POINT)};

#undef GRADPROOF_ENTRY_POINT

struct PhaseTwoRow {
  corpus::Api called;
  decltype(&::aclnnConvolutionBackward) CannApi::*function;
};

constexpr PhaseTwoRow phases_two[] = {{corpus::Api::ConvolutionBackward, &CannApi::backward},
                                      {corpus::Api::Conv3DBackpropInputV2, &CannApi::input_v2},
                                      {corpus::Api::Conv3DBackpropFilterV2, &CannApi::filter_v2},
                                      {corpus::Api::ConvTbcBackward, &CannApi::conv_tbc},
                                      {corpus::Api::Convolution, &CannApi::forward},
                                      {corpus::Api::ConvTbc, &CannApi::forward_tbc},
                                      {corpus::Api::ConvDepthwise2d, &CannApi::depthwise}};

}  // namespace

std::span<const EntryPoint> entry_points() { return rows; }

decltype(&::aclnnConvolutionBackward) phase_two_of(const CannApi& api, corpus::Api called) {
  return api.*(std::ranges::find(phases_two, called, &PhaseTwoRow::called)->function);
}

/// Entry points bear the name of what is called, and what they do with it; those that every target
/// has are looked at when it is loaded.
std::string_view missing_for(const CannApi& api, corpus::Api called) {
  const std::string_view name = corpus::name_of(called);
  for (const EntryPoint& row : rows) {
    const std::size_t begin = row.name.find(name);
    const std::string_view rest =
        begin == std::string_view::npos ? row.name : row.name.substr(begin + name.size());
    const bool is_its = rest.empty() || rest == "GetWorkspaceSize" || rest == "Run";
    if (is_its && row.need != Need::Required && !row.is_present(api)) return row.name;
  }
  return {};
}

std::vector<std::string> missing_functions(const CannApi& api) {
  std::vector<std::string> missing;
  for (const EntryPoint& row : rows) {
    if (row.need == Need::Required && !row.is_present(api)) missing.emplace_back(row.name);
  }
  return missing;
}

}  // namespace gradproof::targets
