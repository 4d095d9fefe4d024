#include "properties/findings/certificate/certificate_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "properties/findings/provenance/library_identity.h"

namespace gradproof::findings {
namespace {

constexpr int certificate_version = 1;

/// A damaged or false line is found within its block; smaller blocks cost a hash each.
constexpr std::uint64_t lines_of_block = 256;

}  // namespace

tl::expected<CertificateWriter, std::string> CertificateWriter::open(
    const std::filesystem::path& path, std::string_view head) {
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) {
    return tl::unexpected(
        fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  }
  CertificateWriter writer(path, file);
  writer.pending_ = fmt::format("{{\"certificate\":{},{}}}\n", certificate_version, head);
  return writer;
}

CertificateWriter::Problem CertificateWriter::add(std::string_view members) {
  fmt::format_to(std::back_inserter(pending_), "{{\"line\":{},{}}}\n", ++lines_, members);
  return ++lines_in_block_ < lines_of_block ? std::nullopt : close_block(false);
}

CertificateWriter::Problem CertificateWriter::finish() { return close_block(true); }

/// The hash covers the one before, all lines since, and the words of its own line before it.
CertificateWriter::Problem CertificateWriter::close_block(bool is_last) {
  fmt::format_to(std::back_inserter(pending_), "{{\"block\":{},\"lines\":{}{},\"sha256\":\"",
                 ++blocks_, lines_in_block_,
                 is_last ? fmt::format(",\"end\":{}", lines_) : std::string());
  hash_ = sha256_of(hash_ + pending_);
  pending_ += hash_ + "\"}\n";
  Problem problem = write(pending_);
  pending_.clear();
  lines_in_block_ = 0;
  return problem;
}

CertificateWriter::Problem CertificateWriter::write(std::string_view text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
                          std::fflush(file_.get()) == 0;
  if (is_written) return std::nullopt;
  return fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno));
}

}  // namespace gradproof::findings
