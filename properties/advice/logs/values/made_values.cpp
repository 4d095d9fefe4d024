#include "properties/advice/logs/values/made_values.h"

#include <algorithm>

#include "corpus/to_size.h"
#include "corpus/words/words.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

constexpr std::string_view makers =
    R"(|rand|randn|get_variable|zeros|ones|empty|full|normal|uniform|standard_normal|random_normal|randint|random|Size|TensorShape|placeholder|ShapeDtypeStruct|empty_strided|empty_strided_cuda|rand_strided|empty_strided_cpu|random_sample|truncated_normal|from_elem|make_tensor|var|random_uniform|randomNormal|randomUniform|from_slice|from_vec|randomTensor|random_tensor|StandardNormal|TensorStructInfo|FloatTensor|HalfTensor|zeros_like_shape|Zeros|Ones|TensorSpec|randn_tensor|data|Buffer|add_input|addInput|NewTensor|FakeTensor|)";
constexpr std::string_view wrappers =
    R"(|aclCreateTensor|aclCreateIntArray|aclCreateBoolArray|Parameter|Variable|tensor|Tensor|asarray|array|constant|convert_to_tensor|to_tensor|from_numpy|from_tensor|device_put|Identity|identity|relu|Relu|sigmoid|tanh|tuple|list|int|cast|Some|_pair|_triple|ListConstruct|abs|leaf|single|gpuArray|dlarray|)";
/// Types whose values are lists.
constexpr std::string_view lists =
    "|Dims|Dims2|Dims3|Dims4|Dims5|DimsHW|Shape|WithShape|int|int64|";
/// Methods that leave a shape as it is.
constexpr std::string_view keepers =
    R"(|to|cuda|cpu|npu|type|astype|requires_grad_|require_grad|set_require_grad|clone|detach|contiguous|numpy|xpu|mps|uniform_|normal_|copy|requires_grad|stop_gradient|fill_|zero_|random_|unwrap|realize|abs|to_memory_format|sub|mul|div|add|)";

Value all_of(const std::vector<Argument>& arguments, const Lookup& inner) {
  Value list{.kind = Sort::List};
  for (const Argument& argument : arguments) list.items.push_back(inner(argument.text));
  return list;
}

Integers nested_lengths(const Value& list) {
  Integers lengths;
  for (const Value* one = &list; one->is(Sort::List); one = &one->items[0]) {
    lengths.push_back(static_cast<std::int64_t>(one->items.size()));
    if (one->items.empty()) break;
  }
  return lengths;
}

bool is_dtype(const Value& value) {
  return value.is(Sort::Word) && corpus::data_type_from_words(value.word).has_value();
}

std::string dtype_in(const std::vector<Argument>& arguments, const Lookup& inner) {
  for (const Argument& argument : arguments) {
    if (is_one_of("|dtype|data_type|dataType|", argument.key) ||
        (argument.key.empty() && is_dtype(inner(argument.text)))) {
      std::string_view word = argument.text;
      while (!word.empty() && (word[0] == '"' || word[0] == '\'')) word.remove_prefix(1);
      while (word.ends_with('"') || word.ends_with('\'')) word.remove_suffix(1);
      const bool is_known = corpus::data_type_from_words(word).has_value();
      return std::string(is_known ? word : last_part(word));  // mx.float16
    }
  }
  return {};
}

/// rand(2, 3), zeros([2, 3], dtype=half), normal(0, 1, (2, 3)), var("x", shape=(2, 3)).
Value tensor_of(const std::vector<Argument>& arguments, bool typed, const Lookup& inner) {
  Integers lengths;
  std::optional<Integers> shape;
  bool others = false;
  for (const Argument& argument : arguments) {
    const bool is_shape = is_one_of("|shape|size|dim|dimensions|", argument.key);
    if (!argument.key.empty() && !is_shape) continue;
    const Value value = inner(argument.text);
    if (const auto unpacked = value.integers();
        argument.text.starts_with('*') && value.is(Sort::List) && unpacked) {
      lengths.insert(lengths.end(), unpacked->begin(), unpacked->end());
      continue;
    }
    if (is_shape || value.is(Sort::List)) {
      shape = shape ? shape : value.integers();
      if (!shape) return {};
    } else if (value.is(Sort::Integer)) {
      lengths.push_back(value.integer);
    } else if (!is_dtype(value) && argument.text[0] != '\'') {  // MATLAB's 'single'
      others = true;
    }
  }
  if (!shape && (others || lengths.empty())) return {};
  return Value::tensor(shape ? *shape : lengths,
                       typed ? dtype_in(arguments, inner) : std::string());
}

/// JAX's: batch, feature and the rest of each, as places.
Value dimension_numbers(const std::vector<Argument>& arguments, const Lookup& inner) {
  Value labels{.kind = Sort::List};
  for (const Argument& argument : arguments) {
    const auto places = inner(argument.text).integers();
    if (!places) return {};
    std::string label(places->size(), '?');
    const std::string_view first = labels.items.size() == 1 ? "oi" : "bf";
    for (std::size_t i = 0; i < places->size(); ++i) {
      const auto at = static_cast<std::size_t>((*places)[i]);
      if (at < label.size()) label[at] = i < 2 ? first[i] : static_cast<char>('0' + i - 2);
    }
    labels.items.push_back(Value::named(label));
  }
  return labels;
}

Value wrapped(std::string_view last, const std::vector<Argument>& arguments, const Lookup& inner) {
  Value value = inner(arguments[0].text);
  if (is_one_of("|tuple|list|int|Some|abs|aclCreateIntArray|aclCreateBoolArray|", last))
    return value;
  if (last == "_pair" || last == "_triple") {
    return value.is(Sort::Integer) ? Value::of(Integers(last == "_pair" ? 2 : 3, value.integer))
                                   : value;
  }
  if (last == "ListConstruct") return all_of(arguments, inner);
  const std::string dtype = dtype_in(arguments, inner);
  if (last == "aclCreateTensor" && value.integers()) return Value::tensor(*value.integers(), dtype);
  const bool keeps = dtype.empty() && last != "cast";
  if (value.is(Sort::Tensor)) return Value::tensor(value.shape, keeps ? value.word : dtype);
  // Paddle's tests write Tensor([2, 3, 8, 8], "float16").
  const bool is_shape =
      last == "Tensor" && arguments.size() > 1 && is_dtype(inner(arguments[1].text));
  if (is_shape && value.integers()) return tensor_of(arguments, true, inner);
  if (value.is(Sort::List)) return Value::tensor(nested_lengths(value), dtype);
  // torch.Tensor(2, 3, 8, 8); torch.tensor(2) is a number.
  if (last == "Tensor") return tensor_of(arguments, true, inner);
  return last == "constant" || last == "tensor" ? value : Value{};
}

/// Keras' Input(shape=(32, 32, 3), batch_size=4), Input(batch_shape=(4, 32, 32, 3)).
Value input_of(const std::vector<Argument>& arguments, const Lookup& inner) {
  std::optional<Integers> shape;
  Value batch;
  for (const Argument& argument : arguments) {
    const Value value = inner(argument.text);
    if (argument.key == "batch_size") batch = value;
    if (is_one_of("|batch_shape|batch_input_shape|", argument.key)) {
      shape = value.integers();
      return shape ? Value::tensor(*shape, dtype_in(arguments, inner)) : Value{};
    }
    if (value.is(Sort::List) && (argument.key.empty() || argument.key == "shape"))
      shape = value.integers();
  }
  if (!shape) return {};
  if (batch.is(Sort::Integer)) shape->insert(shape->begin(), batch.integer);
  return Value::tensor(*shape, dtype_in(arguments, inner));
}

/// F.pad(x, (1, 2, 3, 4)): both ends of the last axis, then of the one before.
Value padded(const std::vector<Argument>& arguments, const Lookup& inner) {
  Value tensor = inner(arguments[0].text);
  const auto ends = inner(arguments[1].text).integers();
  if (!tensor.is(Sort::Tensor) || !ends || ends->size() > 2 * tensor.shape.size()) return {};
  for (std::size_t i = 0; i < ends->size(); ++i) {
    std::int64_t& length = tensor.shape[tensor.shape.size() - 1 - i / 2];
    if (__builtin_add_overflow(length, (*ends)[i], &length)) return {};
  }
  return tensor;
}

Value permuted(const Value& tensor, const Integers& order) {
  Integers shape;
  for (const std::int64_t axis : order) {
    const Value length = item_of(Value::of(tensor.shape), Value::of(axis));
    if (!length.is(Sort::Integer)) return {};
    shape.push_back(length.integer);
  }
  return Value::tensor(std::move(shape), tensor.word);
}

}  // namespace

bool is_one_of(std::string_view list, std::string_view name) {
  return !name.empty() && list.find("|" + std::string(name) + "|") != std::string_view::npos;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.find_last_of(".:") + 1);  // npos + 1 is 0
}

Value mlir_tensor(std::string_view inside) {
  Integers shape;
  for (std::string_view part : parts_between(inside, inside.starts_with('[') ? "[,]" : "x,")) {
    part = without_blanks(part);
    const auto length = integer_of(part);
    if (!length) return Value::tensor(std::move(shape), part);
    shape.push_back(*length);
  }
  return {};
}

Value window_list(std::string_view word) {
  Value list{.kind = Sort::List};
  for (const std::string_view axis : parts_between(word, "x")) {
    const auto ends = parts_between(axis, "_");
    Integers values;
    for (const std::string_view end : ends) values.push_back(integer_of(end).value_or(-1));
    list.items.push_back(values.size() == 1 ? Value::of(values[0]) : Value::of(values));
  }
  return list;
}

Value blank_list(std::string_view inside) {
  const bool fits = inside.find_first_not_of("0123456789- ") == inside.npos;
  Value list{.kind = Sort::List};
  for (const std::string_view one : parts_between(fits ? inside : "", " "))
    list.items.push_back(integer_of(one) ? Value::of(*integer_of(one)) : Value{});
  return list;
}

Value item_of(const Value& list, const Value& index) {
  const auto size = static_cast<std::int64_t>(list.items.size());
  if (!index.is(Sort::Integer)) return {};
  const std::int64_t at = index.integer < 0 ? index.integer + size : index.integer;
  return at >= 0 && at < size ? list.items[static_cast<std::size_t>(at)] : Value{};
}

Value made_value(std::string_view name, const std::vector<Argument>& arguments,
                 const Lookup& inner) {
  const std::string_view last = last_part(name);
  // WebNN's builder.input("x", {dataType: "float32", shape: [1, 3, 8, 8]}).
  for (const Argument& one : arguments) {
    const auto described = one.text.starts_with('{') && one.text.ends_with('}')
                               ? arguments_of(one.text.substr(1, one.text.size() - 2))
                               : std::vector<Argument>();
    const auto is_shape = [](const Argument& part) {
      return is_one_of("|shape|dimensions|", part.key);
    };
    if (std::ranges::any_of(described, is_shape)) return tensor_of(described, true, inner);
  }
  if (is_one_of(makers, last) || name.find("Tensor::") != std::string_view::npos ||
      last.starts_with("initializer")) {
    Value tensor = tensor_of(arguments, last != "Size" && last != "TensorShape", inner);
    if (!tensor.is(Sort::Unknown)) return tensor;
  }
  if (last.starts_with("ggml_new_tensor") && arguments.size() > 2)
    return tensor_of({arguments.begin() + 2, arguments.end()}, false, inner);
  if (is_one_of(lists, last)) {  // TensorRT's Dims{2, {3, 3}} counts them
    const Value all = all_of(arguments, inner);
    return all.items.size() == 2 && all.items[1].is(Sort::List) ? all.items[1] : all;
  }
  if (last == "Var" && arguments.size() == 2) return inner(arguments[1].text);  // Relax
  if (last == "Input" || last == "InputLayer") return input_of(arguments, inner);
  const bool is_described = std::ranges::find(arguments, "dim", &Argument::key) != arguments.end();
  if (last == "tensor" && is_described) return tensor_of(arguments, true, inner);
  if (is_one_of(wrappers, last) && !arguments.empty()) return wrapped(last, arguments, inner);
  if (name.ends_with("F.pad") || name.ends_with("functional.pad"))
    return arguments.size() < 2 ? Value{} : padded(arguments, inner);
  if (name.find("PaddingConfig") != name.npos || last == "Explicit")
    return all_of(arguments, inner);
  return last == "ConvDimensionNumbers" ? dimension_numbers(arguments, inner) : Value{};
}

bool is_list_type(std::string_view name) { return is_one_of(lists, last_part(name)); }

Value method_value(const Value& object, std::string_view name,
                   const std::vector<Argument>& arguments, const Lookup& inner) {
  const Value all = all_of(arguments, inner);
  const auto numbers = all.items.size() == 1 && all.items[0].is(Sort::List)
                           ? all.items[0].integers()
                           : all.integers();
  if (name == "reshape" || name == "view") {
    const bool known = numbers && std::ranges::none_of(*numbers, [](auto one) { return one < 0; });
    return known ? Value::tensor(*numbers, object.word) : Value{};
  }
  if (name == "as_strided" && !arguments.empty()) {
    const auto lengths = inner(arguments[0].text).integers();
    return lengths ? Value::tensor(*lengths, object.word) : Value{};
  }
  // A tensor's description is built of methods: Tensor_attributes().set_dim({2, 3, 8, 8}).
  if (name == "set_dim" && numbers) return Value::tensor(*numbers, object.word);
  if (name == "set_data_type" && !all.items.empty())
    return Value::tensor(object.shape, last_part(all.items[0].word));
  if (name.starts_with("set_") && object.is(Sort::Tensor)) return object;
  if (object.is(Sort::List) && name == "data") return object;
  if (object.is(Sort::List) && integer_of(name))
    return item_of(object, Value::of(*integer_of(name)));
  if (!object.is(Sort::Tensor)) return {};
  if (name == "shape" || (name == "size" && all.items.empty()) || name == "dims")
    return Value::of(object.shape);
  if (name == "size" && numbers) return item_of(Value::of(object.shape), all.items[0]);
  if (name == "permute" && numbers) return permuted(object, *numbers);
  if (is_one_of("|transpose|swapaxes|", name) && numbers && numbers->size() == 2) {
    Integers shape = object.shape;
    const auto [first, second] = std::minmax((*numbers)[0], (*numbers)[1]);
    if (first < 0 || second >= static_cast<std::int64_t>(shape.size())) return {};
    std::swap(shape[to_size(first)], shape[to_size(second)]);
    return Value::tensor(std::move(shape), object.word);
  }
  if (is_one_of("|half|float|double|bfloat16|", name))
    return Value::tensor(object.shape, "torch." + std::string(name));
  if (!is_one_of(keepers, name)) return {};
  const std::string dtype = dtype_in(arguments, inner);
  return Value::tensor(object.shape, dtype.empty() ? object.word : dtype);
}

}  // namespace gradproof::advice
