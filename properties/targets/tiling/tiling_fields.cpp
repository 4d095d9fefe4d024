#include "properties/targets/tiling/tiling_classes.h"

namespace gradproof::targets {
namespace {

template <std::size_t count>
void note(const NamedField (&fields)[count], TilingAnswer& answer) {
  for (const NamedField& field : fields) answer.fields.at(answer.field_count++) = field;
}

}  // namespace

// Of a field of `fields`: the headers of tiling data list them.
#define GRADPROOF_NAMED_FIELD(type, name) {#name, static_cast<std::int64_t>(fields.name)},

void note_fields(const AscendC::tiling::Conv3DBackpropInputTilingData& data, TilingAnswer& answer) {
  const auto& fields = data.conv3DDxTiling;
  note({GRADPROOF_CONV3D_BP_INPUT_TILING_FIELDS(GRADPROOF_NAMED_FIELD)}, answer);
}

void note_fields(const AscendC::tiling::Conv3DBackpropFilterTilingData& data,
                 TilingAnswer& answer) {
  const auto note_params = [&](const auto& fields) {
    note({GRADPROOF_CONV3D_BP_FILTER_PARAMS_FIELDS(GRADPROOF_NAMED_FIELD)}, answer);
  };
  const auto note_tiling = [&](const auto& fields) {
    note({GRADPROOF_CONV3D_BP_FILTER_TILING_FIELDS(GRADPROOF_NAMED_FIELD)}, answer);
  };
  const auto note_block = [&](const auto& fields) {
    note({GRADPROOF_CONV3D_BP_FILTER_BASIC_BLOCK_FIELDS(GRADPROOF_NAMED_FIELD)}, answer);
  };
  note_params(data.params);
  note_tiling(data.dwTiling);
  note_block(data.basicBlockTiling);
}

#undef GRADPROOF_NAMED_FIELD

}  // namespace gradproof::targets
