#include "properties/findings/provenance/provenance_json.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "corpus/case_error.h"

namespace gradproof::findings {

using Json = nlohmann::ordered_json;

Json provenance_json(const Provenance& provenance) {
  const Host& host = provenance.host;
  Json json{{"program", provenance.program},
            {"command_line", provenance.command_line},
            {"host",
             {{"name", host.name},
              {"system", host.system},
              {"processor", host.processor},
              {"cores", host.cores}}},
            {"libraries", Json::array()},
            {"toolkit", provenance.toolkit},
            {"profile", provenance.profile},
            {"seed", provenance.seed},
            {"algorithms", provenance.algorithms},
            {"started", provenance.started},
            {"ended", provenance.ended}};
  for (const LibraryIdentity& library : provenance.libraries) {
    json["libraries"].push_back({{"path", library.path},
                                 {"bytes", library.bytes},
                                 {"sha256", library.sha256},
                                 {"build_id", library.build_id}});
  }
  return json;
}

/// The library reports a missing or mistyped member by an exception; it ends here.
tl::expected<Provenance, std::string> parse_provenance(const std::string& line) try {
  const Json json = Json::parse(line);
  const Json& host = json.at("host");
  Provenance provenance{
      json.at("program"),
      json.at("command_line"),
      {host.at("name"), host.at("system"), host.at("processor"), host.at("cores")},
      {},
      json.at("toolkit"),
      json.at("profile"),
      json.at("seed"),
      json.value("algorithms", std::vector<std::string>{}),
      json.at("started"),
      json.at("ended")};
  for (const Json& library : json.at("libraries")) {
    provenance.libraries.push_back(
        {library.at("path"), library.at("bytes"), library.at("sha256"), library.at("build_id")});
  }
  return provenance;
} catch (const Json::exception& error) {
  return tl::unexpected(
      fmt::format("not the provenance of a run: {}", corpus::words_of_json_error(error)));
}

}  // namespace gradproof::findings
