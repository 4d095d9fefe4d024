#include "properties/targets/dictionary/compared_integers.h"

#include <capstone/capstone.h>
#include <elf.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace gradproof::properties {
namespace {

/// Counts how often code compares with each integer that a dictionary may hold.
class Counts {
 public:
  void add(std::int64_t value) {
    if (value >= least_compared && value <= most_compared) ++times_[value];
  }
  void add(const std::optional<std::int64_t>& value) {
    if (value) add(*value);
  }
  const std::map<std::int64_t, std::size_t>& times() const { return times_; }

 private:
  std::map<std::int64_t, std::size_t> times_;
};

/// Finds the compared integers of instructions, which it is given in the order of the code.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual void read(csh handle, const cs_insn& instruction, Counts& counts) = 0;
};

bool looks_at_flags(const cs_insn& instruction) {
  const std::string_view name = instruction.mnemonic;
  const bool is_jump = name.starts_with('j') && name != "jmp";
  return is_jump || name.starts_with("set") || name.starts_with("cmov");
}

/// cmp with a constant, and what is subtracted just before a cmp or a look at the flags: a range
/// from 100 to 199 is compiled as x - 100 <= 99.
class X86Reader : public Reader {
 public:
  void read(csh, const cs_insn& instruction, Counts& counts) override {
    const auto subtracted = std::exchange(subtracted_, subtracted_by(instruction));
    const bool is_compare = instruction.id == X86_INS_CMP;
    if (is_compare || looks_at_flags(instruction)) counts.add(subtracted);
    if (is_compare) counts.add(constant_of(instruction));
  }

 private:
  static std::optional<std::int64_t> constant_of(const cs_insn& instruction) {
    const cs_x86& detail = instruction.detail->x86;
    const bool has_constant = detail.op_count == 2 && detail.operands[1].type == X86_OP_IMM &&
                              detail.operands[0].size > 1;
    return has_constant ? std::optional(detail.operands[1].imm) : std::nullopt;
  }
  static std::optional<std::int64_t> subtracted_by(const cs_insn& instruction) {
    const cs_x86& detail = instruction.detail->x86;
    if (instruction.id == X86_INS_SUB) return constant_of(instruction);
    if (instruction.id == X86_INS_ADD) {
      const auto added = constant_of(instruction);
      return added ? std::optional(-*added) : std::nullopt;
    }
    const bool is_sum = instruction.id == X86_INS_LEA && detail.op_count == 2 &&
                        detail.operands[1].mem.base != X86_REG_RIP;
    return is_sum ? std::optional(-detail.operands[1].mem.disp) : std::nullopt;
  }

  std::optional<std::int64_t> subtracted_;
};

/// The register w3 is the lower half of x3.
std::string_view number_of(csh handle, unsigned reg) {
  const char* const name = cs_reg_name(handle, reg);
  const std::string_view text = name == nullptr ? "" : name;
  const bool is_numbered = text.size() >= 2 && (text[0] == 'w' || text[0] == 'x');
  return is_numbered ? text.substr(1) : std::string_view{};
}

/// cmp and subs with a constant, or with a register that a mov just before gave one: a constant of
/// more than 12 bits fits no compare.
class Aarch64Reader : public Reader {
 public:
  void read(csh handle, const cs_insn& instruction, Counts& counts) override {
    ++position_;
    const cs_arm64& detail = instruction.detail->arm64;
    const std::span operands(detail.operands, detail.op_count);
    if (operands.size() < 2 || operands.front().type != ARM64_OP_REG) return;
    const cs_arm64_op& last = operands.back();
    const auto number = number_of(handle, operands.front().reg);
    const bool is_compare =
        instruction.id == ARM64_INS_CMP || (instruction.id == ARM64_INS_SUB && detail.update_flags);
    if (is_compare && last.type == ARM64_OP_IMM) counts.add(shifted(last));
    if (is_compare && last.type == ARM64_OP_REG) counts.add(moved(number_of(handle, last.reg)));
    if (!is_compare && last.type == ARM64_OP_IMM) note(instruction.id, number, shifted(last));
  }

 private:
  static constexpr std::int64_t reach = 12;  ///< instructions from a mov to its compare

  struct Moved {
    std::int64_t value = 0, position = 0;
  };

  static std::int64_t shifted(const cs_arm64_op& operand) {
    const bool is_shifted = operand.shift.type == ARM64_SFT_LSL;
    return is_shifted ? operand.imm << std::min(operand.shift.value, 48U) : operand.imm;
  }
  void note(unsigned id, std::string_view number, std::int64_t value) {
    if (id == ARM64_INS_MOV || id == ARM64_INS_MOVZ) {
      moved_.insert_or_assign(number, Moved{value, position_});
    } else if (id == ARM64_INS_MOVK) {
      if (const auto known = moved(number)) moved_[number] = {*known | value, position_};
    }
  }
  std::optional<std::int64_t> moved(std::string_view number) const {
    const auto known = moved_.find(number);
    if (number.empty() || known == moved_.end()) return std::nullopt;
    return position_ - known->second.position <= reach ? std::optional(known->second.value)
                                                       : std::nullopt;
  }

  std::map<std::string_view, Moved> moved_;
  std::int64_t position_ = 0;
};

/// Bytes that are no instruction, such as tables, are stepped over.
void count(csh handle, Reader& reader, const ElfLibrary::Code& code, Counts& counts) {
  const std::unique_ptr<cs_insn, void (*)(cs_insn*)> instruction(
      cs_malloc(handle), [](cs_insn* made) { cs_free(made, 1); });
  const std::uint8_t* bytes = code.bytes.data();
  std::size_t left = code.bytes.size();
  std::uint64_t address = code.address;
  while (cs_disasm_iter(handle, &bytes, &left, &address, instruction.get())) {
    if (instruction->id == 0) continue;  // no instruction
    reader.read(handle, *instruction, counts);
  }
}

/// Returns the rarest integers: one that half of the code compares with says nothing of sizes.
std::vector<std::int64_t> rarest(const Counts& counts) {
  constexpr std::size_t always_kept = 16, kept_percent = 2;
  std::size_t all = 0;
  for (const auto& [value, times] : counts.times()) all += times;
  const std::size_t most_times = std::max(always_kept, all * kept_percent / 100);
  std::vector<std::pair<std::size_t, std::int64_t>> rows;
  for (const auto& [value, times] : counts.times()) {
    if (times <= most_times) rows.emplace_back(times, value);
  }
  std::ranges::sort(rows);
  rows.resize(std::min(rows.size(), most_words));
  std::vector<std::int64_t> words;
  words.reserve(rows.size());
  for (const auto& [times, value] : rows) words.push_back(value);
  std::ranges::sort(words);
  return words;
}

struct Processor {
  cs_arch architecture;
  cs_mode mode;
  std::unique_ptr<Reader> reader;
};

std::optional<Processor> processor_of(const ElfLibrary& library) {
  if (library.machine() == EM_X86_64) {
    return Processor{CS_ARCH_X86, CS_MODE_64, std::make_unique<X86Reader>()};
  }
  if (library.machine() == EM_AARCH64) {
    return Processor{CS_ARCH_ARM64, CS_MODE_ARM, std::make_unique<Aarch64Reader>()};
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::int64_t> compared_integers(const ElfLibrary& library, std::uint64_t around) {
  constexpr std::uint64_t distance = std::uint64_t{8} << 20U;
  const auto processor = processor_of(library);
  csh handle = 0;
  if (!processor || cs_open(processor->architecture, processor->mode, &handle) != CS_ERR_OK) {
    return {};
  }
  cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
  cs_option(handle, CS_OPT_SKIPDATA, CS_OPT_ON);
  Counts counts;
  for (const ElfLibrary::Code& code : library.code(around, distance)) {
    count(handle, *processor->reader, code, counts);
  }
  cs_close(&handle);
  return rarest(counts);
}

}  // namespace gradproof::properties
