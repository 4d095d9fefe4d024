#include "properties/findings/provenance/provenance_json.h"

#include <fmt/core.h>

#include <utility>

#include "corpus/case_error.h"
#include "corpus/json/plain_members.h"

namespace gradproof::findings {

using Json = nlohmann::ordered_json;
using corpus::PlainMembers;

void members(PlainMembers& json, Host& host) {
  json("name", host.name);
  json("system", host.system);
  json("processor", host.processor);
  json("cores", host.cores);
}

void members(PlainMembers& json, LibraryIdentity& library) {
  json("path", library.path);
  json("bytes", library.bytes);
  json("sha256", library.sha256);
  json("build_id", library.build_id);
}

void members(PlainMembers& json, Provenance& provenance) {
  json("program", provenance.program);
  json("command_line", provenance.command_line);
  json("host", provenance.host);
  json("libraries", provenance.libraries);
  json("toolkit", provenance.toolkit);
  json("profile", provenance.profile);
  json("seed", provenance.seed);
  json("algorithms", provenance.algorithms);
  json("started", provenance.started);
  json("ended", provenance.ended);
}

Json provenance_json(const Provenance& provenance) { return corpus::plain_json(provenance); }

/// The library reports a missing or mistyped member by an exception; it ends here.
tl::expected<Provenance, std::string> parse_provenance(const std::string& line) try {
  Json json = Json::parse(line);
  if (!json.contains("algorithms")) json["algorithms"] = Json::array();  // by an earlier release
  return corpus::of_plain_json<Provenance>(std::move(json));
} catch (const Json::exception& error) {
  return tl::unexpected(
      fmt::format("not the provenance of a run: {}", corpus::words_of_json_error(error)));
}

}  // namespace gradproof::findings
