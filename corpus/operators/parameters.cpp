#include "corpus/operators/parameters.h"

#include <fmt/core.h>

#include "corpus/words/words.h"

namespace gradproof::corpus {

TensorCase read_tensor(JsonObject object) {
  TensorCase tensor;
  tensor.shape = object.integers("shape");
  tensor.dtype = object.meaning("dtype", data_type_from_words);
  const MemoryFormat memory = object.meaning("format", [&](const std::string& words) {
    return memory_format_from_words(words, tensor.shape.size());
  });
  tensor.format = memory.format;
  if (memory.channels_last) tensor.strides = channels_last_strides(tensor.shape);
  if (object.has("strides")) tensor.strides = object.integers("strides");
  if (object.has("offset")) tensor.offset = object.integer("offset");
  if (object.has("storageShape")) tensor.storage_shape = object.integers("storageShape");
  if (tensor.strides && tensor.strides->size() != tensor.shape.size()) {
    object.fail("strides", fmt::format("expected {} values as shape has, found {}",
                                       tensor.shape.size(), tensor.strides->size()));
  }
  object.refuse_unread();
  return tensor;
}

std::int8_t read_cube_math_type(JsonObject& object) {
  if (object.has_text("cubeMathType")) {
    return object.meaning("cubeMathType", cube_math_type_from_words);
  }
  return static_cast<std::int8_t>(object.integer("cubeMathType", -128, 127));
}

nlohmann::ordered_json tensor_json(const std::optional<TensorCase>& tensor) {
  if (!tensor) return nullptr;
  nlohmann::ordered_json json;
  json["shape"] = tensor->shape;
  json["dtype"] = name_of(tensor->dtype);
  json["format"] = name_of(tensor->format);
  if (tensor->strides) json["strides"] = *tensor->strides;
  if (tensor->offset != 0) json["offset"] = tensor->offset;
  if (tensor->storage_shape) json["storageShape"] = *tensor->storage_shape;
  return json;
}

}  // namespace gradproof::corpus
