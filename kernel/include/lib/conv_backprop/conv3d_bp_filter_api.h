#ifndef GRADPROOF_LIB_CONV3D_BP_FILTER_API_H
#define GRADPROOF_LIB_CONV3D_BP_FILTER_API_H

#include <cstdint>
#include <memory>
#include <type_traits>

#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_context.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"

namespace ConvBackpropApi {

using AscendC::tiling::TConv3DBpFilterTiling;

namespace simulation {

/// One object of Conv3DBackpropFilter on one core. Misuse ends the block with a diagnostic that
/// names the call and the core.
class BackpropFilter {
 public:
  explicit BackpropFilter(ElementType element);
  ~BackpropFilter();
  BackpropFilter(const BackpropFilter&) = delete;
  BackpropFilter& operator=(const BackpropFilter&) = delete;

  void init(const TConv3DBpFilterTiling* tiling);
  void set_input(const AscendC::simulation::GlobalWindow& input);
  void set_grad_output(const AscendC::simulation::GlobalWindow& gradOutput);
  void set_single_shape(uint64_t m, uint64_t n, uint64_t k);
  void set_start_position(uint32_t hOut);
  bool iterate(bool& isFirstIter);
  void get_tensor_c(const AscendC::simulation::GlobalWindow& output, uint8_t enAtomic,
                    bool enSequentialWrite);
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simulation

/// The types of one computation.
template <class INPUT_TYPE, class WEIGHT_SIZE_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_WEIGHT_TYPE,
          const Conv3dConfig& CONV3D_CONFIG = CONV3D_CFG_DEFAULT>
struct Conv3DBpFilterCfg {
  using SrcT = typename INPUT_TYPE::Type;
  using DstT = typename GRAD_WEIGHT_TYPE::Type;

  static constexpr simulation::ElementType element = simulation::element_type<SrcT>();
  static constexpr const Conv3dConfig& config = CONV3D_CONFIG;

  static_assert(element != simulation::ElementType::None,
                "input: its elements must be half, bfloat16_t or float");
  static_assert(std::is_same_v<SrcT, typename GRAD_OUTPUT_TYPE::Type>,
                "gradOutput: its elements must be the input's");
  static_assert(std::is_same_v<DstT, float>, "gradWeight: its elements must be float");
  static_assert(std::is_same_v<typename WEIGHT_SIZE_TYPE::Type, int32_t>,
                "weightSize: its elements must be int32_t");
  static_assert(simulation::is_global<INPUT_TYPE>(ConvCommonApi::ConvFormat::NDC1HWC0),
                "input: it must be NDC1HWC0 in GM");
  static_assert(simulation::is_global<WEIGHT_SIZE_TYPE>(ConvCommonApi::ConvFormat::ND),
                "weightSize: it must be ND in GM");
  static_assert(simulation::is_global<GRAD_OUTPUT_TYPE>(ConvCommonApi::ConvFormat::NDC1HWC0),
                "gradOutput: it must be NDC1HWC0 in GM");
  static_assert(simulation::is_global<GRAD_WEIGHT_TYPE>(ConvCommonApi::ConvFormat::FRACTAL_Z_3D),
                "gradWeight: it must be FRACTAL_Z_3D in GM");
};

template <typename Intf, class Config>
struct Conv3DBpFilterImpl {
  /// State of one Conv3DBackpropFilter object.
  struct ContextData : public Config {
    /// The next Iterate computes the first tile of a task. Set when another task begins.
    bool isFirstIter_ = true;
    simulation::BackpropFilter gradient{Config::element};
  };
};

/// Conv3DBackpropFilter of one core: what one sample and one D slice of gradOutput add to one
/// kernel depth of gradWeight, task after task, tile by tile. The calls and their order are those
/// of Conv3DBackpropInput.
template <class Config_, template <typename, class> class Impl>
struct Conv3DBpFilterIntf {
  using Config = Config_;
  using Ext = Impl<Conv3DBpFilterIntf, Config>;
  using SrcT = typename Config::SrcT;
  using DstT = typename Config::DstT;
  using ContextData = typename Ext::ContextData;

  ContextData ctx;

  /// The tiling must stay as it is until End.
  __aicore__ inline void Init(const TConv3DBpFilterTiling* __restrict tiling) {
    ctx.gradient.init(tiling);
    ctx.isFirstIter_ = true;
  }

  /// The D slice that the kernel depth meets, from the task's first channel block, at the first
  /// row that is read: row hoStartIdx * strideH - padUp, or 0 where that is negative.
  __aicore__ inline void SetInput(const AscendC::GlobalTensor<SrcT>& input) {
    ctx.gradient.set_input(input.window());
  }

  /// The D slice, from the task's first channel block, at row hoStartIdx.
  __aicore__ inline void SetGradOutput(const AscendC::GlobalTensor<SrcT>& gradOutput) {
    ctx.gradient.set_grad_output(gradOutput.window());
  }

  /// M: output channels. N: input channels times the taps of H and W. K: whole rows of gradOutput.
  __aicore__ inline void SetSingleShape(uint64_t singleShapeM, uint64_t singleShapeN,
                                        uint64_t singleShapeK) {
    ctx.gradient.set_single_shape(singleShapeM, singleShapeN, singleShapeK);
  }

  /// The first row of gradOutput.
  __aicore__ inline void SetStartPosition(uint32_t hoStartIdx) {
    ctx.gradient.set_start_position(hoStartIdx);
  }

  /// Computes the next tile; false once there is none. Its arguments are reserved.
  template <bool sync = true>
  __aicore__ inline bool Iterate([[maybe_unused]] bool enPartialSum = false) {
    return ctx.gradient.iterate(ctx.isFirstIter_);
  }

  /// Adds the tile to memory, which must have been zeroed, or stores it where enAtomic is 0. From
  /// the kernel depth's plane, at the task's first channels of both sides.
  template <bool sync = true>
  __aicore__ inline void GetTensorC(const AscendC::GlobalTensor<DstT>& output, uint8_t enAtomic = 1,
                                    bool enSequentialWrite = false) {
    ctx.gradient.get_tensor_c(output.window(), enAtomic, enSequentialWrite);
  }

  __aicore__ inline void End() { ctx.gradient.end(); }
};

template <class INPUT_TYPE, class WEIGHT_SIZE_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_WEIGHT_TYPE>
using Conv3DBackpropFilter =
    Conv3DBpFilterIntf<Conv3DBpFilterCfg<INPUT_TYPE, WEIGHT_SIZE_TYPE, GRAD_OUTPUT_TYPE,
                                         GRAD_WEIGHT_TYPE, CONV3D_CFG_DEFAULT>,
                       Conv3DBpFilterImpl>;

}  // namespace ConvBackpropApi

#endif
