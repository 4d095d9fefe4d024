#include "properties/advice/explain/code_rows.h"

#include <algorithm>

#include "properties/advice/explain/text_rows.h"

namespace gradproof::advice {
namespace {

// Code (a ? is any digit), CANN's name, what it says, its causes on this API, what to look at,
// statuses of the rules that lead to it; both languages with two bars between. The first row that
// fits counts: a code's own, then those of its part of CANN's and torch_npu's numbering.
constexpr std::string_view code_table = R"(
0 | ACLNN_SUCCESS |  | the call breaks no rule; phase two still has to be awaited || 调用没有违反任何规则；第二段接口的结果还要等待 | synchronise the stream: a fault of the kernel shows only there || 同步 stream：核函数的故障到那时才会出现
161001 | ACLNN_ERR_PARAM_NULLPTR |  | a required tensor, array or pointer is null: gradOutput, input, weight, stride, padding, dilation, outputMask, a gradient that outputMask asks for, biasSizes where gradBias is asked for, workspaceSize, executor || 必选的 tensor、数组或指针为空：gradOutput、input、weight、stride、padding、dilation、outputMask、outputMask 要求计算的梯度、计算 gradBias 时的 biasSizes、workspaceSize、executor | does outputMask ask for a gradient that is null? || outputMask 是否要求计算一个为空指针的梯度？ | 161001
161002 | ACLNN_ERR_PARAM_INVALID |  | a dtype, format, shape, attribute or mode is excluded on this product || 数据类型、数据格式、形状、属性或计算模式在该产品上不允许 | type the call: gradproof explain --input ... --weight ... names the rule and a change that mends it; the message after EZ1001 names the parameter || 把调用写出来：gradproof explain --input ... --weight ... 会指出违反的规则和改法；EZ1001 后面的文字会指出参数 | 161002
361001 | ACLNN_ERR_RUNTIME_ERROR |  | a call of the runtime failed inside the operator || 算子内部调用运行时接口失败 | is a device set (aclrtSetDevice), is the stream alive, what does the log's runtime code say? || 是否已设置设备（aclrtSetDevice）？stream 是否有效？日志中的运行时错误码是什么？
561000 | ACLNN_ERR_INNER |  | the library failed inside || 算子库内部失败 | where every call returns it: is the toolkit's environment set (source set_env.sh)? || 如果所有调用都返回它：是否已设置 CANN 的环境变量（source set_env.sh）？
561001 | ACLNN_ERR_INNER_INFERSHAPE_ERROR |  | shape inference of an inner operator failed; this API reports it as 561103 || 内部算子的形状推导失败；本接口以 561103 返回 | as 561103 || 同 561103
561002 | ACLNN_ERR_INNER_TILING_ERROR |  | no tiling fits the device; this API reports it as 561103 || 没有适合该设备的 tiling；本接口以 561103 返回 | as 561103 || 同 561103
561003 | ACLNN_ERR_INNER_FIND_KERNEL_ERROR |  | there is no kernel for the device and dtypes; this API reports it as 561103 || 没有适合该设备和数据类型的核函数；本接口以 561103 返回 | does the kernel package belong to this CANN release and this product? || 算子包与 CANN 版本和产品是否配套？
561101 | ACLNN_ERR_INNER_CREATE_EXECUTOR |  | no executor could be made || 无法创建 executor | host memory; a library that was loaded in part || 主机内存是否足够？库是否加载完整？
561102 | ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR |  | an executor was not handed over || executor 没有传递下去 | is the executor of this call, and is it used once? || executor 是否属于这次调用？是否只用了一次？
561103 | ACLNN_ERR_INNER_NULLPTR |  | an inner operator refused: a kernel, stride or length is beyond the range of the chip, an output padding that lengths do not allow, no tiling that fits, or a missing kernel; shape inference (561001), tiling (561002) and kernel (561003) all end as this code || 内部算子拒绝：卷积核、步长或长度超出芯片的范围，输出填充与长度不符，没有合适的 tiling，或缺少核函数；形状推导（561001）、tiling（561002）和核函数（561003）的失败最终都是这个码 | gradproof explain with the call says whether a range is the reason; where the call is legal, resources or the kernel package are || 用 gradproof explain 写出调用，可知是否超出范围；若调用合法，则是资源或算子包的问题 | 561103
561107 | ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND |  | the operator package is not found: ASCEND_OPP_PATH is not set, or wrong || 找不到算子包：ASCEND_OPP_PATH 未设置或有误 | source the set_env.sh of the installed CANN || 执行所装 CANN 的 set_env.sh
561112 | ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND |  | the package of compiled kernels is not installed, or is of another product || 未安装算子二进制包，或装的是别的产品的 | install the kernel package of the same CANN release for this product || 安装同一 CANN 版本、该产品的算子二进制包
EZ1001 |  | a message about a parameter || 关于参数的报错 | goes with 161001 or 161002; the text after it names the parameter that was refused || 与 161001 或 161002 一起出现；后面的文字会指出被拒绝的参数 | gradproof explain with the call names the rule; "only supports groups = 1 or groups = cin" is a limit of CANN 8.0.RC3, not of today's rules || 用 gradproof explain 写出调用，可知违反了哪条规则；“only supports groups = 1 or groups = cin” 是 CANN 8.0.RC3 的限制，现在的规则没有 | 161001 161002
EZ9999 |  | a message about an inner failure || 关于内部失败的报错 | goes with 561...: an inner operator, its tiling or its kernel failed || 与 561... 一起出现：内部算子、它的 tiling 或核函数失败 | "Parse dynamic kernel config fail" means that the kernel package does not fit the device || “Parse dynamic kernel config fail” 表示算子包与设备不配套 | 561103
E69999 |  | an inner failure of the graph engine || 图引擎内部失败 | $graph_cause | $graph_advice
E89999 |  | an inner failure of an operator || 算子内部失败 | an operator's checks, tiling or kernel failed: the one of the aclnn call that the log names, or else a graph operator || 算子的检查、tiling 或核函数失败：日志中 aclnn 接口的算子，否则是图模式算子 | $first_error
E60108 |  | a graph operator's parameter that it does not support || 图模式算子不支持的参数 | $graph_cause | $graph_advice
500002 | ACL_ERROR_GE_FAILURE | the graph engine failed || 图引擎失败 | no code of this API: a graph operator such as Conv3DBackpropFilter was compiled, or a converted model (.om) loaded || 不是本接口的错误码：编译了 Conv3DBackpropFilter 之类的图模式算子，或加载了转换后的模型（.om） | $graph_advice
107002 | ACL_ERROR_RT_CONTEXT_NULL | the thread has no context || 线程没有 context | a call before aclrtSetDevice or aclrtSetCurrentContext, or from another thread; nothing about the parameters || 在 aclrtSetDevice 或 aclrtSetCurrentContext 之前调用，或在别的线程中调用；与参数无关 | is a device set in the thread that calls? || 调用的线程是否已设置设备？
200000 | ACL_ERROR_BAD_ALLOC | memory could not be allocated || 申请内存失败 | the host's memory, as a rule; nothing about the parameters || 通常是主机内存不足；与参数无关 | fewer workers or smaller batches on the host || 减少主机上的进程或批大小 |
200001 | ACL_ERROR_API_NOT_SUPPORT | the library does not offer this call || 库不提供这个接口 | a function of the runtime that is not there in this release or on this device; nothing about the parameters || 这个版本或这个设备没有该运行时接口；与参数无关 | $matching_releases
500001 | ACL_ERROR_FAILURE | a failure inside of which nothing more is said || 没有更多说明的内部失败 | as a rule a graph operator that could not be compiled; nothing about the parameters || 通常是图模式算子无法编译；与参数无关 | the log's other lines; does the kernel package belong to this CANN release and this product? || 看日志的其他行；算子包与 CANN 版本和产品是否配套？
207001 |  | out of device memory || 设备内存不足 | the tensors and the workspace do not fit || tensor 和 workspace 放不下 | gradproof explain with the call says how many bytes both take || 用 gradproof explain 写出调用，可知两者各占多少字节
507014 |  | the AI Core took too long || AI Core 执行超时 | phase two: a kernel that does not end; no rule of phase one has this code || 第二段接口：核函数不结束；第一段接口的规则都不会导致它 | the call alone, ASCEND_LAUNCH_BLOCKING=1, another release of the kernel package || 单独执行这次调用，设置 ASCEND_LAUNCH_BLOCKING=1，换一个版本的算子包
507015 |  | an exception in the AI Core || AI Core 异常 | phase two: a kernel's wrong access; a legal call never leads here by its parameters || 第二段接口：核函数访问错误；合法调用的参数不会导致它 | set ASCEND_LAUNCH_BLOCKING=1 to see which operator it is; is any tensor freed too early? || 设置 ASCEND_LAUNCH_BLOCKING=1 看是哪个算子；是否有 tensor 过早释放？
507033 | ACL_ERROR_RT_DEV_SETUP_ERROR | the device could not be set up || 设备初始化失败 | the driver or its daemon (tsd) did not answer, often in a container; nothing about the parameters || 驱动或其守护进程（tsd）没有响应，常见于容器；与参数无关 | npu-smi info where the program runs; are the devices, the driver and its daemon mounted there? || 在程序所在环境执行 npu-smi info；设备、驱动和守护进程是否已挂载？
507899 |  | an inner failure of the driver || 驱动内部失败 | nothing about the parameters || 与参数无关 | $matching_releases
EZ3002 |  | the graph engine has no such operator, or not with these dtypes and formats || 图引擎没有该算子，或不支持这些数据类型和格式 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $graph_advice
EZ9010 |  | no parser is registered for a graph operator || 图模式算子没有注册解析器 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $graph_advice
EZ9903 |  | the operator library met a failure of the runtime || 算子库遇到运行时错误 | the runtime or the device, not the operator's parameters || 运行时或设备；与算子的参数无关 | the message after it, and the device's log (plog) || 错误码后面的文字和设备日志（plog）
EE1001 |  | an argument of a runtime function is invalid || 运行时接口的参数无效 | the program or the framework that called the runtime (a device's number, a null context), not the convolution || 调用运行时接口的程序或框架（设备号、空的 context），而不是卷积 | the reason behind it names the function and the argument || 后面的原因会指出接口和参数
ERR99999 |  | torch_npu: the program raised an exception || torch_npu：程序抛出异常 | the program, e.g. a CPU tensor given to a communication operator || 程序，例如把 CPU tensor 给了通信算子 | the Python frames next to it || 旁边的 Python 调用栈
ERR??001 |  | torch_npu: invalid parameter || torch_npu：参数无效 | $torch_npu | $torch_npu_next
ERR??002 |  | torch_npu: invalid type || torch_npu：类型无效 | $torch_npu | $torch_npu_next
ERR??003 |  | torch_npu: invalid value or shape || torch_npu：值或形状无效 | $torch_npu | $torch_npu_next
ERR??004 |  | torch_npu: invalid pointer || torch_npu：指针无效 | $torch_npu | $torch_npu_next
ERR??005 |  | torch_npu: internal error || torch_npu：内部错误 | $torch_npu | $torch_npu_next
ERR??006 |  | torch_npu: memory error || torch_npu：内存错误 | $torch_npu | $torch_npu_next
ERR??007 |  | torch_npu: feature not supported || torch_npu：特性不支持 | $torch_npu | $torch_npu_next
ERR??008 |  | torch_npu: resource not found || torch_npu：找不到资源 | $torch_npu | $torch_npu_next
ERR??009 |  | torch_npu: resource unavailable || torch_npu：资源不可用 | $torch_npu | $torch_npu_next
ERR??010 |  | torch_npu: a call of the system failed || torch_npu：系统调用失败 | $torch_npu | $torch_npu_next
ERR??011 |  | torch_npu: timeout || torch_npu：超时 | $torch_npu | $torch_npu_next
ERR??012 |  | torch_npu: no permission || torch_npu：没有权限 | $torch_npu | $torch_npu_next
ERR??100 |  | torch_npu: a call of CANN failed || torch_npu：CANN 接口调用失败 | $torch_npu | $torch_npu_next
ERR??200 |  | torch_npu: a call of the collective communication (HCCL) failed || torch_npu：HCCL 接口调用失败 | $torch_npu | $torch_npu_next
ERR??300 |  | torch_npu: a call of the graph engine (GE) failed || torch_npu：GE 接口调用失败 | $torch_npu | $torch_npu_next
100002 |  | acl was initialised before in this process || 本进程已初始化过 acl | harmless as a rule: another library, such as a framework, called aclInit first || 通常无害：框架等其他库已先调用 aclInit | call aclInit once, or take this code as success || 只调用一次 aclInit，或把该返回码当作成功
107001 |  | there is no device of that number || 没有该编号的设备 | the program's device number, or devices that are not mapped into the container || 程序给的设备号，或容器未映射该设备 | npu-smi info; ASCEND_RT_VISIBLE_DEVICES || npu-smi info；ASCEND_RT_VISIBLE_DEVICES
107003 |  | a stream was used in another context than its own || 在别的 context 中使用了 stream | the program: a stream of another device or thread, or one that outlived its context; nothing about the parameters || 程序：stream 属于别的设备或线程，或其 context 已销毁；与参数无关 | set the stream's device in the thread that uses it || 在使用 stream 的线程中设置它的设备
207000 |  | the device or this release does not offer a feature || 设备或该版本不支持某特性 | the program asked for what this product does not have; nothing about the parameters || 程序使用了该产品没有的特性；与参数无关 | the runtime's function next to the code says which || 错误码旁边的接口名说明是哪个
207008 |  | there are no more streams || stream 用尽 | streams that the program or the communication (HCCL) keeps; nothing about the parameters || 程序或集合通信（HCCL）占用的 stream；与参数无关 | fewer streams, communicators or processes on the device || 减少该设备上的 stream、通信域或进程
207018 |  | out of device memory || 设备内存不足 | the tensors and the workspace do not fit || tensor 和 workspace 放不下 | npu-smi info; smaller batches; gradproof explain with the call says how many bytes both take || npu-smi info；减小 batch；用 gradproof explain 写出调用，可知各占多少字节
507011 |  | the work of a stream or a model failed || stream 或 model 的任务执行失败 | not memory by itself: an earlier task, such as a copy with a wrong address, or another process that ended || 不一定是内存：此前的任务（例如地址错误的拷贝），或别的进程退出 | $first_error
507017 |  | the AI CPU took too long || AI CPU 执行超时 | an operator that runs on the AI CPU, such as indexing or sampling; a convolution does not || 在 AI CPU 上运行的算子，例如索引或采样；卷积不在其上 | $blocking
507018 |  | an exception in the AI CPU || AI CPU 异常 | an operator that runs on the AI CPU, such as indexing with an index out of range; a convolution does not || 在 AI CPU 上运行的算子，例如索引越界；卷积不在其上 | $blocking
507034 |  | the vector core took too long || Vector Core 执行超时 | a kernel on the vector cores that does not end; a convolution runs on the cube cores || Vector Core 上的核函数不结束；卷积在 Cube Core 上 | $blocking
507035 |  | an exception in the vector core || Vector Core 异常 | a kernel's wrong access on the vector cores, memory that was freed too early, or the device; a convolution runs on the cube cores || Vector Core 上的核函数访问错误、内存过早释放，或设备本身；卷积在 Cube Core 上 | $blocking
507046 |  | waiting for a stream took too long || 等待 stream 超时 | a task on it that does not end: a kernel, or a rank that others wait for (HCCL) || stream 上有任务不结束：核函数，或被等待的 rank（HCCL） | $blocking
507047 |  | waiting for an event took too long || 等待 event 超时 | a task before the event that does not end: a kernel, or a rank that others wait for (HCCL) || event 之前的任务不结束：核函数，或被等待的 rank（HCCL） | $blocking
507053 |  | an error of the device's memory that could not be corrected (UCE) || 设备内存出现不可纠正的错误（UCE） | the device's memory, not a parameter; the operator that is named only met it || 设备内存，而不是参数；日志中的算子只是碰上了它 | npu-smi info -t ecc -i ID; start again from a checkpoint, on another device if it comes again || npu-smi info -t ecc -i ID；从检查点重启，再次出现则换设备
507054 |  | errors of several bits in the device's memory || 设备内存多比特错误 | the device's memory, not a parameter; the operator that is named only met it || 设备内存，而不是参数；日志中的算子只是碰上了它 | npu-smi info -t ecc -i ID; another device || npu-smi info -t ecc -i ID；换设备
10702? |  | a stream, an event or a graph capture was used where that is not allowed || stream、event 或图捕获的使用方式不允许 | the program: the calls around a graph capture, or a stream that was stopped; nothing about the operator's parameters || 程序：图捕获前后的调用，或 stream 已停止；与算子的参数无关 | which call between capture begin and end synchronises, uses another stream or cannot be captured? || 捕获开始与结束之间，哪个调用做了同步、用了别的 stream 或不能被捕获？
10703? |  | a graph capture was disturbed, or its tasks were used where that is not allowed || 图捕获被打断，或其任务的使用方式不允许 | the program: a call during the capture that cannot be captured, or an earlier error in it; nothing about the operator's parameters || 程序：捕获期间有不能被捕获的调用，或此前已出错；与算子的参数无关 | run once without the graph (eager), then look at the first error during the capture || 先不用图（单算子模式）运行一次，再看捕获期间的第一个错误
100??? |  | acl was called wrongly: an argument, its order or a file || acl 接口调用有误：参数、顺序或文件 | the program or the framework that called acl, not the convolution || 调用 acl 的程序或框架，而不是卷积 | the acl function next to the code says which call it was || 错误码旁边的 acl 接口名说明是哪个调用
107??? |  | the runtime was called wrongly: an argument, a handle or a context || 运行时接口调用有误：参数、句柄或 context | the program or the framework that called the runtime, not the convolution || 调用运行时接口的程序或框架，而不是卷积 | the name of the runtime's function next to the code says which call it was || 错误码旁边的运行时接口名说明是哪个调用
207??? |  | a resource of the device is used up, or a feature is not there || 设备资源用尽，或特性不支持 | memory, streams, events or models that the program keeps, or what the device does not offer || 程序占用的内存、stream、event 或 model，或设备不提供的特性 | what else runs on the device (npu-smi info); smaller batches || 设备上还有什么在运行（npu-smi info）；减小 batch
500??? |  | a failure inside of CANN || CANN 内部失败 | $not_parameters | $first_error
507??? |  | the device or the runtime failed while it ran || 设备或运行时在执行中失败 | a kernel's wrong access, memory that was freed too early, or the device itself; a legal call never leads here by its parameters alone || 核函数访问错误、内存过早释放，或设备本身；合法调用仅凭参数不会导致它 | $blocking
561??? |  | the operator library failed inside || 算子库内部失败 | the kernel package, its tiling, or resources; a range of the chip || 算子包、tiling 或资源；或芯片的范围 | gradproof explain with the call says whether a range is the reason || 用 gradproof explain 写出调用，可知是否超出范围
E1???? |  | a message of the graph engine (GE) || 图引擎（GE）的报错 | a graph or an option of its compilation; aclnn calls do not pass there || 图或其编译选项；aclnn 调用不经过它 | $first_error
E2???? |  | a message of the graph engine's fusion (FE) || 图引擎融合（FE）的报错 | a graph operator's format or fusion; aclnn calls do not pass there || 图模式算子的格式或融合；aclnn 调用不经过它 | $first_error
E3???? |  | a message of the AI CPU || AI CPU 的报错 | an operator that runs on the AI CPU, or its package (OPP) that does not fit || 在 AI CPU 上运行的算子，或算子包（OPP）不配套 | does the operator package belong to this CANN release and this product? || 算子包与 CANN 版本和产品是否配套？
E4???? |  | a message of the operator compiler (TE Fusion) || 算子编译（TE Fusion）的报错 | a graph operator that could not be compiled || 图模式算子无法编译 | $first_error
E5???? |  | a message of the operator compiler || 算子编译的报错 | a graph operator that could not be compiled || 图模式算子无法编译 | $first_error
E6???? |  | a message of a graph operator on the AI Core || AI Core 图模式算子的报错 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $first_error
E7???? |  | a message of a vector operator's plugin || Vector 算子插件的报错 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $first_error
E8???? |  | a message of a vector operator in the graph || 图中 Vector 算子的报错 | a graph operator, not the aclnn call || 图模式算子，而不是 aclnn 调用 | $first_error
EB???? |  | a message of an operator's compilation (TBE) || 算子编译（TBE）的报错 | an operator that could not be compiled || 算子无法编译 | $first_error
EE???? |  | a message of the runtime || 运行时（Runtime）的报错 | a wrong call of the runtime, or a device that failed; EE9999 is an inner failure || 运行时接口调用有误，或设备失败；EE9999 是内部失败 | $first_error
EH???? |  | a message of the ACL interface || ACL 接口的报错 | a wrong argument to an acl function of the program || 程序给 acl 接口的参数有误 | $first_error
EI???? |  | a message of the collective communication (HCCL) || 集合通信（HCCL）的报错 | $not_parameters | is every rank alive, and which one reported first? || 每个 rank 是否存活？哪个最先报错？
EJ???? |  | a message of the links between devices (HCCP) || 设备互联（HCCP）的报错 | $not_parameters | the network between the devices || 设备之间的网络
EK???? |  | a message of profiling || Profiling 的报错 | $not_parameters | $first_error
EL???? |  | a message of the driver || 驱动的报错 | memory, rights or the device itself; nothing about the operator's parameters || 内存、权限或设备本身；与算子的参数无关 | npu-smi info; driver, firmware and CANN of releases that belong together || npu-smi info；驱动、固件和 CANN 的版本是否配套
EZ???? |  | a message of the operator library (aclnn) || 算子库（aclnn）的报错 | the operator's parameters below 9000, its inside from 9000 || 9000 以下是算子的参数，9000 起是内部失败 | the text after the code names the operator and the parameter || 错误码后面的文字会指出算子和参数
)";

// What several rows say.
constexpr std::string_view shared_clauses = R"(
$graph_cause | no code of this API: a graph operator such as Conv3DBackpropFilter was compiled instead || 不是本接口的错误码：实际编译的是 Conv3DBackpropFilter 之类的图模式算子
$graph_advice | torch.npu.set_compile_mode(jit_compile=False) and torch.npu.config.allow_internal_format = False make torch_npu call this API || 设置 torch.npu.set_compile_mode(jit_compile=False) 和 torch.npu.config.allow_internal_format = False，torch_npu 才会调用本接口
$matching_releases | driver, firmware and CANN of releases that belong together || 驱动、固件和 CANN 的版本是否配套
$first_error | the first error in the log decides; those after it follow from it || 以日志中的第一个错误为准；后面的错误由它引起
$not_parameters | nothing about the operator's parameters || 与算子的参数无关
$blocking | ASCEND_LAUNCH_BLOCKING=1 shows which operator it is; the device's log (plog) has the first error || 设置 ASCEND_LAUNCH_BLOCKING=1 看是哪个算子；设备日志（plog）里有第一个错误
$torch_npu | the program's use of torch_npu, or what CANN returned; the line before it says which || 程序对 torch_npu 的使用，或 CANN 的返回；前一行说明是哪个
$torch_npu_next | the message next to the code and the CANN code before it || 错误码旁的文字和之前的 CANN 错误码
)";

corpus::Clause clause(std::string_view cell) {
  static const auto shared = table_rows(shared_clauses, 2);
  const auto found = std::ranges::find_if(shared, [&](auto& row) { return row[0] == cell; });
  return clause_of(found == shared.end() ? cell : (*found)[1]);
}

bool is_numeral(char letter) { return letter >= '0' && letter <= '9'; }

bool fits(std::string_view pattern, std::string_view code) {
  return std::ranges::equal(pattern, code, [](char sign, char letter) {
    return sign == letter || (sign == '?' && is_numeral(letter));
  });
}

/// CANN's name of a code of its runtime; empty: none.
std::string_view name_in_header(std::string_view code) {
  const std::size_t end = runtime_header.find(" " + std::string(code) + "\n");
  if (end == std::string_view::npos) return {};
  const std::size_t begin = runtime_header.rfind(' ', end - 1) + 1;
  return runtime_header.substr(begin, end - begin);
}

}  // namespace

std::span<const CodeRow> code_rows() {
  static const std::vector<CodeRow> rows = [] {
    std::vector<CodeRow> all;
    for (const auto& row : table_rows(code_table, 6))
      all.push_back({std::string(row[0]), std::string(row[1]), clause(row[2]), clause(row[3]),
                     clause(row[4]), row[5]});
    return all;
  }();
  return rows;
}

std::optional<CodeRow> code_row(std::string_view code) {
  const auto rows = code_rows();
  const auto found = std::ranges::find_if(rows, [&](auto& row) { return fits(row.code, code); });
  if (found == rows.end()) return std::nullopt;
  CodeRow row = *found;
  const bool is_own = row.code == code || !is_numeral(code[0]);
  row.code = code;
  if (row.name.empty()) row.name = name_in_header(code);
  if (is_own) return row;
  // A number of no name may be a size: it is no code.
  return row.name.empty() ? std::nullopt : std::optional(std::move(row));
}

}  // namespace gradproof::advice
