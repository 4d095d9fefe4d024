#include "properties/targets/pipe/pipe_library.h"

#include <utility>

#include "corpus/product_row.h"

namespace gradproof::targets {

tl::expected<std::shared_ptr<const Library>, std::string> PipeLibrary::load(
    const PipeSettings& settings) {
  auto name = PipeTarget(nullptr, settings).start();
  if (!name) return tl::unexpected(name.error());
  Introduction introduction;
  introduction.name = std::move(*name);
  introduction.apis = settings.apis;
  std::int32_t id = 0;
  for (const corpus::ProductRow& row : corpus::product_rows) {
    introduction.devices.push_back({id++, std::string(corpus::name_of(row.product)), row.product});
  }
  return std::shared_ptr<const Library>(new PipeLibrary(std::move(introduction), settings));
}

std::unique_ptr<Target> PipeLibrary::new_target() const {
  return std::make_unique<PipeTarget>(shared_from_this(), settings_);
}

}  // namespace gradproof::targets
