// Twenty steps of a network of three convolutions: forward, loss, backward, SGD; and the same in
// double by plain loops.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "family.h"

using Values = std::vector<double>;

// Maps are [1, C, 6, 6], kernels 3 x 3 with padding 1; the layers have 1, 4, 4 and 1 channels.
static const std::int64_t side = 6, taps = 3, steps = 20;
static const std::int64_t channels[] = {1, 4, 4, 1};
static const float rate = 0.05F;

class Tensor {
 public:
  explicit Tensor(const std::vector<std::int64_t>& shape) : count_(1) {
    for (const std::int64_t length : shape) count_ *= static_cast<std::size_t>(length);
    memory_.reset(new Memory(count_ * sizeof(float)));
    tensor_ = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0,
                              shape.size() == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_ND, shape.data(),
                              shape.size(), *memory_);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() { CHECK(aclDestroyTensor(tensor_)); }
  operator aclTensor*() const { return tensor_; }
  void write(const Values& values) {
    const std::vector<float> floats(values.begin(), values.end());
    memory_->write(floats.data());
  }
  Values read() const {
    std::vector<float> floats(count_);
    memory_->read(floats.data());
    return Values(floats.begin(), floats.end());
  }

 private:
  std::size_t count_;
  std::unique_ptr<Memory> memory_;
  aclTensor* tensor_ = nullptr;
};

/// A layer on the device, and its weight and bias in double.
struct Layer {
  Layer(std::int64_t from, std::int64_t to)
      : inputs(from),
        outputs(to),
        input({1, from, side, side}),
        output({1, to, side, side}),
        grad_output({1, to, side, side}),
        grad_input({1, from, side, side}),
        weight({to, from, taps, taps}),
        grad_weight({to, from, taps, taps}),
        bias({to}),
        grad_bias({to}) {
    for (std::int64_t i = 0; i < to * from * taps * taps; ++i)
      true_weight.push_back(static_cast<double>((i * 7 + to) % 11 - 5) / 16);
    for (std::int64_t i = 0; i < to; ++i) true_bias.push_back(static_cast<double>(i) / 8);
    weight.write(true_weight);
    bias.write(true_bias);
  }
  std::int64_t inputs, outputs;
  Tensor input, output, grad_output, grad_input, weight, grad_weight, bias, grad_bias;
  Values true_weight, true_bias, true_input;
};

/// Calls visit(place in the output, in the input, in the weight) for each product.
template <class Visit>
void for_each_product(const Layer& layer, Visit visit) {
  for (std::int64_t o = 0; o < layer.outputs; ++o)
    for (std::int64_t c = 0; c < layer.inputs; ++c)
      for (std::int64_t at = 0; at < side * side; ++at)
        for (std::int64_t tap = 0; tap < taps * taps; ++tap) {
          const std::int64_t h = at / side + tap / taps - 1, w = at % side + tap % taps - 1;
          if (h < 0 || h >= side || w < 0 || w >= side) continue;
          visit(static_cast<std::size_t>(o * side * side + at),
                static_cast<std::size_t>((c * side + h) * side + w),
                static_cast<std::size_t>((o * layer.inputs + c) * taps * taps + tap));
        }
}

class Network {
 public:
  explicit Network(aclrtStream stream) : stream_(stream) {
    for (int i = 0; i < 3; ++i) layers_.emplace_back(new Layer(channels[i], channels[i + 1]));
    const std::int64_t ones[] = {1, 1}, zeros[] = {0, 0};
    one_ = aclCreateIntArray(ones, 2);
    none_ = aclCreateIntArray(zeros, 2);
    const bool all[] = {true, true, true};
    mask_ = aclCreateBoolArray(all, 3);
    float factor = -rate;
    factor_ = aclCreateScalar(&factor, ACL_FLOAT);
    for (std::int64_t i = 0; i < side * side; ++i) {
      sample_.push_back(static_cast<double>(i * 5 % 9 - 4) / 8);
      wanted_.push_back(static_cast<double>(i % 4) / 4);
    }
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  ~Network() {
    CHECK(aclDestroyIntArray(one_));
    CHECK(aclDestroyIntArray(none_));
    CHECK(aclDestroyBoolArray(mask_));
    CHECK(aclDestroyScalar(factor_));
  }

  /// One step on the device; its loss.
  double step() {
    Values map = sample_;
    for (const auto& layer : layers_) {
      layer->input.write(map);
      forward(*layer);
      map = layer->output.read();
    }
    Values gradient = map;
    const double before = loss(gradient);
    for (std::size_t i = layers_.size(); i-- > 0;) {
      layers_[i]->grad_output.write(gradient);
      backward(*layers_[i]);
      gradient = layers_[i]->grad_input.read();
      descend(layers_[i]->weight, layers_[i]->grad_weight);
      descend(layers_[i]->bias, layers_[i]->grad_bias);
    }
    return before;
  }

  /// The same in double.
  double true_step() {
    Values map = sample_;
    for (const auto& layer : layers_) {
      layer->true_input = map;
      map.assign(static_cast<std::size_t>(layer->outputs * side * side), 0);
      for (std::size_t i = 0; i < map.size(); ++i)
        map[i] = layer->true_bias[i / static_cast<std::size_t>(side * side)];
      for_each_product(*layer, [&](std::size_t y, std::size_t x, std::size_t w) {
        map[y] += layer->true_input[x] * layer->true_weight[w];
      });
    }
    Values gradient = map;
    const double before = loss(gradient);
    for (std::size_t i = layers_.size(); i-- > 0;) gradient = true_backward(*layers_[i], gradient);
    return before;
  }

  /// Largest difference of a parameter from its truth.
  double distance() const {
    double largest = 0;
    for (const auto& layer : layers_) {
      const Values weight = layer->weight.read(), bias = layer->bias.read();
      for (std::size_t i = 0; i < weight.size(); ++i)
        largest = std::max(largest, std::abs(weight[i] - layer->true_weight[i]));
      for (std::size_t i = 0; i < bias.size(); ++i)
        largest = std::max(largest, std::abs(bias[i] - layer->true_bias[i]));
    }
    return largest;
  }

 private:
  /// Half the mean square of the difference; `map` becomes its gradient.
  double loss(Values& map) const {
    double sum = 0;
    const auto count = static_cast<double>(map.size());
    for (std::size_t i = 0; i < map.size(); ++i) {
      const double difference = map[i] - wanted_[i];
      sum += difference * difference / (2 * count);
      map[i] = difference / count;
    }
    return sum;
  }

  template <class Phase>
  void run(Phase phase_two, std::uint64_t bytes, aclOpExecutor* executor) {
    const Memory workspace(bytes + 1);
    CHECK(phase_two(workspace, bytes, executor, stream_));
    CHECK(aclrtSynchronizeStream(stream_));
  }

  void forward(Layer& layer) {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnConvolutionGetWorkspaceSize(layer.input, layer.weight, layer.bias, one_, one_, one_,
                                           false, nullptr, 1, layer.output, 0, &bytes, &executor));
    run(aclnnConvolution, bytes, executor);
  }

  void backward(Layer& layer) {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    const std::int64_t outputs[] = {layer.outputs};
    aclIntArray* const sizes = aclCreateIntArray(outputs, 1);
    CHECK(aclnnConvolutionBackwardGetWorkspaceSize(
        layer.grad_output, layer.input, layer.weight, sizes, one_, one_, one_, false, none_, 1,
        mask_, 0, layer.grad_input, layer.grad_weight, layer.grad_bias, &bytes, &executor));
    run(aclnnConvolutionBackward, bytes, executor);
    CHECK(aclDestroyIntArray(sizes));
  }

  void descend(Tensor& parameter, const Tensor& gradient) {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnAddGetWorkspaceSize(parameter, gradient, factor_, parameter, &bytes, &executor));
    run(aclnnAdd, bytes, executor);
  }

  static Values true_backward(Layer& layer, const Values& gradient) {
    Values of_input(layer.true_input.size(), 0), of_weight(layer.true_weight.size(), 0);
    for_each_product(layer, [&](std::size_t y, std::size_t x, std::size_t w) {
      of_input[x] += gradient[y] * layer.true_weight[w];
      of_weight[w] += gradient[y] * layer.true_input[x];
    });
    for (std::size_t i = 0; i < of_weight.size(); ++i)
      layer.true_weight[i] -= double{rate} * of_weight[i];
    for (std::size_t i = 0; i < gradient.size(); ++i)
      layer.true_bias[i / static_cast<std::size_t>(side * side)] -= double{rate} * gradient[i];
    return of_input;
  }

  aclrtStream stream_;
  std::vector<std::unique_ptr<Layer>> layers_;
  aclIntArray *one_ = nullptr, *none_ = nullptr;
  aclBoolArray* mask_ = nullptr;
  aclScalar* factor_ = nullptr;
  Values sample_, wanted_;
};

int main() {
  const Device device;
  const Stream stream;
  Network network(stream);
  double first = 0, last = 0, difference = 0;
  for (std::int64_t step = 0; step < steps; ++step) {
    last = network.step();
    if (step == 0) first = last;
    difference = std::max(difference, std::abs(last - network.true_step()));
  }
  std::printf("loss falls: %d\n", last < first / 2);
  // Each of the 20 steps adds errors of a few ULP of numbers below 1.
  std::printf("as in double: loss %d, parameters %d\n", difference < 1e-5,
              network.distance() < 1e-5);
  return failures;
}
