#include "properties/targets/isolation/isolated_library.h"

#include <utility>

#include "properties/targets/isolation/child_target.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::targets {

tl::expected<std::shared_ptr<const Library>, std::string> IsolatedLibrary::load(
    const std::vector<std::filesystem::path>& libraries, const IsolationSettings& settings) {
  auto server = ForkServer::start(libraries, settings);
  if (!server) return tl::unexpected(server.error());
  // A first child reports what the libraries have; the workers' children are started when they are
  // needed.
  auto introduction = ChildTarget(nullptr, **server).start();
  if (!introduction) return tl::unexpected(introduction.error());
  introduction->name = joined_names(libraries);
  return std::shared_ptr<const Library>(
      new IsolatedLibrary(std::move(*introduction), std::move(*server)));
}

std::unique_ptr<Target> IsolatedLibrary::new_target() const {
  return std::make_unique<ChildTarget>(shared_from_this(), *server_);
}

}  // namespace gradproof::targets
