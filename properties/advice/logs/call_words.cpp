#include <fmt/format.h>

#include <algorithm>

#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/layout.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

class Translator {
 public:
  explicit Translator(const Fields& fields) : draft_{.fields = fields}, fields_(fields) {
    call_.notation = fields.row->notation;
    call_.unknown_keys = fields.unknown_keys;
  }

  std::optional<FoundCall> operator()() {
    find_axes();
    read_attributes_list();
    read_shapes();
    read_attribute(call_.words.stride, "stride");
    read_lowered_gradient();
    read_dilation();
    read_groups();
    read_truth(call_.words.transposed, "transposed");
    read_weight();
    add_paddings(draft_, input_layout(), is_transposed());
    add_outputs(draft_);
    if (!says_a_number()) return std::nullopt;
    add_lacking(draft_);
    return std::move(call_);
  }

 private:
  bool is_transposed() const {
    const std::string word = in_small_letters(call_.words.transposed.value_or(""));
    return word == "yes" || word == "true" || word == "1";
  }

  void find_axes() {
    axes_ = fields_.axes;
    const auto take = [&](const Value& value, std::size_t more) {
      const auto lengths = value.lengths();
      if (axes_ == 0 && lengths && lengths->size() > more && lengths->size() <= 3 + more)
        axes_ = lengths->size() - more;
    };
    take(fields_.value("weight"), 2);
    take(fields_.value("input"), 2);
    take(fields_.value("kernel"), 0);
    const auto stride = fields_.value("stride").integers();  // cuDNN's messages fill it with 0
    if (axes_ == 0 && draft_.is_true("cut") && stride && !stride->empty() && stride->back() == 0)
      axes_ = stride->size() - 1;
    if (fields_.find("size.w") != nullptr || fields_.find("size.h") != nullptr)
      axes_ = fields_.find("size.d") != nullptr ? 3 : fields_.find("size.h") != nullptr ? 2 : 1;
    const bool is_listed = fields_.find("size.d") != nullptr && fields_.find("axes") == nullptr;
    if (const auto stated = fields_.number("axes"); stated && !is_listed)
      axes_ = static_cast<std::size_t>(std::clamp<std::int64_t>(*stated, 1, 3));
  }

  /// "1 1 2 2 1 1": paddings, strides and dilations, as many of each as there are axes.
  void read_attributes_list() {
    const Field* field = fields_.find("attributes");
    if (field == nullptr) return;
    Integers values;
    for (const Value& item : field->value.items) {
      if (item.is(Sort::Integer)) values.push_back(item.integer);
      if (item.is(Sort::Word) && !has_any(item.word, "miopenConvolution|CROSS_CORRELATION"))
        draft_.lack("another mode than convolution: " + item.word);
    }
    const std::size_t axes = values.size() / 3;
    if (values.empty() || values.size() % 3 != 0 || axes > 3) return;
    const auto part = [&](std::size_t at) {
      return Integers(values.begin() + static_cast<std::ptrdiff_t>(at * axes),
                      values.begin() + static_cast<std::ptrdiff_t>((at + 1) * axes));
    };
    call_.words.padding = with_commas(part(0));
    call_.words.stride = with_commas(part(1));
    call_.words.dilation = with_commas(part(2));
    has_attributes_ = true;
  }

  std::string input_layout() const {
    return fields_.layout("layout", draft_.means("input").empty() ? "NCS" : draft_.means("input"));
  }

  /// A tensor of the text, or a list of its lengths, in our order.
  std::optional<Integers> tensor(std::string_view role, const std::string& order,
                                 std::string_view first) {
    const Field* field = fields_.find(role);
    if (field == nullptr) return std::nullopt;
    auto lengths = field->value.lengths();
    if (lengths && !draft_.means("reversed").empty()) std::ranges::reverse(*lengths);
    if (role != "weight" && add_batch(fields_, lengths) && role == "input")
      draft_.note("input's batch is not stated: 1");
    const std::size_t rank = lengths ? lengths->size() : 0;
    if (rank < 3 || rank > 5 || (draft_.is_true("axes") && rank != axes_ + 2)) return std::nullopt;
    auto ours = reordered(*lengths, order, first);
    if (!ours) draft_.lack(fmt::format("the order of the axes of {}", role));
    return ours;
  }

  void read_shapes() {
    const std::string order = input_layout();
    input_ = tensor("input", order, "NC");
    auto output = tensor("grad_output", order, "NC");
    if (!output) {
      const bool labelled = fields_.find("dim_labels") != nullptr;
      output = tensor("end", labelled ? fields_.layout("output", "") : order, "NC");
    }
    const auto sizes = fields_.by_axis("size");
    if (!input_ && sizes) input_ = from_sizes(fields_, "in", *sizes);
    if (const auto ends = sizes ? fields_.by_axis("end") : std::nullopt; ends && !output)
      output = from_sizes(fields_, "out", *ends);
    if (input_) call_.words.input = with_commas(*input_);
    if (output) call_.words.grad_output = with_commas(*output);
    if (const std::string_view word = draft_.means("transposed"); !word.empty())
      call_.words.transposed = word;
    if (fields_.value("mode").word.starts_with("trans") ||
        (draft_.is_of(Form::Words) && fields_.direction.find("deconv") != std::string_view::npos)) {
      call_.words.transposed = "yes";
    }
  }

  /// Lists of one value for each spatial axis; nullopt: not stated, or not with numbers.
  std::optional<Integers> attribute(std::string_view role) {
    const Field* field = fields_.find(role);
    if (field == nullptr) return fields_.by_axis(role);
    auto values = field->value.integers();
    if (!values || values->empty()) {
      if (!field->value.is(Sort::Nothing))
        draft_.lack(fmt::format("{} ({})", role, field->text.substr(0, 60)));
      return std::nullopt;
    }
    if (axes_ > 0) *values = spatial_alone(*values, input_layout(), axes_);
    if (!draft_.means("reversed").empty()) std::ranges::reverse(*values);
    if (axes_ > 0 && values->size() > axes_ && (fields_.cuts || !draft_.means("cut").empty())) {
      draft_.note(fmt::format(
          "{}: only the first {} of {} values are taken; the rest is an artefact of the message",
          role, axes_, values->size()));
      values->resize(axes_);
    }
    return values;
  }

  void read_attribute(std::optional<std::string>& word, std::string_view role) {
    if (has_attributes_) return;
    if (const auto values = attribute(role)) word = with_commas(*values);
  }

  /// XLA's gradient of the input: strides as holes of the input, the kernel reversed.
  void read_lowered_gradient() {
    const auto holes = fields_.value("lhs_dilation").integers();
    const auto flips = fields_.value("reversal");
    const auto is_one = [](std::int64_t value) { return value == 1; };
    const auto is_true = [](const Value& item) { return item.integer == 1; };
    const auto stride = integers_of_line(call_.words.stride.value_or("1"));
    draft_.is_lowered = draft_.is_true("lowered");
    if (draft_.is_lowered) return;
    draft_.is_lowered = holes && !std::ranges::all_of(*holes, is_one) &&
                        (!flips.items.empty() || (flips.is(Sort::Truth) && is_true(flips))) &&
                        std::ranges::all_of(flips.items, is_true) && stride &&
                        std::ranges::all_of(*stride, is_one) &&
                        fields_.number("groups").value_or(1) == 1;
    if (!draft_.is_lowered) return;
    call_.words.transposed = "yes";
    call_.words.stride = with_commas(*holes);
    draft_.note("a gradient of the input, said as the transposed convolution that computes it");
  }

  /// Some count the holes between the kernel's elements.
  void read_dilation() {
    read_attribute(call_.words.dilation, "dilation");
    auto values = integers_of_line(call_.words.dilation.value_or(""));
    if (draft_.means("holes").empty() || !call_.words.dilation || !values) return;
    for (std::int64_t& value : *values) value += value < Draft::too_large ? 1 : 0;
    call_.words.dilation = with_commas(*values);
  }

  void read_groups() {
    const Field* field = fields_.find("groups");
    if (field != nullptr && !fields_.number("groups"))
      draft_.lack(fmt::format("groups ({})", field->text.substr(0, 60)));
    if (const auto groups = fields_.number("groups")) call_.words.groups = std::to_string(*groups);
    groups_ = fields_.number("groups").value_or(1);
  }

  void read_truth(std::optional<std::string>& word, std::string_view role) {
    const Field* field = fields_.find(role);
    if (field == nullptr) return;
    const Value& value = field->value;
    if (value.is(Sort::Truth)) word = value.word;
    if (value.is(Sort::Integer)) word = std::to_string(value.integer);
    if (!word) draft_.lack(fmt::format("{} ({})", role, field->text.substr(0, 60)));
  }

  void read_weight() {
    const bool transposed = is_transposed();
    const std::string_view meant =
        draft_.means("weight").empty() ? (transposed ? "IOS" : "OIS") : draft_.means("weight");
    const std::string order = fields_.layout("weight_layout", meant);
    // Of a depthwise weight, I is every group's channel and M how many kernels each has.
    const bool depthwise = order == "SIM";
    auto weight = tensor("weight", order, depthwise ? "IM" : transposed ? "IO" : "OI");
    if (weight && depthwise) {
      groups_ = (*weight)[0];
      call_.words.groups = std::to_string(groups_);
      if ((*weight)[1] < Draft::too_large && groups_ < Draft::too_large)
        (*weight)[0] *= (*weight)[1];
      (*weight)[1] = 1;
    }
    if (!weight) weight = weight_of_channels(transposed);
    if (!draft_.means("divided").empty() && weight && input_ && (*weight)[1] > 0 &&
        (*input_)[1] > (*weight)[1] && (*input_)[1] % (*weight)[1] == 0) {
      call_.words.groups = std::to_string((*input_)[1] / (*weight)[1]);
      draft_.note("groups are not printed: input's channels over the weight's");
    }
    if (weight) call_.words.weight = with_commas(*weight);
  }

  std::optional<Integers> kernel() const {
    auto values = fields_.value("kernel").integers();
    if (fields_.find("kernel") == nullptr) values = fields_.by_axis("kernel");
    if (values && values->size() == 1 && axes_ > 0) values->resize(axes_, (*values)[0]);
    if (values && !draft_.means("reversed").empty()) std::ranges::reverse(*values);
    return values;
  }

  /// From the numbers of channels and the kernel, as a layer is made.
  std::optional<Integers> weight_of_channels(bool transposed) {
    auto in = fields_.number("in"), out = fields_.number("out");
    if (!in) in = channels_of_groups(fields_, "in_each", groups_);
    if (!out) out = channels_of_groups(fields_, "out_each", groups_);
    const auto lengths = kernel();
    if (const auto counted = in ? std::nullopt : counted_channels(fields_, out, lengths, groups_)) {
      in = counted;
      draft_.note("weight's shape follows from the number of weights, the filters and the kernel");
    }
    if (draft_.is_true("depthwise") && input_ && !multiply_groups(out)) return std::nullopt;
    if (!in && out && lengths && input_) {
      in = (*input_)[1];
      draft_.note(
          "weight's shape follows from input's channels, the number of filters and the kernel");
    }
    const std::string filters = out ? fmt::format(", {} filters", *out) : "";
    if (!in && lengths) draft_.note("kernel " + with_commas(*lengths) + filters);
    const bool is_one_number = axes_ == 0 && fields_.value("kernel").is(Sort::Integer);
    if (is_one_number && draft_.is_of(Form::Prose)) return std::nullopt;  // of how many axes?
    if (!in || !out || !lengths || (axes_ > 0 && lengths->size() != axes_)) return std::nullopt;
    const std::int64_t divided = transposed ? *out : *in;
    if (groups_ < 1 || divided % groups_ != 0) {
      draft_.lack(
          fmt::format("a weight: {} channels are no multiple of groups={}", divided, groups_));
      return std::nullopt;
    }
    Integers weight{transposed ? *in : *out, divided / groups_};
    weight.insert(weight.end(), lengths->begin(), lengths->end());
    return weight;
  }

  /// Keras' depthwise layer: a group for each channel, with a multiple of it as kernels.
  bool multiply_groups(std::optional<std::int64_t>& out) {
    const auto kernels = fields_.find("multiplier") == nullptr ? 1 : fields_.number("multiplier");
    groups_ = (*input_)[1];
    if (!kernels || *kernels >= Draft::too_large || groups_ >= Draft::too_large) return false;
    call_.words.groups = std::to_string(groups_);
    out = groups_ * *kernels;
    return true;
  }

  bool says_a_number() {
    const CallTexts& words = call_.words;
    if (words.input || words.weight || words.grad_output) return true;
    if (!draft_.means("module").empty() && kernel()) return true;  // an input may follow
    const bool attributes = words.stride || words.dilation || words.output_padding ||
                            (words.padding && words.padding != "same");
    return attributes && (!draft_.is_of(Form::Words) || fields_.find("in") != nullptr);
  }

  Draft draft_;
  const Fields& fields_;
  FoundCall& call_ = draft_.call;
  std::size_t& axes_ = draft_.axes;
  std::int64_t groups_ = 1;
  bool has_attributes_ = false;
  std::optional<Integers> input_;
};

}  // namespace

std::optional<FoundCall> call_of(const Fields& fields) { return Translator(fields)(); }

}  // namespace gradproof::advice
