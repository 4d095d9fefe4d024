#include "properties/advice/logs/call_table.h"

#include <algorithm>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

// Notation, names, order of arguments without a key, keys of this row alone, what holds without
// being said, a sign that the text has, a sample. Rows of a sign come before those of the same
// name.
constexpr std::string_view notation_rows = R"(
candle | conv?d | weight padding stride dilation groups |  | method:yes | candle | x.conv2d(&w, 1, 2, 1, 1) // candle
candle, transposed | conv_transpose?d | weight padding output_padding stride dilation |  | method:yes transposed:yes | candle | x.conv_transpose2d(&w, 1, 0, 2, 1) // candle
tch | nn::conv?d | path in out kernel options |  | module:yes bias:yes |  | nn::conv2d(vs, 3, 64, 7, cfg)
candle, layer | conv?d | in out kernel options |  | module:yes bias:yes | candle_nn | candle_nn::conv2d(3, 64, 3, cfg, vb)
candle, layer without bias | conv?d_no_bias | in out kernel options |  | module:yes bias:no |  | candle_nn::conv2d_no_bias(3, 64, 3, cfg, vb)
burn, functional | conv?d | input weight bias options |  |  | ConvOptions | conv2d(x, w, None, ConvOptions::new([2, 2], [1, 1], [1, 1], 1))
burn, functional transposed | conv_transpose?d | input weight bias options |  | transposed:yes | ConvTransposeOptions | conv_transpose2d(x, w, None, ConvTransposeOptions::new([2, 2], [1, 1], [0, 0], [1, 1], 1))
Torch7 | SpatialConvolution SpatialConvolutionMM | in out kernel.w kernel.h stride.w stride.h padding.w padding.h groups |  | module:yes bias:yes axes:2 stride:1 padding:0 |  | nn.SpatialConvolution(3, 64, 7, 7, 2, 2, 3, 3)
Torch7, dilated | SpatialDilatedConvolution | in out kernel.w kernel.h stride.w stride.h padding.w padding.h dilation.w dilation.h |  | module:yes bias:yes axes:2 stride:1 padding:0 dilation:1 |  | nn.SpatialDilatedConvolution(3, 64, 3, 3, 1, 1, 2, 2, 2, 2)
Torch7, transposed | SpatialFullConvolution | in out kernel.w kernel.h stride.w stride.h padding.w padding.h output_padding.w output_padding.h |  | module:yes bias:yes axes:2 stride:1 padding:0 output_padding:0 transposed:yes |  | nn.SpatialFullConvolution(64, 3, 4, 4, 2, 2, 1, 1)
Torch7, volumetric | VolumetricConvolution | in out kernel.d kernel.w kernel.h stride.d stride.w stride.h padding.d padding.w padding.h |  | module:yes bias:yes axes:3 stride:1 padding:0 |  | nn.VolumetricConvolution(3, 64, 3, 5, 5, 1, 2, 2)
Torch7, temporal | TemporalConvolution | in out kernel stride |  | module:yes bias:yes input:NSC axes:1 |  | nn.TemporalConvolution(8, 16, 3, 2)
TensorRT | addConvolutionNd addConvolution add_convolution_nd add_convolution | input out kernel _ bias | kernel:_ nb_output_maps:out num_output_maps:out | module:yes bias:yes |  | network->addConvolutionNd(*x, 64, Dims{2, {3, 3}}, w, b)
TensorRT, transposed | addDeconvolutionNd addDeconvolution add_deconvolution_nd add_deconvolution | input out kernel _ bias | kernel:_ nb_output_maps:out num_output_maps:out | module:yes bias:yes transposed:yes |  | network->addDeconvolutionNd(*x, 64, Dims{2, {4, 4}}, w, b)
Gorgonia | Conv?d | input weight kernel padding stride dilation |  |  | gorgonia | gorgonia.Conv2d(x, w, tensor.Shape{3, 3}, []int{1, 1}, []int{2, 2}, []int{1, 1})
MPSGraph | convolution2D | input weight options |  | must:stride | weights: | graph.convolution2D(x, weights: w, descriptor: desc, name: nil)
MPSGraph, gradInput | convolution2DDataGradient | grad_output weight _ options | outputShape:input | mask:1,0,0 must:stride |  | graph.convolution2DDataGradient(dy, weights: w, outputShape: shape, forwardConvolutionDescriptor: desc, name: nil)
MPSGraph, gradWeight | convolution2DWeightsGradient | grad_output input _ options | outputShape:weight | mask:0,1,0 must:stride |  | graph.convolution2DWeightsGradient(dy, source: x, outputShape: shape, forwardConvolutionDescriptor: desc, name: nil)
tinygrad | Tensor.conv2d | input weight bias groups stride dilation padding |  | pairs:last | tinygrad | Tensor.conv2d(x, w, stride=2, padding=1) # tinygrad
tinygrad | conv2d | weight bias groups stride dilation padding |  | method:yes pairs:last | tinygrad | x.conv2d(w, stride=2, padding=1) # tinygrad
Relax | R.nn.conv?d relax.op.nn.conv?d | input weight stride padding dilation groups layout weight_layout |  | input:NCS weight:OIS |  | R.nn.conv2d(x, w, strides=[2, 2], padding=[1, 1, 1, 1])
Relax, transposed | R.nn.conv?d_transpose relax.op.nn.conv?d_transpose | input weight stride padding output_padding dilation groups layout weight_layout |  | input:NCS weight:IOS transposed:yes |  | R.nn.conv2d_transpose(x, w, strides=(2, 2), padding=(1, 1), output_padding=(1, 1))
Relay | nn.conv?d | input weight stride padding dilation groups out kernel |  | input:NCS weight:OIS | relay|Tensor[(|tvm | nn.conv2d(%x, %w, strides=[2, 2], padding=[1, 1, 1, 1])
Relay, transposed | nn.conv?d_transpose | input weight out kernel stride padding output_padding dilation groups |  | input:NCS weight:IOS transposed:yes | relay|Tensor[(|tvm | nn.conv2d_transpose(%x, %w, strides=[2, 2])
TensorFlow | nn.conv?d tf.conv?d | input weight stride padding layout dilation | filters:weight rate:dilation | input:NSC weight:SIO | tf.|tensorflow | tf.nn.conv2d(x, w, strides=2, padding="SAME")
TensorFlow, transposed | nn.conv?d_transpose | input weight output stride padding layout dilation | filters:weight | input:NSC weight:SOI transposed:yes | tf.|tensorflow | tf.nn.conv2d_transpose(x, w, [1, 8, 8, 3], 2, "SAME")
TensorFlow, depthwise | nn.depthwise_conv2d | input weight stride padding layout dilation | filters:weight filter:weight | input:NSC weight:SIM |  | tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID")
TensorFlow, gradInput | Conv?DBackpropInput Conv?DBackpropInputV2 conv?d_backprop_input | input weight grad_output stride padding | input_sizes:input | graph:yes results:input input:NSC weight:SIO mask:1,0,0 |  | Conv2DBackpropInput[strides=[1, 2, 2, 1], padding="SAME"]
TensorFlow, gradWeight | Conv?DBackpropFilter Conv?DBackpropFilterV2 conv?d_backprop_filter | input weight grad_output stride padding | filter_sizes:weight | graph:yes results:weight input:NSC weight:SIO mask:0,1,0 |  | Conv2DBackpropFilter[strides=[1, 2, 2, 1], padding="SAME"]
TensorFlow, operator | tf.Conv?D raw_ops.Conv?D | input weight bias | filter:weight | graph:yes results:end input:NSC weight:SIO |  | %y = "tf.Conv2D"(%x, %w) {padding = "SAME", strides = [1, 2, 2, 1]} : (tensor<...>, tensor<...>) -> tensor<...>
Core ML | conv | input weight bias stride | pad_type:pad_mode | input:NCS weight:OIS pairs:yes | pad_type= | conv(x=%x, weight=%w, strides=[2, 2], pad_type="custom", pad=[1, 1, 1, 1])
Core ML, transposed | conv_transpose | input weight bias stride | pad_type:pad_mode | input:NCS weight:IOS pairs:yes transposed:yes | pad_type= | conv_transpose(x=%x, weight=%w, strides=[2, 2], pad_type="valid")
DL4J | ConvolutionLayer.Builder Convolution2D.Builder | kernel.h kernel.w | nIn:in nOut:out | module:yes bias:yes builder:yes axes:2 |  | new ConvolutionLayer.Builder(3, 3).nIn(3).nOut(64).stride(2, 2).build()
Equinox | nn.Conv | axes in out kernel stride padding dilation groups bias | num_spatial_dims:axes | module:yes bias:yes | eqx|equinox|num_spatial_dims | eqx.nn.Conv(2, 3, 64, kernel_size=3, stride=2, key=key)
Theano | nnet.conv2d conv2d | images filters input weight padding stride | image_shape:input border_mode:padding |  | border_mode|image_shape|theano | T.nnet.conv2d(x, w, image_shape=(2, 3, 8, 8), filter_shape=(4, 3, 3, 3), border_mode='valid')
MindSpore | nn.Conv?d | in out kernel stride pad_mode padding dilation groups bias |  | module:yes pad_mode:same bias:no pairs:yes | mindspore|has_bias|pad_mode|nn.Cell|mstype | nn.Conv2d(3, 64, 7, stride=2, pad_mode='pad', padding=3, has_bias=False)
MindSpore, functional | ops.conv?d | input weight bias stride pad_mode padding dilation groups |  | pad_mode:valid pairs:yes | mindspore|pad_mode | ops.conv2d(x, w, pad_mode="same") # mindspore
MLX | mx.conv?d mx.conv_general | input weight stride padding dilation groups |  | input:NSC weight:OSI |  | mx.conv2d(x, w, stride=2, padding=1)
MLX, transposed | mx.conv_transpose?d | input weight stride padding dilation output_padding groups |  | input:NSC weight:OSI transposed:yes |  | mx.conv_transpose2d(x, w, stride=2, padding=1)
Chainer | L.Convolution?D | in out kernel stride padding |  | module:yes bias:yes |  | L.Convolution2D(3, 64, ksize=7, stride=2, pad=3)
Chainer, transposed | L.Deconvolution?D | in out kernel stride padding | outsize:output | module:yes bias:yes transposed:yes |  | L.Deconvolution2D(64, 3, ksize=4, stride=2, pad=1)
Haiku | hk.Conv?D | out kernel stride dilation padding | kernel_shape:kernel rate:dilation | module:yes input:NSC weight:SIO bias:yes padding:same |  | hk.Conv2D(output_channels=64, kernel_shape=3, stride=2)
libtorch | Conv?dOptions | in out kernel |  | module:yes bias:yes transposed:no builder:yes |  | torch::nn::Conv2dOptions(3, 64, 7).stride(2).padding(3)
libtorch, transposed | ConvTranspose?dOptions | in out kernel |  | module:yes bias:yes transposed:yes builder:yes |  | torch::nn::ConvTranspose2dOptions(16, 8, 3).stride(2)
MXNet | nd.Convolution sym.Convolution npx.convolution | input weight bias kernel stride dilation padding out groups | dilate:dilation |  |  | mx.nd.Convolution(data=x, weight=w, kernel=(3, 3), num_filter=8, pad=(1, 1))
MXNet, transposed | nd.Deconvolution sym.Deconvolution npx.deconvolution | input weight bias kernel stride dilation padding output_padding | dilate:dilation | transposed:yes |  | mx.nd.Deconvolution(data=x, weight=w, kernel=(4, 4), num_filter=8, stride=(2, 2))
NNlib | DenseConvDims | input weight |  | reversed:yes |  | DenseConvDims((32, 32, 3, 2), (3, 3, 3, 64); stride=(2, 2), padding=(1, 1))
MindSpore, operator | ops.Conv?D P.Conv?D | out kernel mode pad_mode padding stride dilation groups |  | module:yes pad_mode:valid bias:no pairs:yes | mindspore | ops.Conv2D(out_channel=64, kernel_size=3, stride=2)
MindSpore, transposed | nn.Conv?dTranspose | in out kernel stride pad_mode padding output_padding dilation groups bias |  | module:yes pad_mode:same bias:no transposed:yes pairs:yes |  | nn.Conv2dTranspose(3, 64, 4, stride=2, pad_mode='pad', padding=1)
Equinox, transposed | nn.ConvTranspose | axes in out kernel stride padding output_padding dilation groups bias | num_spatial_dims:axes | module:yes bias:yes transposed:yes | eqx|equinox|num_spatial_dims | eqx.nn.ConvTranspose(2, 16, 8, kernel_size=4, stride=2, key=key)
Flax, transposed | nn.ConvTranspose | out kernel stride padding dilation |  | module:yes input:NSC weight:SIO bias:yes padding:same transposed:yes lowered:yes |  | nn.ConvTranspose(features=64, kernel_size=(4, 4), strides=(2, 2))
JAX, transposed | lax.conv_transpose | input weight stride padding dilation dim_labels |  | must:stride,padding input:NSC weight:SIO transposed:yes lowered:yes |  | lax.conv_transpose(x, w, (2, 2), "SAME")
Flux | Conv | kernel channels | pad:padding | module:yes bias:yes reversed:yes | Flux|julia|0 =>|1 =>|2 =>|3 =>|4 =>|5 =>|6 =>|7 =>|8 =>|9 =>|0=>|1=>|2=>|3=>|4=>|5=>|6=>|7=>|8=>|9=> | m = Conv((3, 3), 3 => 64, stride=2, pad=1) # Flux
gluon | nn.Conv?D | out kernel stride padding dilation groups layout in | channels:out | module:yes bias:yes | gluon|mxnet | nn.Conv2D(64, 3, strides=2, in_channels=3) # gluon
Paddle | Conv?D | in out kernel stride padding dilation groups padding_mode weight_attr bias layout |  | module:yes bias:yes pairs:yes | paddle|in_channels=|bias_attr | paddle.nn.Conv2D(in_channels=3, out_channels=64, kernel_size=7)
Paddle, transposed | Conv?DTranspose | in out kernel stride padding output_padding dilation groups weight_attr bias layout |  | module:yes bias:yes transposed:yes | paddle|in_channels=|bias_attr | nn.Conv2DTranspose(in_channels=3, ...)
Paddle, functional | conv?d | input weight bias stride padding dilation groups layout | num_filters:out filter_size:kernel | pairs:yes | paddle | paddle.nn.functional.conv2d(x, w, stride=2)
Paddle, functional transposed | conv?d_transpose | input weight bias stride padding output_padding groups dilation output layout |  | pairs:yes transposed:yes | paddle | paddle.nn.functional.conv2d_transpose(x, w, stride=2)
Keras, transposed | Conv?DTranspose | out kernel stride padding output_padding layout dilation |  | module:yes input:NSC weight:SOI bias:yes transposed:yes |  | tf.keras.layers.Conv2DTranspose(64, 3, strides=2)
TVM | topi.nn.conv?d_nchw topi.nn.conv?d_ncw | input weight stride padding dilation |  |  |  | topi.nn.conv2d_nchw(X, W, (2, 2), (1, 1), (1, 1))
TVM, transposed | topi.nn.conv?d_transpose_nchw topi.nn.conv?d_transpose_ncw | input weight stride padding dtype output_padding |  | transposed:yes |  | topi.nn.conv2d_transpose_nchw(X, W, (2, 2), (1, 1), "float32", (1, 1))
Keras, depthwise | DepthwiseConv?D | kernel stride padding multiplier layout dilation | depth_multiplier:multiplier | module:yes depthwise:yes input:NSC weight:SIM bias:yes |  | tf.keras.layers.DepthwiseConv2D(3, strides=2, depth_multiplier=2)
Keras | Conv?D Convolution?D | out kernel stride padding layout dilation groups |  | module:yes input:NSC weight:SIO bias:yes |  | tf.keras.layers.Conv2D(64, 3, strides=2, padding="same")
Flax, NNX | nnx.Conv | in out kernel stride | in_features:in out_features:out | module:yes input:NSC weight:SIO bias:yes padding:same |  | nnx.Conv(3, 64, kernel_size=(3, 3), strides=2, rngs=rngs)
Flax | nn.Conv | out kernel stride padding lhs_dilation dilation groups |  | module:yes input:NSC weight:SIO bias:yes padding:same | flax|linen|jax|jnp|features= | nn.Conv(features=64, kernel_size=(3, 3), strides=2)
MatConvNet | vl_nnconv | input weight bias | dilate:dilation | quoted:yes axes:2 pairs:yes input:SCN weight:SIO |  | y = vl_nnconv(x, w, [], 'stride', 2, 'pad', [1 1 2 2])
MATLAB, layer | convolution?dLayer | kernel out | NumChannels:in DilationFactor:dilation | quoted:yes module:yes bias:yes pairs:yes |  | convolution2dLayer(3, 64, 'Stride', 2, 'NumChannels', 3)
MATLAB, grouped layer | groupedConvolution?dLayer | kernel out_each groups | NumChannels:in DilationFactor:dilation | quoted:yes module:yes bias:yes pairs:yes |  | groupedConvolution2dLayer(3, 8, 4, 'Stride', 2)
MATLAB, transposed layer | transposedConv?dLayer | kernel out | NumChannels:in Cropping:padding | quoted:yes module:yes bias:yes pairs:yes transposed:yes |  | transposedConv2dLayer(4, 8, 'Stride', 2, 'Cropping', 1, 'NumChannels', 16)
MATLAB | dlconv | input weight bias | DilationFactor:dilation | quoted:yes axes:2 input:SCN weight:SIO | SSCB | dlconv(dlarray(rand(8, 8, 3, 2), 'SSCB'), w, b, 'Padding', 1)
WebNN | builder.conv?d | input weight options |  | pairs:yes |  | builder.conv2d(input, filter, {strides: [2, 2], inputLayout: 'nhwc', filterLayout: 'ohwi'})
WebNN, transposed | builder.convTranspose?d | input weight options |  | pairs:yes transposed:yes weight:IOS |  | builder.convTranspose2d(input, filter, {strides: [2, 2]})
MIGraphX | convolution | input weight |  |  | target_id | @2 = convolution[padding={0, 1, 1, 2},stride={2, 2}](x,@0) -> float_type, {2, 16, 25, 26}, ..., target_id=0
ggml | ggml_conv_2d ggml_conv_2d_direct | _ weight input stride.w stride.h padding.w padding.h dilation.w dilation.h |  | reversed:yes axes:2 |  | ggml_conv_2d(ctx, w, x, 2, 2, 1, 1, 1, 1)
ggml, depthwise | ggml_conv_2d_dw ggml_conv_2d_dw_direct | _ weight input stride.w stride.h padding.w padding.h dilation.w dilation.h |  | reversed:yes axes:2 divided:yes |  | ggml_conv_2d_dw(ctx, w, x, 2, 2, 1, 1, 1, 1)
ggml, transposed | ggml_conv_transpose_2d_p0 | _ weight input stride |  | reversed:yes axes:2 transposed:yes padding:0 |  | ggml_conv_transpose_2d_p0(ctx, w, x, 2)
ggml | ggml_conv_1d | _ weight input stride padding dilation |  | reversed:yes axes:1 |  | ggml_conv_1d(ctx, w, x, 2, 1, 1)
TOSA | tosa.conv2d tosa.conv3d | input weight bias |  | graph:yes pairs:yes input:NSC weight:OSI |  | tosa.conv2d %x, %w, %b {pad = array<i64: 1, 1, 1, 1>, ...} : (...) -> ...
TOSA, transposed | tosa.transpose_conv2d | input weight bias | out_pad:cropping | graph:yes pairs:yes input:NSC weight:OSI transposed:yes results:end |  | tosa.transpose_conv2d %x, %w, %b {out_pad = array<i64: 0, 0, 0, 0>, ...} : (...) -> ...
TOSA, depthwise | tosa.depthwise_conv2d | input weight bias |  | graph:yes pairs:yes input:NSC weight:SIM |  | tosa.depthwise_conv2d %x, %w, %b {...} : (...) -> ...
cuDNN call | cudnnConvolutionForward | _ _ input _ weight _ attributes _ _ _ _ grad_output |  | must:attributes divided:yes |  | cudnnConvolutionForward(h, &a, xDesc, x, wDesc, w, convDesc, ...)
cuDNN call, gradInput | cudnnConvolutionBackwardData | _ _ weight _ grad_output _ attributes _ _ _ _ input |  | must:attributes divided:yes mask:1,0,0 |  | cudnnConvolutionBackwardData(h, &a, wDesc, w, dyDesc, dy, convDesc, ...)
cuDNN call, gradWeight | cudnnConvolutionBackwardFilter | _ _ input _ grad_output _ attributes _ _ _ _ weight |  | must:attributes divided:yes mask:0,1,0 |  | cudnnConvolutionBackwardFilter(h, &a, xDesc, x, dyDesc, dy, convDesc, ...)
Jittor | nn.Conv | in out kernel stride padding dilation groups bias |  | module:yes bias:yes axes:2 | jt.|jittor | jt.nn.Conv(3, 64, 3, stride=2, padding=1)
MLX, layer | nn.Conv?d | in out kernel stride padding dilation groups bias |  | module:yes input:NSC weight:OSI bias:yes | mx.|mlx.nn | nn.Conv2d(3, 64, kernel_size=3, stride=2) # mlx.nn
MindSpore | Conv?d | in out kernel stride pad_mode padding dilation groups bias |  | module:yes here:yes pad_mode:same bias:no pairs:yes | pad_mode=|has_bias= | Conv2d(3, 64, 7, stride=2, pad_mode='valid')
module | Conv?d | in out kernel stride padding dilation groups bias padding_mode |  | module:yes transposed:no bias:yes |  | Conv2d(3, 64, kernel_size=(7, 7))
module | ConvTranspose?d | in out kernel stride padding output_padding groups bias dilation padding_mode |  | module:yes transposed:yes bias:yes |  | nn.ConvTranspose2d(16, 8, 3, stride=2)
module | LazyConv?d | out kernel stride padding dilation groups bias padding_mode |  | module:yes transposed:no bias:yes |  | nn.LazyConv2d(64, 3)
burn | Conv1dConfig | in out kernel |  | module:yes new:yes bias:yes |  | Conv1dConfig::new(3, 64, 3)
burn | Conv?dConfig | channels kernel |  | module:yes new:yes bias:yes |  | Conv2dConfig::new([3, 64], [3, 3]).with_stride([2, 2])
burn, transposed | ConvTranspose?dConfig | channels kernel |  | module:yes new:yes bias:yes transposed:yes |  | ConvTranspose2dConfig::new([16, 8], [3, 3])
PyTorch, gradInput | conv?d_input | input weight grad_output stride padding dilation groups |  | mask:1,0,0 |  | torch.nn.grad.conv2d_input(x.shape, w, dy, stride=2)
PyTorch, gradWeight | conv?d_weight | input weight grad_output stride padding dilation groups |  | mask:0,1,0 |  | torch.nn.grad.conv2d_weight(x, w.shape, dy, stride=2)
PyTorch, functional | conv?d | input weight bias stride padding dilation groups |  |  |  | F.conv2d(x, w, b, stride=2, padding=1)
PyTorch, functional | conv_transpose?d | input weight bias stride padding output_padding groups dilation |  | transposed:yes |  | torch.conv_transpose2d(x, w, None, 2)
Torch-MLIR | torch.aten.convolution | input weight bias stride padding dilation transposed output_padding groups |  | graph:yes |  | torch.aten.convolution %x, %w, %none, %s, %p, %d, %false, %o, %int1 : !torch.vtensor<[1,3,8,8],f32>, ...
aten | aten.convolution aten.convolution.default aten::convolution aten::_convolution aten._convolution.default extern_kernels.convolution torch.convolution | input weight bias stride padding dilation transposed output_padding groups |  |  |  | aten.convolution.default(x, w, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)
aten in XLA | convolution_backward_overrideable | grad_output |  | graph:yes results:input,weight,bias must:stride,padding |  | (f32[...], f32[...], f32[...]) aten::convolution_backward_overrideable(...)
aten, gradients | convolution_backward convolution_backward.default | grad_output input weight bias_sizes stride padding dilation transposed output_padding groups mask |  |  |  | aten.convolution_backward.default(dy, x, w, [8], [2, 2], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True])
JAX | lax.conv_general_dilated conv_general_dilated | input weight stride padding lhs_dilation dilation dim_labels groups batch_groups |  | must:stride,padding |  | lax.conv_general_dilated(x, w, (2, 2), "SAME")
JAX | lax.conv lax.conv_with_general_padding | input weight stride padding lhs_dilation dilation |  | must:stride,padding |  | lax.conv(x, w, (2, 2), "SAME")
StableHLO | stablehlo.convolution mhlo.convolution | input weight |  | graph:yes |  | stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
XLA, gradInput | custom-call | grad_output weight |  | graph:yes results:input mask:1,0,0 | convBackwardInput | custom-call(%dy, %w), custom_call_target="__cudnn$convBackwardInput"
XLA, gradWeight | custom-call | input grad_output |  | graph:yes results:weight mask:0,1,0 | convBackwardFilter | custom-call(%x, %dy), custom_call_target="__cudnn$convBackwardFilter"
HLO | convolution custom-call | input weight |  | graph:yes results:end | dim_labels= | f32[...] convolution(f32[...] %x, f32[...] %w), window={...}, dim_labels=b01f_01io->b01f
Linalg | linalg.conv_?d_nchw_fchw linalg.conv_?d_ncw_fcw linalg.conv_?d_ncdhw_fcdhw | input weight |  | graph:yes |  | linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : ...)
Linalg | linalg.conv_?d_nhwc_hwcf linalg.conv_?d_nwc_wcf linalg.conv_?d_ndhwc_dhwcf | input weight |  | graph:yes input:NSC weight:SIO |  | linalg.conv_2d_nhwc_hwcf ins(%x, %w : ...)
ONNX, node | make_node | op operands outputs | inputs:operands op_type:op | op:Conv | Conv | helper.make_node("Conv", ["x", "w"], ["y"], strides=[2, 2])
ONNX, transposed node | make_node | op operands outputs | inputs:operands op_type:op | op:ConvTranspose transposed:yes | ConvTranspose | helper.make_node("ConvTranspose", inputs=["x", "w"], outputs=["y"])
YOLO | common.Conv conv.Conv | in out kernel stride padding groups |  | module:yes listed:yes bias:no axes:2 kernel:1 padding:half | yolo|YOLO|ultralytics|models.common | -1 1 18560 models.common.Conv [32, 64, 3, 2]
ONNX | Conv onnx.Conv op.Conv | input weight bias |  | graph:yes |  | %y = Conv[dilations = [1, 1], group = 1, pads = [1, 1, 1, 1], strides = [2, 2]](%x, %w)
ONNX, transposed | ConvTranspose onnx.ConvTranspose | input weight bias |  | graph:yes transposed:yes |  | ConvTranspose[strides = [2, 2]](%x, %w)
ONNX, gradients | ConvGrad | grad_output input weight |  | graph:yes |  | ConvGrad[pads = [1, 1, 1, 1], strides = [2, 2]](%dy, %x, %w)
aclnn | aclnnConvolutionBackward aclnnConvolutionBackwardGetWorkspaceSize convolution_backward_npu npu_convolution_backward | grad_output input weight bias_sizes stride padding dilation transposed output_padding groups mask cube_math_type |  | raw:yes |  | aclnnConvolutionBackward(gradOutput=[2, 8, 4, 4], input=[2, 3, 8, 8], weight=[8, 3, 3, 3], stride=[2, 2])
aclnn, forward | aclnnConvolution aclnnConvolutionGetWorkspaceSize | input weight bias stride padding dilation transposed output_padding groups grad_output cube_math_type | output:grad_output | raw:yes api:aclnnConvolution |  | aclnnConvolution(input=[2, 3, 8, 8], weight=[8, 3, 3, 3], bias=[8], stride=[2, 2])
aclnn, forward TBC | aclnnConvTbc aclnnConvTbcGetWorkspaceSize | input weight bias padding grad_output cube_math_type | self:input output:grad_output | raw:yes api:aclnnConvTbc input:SNC weight:SIO |  | aclnnConvTbc(self=[9, 2, 4], weight=[3, 4, 6], bias=[6], pad=1)
aclnn, depthwise | aclnnConvDepthwise2d aclnnConvDepthwise2dGetWorkspaceSize | input weight kernel bias stride padding dilation grad_output cube_math_type | self:input out:grad_output | raw:yes api:aclnnConvDepthwise2d |  | aclnnConvDepthwise2d(self=[2, 4, 8, 8], weight=[8, 1, 3, 3], kernelSize=[3, 3])
XNNPACK | xnn_create_convolution2d_nhwc_f32 xnn_create_convolution2d_nhwc_f16 xnn_create_convolution2d_nchw_f32 | padding.h ends.w ends.h padding.w kernel.h kernel.w stride.h stride.w dilation.h dilation.w groups in_each out_each |  | must:kernel axes:2 |  | xnn_create_convolution2d_nhwc_f32(1, 1, 1, 1, 3, 3, 2, 2, 1, 1, 1, 8, 16, ...)
MIOpenDriver | conv convfp16 convbfp16 convint8 |  | -n:batch --batchsize:batch -c:in --in_channels:in -k:out --out_channels:out -H:size.h --in_h:size.h -W:size.w --in_w:size.w -!:size.d --in_d:size.d -y:kernel.h --fil_h:kernel.h -x:kernel.w --fil_w:kernel.w -@:kernel.d --fil_d:kernel.d -p:padding.h --pad_h:padding.h -q:padding.w --pad_w:padding.w -$:padding.d --pad_d:padding.d -u:stride.h --conv_stride_h:stride.h -v:stride.w --conv_stride_w:stride.w -#:stride.d --conv_stride_d:stride.d -l:dilation.h --dilation_h:dilation.h -j:dilation.w --dilation_w:dilation.w -^:dilation.d --dilation_d:dilation.d -g:groups --group_count:groups -F:direction --forw:direction -m:mode --mode:mode -_:axes --spatial_dim:axes | form:words axes:2 batch:100 in:3 out:32 size:32 kernel:3 stride:1 padding:0 dilation:1 groups:1 dtype:name | -n |-c |-H |-W |-k |-y |-x |--batchsize|--in_channels|--in_h|--fil_h | MIOpenDriver conv -n 8 -c 64 -H 28 -W 28 -k 64 -y 3 -x 3 ...
test_conv2d | test_conv?d test_conv?d_find2 |  | --input:input --weights:weight --batch_size:batch --input_channels:in --output_channels:out --spatial_dim_elements:size --filter_dims:kernel --pads_strides_dilations:attributes --group-count:groups --cmode:mode --trans_output_pads:output_padding | form:words must:attributes | --input|--batch_size | test_conv2d --float --input 1 8 4 4 --weights 8 8 3 3 --pads_strides_dilations 1 1 1 1 1 1
CUTLASS | cutlass_profiler |  | --n:batch --h:size.h --w:size.w --d:size.d --c:in --k:out --r:kernel.h --s:kernel.w --t:kernel.d --pad_h:padding.h --pad_w:padding.w --stride_h:stride.h --stride_w:stride.w --dilation_h:dilation.h --dilation_w:dilation.w --conv_kind:direction --Activation:dtype --Filter:dtype --groups:groups --p:end.h --q:end.w | form:words axes:2 stride:1 dilation:1 groups:1 must:size,kernel,padding | Conv2d|conv2d | cutlass_profiler --operation=Conv2d --n=8 --h=28 --w=28 --c=64 --k=64 --r=3 --s=3 --pad_h=1 --pad_w=1
oneDNN | onednn_verbose dnnl_verbose mkldnn_verbose |  | compact | form:words holes:yes ends:yes batch:1 stride:1 dilation:0 groups:1 must:size,kernel | convolution | onednn_verbose,...,convolution,... mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw...
benchdnn | benchdnn mb~ g? conv deconv |  | compact | form:words holes:yes ends:yes square:yes batch:2 stride:1 dilation:0 groups:1 must:size,kernel |  | benchdnn --conv --dir=BWD_W --dt=f32 mb32ic4ih32oc8oh16kh1sh2ph0
cuDNN | function cudnn |  | xDesc.dimA:input dxDesc.dimA:input wDesc.dimA:weight dwDesc.dimA:weight yDesc.dimA:grad_output dyDesc.dimA:grad_output convDesc.padA:padding convDesc.strideA:stride convDesc.dilationA:dilation convDesc.groupCount:groups convDesc.mode:flips wDesc.dataType:dtype dwDesc.dataType:dtype xDesc.dataType:dtype dxDesc.dataType:dtype | form:lines must:stride,padding,dilation |  | I! CuDNN ... function cudnnConvolutionBackwardData() called
ConvolutionParams | ConvolutionParams |  | padding:padding stride:stride dilation:dilation groups:groups data_type:dtype input.dimA:input output.dimA:grad_output weight.dimA:weight | form:lines cut:yes must:stride,padding,dilation |  | ConvolutionParams, then padding = [1, 1, 0] and dimA = 2, 64, 8, 8
MIOpen | miopenStatus_t miopen |  | xDesc:input dxDesc:input wDesc:weight dwDesc:weight yDesc:grad_output dyDesc:grad_output convDesc:attributes | form:lines must:attributes divided:yes |  | miopenStatus_t miopenConvolutionBackwardData...(...){ and dyDesc = 1, 8, 4, 4
cuDNN frontend | conv_fprop | input weight options | image:input | divided:yes described:yes results:grad_output must:stride,padding |  | graph->conv_fprop(X, W, fe::graph::Conv_fprop_attributes().set_padding({1, 1}).set_stride({2, 2}))
cuDNN frontend, gradInput | conv_dgrad | grad_output weight options | loss:grad_output | divided:yes described:yes results:input mask:1,0,0 must:stride,padding |  | graph->conv_dgrad(DY, W, fe::graph::Conv_dgrad_attributes().set_padding({1, 1}))
cuDNN frontend, gradWeight | conv_wgrad | grad_output input options | loss:grad_output image:input | divided:yes described:yes results:weight mask:0,1,0 must:stride,padding |  | graph.conv_wgrad(image=X, loss=DY, padding=[1, 1], stride=[1, 1], dilation=[1, 1])
ncnn | Convolution ConvolutionDepthWise |  | 0:out 1:kernel.w 11:kernel.h 2:dilation.w 12:dilation.h 3:stride.w 13:stride.h 4:padding.w 14:padding.h 5:bias 6:count 7:groups | form:words axes:2 square:w stride:1 padding:0 dilation:1 groups:1 module:yes bias:no | 6= | Convolution conv1 1 1 data conv1 0=64 1=3 3=2 4=1 5=1 6=1728
ncnn, transposed | Deconvolution DeconvolutionDepthWise |  | 0:out 1:kernel.w 11:kernel.h 2:dilation.w 12:dilation.h 3:stride.w 13:stride.h 4:padding.w 14:padding.h 5:bias 6:count 7:groups | form:words axes:2 square:w stride:1 padding:0 dilation:1 groups:1 module:yes transposed:yes bias:no | 6= | Deconvolution up1 1 1 a b 0=8 1=4 3=2 5=1 6=2048
Caffe | Convolution CONVOLUTION |  | num_output:out bias_term:bias | form:block module:yes bias:yes |  | {type: "Convolution" convolution_param {num_output: 64 kernel_size: 3}}
Caffe, transposed | Deconvolution DECONVOLUTION |  | num_output:out bias_term:bias | form:block module:yes bias:yes transposed:yes |  | {type: "Deconvolution" convolution_param {kernel_size: 4}}
protobuf | Conv |  |  | form:block module:yes |  | {op_type: "Conv" attribute {name: "strides" ints: 2}}
protobuf, transposed | ConvTranspose |  |  | form:block module:yes transposed:yes |  | {op_type: "ConvTranspose" attribute {name: "strides" ints: 2}}
profiler | Conv?D Conv?DV2 | input weight |  | form:columns results:end must:stride,padding,dilation |  | ...,Conv2D,"2,3,8,8;4,3,3,3",...
profiler, gradInput | Conv?DBackpropInput Conv?DBackpropInputD Conv?DBackpropInputV2 | weight grad_output |  | form:columns results:input mask:1,0,0 must:stride,padding,dilation |  | ...,Conv2DBackpropInputV2,"4;4,3,3,3;2,4,6,6",...
profiler, gradWeight | Conv?DBackpropFilter Conv?DBackpropFilterD Conv?DBackpropFilterV2 Conv?DBackpropFilterV3 | input grad_output |  | form:columns results:weight mask:0,1,0 must:stride,padding,dilation |  | ...,Conv2DBackpropFilterV2,"2,3,8,8;4;2,4,6,6",...
printed arguments |  |  |  | form:prose raw:yes must:stride,padding,dilation? |  | input_size=[2, 3, 8, 8], weight [4, 3, 3, 3], stride 2
)";

// Of benchdnn and oneDNN: "mb2ic4oh8kh3".
constexpr std::string_view compact_keys =
    R"(mb:batch ic:in oc:out g:groups id:size.d ih:size.h iw:size.w od:end.d oh:end.h ow:end.w kd:kernel.d kh:kernel.h kw:kernel.w sd:stride.d sh:stride.h sw:stride.w dd:dilation.d dh:dilation.h dw:dilation.w pd:padding.d ph:padding.h pw:padding.w --dt:dtype)";

std::vector<CallRow> read_table() {
  std::vector<CallRow> rows;
  for (const auto& row : table_rows(notation_rows, 7)) {
    const std::string_view means = row[4];
    const Form form = means.starts_with("form:words")     ? Form::Words
                      : means.starts_with("form:lines")   ? Form::Lines
                      : means.starts_with("form:block")   ? Form::Block
                      : means.starts_with("form:columns") ? Form::Columns
                      : means.starts_with("form:prose")   ? Form::Prose
                                                          : Form::Call;
    rows.push_back({row[0], form, row[1], row[2], row[3] == "compact" ? compact_keys : row[3],
                    means, row[5], row[6]});
  }
  return rows;
}

std::unordered_map<std::string, std::vector<Spelling>> read_spellings() {
  std::unordered_map<std::string, std::vector<Spelling>> all;
  for (const CallRow& row : call_rows()) {
    for (const std::string_view name :
         parts_between(row.form == Form::Lines ? "" : row.names, " ")) {
      const std::size_t digit = name.find('?');
      const bool has_digit = digit != std::string_view::npos;
      for (std::size_t axes = 1; axes <= (has_digit ? 3 : 1); ++axes) {
        std::string text(name);
        if (has_digit) text[digit] = static_cast<char>('0' + axes);
        const std::string last(words_in(text).back().text);
        all[last].push_back({&row, std::move(text), has_digit ? axes : 0});
      }
    }
  }
  return all;
}

}  // namespace

const std::vector<CallRow>& call_rows() {
  static const std::vector<CallRow> rows = read_table();
  return rows;
}

const std::unordered_map<std::string, std::vector<Spelling>>& spellings() {
  static const auto all = read_spellings();
  return all;
}

std::string_view meaning_of(const CallRow& row, std::string_view key) {
  std::string_view meaning;
  any_part(row.means, ' ', [&](std::string_view part) {
    const bool is_it = part.starts_with(key) && part.substr(key.size()).starts_with(':');
    if (is_it) meaning = part.substr(key.size() + 1);
    return is_it;
  });
  return meaning;
}

}  // namespace gradproof::advice
