#ifndef GRADPROOF_LIB_CONV_BACKPROP_INTF_H
#define GRADPROOF_LIB_CONV_BACKPROP_INTF_H

#include <cstdint>
#include <memory>

#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_context.h"

// The calls that Conv3DBackpropInput and Conv3DBackpropFilter have in common.

namespace ConvBackpropApi {
namespace simulation {

/// One object of either class on one core: which one is said by its tiling. Misuse ends the block
/// with a diagnostic that names the call and the core.
template <class Tiling>
class Backprop {
 public:
  Backprop() = default;
  virtual ~Backprop() = default;
  Backprop(const Backprop&) = delete;
  Backprop& operator=(const Backprop&) = delete;

  virtual void init(const Tiling* tiling) = 0;
  /// Sets the tensor that gradOutput is multiplied by: weight or input.
  virtual void set_operand(const AscendC::simulation::GlobalWindow& operand) = 0;
  virtual void set_grad_output(const AscendC::simulation::GlobalWindow& gradOutput) = 0;
  /// Sets the single shape in the order of the class's own SetSingleShape, which begins with M.
  virtual void set_single_shape(uint64_t m, uint64_t second, uint64_t third) = 0;
  /// Sets the position. dIn belongs to gradInput; gradWeight has none and passes 0.
  virtual void set_start_position(uint32_t dIn, int64_t hOut) = 0;
  virtual bool iterate(bool& isFirstIter) = 0;
  virtual void get_tensor_c(const AscendC::simulation::GlobalWindow& output, uint8_t enAtomic,
                            bool enSequentialWrite) = 0;
  virtual void end() = 0;
};

/// isScratch: tiles go to a scratch tile of the block (gradInput in NCDHW), not into the tensor.
template <class Tiling>
std::unique_ptr<Backprop<Tiling>> new_backprop(ElementType element, bool isScratch);

}  // namespace simulation

/// State of an object. Config has the element type and the traits of its class.
template <typename Intf, class Config>
struct ConvBackpropImpl {
  /// State of one object.
  struct ContextData : public Config {
    /// The next Iterate computes the first tile of a task. Set when another task begins.
    bool isFirstIter_ = true;
    std::unique_ptr<simulation::Backprop<typename Config::Tiling>> gradient =
        simulation::new_backprop<typename Config::Tiling>(Config::element, Config::isScratch);
  };
};

/// A gradient on one core, of one task after the other, tile by tile.
///
///   Init(&tiling);
///   for each task {
///     SetSingleShape; SetStartPosition; SetGradOutput; SetWeight or SetInput   (any order)
///     while (Iterate()) GetTensorC(gradient);
///     ctx.isFirstIter_ = true;
///   }
///   End();
template <class Config_, template <typename, class> class Impl, class Intf>
struct ConvBackpropIntf {
  using Config = Config_;
  using Ext = Impl<Intf, Config>;
  using SrcT = typename Config::SrcT;
  using DstT = typename Config::DstT;
  using ContextData = typename Ext::ContextData;

  ContextData ctx;

  /// Begins a task with a tiling, which must stay as it is until End.
  __aicore__ inline void Init(const typename Config::Tiling* __restrict tiling) {
    ctx.gradient->init(tiling);
    ctx.isFirstIter_ = true;
  }

  /// Sets gradOutput. For gradInput: from the sample's first D slice, at the first row that the
  /// task reads. gradWeight: the D slice, from the task's first channel block, at row hoStartIdx.
  __aicore__ inline void SetGradOutput(const AscendC::GlobalTensor<SrcT>& gradOutput) {
    ctx.gradient->set_grad_output(gradOutput.window());
  }

  /// Computes the next tile; false once there is none. Its arguments are reserved.
  template <bool sync = true>
  __aicore__ inline bool Iterate([[maybe_unused]] bool enPartialSum = false) {
    return ctx.gradient->iterate(ctx.isFirstIter_);
  }

  /// Stores the tile where enAtomic is 0, or adds it to memory, which must have been zeroed. To
  /// gradInput: from batch and group, at the first channel block and the first row of the task; D
  /// slices are counted from the first. To gradWeight: from the kernel depth's plane, at the task's
  /// first channels of both sides.
  template <bool sync = true>
  __aicore__ inline void GetTensorC(const AscendC::GlobalTensor<DstT>& output,
                                    uint8_t enAtomic = Config::enAtomicByDefault,
                                    bool enSequentialWrite = false) {
    ctx.gradient->get_tensor_c(output.window(), enAtomic, enSequentialWrite);
  }

  __aicore__ inline void End() { ctx.gradient->end(); }
};

}  // namespace ConvBackpropApi

#endif
