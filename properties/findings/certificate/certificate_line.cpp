#include "properties/findings/certificate/certificate_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>
#include <utility>

#include "corpus/case_json.h"
#include "oracle/judge/element_proof.h"

namespace gradproof::findings {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of_adder(oracle::Adder adder) {
  switch (adder) {
    case oracle::Adder::Ieee:
      return "ieee";
    case oracle::Adder::Faithful:
      return "faithful";
    case oracle::Adder::Block:
      break;
  }
  return "block";
}

/// "[integer, exponent]": the integer as a text, since it may have hundreds of digits.
Json dyadic_json(const oracle::Dyadic& value) {
  return {value.significand().get_str(), value.is_zero() ? 0 : value.exponent()};
}

Json way_json(const oracle::Arithmetic& way) {
  Json through = Json::array();
  for (const oracle::NumberFormat format : way.roundings) through.push_back(name_of(format));
  Json json{{"operands", name_of(way.operands)},
            {"rounded", way.operand_rounding == oracle::Rounding::NearestAway ? "away" : "even"},
            {"through", std::move(through)},
            {"saturates", way.overflow == oracle::Overflow::Saturate}};
  if (way.operand_slack != 0) json["slack"] = way.operand_slack;
  return json;
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A JSON object without its braces.
std::string members_of(const Json& json) {
  const std::string text = dumped(json);
  return text.substr(1, text.size() - 2);
}

Json output_json(const corpus::AttestedOutput& attested, const oracle::ElementProof& proof) {
  Json json{{"index", attested.index},           {"bits", fmt::format("{:x}", attested.bits)},
            {"way", way_json(proof.way)},        {"sum", dyadic_json(proof.sum)},
            {"S", dyadic_json(proof.magnitude)}, {"K", proof.terms},
            {"exact", proof.is_exact},           {"bound", dyadic_json(proof.bound)},
            {"admitted", proof.is_admitted}};
  // Infinite operands have no residue, even where they meet nothing.
  const bool has_residue = attested.residue && proof.operands_are_finite;
  if (has_residue) json["all"] = {{"seed", attested.seed}, {"residue", *attested.residue}};
  return json;
}

Json outputs_json(const RunRecord& record, const oracle::JudgeSettings& settings) {
  Json json = Json::object();
  // The outputs of a law's verdict are those of a call that it derived.
  if (record.verdict.law != "exactness") return json;
  std::optional<tl::expected<oracle::ElementProver, std::string>> prover;
  for (const corpus::OutputRole role : corpus::output_roles) {
    const auto& evidence = record.verdict.outputs[role];
    if (!evidence.attested || evidence.in_tiles > 0) continue;
    if (!prover) prover.emplace(oracle::ElementProver::of(record.test_case, settings));
    if (!*prover) return json;
    const auto proof = (*prover)->prove(role, evidence, *evidence.attested);
    if (proof) json[std::string(name_of(role))] = output_json(*evidence.attested, *proof);
  }
  return json;
}

}  // namespace

std::string certificate_head(const Provenance& provenance, const std::string& command,
                             oracle::Adder adder) {
  Json libraries = Json::array();
  for (const LibraryIdentity& library : provenance.libraries) {
    libraries.push_back(
        {{"path", library.path}, {"bytes", library.bytes}, {"sha256", library.sha256}});
  }
  return members_of({{"program", provenance.program},
                     {"command", command},
                     {"profile", provenance.profile},
                     {"seed", provenance.seed},
                     {"adder", name_of_adder(adder)},
                     {"libraries", std::move(libraries)}});
}

std::string certificate_line(const RunRecord& record, const oracle::JudgeSettings& settings) {
  const corpus::Verdict& verdict = record.verdict;
  Json json{{"law", verdict.law}, {"verdict", corpus::name_of(verdict.outcome)}};
  if (verdict.culprit) json["output"] = corpus::name_of(*verdict.culprit);
  if (verdict.status) json["status"] = corpus::code(*verdict.status);
  json["rules"] = verdict.rules;
  json["outputs"] = outputs_json(record, settings);
  for (const corpus::OutputRole role : corpus::output_roles) {
    const auto& evidence = verdict.outputs.at(static_cast<std::size_t>(role));
    if (evidence.in_tiles > 0) json["in_tiles"][std::string(name_of(role))] = evidence.in_tiles;
  }
  return fmt::format("\"case\":{},{}", corpus::to_json_line(record.test_case), members_of(json));
}

}  // namespace gradproof::findings
