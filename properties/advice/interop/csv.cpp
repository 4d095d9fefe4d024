#include "properties/advice/interop/foreign_formats.h"

#include <utility>

namespace gradproof::advice {
namespace {

class CsvParser {
 public:
  explicit CsvParser(std::string_view text) : text_(text) {}

  tl::expected<std::vector<CsvRecord>, corpus::CaseError> operator()() {
    while (at_ < text_.size()) {
      CsvRecord record{line_, {}};
      do {
        record.fields.push_back(field());
      } while (takes(','));
      takes('\r');
      if (takes('\n')) ++line_;
      if (open_quote_ != 0) {
        return tl::unexpected(
            corpus::CaseError{{}, open_quote_, {}, "a quote \" begins here and does not end"});
      }
      const bool is_empty = record.fields.size() == 1 && record.fields[0].empty();
      if (!is_empty) records_.push_back(std::move(record));
    }
    return std::move(records_);
  }

 private:
  bool takes(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string field() { return takes('"') ? quoted() : bare(); }

  std::string quoted() {
    std::string result;
    open_quote_ = line_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c == '"' && !takes('"')) {
        open_quote_ = 0;
        return result + bare();
      }
      result += c;
    }
    return result;
  }

  std::string bare() {
    std::string result;
    int brackets = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n' || (c == '\r' && text_.substr(at_).starts_with("\r\n"))) break;
      if (c == ',' && brackets <= 0) break;
      if (c == '(' || c == '[' || c == '{') ++brackets;
      if (c == ')' || c == ']' || c == '}') --brackets;
      result += c;
    }
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t open_quote_ = 0;  ///< its line; 0: none
  std::vector<CsvRecord> records_;
};

}  // namespace

tl::expected<std::vector<CsvRecord>, corpus::CaseError> parse_csv(std::string_view text) {
  return CsvParser(text)();
}

}  // namespace gradproof::advice
