// Where calls are in a text, and which row of the table reads each.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

/// Line of a place, at most 4,000 letters to each side.
std::string_view line_of(std::string_view text, std::size_t place) {
  constexpr std::size_t reach = 4000;
  const std::size_t least = place < reach ? 0 : place - reach;
  const std::size_t before = text.substr(least, place - least).rfind('\n');
  const std::size_t begin = before == text.npos ? least : least + before + 1;
  const std::string_view rest = text.substr(begin, place - begin + reach);
  return rest.substr(0, rest.find('\n', place - begin));
}

/// The name before a dot that ends there.
std::string_view name_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_word_letter(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

/// Before a dot: "F.conv2d" and "torch.conv2d" have no receiver.
bool is_module_name(std::string_view text, std::size_t end) {
  const std::string_view name = name_before(text, end);
  return is_one_of("|F|torch|functional|nn|aten|mx|", name);
}

/// The line that names the columns of a profiler's rows.
std::string_view head_of(std::string_view text) {
  const std::size_t at = text.find(",Input Shapes,");
  return at == text.npos ? std::string_view{} : line_of(text, at);
}

/// False where an argument is of a kind that the row does not have there: the name is another
/// library's.
bool fits(const Fields& fields) {
  if (fields.row->form != Form::Call) return true;
  const auto is_any = [&](std::string_view roles, auto wrong) {
    return any_part(roles, ' ', [&](auto role) {
      const Field* field = fields.find(role);
      return field != nullptr && wrong(*field);
    });
  };
  const std::string_view op = meaning_of(*fields.row, "op");
  if (!op.empty() && fields.value("op").word != op) return false;
  const auto is = [](const Field& field, Value::Kind kind) { return field.value.is(kind); };
  const bool has_number = is_any("input weight grad_output", [&](const Field& field) {
    return is(field, Value::Kind::Truth) || (!field.text.empty() && is_decimal(field.text[0]));
  });
  const bool has_tensor = is_any("in out kernel stride padding dilation groups",
                                 [&](auto& field) { return is(field, Value::Kind::Tensor); });
  const bool has_options = is_any("stride padding dilation groups", [&](const Field& field) {
    return is(field, Value::Kind::Unknown) && has_any(field.text, "::default()|Config {|Config{");
  });
  return !has_number && !has_tensor && !has_options;
}

class CallFinder {
 public:
  explicit CallFinder(std::string_view text) : text_(text), numbers_(text), names_(text) {}

  FoundCalls calls() {
    const auto& all = spellings();
    for (const Word& word : words_in(text_)) {
      if (attempts_ >= most_read_calls) break;
      const auto found = all.find(std::string(word.text.substr(0, 64)));
      if (found != all.end()) try_rows(found->second, word);
      if (is_compact(compact_at(word))) add_compact(word);
    }
    for (const CallRow& row : call_rows()) {
      if (row.form == Form::Lines) add_of_lines(row);
    }
    give_inputs(text_, names_, layers_, calls_);
    std::erase_if(calls_, [](const FoundCall& call) {
      return !call.words.input && !call.words.weight && !call.words.stride && !call.words.padding &&
             !call.words.dilation && !call.words.output_padding && !call.words.grad_output &&
             std::ranges::none_of(call.lacking,
                                  [](auto& one) { return one.starts_with("a weight: "); });
    });
    std::vector<FoundCall> others = prose_calls(text_, lines_, attempts_ > 0);
    const bool are_all = attempts_ < most_read_calls && others.size() < most_read_calls;
    give_refused(others);
    std::ranges::move(others, std::back_inserter(calls_));
    std::ranges::stable_sort(calls_, {}, &FoundCall::line);
    return {std::move(calls_), are_all};
  }

 private:
  /// "weight of size [8, 3, 3, 3], expected input[2, 1, 9, 9] ...": the layer of that weight was
  /// given that input.
  void give_refused(std::vector<FoundCall>& others) {
    for (FoundCall& call : calls_) {
      const auto is_its = [&](const FoundCall& one) {
        return !one.is_complete() && one.words.input && one.words.weight == call.words.weight;
      };
      const auto told = std::ranges::find_if(others, is_its);
      if (call.words.input || !call.words.weight || told == others.end()) continue;
      call.words.input = told->words.input;
      std::erase(call.lacking, lacking_input);
      others.erase(told);
    }
  }

  bool has_sign(const CallRow& row, const Word& word) {
    if (row.sign.empty()) return true;
    if (row.form == Form::Words) return has_any(statement_at(text_, word.begin), row.sign);
    if (!meaning_of(row, "graph").empty() || !meaning_of(row, "here").empty())
      return has_any(line_of(text_, word.begin).substr(0, 4000), row.sign);
    const auto known = signs_.find(row.sign);
    if (known != signs_.end()) return known->second;
    return signs_[row.sign] = has_any(text_, row.sign);
  }

  /// False where a row's name is another program's: "slim.conv2d", a "conv2d" of a TensorFlow
  /// program's own, "Conv2dConfig { stride: 2 }" of candle for burn's, which is made by ::new.
  bool is_of_program(const CallRow& row, std::size_t begin, std::size_t end) const {
    const bool has_dot = begin > 0 && text_[begin - 1] == '.';
    const bool has_receiver = has_dot && !is_module_name(text_, begin - 1);
    const bool has_colons = text_.substr(0, begin).ends_with("::");
    // A class of a program's own may be called Conv.
    const bool is_short =
        row.notation.starts_with("ONNX") && row.form == Form::Call && text_[begin] == 'C';
    if (is_short && !has_any(text_.substr(end, 2), "[|<|(%|%")) return false;
    const bool is_torchs = text_.substr(0, begin).ends_with("torch.");
    if (is_torchs && !has_any(row.notation, "PyTorch|module|aten")) return false;
    if (!meaning_of(row, "method").empty()) return has_receiver;
    if (!meaning_of(row, "new").empty()) return text_.substr(end).starts_with("::");
    if (row.notation != "PyTorch, functional") return true;
    // C++ has torch:: and at::, Rust's layers nn::.
    if (has_colons) return is_one_of("|F|torch|functional|at|", name_before(text_, begin - 2));
    if (!has_receiver) return has_dot || is_torchs_;
    const std::string alias = "functional as " + std::string(name_before(text_, begin - 1));
    return has_any(text_.substr(0, 100000), alias);
  }

  /// How a name that stands there would be written: protobuf's type, a cell below the head, or
  /// else.
  Form form_at(const Word& word) const {
    const std::string_view before = text_.substr(0, word.begin);
    if (before.ends_with("type: \"") || before.ends_with("type: ")) return Form::Block;
    const bool is_below = !head_.empty() && head_.data() < word.text.data();
    const bool is_cell = is_below && text_.substr(word.end()).starts_with(',') &&
                         text_.substr(0, word.begin).ends_with(',');
    return is_cell ? Form::Columns : Form::Call;
  }

  void try_rows(const std::vector<Spelling>& spelled, const Word& word) {
    const Form form = form_at(word);
    for (const Spelling& one : spelled) {
      const std::size_t before = one.text.size() - word.text.size();
      const bool is_other = one.row->form == Form::Block || one.row->form == Form::Columns;
      if (form == Form::Call ? is_other : one.row->form != form) continue;
      if (word.begin < before || text_.substr(word.begin - before, one.text.size()) != one.text)
        continue;
      const std::size_t begin = word.begin - before;
      const bool is_whole =
          begin == 0 || !is_word_letter(text_[begin - 1]) || !is_word_letter(one.text[0]);
      // A longer name of the table stands here: aten.convolution of aten.convolution.default.
      const bool goes_on = text_.substr(word.end()).starts_with(".default");
      if (!is_whole || goes_on || !has_sign(*one.row, word)) continue;
      if (!is_of_program(*one.row, begin, word.end())) continue;
      const std::size_t end = behind_builtin(text_, word.end());
      Fields fields{.row = one.row, .begin = begin, .end = end, .axes = one.axes, .types = types_};
      if (one.row->form == Form::Words) {
        if (one.row->names.starts_with("onednn") || one.row->names.starts_with("benchdnn"))
          continue;
        read_words(statement_at(text_, word.begin), {}, fields);
      } else if (form == Form::Block) {
        read_block(text_, names_, fields);
      } else if (form == Form::Columns) {
        read_columns(head_, line_of(text_, begin), fields);
      } else {
        const bool is_record = one.row->notation.starts_with("aten") &&
                               text_.substr(word.end()).starts_with('"') &&
                               read_recorded(text_, fields);
        const bool is_graph = !meaning_of(*one.row, "graph").empty();
        if (!is_record && (!is_called(end, is_graph) || is_its_own(one.text, begin))) return;
        if (!is_record) read_arguments(text_, names_, fields);
        fields.cuts = is_snippet_;
      }
      ++attempts_;
      if (fits(fields)) return add(std::move(fields));
    }
  }

  /// True for a name that the text gives something else.
  bool is_its_own(std::string_view name, std::size_t begin) const {
    return text_.substr(0, begin).ends_with("def ") || names_.is_assigned(name, begin);
  }

  bool is_called(std::size_t end, bool is_graph) const {
    const std::size_t at = text_.find_first_not_of(is_graph ? " \t\n" : " \t", end);
    if (at >= text_.size()) return false;
    const bool opens = std::string_view("([{").find(text_[at]) != std::string_view::npos;
    return opens || text_.substr(at).starts_with("ins(") || text_.substr(end).starts_with("::") ||
           text_.substr(end).starts_with("\"(") ||
           ((text_[at] == '%' || text_[at] == '<') && at > end);
  }

  /// A compact word without the n of a name behind it: "mb2ic4oc8n\"name\"".
  std::string_view compact_at(const Word& word) const {
    const bool is_named = word.text.ends_with('n') && text_.substr(word.end()).starts_with('"');
    return word.text.substr(0, word.text.size() - (is_named ? 1 : 0));
  }

  void add_compact(const Word& word) {
    ++attempts_;
    const std::string_view line = line_of(text_, word.begin).substr(0, 4000);
    const bool verbose = line.find("_verbose") != std::string_view::npos;
    const auto is_it = [&](const CallRow& row) {
      return row.names.starts_with(verbose ? "onednn" : "benchdnn");
    };
    Fields fields{.row = &*std::ranges::find_if(call_rows(), is_it),
                  .begin = word.begin,
                  .end = word.end(),
                  .types = types_};
    read_words(line, compact_at(word), fields);
    add(std::move(fields));
  }

  void add_of_lines(const CallRow& row) {
    for (std::size_t at = text_.find(row.names); at != std::string_view::npos;) {
      const std::size_t next = text_.find(row.names, at + row.names.size());
      Fields fields{.row = &row, .begin = at, .end = at + row.names.size()};
      read_lines(text_.substr(at, std::min(next, text_.size()) - at), fields);
      const bool is_convolution = row.names == "ConvolutionParams" ||
                                  fields.direction.find("Convolution") != std::string_view::npos;
      if (is_convolution && ++attempts_ <= most_read_calls) add(std::move(fields));
      at = next;
    }
  }

  void add(Fields fields) {
    auto call = call_of(fields);
    if (!call) return;
    call->line = numbers_.of(fields.begin);
    for (std::size_t line = call->line; line <= numbers_.of(last_of(fields)); ++line)
      lines_.push_back(line);
    calls_.push_back(*std::move(call));
    if (!meaning_of(*fields.row, "module").empty())
      layers_.push_back({calls_.size() - 1, std::move(fields)});
  }

  /// The last place of what was read there: the end of its brackets, of its block, or its name.
  std::size_t last_of(const Fields& fields) const {
    if (fields.row->form == Form::Block) {
      const std::string_view block = block_around(text_, fields.begin);
      return block.empty() ? fields.begin
                           : static_cast<std::size_t>(block.data() - text_.data()) + block.size();
    }
    const bool opens = fields.row->form == Form::Call && text_.substr(fields.end).starts_with('(');
    const std::size_t close = opens ? closing_bracket(text_, fields.end) : text_.npos;
    return close == text_.npos ? fields.begin : close;
  }

  std::string_view text_;
  LineNumbers numbers_;
  Names names_;
  std::map<std::string_view, bool> signs_;
  std::vector<FoundCall> calls_;
  std::vector<std::size_t> lines_;
  std::vector<Layer> layers_;
  std::size_t attempts_ = 0;
  NamedTypes types_ = types_named_in(text_);
  std::string_view head_ = head_of(text_);  ///< of a profiler's columns; empty: none
  bool is_torchs_ = has_any(text_, "torch") || !has_any(text_, "tf.|tensorflow");
  bool is_snippet_ = has_any(text_, "repro this exception");  ///< whose lists are too long
};

}  // namespace

FoundCalls calls_in(std::string_view text) { return CallFinder(text).calls(); }

std::string FoundCall::line_of_words() const {
  constexpr std::string_view no_product = " soc:";
  std::string line = call_line(words, "");
  if (line.ends_with(no_product)) line.resize(line.size() - no_product.size());
  return line;
}

}  // namespace gradproof::advice
