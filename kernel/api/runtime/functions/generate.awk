# Reads the tables of functions and prints what follows from them.
#   awk -v what=stubs|simulated|not_simulated|offline_models|table|test -f generate.awk TABLE.txt...
# simulated, not_simulated, offline_models: the headers of these names.
# A table is a family: its title after "# ", then a row for each function, ANSWER [deprecated [for OTHER]] [in HEADER] | PROTOTYPE.
# ANSWER: "simulated", or what a function answers that is only declared: 200001, null, 0. OTHER: what to call instead. HEADER, or a
# title that ends with ", declared in HEADER", names the header that declares it where the first two do not.
function fail(message) {
  print FILENAME ":" FNR ": " message > "/dev/stderr"
  failed = 1
  exit 1
}
function name_of(prototype) {
  sub(/\(.*/, "", prototype)
  sub(/.*[ *]/, "", prototype)
  return prototype
}
function is_header() { return what ~ /^(simulated|not_simulated|offline_models)$/ }
function start() {
  if (is_header()) {
    guard = "GRADPROOF_ACL_RUNTIME_" toupper(what) "_H"
    print "/* Generated from kernel/api/runtime/functions/. */\n/* clang-format off */"
    print "#ifndef " guard "\n#define " guard "\n"
    print "#include \"acl/" (what == "offline_models" ? "acl_mdl.h" : "runtime/model_structures.h") "\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif"
    if (what != "simulated") print "\n/* Declared and not simulated. They write nothing, say so in aclGetRecentErrMsg and answer ACL_ERROR_API_NOT_SUPPORT\n * (200001), or null or 0 where they return no aclError. */"
  } else if (what == "stubs") {
    print "#include \"acl/acl.h\"\n#include \"acl/acl_dump.h\"\n#include \"acl/acl_mdl.h\"\n#include \"acl/acl_op_compiler.h\"\n#include \"acl/acl_rt_memory_soma.h\"\n#include \"acl/acl_tdt.h\"\n#include \"kernel/api/runtime/entry.h\"\n"
    print "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
    print "namespace {\naclError unsupported(const char* function) {\n  return gradproof::kernel::api::entry(\n      [function] { return gradproof::kernel::api::refuse_unsupported(function); });\n}\n}  // namespace\n\nextern \"C\" {"
  } else if (what == "test") {
    print "extern \"C\" {"
  }
}
function stub(prototype, name) {
  print prototype " {"
  if (answer == "200001") print "  return unsupported(\"" name "\");"
  else print "  unsupported(\"" name "\");\n  return {};"
  print "}"
}
function program(name) {
  if (simulated_in_family == 0) return ""
  name = table
  gsub(/.*\/|\.txt$/, "", name)
  return "[" name "](../tests/drop_in/families/" name ".cpp)"
}
function end_of_family() {
  if (title == "" || what != "table") return
  families = families "| " title " | " simulated_in_family "/" in_family " | " program() " |\n"
}
BEGIN { start() }
FNR == 1 {
  end_of_family()
  if ($0 !~ /^# ./) fail("the first line is no title")
  title = substr($0, 3)
  table = FILENAME
  in_family = simulated_in_family = 0
  if (is_header()) comment = "\n/* " title " */"
  next
}
{
  if ($0 !~ /^(simulated|200001|null|0)( deprecated( for [a-zA-Z]+)?)?( in [a-z_.]+)? \| [^(]+\(.*\)$/) fail("no row: " $0)
  answer = $1
  deprecation = $2 != "deprecated" ? "" : "ACL_DEPRECATED_MESSAGE(\"" ($3 == "for" ? "use " $4 : "not simulated") "\") "
  is_elsewhere = title ~ /, declared in / || substr($0, 1, index($0, "|")) ~ / in /
  is_in_header = what == "offline_models" ? table ~ /offline_models/ : !is_elsewhere && (answer == "simulated") == (what == "simulated")
  prototype = substr($0, index($0, "|") + 2)
  name = name_of(prototype)
  if (name in seen) fail(name " has a row already")
  seen[name] = 1
  ++total; ++in_family
  if (answer == "simulated") { ++simulated; ++simulated_in_family }
  if (what == "test") { print prototype ";"; rows[total] = name; answers[total] = answer }
  if (what == "stubs" && answer != "simulated") stub(prototype, name)
  if (is_header() && is_in_header) {
    if (comment != "") print comment
    comment = ""
    print deprecation "ACL_FUNC_VISIBILITY " prototype ";"
  }
}
END {
  if (failed) exit 1
  end_of_family()
  if (is_header()) print "\n#ifdef __cplusplus\n}\n#endif\n\n#endif"
  if (what == "stubs") print "}  // extern \"C\""
  if (what == "table") {
    print total " functions: " simulated " simulated, " total - simulated " declared.\n"
    printf "| family | simulated | a program |\n|---|---|---|\n%s", families
  }
  if (what == "test") {
    print "}  // extern \"C\"\n\nconst std::vector<Row>& rows() {\n  static const std::vector<Row> all{"
    for (i = 1; i <= total; ++i) print "      row(\"" rows[i] "\", \"" answers[i] "\", &" rows[i] "),"
    print "  };\n  return all;\n}"
  }
}
