#include "properties/targets/session/loaded_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "corpus/operators/operator_row.h"
#include "properties/targets/target/library_architecture.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::targets {
namespace {

namespace fs = std::filesystem;

/// Loaded libraries are never unloaded: their threads and thread-local objects may outlive every
/// handle.
using Handle = void*;

/// Name of the simulated backend's libraries where they give what a target lacks.
constexpr std::string_view stand_in = "the simulated backend";

/// A library that is loaded, by the name that a person knows it under.
struct Loaded {
  Handle handle = nullptr;
  std::string name;
};

/// A name without a slash is searched where the linker searches; a file that exists is taken as it
/// is.
std::string loadable(const fs::path& library) {
  std::error_code error;
  return fs::exists(library, error) ? fs::absolute(library).string() : library.string();
}

tl::expected<Handle, std::string> open(const fs::path& library, int visibility) {
  ::dlerror();
  if (Handle handle = ::dlopen(loadable(library).c_str(), RTLD_NOW | visibility)) return handle;
  const char* words = ::dlerror();
  return tl::unexpected(std::string(words ? words : "no reason given"));
}

tl::expected<std::vector<Loaded>, std::string> open_simulated(int visibility) {
  std::vector<Loaded> opened;
  for (const fs::path& library : simulated_libraries()) {
    const auto handle = open(library, visibility);
    if (!handle) {
      return tl::unexpected(fmt::format("the simulated backend's {} cannot be loaded: {}",
                                        library.string(), handle.error()));
    }
    opened.push_back({*handle, std::string(stand_in)});
  }
  return opened;
}

/// A library with two functions of its own may expect the rest of CANN to be there already: the
/// second try offers it the simulated backend's.
tl::expected<Handle, std::string> open_foreign(const fs::path& library) {
  auto handle = open(library, RTLD_LOCAL);
  if (handle) return handle;
  if (const auto other = foreign_architecture(library)) {
    return tl::unexpected(
        fmt::format("{} cannot be loaded: it was built for {}, this gradproof for {}; take the "
                    "gradproof of the library's machine (docs/install.md)",
                    library.string(), *other, own_architecture()));
  }
  const std::string words = handle.error();
  const auto backend = open_simulated(RTLD_GLOBAL);
  if (backend && !backend->empty()) handle = open(library, RTLD_LOCAL);
  if (handle) return handle;
  return tl::unexpected(fmt::format("{} cannot be loaded: {}", library.string(), words));
}

/// Takes each function from the first library that has it. Result: who gave it, by entry_points().
/// `own`: the libraries are the target's, not the simulated backend's in its stead.
std::vector<std::string> fill(CannApi& api, const std::vector<Loaded>& libraries, bool own) {
  std::vector<std::string> origins(entry_points().size());
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const EntryPoint& row = entry_points()[i];
    if (row.need == Need::Own && !own) continue;
    for (const Loaded& library : libraries) {
      void* address = ::dlsym(library.handle, std::string(row.name).c_str());
      if (address == nullptr) continue;
      row.assign(api, address);
      origins[i] = library.name;
      break;
    }
  }
  return origins;
}

std::string missing_text(const std::string& name, const std::vector<std::string>& missing) {
  std::vector<std::string> folders;
  for (const fs::path& folder : simulated_library_folders()) folders.push_back(folder.string());
  const bool backend = !simulated_libraries().empty();
  const std::string where = backend ? ""
                                    : fmt::format("; the simulated backend was not found in {}",
                                                  fmt::join(folders, ", "));
  return fmt::format("{}: missing {}{}", name, fmt::join(missing, ", "), where);
}

/// Describes the operator that a library lacks. If the whole operator came from the simulated
/// backend, the backend would be verified under the libraries' name.
std::optional<std::string> lacks_operator(const CannApi& api, const std::string& name) {
  const bool has_graph_operator =
      api.input_v2_workspace_size || api.input_v2 || api.filter_v2_workspace_size || api.filter_v2;
  const bool has_tiling_class =
      api.input_tiling || api.filter_tiling || api.input_tiling_run || api.filter_tiling_run;
  const bool has_forward = api.forward || api.forward_tbc || api.depthwise;
  const bool has_one_of_ours = has_graph_operator || has_tiling_class || has_forward;
  if (has_one_of_ours || api.backward_workspace_size || api.backward) return std::nullopt;
  return fmt::format(
      "{}: missing aclnnConvolutionBackwardGetWorkspaceSize and aclnnConvolutionBackward; the "
      "simulated backend stands in for the rest of CANN, not for the whole operator",
      name);
}

constexpr aclError already_initialised = 100002;

std::vector<corpus::Api> apis_of(const CannApi& api) {
  std::vector<corpus::Api> apis;
  for (const corpus::OperatorRow& row : corpus::operator_rows()) {
    if (missing_for(api, row.api).empty()) apis.push_back(row.api);
  }
  return apis;
}

std::optional<std::string> initialise(const CannApi& api) {
  const aclError status = api.init(nullptr);
  if (status == ACL_SUCCESS || status == already_initialised) return std::nullopt;
  const char* words = api.recent_error_message ? api.recent_error_message() : nullptr;
  return fmt::format("aclInit failed with {}{}{}", status, words ? ": " : "", words ? words : "");
}

std::vector<Device> devices_of(const CannApi& api) {
  std::vector<Device> devices;
  std::uint32_t count = 1;
  if (api.device_count && api.device_count(&count) != ACL_SUCCESS) count = 0;
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(count); ++id) {
    if (api.set_device(id) != ACL_SUCCESS) continue;
    const char* soc_name = api.soc_name();
    const std::string named = soc_name ? soc_name : "";
    devices.push_back({id, named, corpus::product_of_device(named)});
    api.reset_device(id);
  }
  return devices;
}

}  // namespace

tl::expected<LoadedLibrary::Pointer, std::string> LoadedLibrary::load(
    const std::vector<fs::path>& libraries, const Note& note) {
  furnish_simulated_machine();
  std::vector<Loaded> opened;
  for (const fs::path& library : libraries) {
    if (note) note("loading " + library.string());
    const auto handle = open_foreign(library);
    if (!handle) return tl::unexpected(handle.error());
    opened.push_back({*handle, library.filename().string()});
  }
  CannApi api;
  auto origins = fill(api, opened, true);
  const std::string name = joined_names(libraries);
  if (!libraries.empty()) {
    if (auto problem = lacks_operator(api, name)) return tl::unexpected(std::move(*problem));
  }
  if (!missing_functions(api).empty()) {
    if (note) note("loading the simulated backend");
    const auto backend = open_simulated(RTLD_LOCAL);
    if (!backend) return tl::unexpected(backend.error());
    opened.insert(opened.end(), backend->begin(), backend->end());
    origins = fill(api, opened, libraries.empty());
    drop_strangers(api, origins, stand_in);
  }
  if (const auto missing = missing_functions(api); !missing.empty()) {
    return tl::unexpected(missing_text(name, missing));
  }
  if (note) note("starting " + name);
  return of(api, name, mixed_runtimes(origins));
}

tl::expected<LoadedLibrary::Pointer, std::string> LoadedLibrary::of(
    const CannApi& api, std::string name, std::vector<std::string> remarks) {
  if (const auto missing = missing_functions(api); !missing.empty()) {
    return tl::unexpected(fmt::format("{}: missing {}", name, fmt::join(missing, ", ")));
  }
  if (const auto problem = initialise(api)) {
    return tl::unexpected(fmt::format("{}: {}", name, *problem));
  }
  Introduction introduction{std::move(name), devices_of(api), std::move(remarks), apis_of(api),
                            api.set_for_thread != nullptr};
  const Pointer library(new LoadedLibrary(api, std::move(introduction)));
  if (!library->devices().empty()) return library;
  return tl::unexpected(
      fmt::format("{}: no device: aclrtSetDevice succeeded for none", library->name()));
}

LoadedLibrary::LoadedLibrary(const CannApi& api, Introduction introduction)
    : Library(std::move(introduction)), cann_{.api = api, .devices = devices()} {}

LoadedLibrary::~LoadedLibrary() { cann_.api.finalize(); }

}  // namespace gradproof::targets
