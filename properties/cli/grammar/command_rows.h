#pragma once

// The table of commands. options.cpp makes the parser of it.

#include <string>

#include "properties/cli/grammar/option_rows.h"

namespace gradproof::cli::rows {

enum class Operands : unsigned char {
  None,
  Explained,
  MaybeCall,
  Tensors,
  FilesOrCall,
  Results,
  Topic,
  CallOnly,
  Scope,
  FaultNames,
  Candidate
};

/// A command, what it does, and its operands.
struct CommandRow {
  const char* name;
  const char* help;
  unsigned modes;  ///< the first is the command without further words
  Operands operands;
  const char* examples;  ///< lines of the help
};
inline constexpr CommandRow command_rows[] = {
    {"verify",
     "stored cases first, then generated ones, until the budget ends; or one CALL under fresh data",
     Verify, Operands::MaybeCall,
     "  gradproof verify --time 60s\n"
     "  gradproof verify \"input:2,3,32,32 weight:8,3,3,3 stride:2\" --cases 20\n"
     "  gradproof verify --target ./libmy_opapi.so --soc Ascend910B3 --dtype bf16 --seed 1\n"},
    {"replay",
     "the cases of JSON Lines files (- is the standard input), or a call's options; --shrink makes "
     "the first failing one small",
     replaying, Operands::FilesOrCall,
     "  gradproof replay gradproof-out/findings/disagree-value-exactness-gradInput.json\n"
     "  gradproof replay --input 2,3,224,224 --weight 64,3,7,7 --stride 2 --padding 3 --soc "
     "910B\n"
     "  gradproof replay --shrink failing.jsonl --target ./libmy_opapi.so > small.jsonl\n"},
    {"explain",
     "why a call is legal or not, and how exactly it is computed: FILE, a call's options, a module "
     "such as \"Conv2d(3, 64, 7)\"; or what a status, message code, rule or pasted log means",
     explaining, Operands::Explained,
     "  gradproof explain --input 2,3,224,224 --weight 64,3,7,7 --stride 2 --padding 3 --dtype "
     "bf16\n"
     "  gradproof explain 161002\n"
     "  gradproof explain --log error.txt\n"
     "  gradproof explain --tolerance --input 32,64,56,56 --weight 64,64,3,3 --padding 1 --soc "
     "910B\n"},
    {"judge",
     "the verdict on tensors of your own: files of gradOutput, input, weight and the gradients, or "
     "the output, that your code made of them; DIR, FILES or TENSOR=FILE, .npy or bare elements",
     Judge, Operands::Tensors,
     "  gradproof judge dumps --stride 2 --padding 1\n"
     "  gradproof judge dy=a.npy x=b.npy w=c.bin:bf16 dw=d.bin:bf16 --weight 64,3,7,7 --stride "
     "2\n"},
    {"prove",
     "every call of a scope: are the index maps of the gradients right, and with which probability "
     "is an error missed",
     Prove, Operands::Scope,
     "  gradproof prove small --dtype FLOAT\n"
     "  gradproof prove blocks --dtype all --target ./libmy_opapi.so --shard 1/8 --out part1\n"},
    {"fingerprint",
     "how a library computes the gradients of a call: in which order it adds, where it rounds; "
     "proved by predicting random results",
     Fingerprint, Operands::CallOnly,
     "  gradproof fingerprint --target ./libmy_opapi.so\n"
     "  gradproof fingerprint --input 1,32,8,8 --weight 32,32,3,3 --dtype bf16 --baseline "
     "old/machine.json\n"},
    {"gate",
     "lets a kernel in or not, its author not trusted: a library or a function, isolated, is "
     "asked what it cannot know; one JSON verdict",
     Gate, Operands::Candidate,
     "  gradproof gate ./libmy_opapi.so --json verdict.json --nonce 7f3a\n"
     "  gradproof gate --python my_kernel.py:gradients --time 20s --without 3d,transposed\n"},
    {"report", "merges the results of runs (their folders or results files) and renders them",
     Report, Operands::Results, "  gradproof report part* --write html=report.html\n"},
    {"list", "rules, laws, formats, products, recipes, faults or museum; or cases, as JSON Lines",
     List | Generate, Operands::Topic,
     "  gradproof list rules\n"
     "  gradproof list cases --cases 5 --seed 1 --kind invalid\n"},
    {"faults", "inserts each known fault into the kernel and says how fast it is found", Faults,
     Operands::FaultNames,
     "  gradproof faults --time 10s --seed 1\n"
     "  gradproof faults museum\n"},
    {"demo", "takes a kernel with a mistake, finds it, makes it small and says what it is: 5 s",
     Demo, Operands::None, "  gradproof demo\n"},
};

/// What a process may return, for the end of each command's help.
std::string exit_codes_text();

/// A mode as it is typed: "list cases".
std::string words_of(CommandMode mode);

}  // namespace gradproof::cli::rows
