#include "properties/advice/explain/code_families.h"

#include <algorithm>

#include "properties/advice/explain/code_rows.h"
#include "properties/advice/explain/runtime_codes.h"
#include "properties/advice/explain/text_rows.h"

namespace gradproof::advice {
namespace {

// How a code begins, what it means, whose fault it can be, what to do. The longest beginning that
// fits counts.
constexpr std::string_view family_rows = R"(
10702 | a stream, an event or a graph capture was used where that is not allowed || stream、event 或图捕获的使用方式不允许 | the program: the calls around a graph capture, or a stream that was stopped; nothing about the operator's parameters || 程序：图捕获前后的调用，或 stream 已停止；与算子的参数无关 | which call between capture begin and end synchronises, uses another stream or cannot be captured? || 捕获开始与结束之间，哪个调用做了同步、用了别的 stream 或不能被捕获？
10703 | a graph capture was disturbed, or its tasks were used where that is not allowed || 图捕获被打断，或其任务的使用方式不允许 | the program: a call during the capture that cannot be captured, or an earlier error in it; nothing about the operator's parameters || 程序：捕获期间有不能被捕获的调用，或此前已出错；与算子的参数无关 | run once without the graph (eager), then look at the first error during the capture || 先不用图（单算子模式）运行一次，再看捕获期间的第一个错误
107 | the runtime was called wrongly: an argument, a handle or a context || 运行时接口调用有误：参数、句柄或 context | the program or the framework that called the runtime, not the convolution || 调用运行时接口的程序或框架，而不是卷积 | the name of the runtime's function next to the code says which call it was || 错误码旁边的运行时接口名说明是哪个调用
207 | a resource of the device is used up, or a feature is not there || 设备资源用尽，或特性不支持 | memory, streams, events or models that the program keeps, or what the device does not offer || 程序占用的内存、stream、event 或 model，或设备不提供的特性 | what else runs on the device (npu-smi info); smaller batches || 设备上还有什么在运行（npu-smi info）；减小 batch
507 | the device or the runtime failed while it ran || 设备或运行时在执行中失败 | a kernel's wrong access, memory that was freed too early, or the device itself; a legal call never leads here by its parameters alone || 核函数访问错误、内存过早释放，或设备本身；合法调用仅凭参数不会导致它 | ASCEND_LAUNCH_BLOCKING=1 shows which operator it is; the device's log (plog) has the first error || 设置 ASCEND_LAUNCH_BLOCKING=1 看是哪个算子；设备日志（plog）里有第一个错误
561 | the operator library failed inside || 算子库内部失败 | the kernel package, its tiling, or resources; a range of the chip || 算子包、tiling 或资源；或芯片的范围 | gradproof explain with the call says whether a range is the reason || 用 gradproof explain 写出调用，可知是否超出范围
E1 | a message of the graph engine (GE) || 图引擎（GE）的报错 | a graph or an option of its compilation; aclnn calls do not pass there || 图或其编译选项；aclnn 调用不经过它 | $first_error
E2 | a message of the graph engine's fusion (FE) || 图引擎融合（FE）的报错 | a graph operator's format or fusion; aclnn calls do not pass there || 图模式算子的格式或融合；aclnn 调用不经过它 | $first_error
E3 | a message of the AI CPU || AI CPU 的报错 | an operator that runs on the AI CPU, or its package (OPP) that does not fit || 在 AI CPU 上运行的算子，或算子包（OPP）不配套 | does the operator package belong to this CANN release and this product? || 算子包与 CANN 版本和产品是否配套？
E4 | a message of the operator compiler (TE Fusion) || 算子编译（TE Fusion）的报错 | a graph operator that could not be compiled || 图模式算子无法编译 | $first_error
E5 | a message of the operator compiler || 算子编译的报错 | a graph operator that could not be compiled || 图模式算子无法编译 | $first_error
E6 | a message of a graph operator on the AI Core || AI Core 图模式算子的报错 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $first_error
E7 | a message of a vector operator's plugin || Vector 算子插件的报错 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $first_error
E8 | a message of a vector operator in the graph || 图中 Vector 算子的报错 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $first_error
EB | a message of an operator's compilation (TBE) || 算子编译（TBE）的报错 | an operator that could not be compiled || 算子无法编译 | $first_error
EE | a message of the runtime || 运行时（Runtime）的报错 | a wrong call of the runtime, or a device that failed; EE9999 is an inner failure || 运行时接口调用有误，或设备失败；EE9999 是内部失败 | $first_error
EH | a message of the ACL interface || ACL 接口的报错 | a wrong argument to an acl function of the program || 程序给 acl 接口的参数有误 | $first_error
EI | a message of the collective communication (HCCL) || 集合通信（HCCL）的报错 | $not_parameters | is every rank alive, and which one reported first? || 每个 rank 是否存活？哪个最先报错？
EJ | a message of the links between devices (HCCP) || 设备互联（HCCP）的报错 | $not_parameters | the network between the devices || 设备之间的网络
EK | a message of profiling || Profiling 的报错 | $not_parameters | $first_error
EL | a message of the driver || 驱动的报错 | memory, rights or the device itself; nothing about the operator's parameters || 内存、权限或设备本身；与算子的参数无关 | npu-smi info; driver, firmware and CANN of releases that belong together || npu-smi info；驱动、固件和 CANN 的版本是否配套
EZ | a message of the operator library (aclnn) || 算子库（aclnn）的报错 | the operator's parameters below 9000, its inside from 9000 || 9000 以下是算子的参数，9000 起是内部失败 | the text after the code names the operator and the parameter || 错误码后面的文字会指出算子和参数
)";

// torch_npu's: ERR, two digits of the part, three of the kind.
constexpr std::string_view framework_kinds = R"(
001 | torch_npu: invalid parameter || torch_npu：参数无效
002 | torch_npu: invalid type || torch_npu：类型无效
003 | torch_npu: invalid value or shape || torch_npu：值或形状无效
004 | torch_npu: invalid pointer || torch_npu：指针无效
005 | torch_npu: internal error || torch_npu：内部错误
006 | torch_npu: memory error || torch_npu：内存错误
007 | torch_npu: feature not supported || torch_npu：特性不支持
008 | torch_npu: resource not found || torch_npu：找不到资源
009 | torch_npu: resource unavailable || torch_npu：资源不可用
010 | torch_npu: a call of the system failed || torch_npu：系统调用失败
011 | torch_npu: timeout || torch_npu：超时
012 | torch_npu: no permission || torch_npu：没有权限
100 | torch_npu: a call of CANN failed || torch_npu：CANN 接口调用失败
200 | torch_npu: a call of the collective communication (HCCL) failed || torch_npu：HCCL 接口调用失败
300 | torch_npu: a call of the graph engine (GE) failed || torch_npu：GE 接口调用失败
)";

std::optional<CodeOfFamily> framework_code(std::string_view code) {
  constexpr std::size_t length = 8;
  if (code.size() != length || !code.starts_with("ERR")) return std::nullopt;
  const auto kinds = table_rows(framework_kinds, 2);
  const auto kind =
      std::ranges::find_if(kinds, [&](auto& row) { return row[0] == code.substr(5); });
  if (kind == kinds.end()) return std::nullopt;
  return CodeOfFamily{
      .name = {},
      .meaning = clause_of((*kind)[1]),
      .causes =
          {"the program's use of torch_npu, or what CANN returned; the line before it says which",
           "程序对 torch_npu 的使用，或 CANN 的返回；前一行说明是哪个"},
      .look_at = {"the message next to the code and the CANN code before it",
                  "错误码旁的文字和之前的 CANN 错误码"}};
}

}  // namespace

std::optional<CodeOfFamily> family_of_code(std::string_view code) {
  if (auto found = framework_code(code)) return found;
  static const auto families = table_rows(family_rows, 4);
  const std::vector<std::string_view>* best = nullptr;
  for (const auto& family : families) {
    const bool is_longer = best == nullptr || family[0].size() > (*best)[0].size();
    if (code.starts_with(family[0]) && is_longer) best = &family;
  }
  if (best == nullptr || code.size() != 6) return std::nullopt;
  const std::string_view name = name_of_runtime_code(code);
  const bool is_number = code[0] != 'E';
  // A number of no name may be a size: it is no code.
  if (is_number && name.empty()) return std::nullopt;
  return CodeOfFamily{.name = std::string(name),
                      .meaning = shared_clause((*best)[1]),
                      .causes = shared_clause((*best)[2]),
                      .look_at = shared_clause((*best)[3])};
}

}  // namespace gradproof::advice
