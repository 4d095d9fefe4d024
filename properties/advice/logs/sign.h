#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::advice {

/// What a text is about. In the order in which kinds are named.
enum class LogKind : std::uint8_t {
  OtherOperator,
  OutOfMemory,
  Installation,
  GraphOperator,
  GraphCapture,  ///< of an NPU graph: a call that cannot be captured, or its end
  VersionLimit,
  Product,
  Communication,  ///< between devices (HCCL)
  DeviceFault,    ///< of a kernel or the device, after all checks
  InnerOperator,  ///< failed inside of the operator library; no parameter is named
  Runtime,        ///< the runtime refused a call: an argument, a handle, a context
  Crash,
  Parameter,  ///< a parameter was refused, and the text says which or returns
              ///< such a status
  Framework,  ///< refused by a framework before any device
  Precision,
  Call,  ///< holds a call, whole or in part
  Unknown,
};

std::string_view words_of(LogKind kind);

/// Phrases by which a text is understood, a row of a table.
struct Sign {
  LogKind kind = LogKind::Unknown;  ///< Unknown: it says none
  std::string_view phrases;         ///< patterns, in small letters; "A + B": B in the line as well
  std::string_view rule;            ///< that the message states, in its own words; empty: none
  std::string_view meaning;         ///< for a person; {0} is the pattern's first number
  std::string_view next;            ///< what to do
};

const std::vector<Sign>& all_signs();

/// Words with what several signs advise in the place of its name: "$aclnn".
std::string with_advice(std::string_view next);

/// What a line of a text means.
struct FoundSign {
  LogKind kind = LogKind::Unknown;
  std::string rule, meaning, next;
  std::size_t line = 0;
  std::string_view text;  ///< the line, as it is in the log
};

/// The first place of each sign. Of a line, one alone is of a refusal.
std::vector<FoundSign> signs_in(std::string_view text);

/// Sentences of a text that name an attribute or a tensor and what is wrong with it ("stride[0] 0
/// should be greater than 0", "参数 padding 的值 -1 非法"), with the rule that they state. What
/// they say of pooling, matrices and the like is left out, and a rule that the stated value keeps.
std::vector<FoundSign> claims_in(std::string_view text);

/// Words of operators that have attributes of the same names, bars between.
inline constexpr std::string_view words_of_others =
    R"(pool|matmul|linear|lstm|attention|norm|softmax|embed|interpolat|unfold|scatter|gather|resize|optimizer|dense|池化)";

/// The demand of a rule in English; empty: no such rule.
std::string_view demand_of(std::string_view id);

}  // namespace gradproof::advice
