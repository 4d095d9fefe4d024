#ifndef GRADPROOF_LIB_CONV_BACKPROP_TILING_DATA_FIELDS_H
#define GRADPROOF_LIB_CONV_BACKPROP_TILING_DATA_FIELDS_H

// How the headers of tiling data turn one list of fields into a structure's two flavours. Each list
// is a macro that applies its argument to (type, name) of every field, in the order in memory.

/// A member of the plain flavour.
#define GRADPROOF_TILING_MEMBER(type, name) type name = 0;

/// The accessors of the other flavour, which keeps a plain structure in `fields_`.
#define GRADPROOF_TILING_ACCESSORS(type, name)     \
  type get_##name() const { return fields_.name; } \
  void set_##name(type value) { fields_.name = value; }

/// The body of a class with accessors for the fields of the plain structure `Plain`.
#define GRADPROOF_TILING_CLASS_BODY(Plain, FIELDS)          \
 public:                                                    \
  FIELDS(GRADPROOF_TILING_ACCESSORS)                        \
  const Plain& plain() const { return fields_; }            \
  void set_plain(const Plain& fields) { fields_ = fields; } \
                                                            \
 private:                                                   \
  Plain fields_;

/// Extents, strides and pads, which both lists have in this order.
#define GRADPROOF_TILING_GEOMETRY_FIELDS(FIELD) \
  FIELD(uint32_t, dout)                         \
  FIELD(uint32_t, ho)                           \
  FIELD(uint32_t, wo)                           \
  FIELD(uint32_t, di)                           \
  FIELD(uint32_t, hi)                           \
  FIELD(uint32_t, wi)                           \
  FIELD(uint32_t, dk)                           \
  FIELD(uint32_t, hk)                           \
  FIELD(uint32_t, wk)                           \
  FIELD(uint32_t, group)                        \
  FIELD(uint32_t, strideD)                      \
  FIELD(uint32_t, strideH)                      \
  FIELD(uint32_t, strideW)                      \
  FIELD(uint32_t, padFront)                     \
  FIELD(uint32_t, padBack)                      \
  FIELD(uint32_t, padUp)                        \
  FIELD(uint32_t, padDown)                      \
  FIELD(uint32_t, padLeft)                      \
  FIELD(uint32_t, padRight)

#endif
