// How many functions of the tables a program finds: declared, simulated, and answering that they
// are not supported. The rows are generated from the tables.
#include <string>
#include <type_traits>
#include <vector>

#include "acl/acl_dump.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_rt_memory_soma.h"
#include "acl/acl_tdt.h"
#include "family.h"

struct Row {
  std::string name;
  bool simulated, refuses;
};

static bool is_refusal(aclError code) { return code == ACL_ERROR_API_NOT_SUPPORT; }
static bool is_refusal(const void* pointer) { return pointer == nullptr; }
static bool is_refusal(std::size_t number) { return number == 0; }
static bool is_refusal(std::uint32_t number) { return number == 0; }
static bool is_refusal(aclFormat format) { return format == 0; }
static bool is_refusal(aclDataType type) { return type == 0; }

/// What a function answers to zeros; what is simulated is not called.
template <class Result, class... Arguments>
Row row(const char* name, const std::string& answer, Result (*function)(Arguments...)) {
  if (answer == "simulated") return {name, true, false};
  const bool refuses = is_refusal(function(typename std::remove_cv<Arguments>::type()...));
  const char* const text = aclGetRecentErrMsg();
  const bool names_itself = text != nullptr && std::string(text).find(name) != std::string::npos;
  return {name, false, refuses && names_itself};
}

#include "function_rows.inc"

int main() {
  const Device device;
  int declared = 0, simulated = 0, refusing = 0;
  for (const Row& one : rows()) {
    ++declared;
    simulated += one.simulated ? 1 : 0;
    refusing += one.refuses ? 1 : 0;
  }
  std::printf("declared %d, simulated %d, answering 'not supported' %d\n", declared, simulated,
              refusing);
  return failures;
}
