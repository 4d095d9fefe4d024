#ifndef GRADPROOF_GRADPROOF_H
#define GRADPROOF_GRADPROOF_H

/* Gradproof as a library: verifies anything that computes the gradients of a convolution, by ask
 * and tell. The caller asks for a call, computes it in its own language, and tells what came out;
 * nothing is called back. C89; exported by libgradproof under versioned symbols.
 *
 * Texts are UTF-8 and end with a null character. What a run returns (texts, operands) belongs to
 * the run and is valid until the next function with that run; other texts belong to the caller, who
 * gives them back with gradproof_free. A run is used by one thread at a time; different runs by
 * any. No exception leaves a function. Docs: docs/python.md. */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header; a library with another first number has another meaning for some function. */
#define GRADPROOF_ABI 1

/* What functions return. */
#define GRADPROOF_OVER 0     /* gradproof_next: there is no further call */
#define GRADPROOF_OK 1       /* done; gradproof_next: there is a call */
#define GRADPROOF_ERROR (-1) /* not done: gradproof_error says why */

/* A campaign that waits for answers. */
typedef struct gradproof_run gradproof_run;

/* The tensors of a call: operands, then results. */
typedef enum gradproof_tensor {
  GRADPROOF_GRAD_OUTPUT = 0,
  GRADPROOF_INPUT = 1,
  GRADPROOF_WEIGHT = 2,
  GRADPROOF_GRAD_INPUT = 3,
  GRADPROOF_GRAD_WEIGHT = 4,
  GRADPROOF_GRAD_BIAS = 5
} gradproof_tensor;

/* GRADPROOF_ABI of the library, and its version: "0.3.0". */
int gradproof_abi(void);
const char* gradproof_version(void);

/* Why the calling thread's last function with GRADPROOF_ERROR or a null result failed. Valid until
 * the thread's next call of the library. */
const char* gradproof_error(void);

/* Opens a run. `options`: a JSON object, every key optional, others are errors:
 * - "name", a string: what reports call the target
 * - "seed", an integer from 0
 * - "seconds", a number: when generated calls end
 * - "cases", an integer: the same, by their number; neither: after 10 s
 * - "findings", an integer: the same, by the number of distinct findings
 * - "api": "aclnnConvolution" asks forward calls, whose input, bias (null: none), weight and output
 * are the tensors GRAD_OUTPUT, INPUT, WEIGHT and GRAD_INPUT; "aclnnConvolutionBackward"
 * - "dtype", a list of names: "FLOAT", "float16", "bf16", "float64", ...; FLOAT alone
 * - "mixed", a boolean: calls whose tensors differ in dtype as well; false
 * - "empty", a boolean: calls with tensors without elements as well; false
 * - "specials": "judged": calls with infinities and NaN in their data as well; "ignored"
 * - "views", a boolean: operands with strides and offsets as well (gradproof_operand); false
 * - "repeat", a boolean: each call is asked a second time, and its bits must be the same; false
 * - "domain": "cann": calls that are legal for the product; "pytorch": PyTorch's, with output
 * padding up to the dilation; "any": negative padding as well
 * - "soc", a string: the product under whose rules calls are legal; "Ascend910B"
 * - "cube_math_type", an integer from 0 to 3: what the target multiplies in; 0, operands as they
 * are
 * - "transposed", a boolean, or "yes" or "no": only such calls; absent: both
 * - "rank", a list of 3, 4, 5: axes of the input
 * - "max_macs", an integer: products of one gradient at most; 100000
 * - "pipe", a string: a command that answers all calls (docs/pipe.md): gradproof_next gives none
 * - "timeout", a number: seconds that it may take for one; 30
 * - "out", a string: folder of results and findings; its findings are asked first
 * - "target", a string: whose findings those are: they are asked of no other; the pipe's command,
 * or "name"
 * - "files", a list of files with cases (JSON Lines, findings): these alone are asked
 *
 * Dtypes, products, modes, ranks and directions are said as on the command line as well. No call
 * that is asked is outside of the options, whatever it is asked for. Without "views" tensors are
 * handed over dense and row-major whatever the case says of their memory. Errors: null. */
gradproof_run* gradproof_open(const char* options);

/* Ends the run: what is under way is given up. Null is allowed. */
void gradproof_close(gradproof_run* run);

/* Waits for the next call: GRADPROOF_OK, or GRADPROOF_OVER when the run has ended. The call before
 * must have been answered. Calls that make a finding smaller are among them. */
int gradproof_next(gradproof_run* run);

/* The call that is asked: its JSON line (docs/case-files.md); null: none is. */
const char* gradproof_call(gradproof_run* run);

/* Integers of the call that is asked: "stride", "padding", "dilation", "output_padding", "groups",
 * "transposed", "output_mask", "cube_math_type", or a tensor's shape: "grad_output", "input",
 * "weight", "grad_input", "grad_weight", "grad_bias", of a forward call "input", "bias", "weight",
 * "output"; of its view, in elements: "input.strides", "input.offset". Writes at most `most` of
 * them. Returns how many there are; 0 for another name and for what the call leaves out. */
size_t gradproof_integers(gradproof_run* run, const char* name, long* values, size_t most);

/* A tensor's element type, "FLOAT"; null where the call leaves it out. */
const char* gradproof_dtype(gradproof_run* run, gradproof_tensor tensor);

/* An operand's elements, little-endian, dense and row-major; with "views" the memory that its
 * strides and offset refer to, whose gaps hold NaN. `size`: bytes. Null where the tensor is no
 * operand or has no elements. */
const void* gradproof_operand(gradproof_run* run, gradproof_tensor tensor, size_t* size);

/* One result of the call that is asked, to be told before gradproof_tell. Bytes as those of
 * operands, of the result's dtype and shape. A requested result that is not told counts as never
 * written. Errors: another size. */
int gradproof_result(gradproof_run* run, gradproof_tensor tensor, const void* data, size_t size);

/* The target changed this byte of an operand. To be told before gradproof_tell. */
int gradproof_changed(gradproof_run* run, gradproof_tensor operand, size_t byte);

/* Answers the call: the target computed it and all results were told. */
int gradproof_tell(gradproof_run* run);
/* Answers it: the target returned this status of CANN instead of results. */
int gradproof_tell_status(gradproof_run* run, int status);
/* Answers it: the target failed, in words. A finding. */
int gradproof_tell_failure(gradproof_run* run, const char* words);
/* Answers it: not for this target, and why. Counted, no finding. */
int gradproof_tell_unsupported(gradproof_run* run, const char* why);

/* What is said of the last call that was answered, as JSON: outcome, kind, reason, and for each
 * result the worst element. Null: nothing was answered yet. Worked out when it is asked for. */
const char* gradproof_verdict(gradproof_run* run);

/* The number of minimised findings; 0 before gradproof_next has returned GRADPROOF_OVER. */
size_t gradproof_findings(gradproof_run* run);
/* One of them as JSON: signature, case, verdict, diagnosis, file, whether it is minimised. */
const char* gradproof_finding(gradproof_run* run, size_t index);

/* The run in one JSON object: seed, seconds, cases by outcome, reasons of those not compared, a
 * list of what was not asked, and a line for people. Null before gradproof_next has returned
 * GRADPROOF_OVER. */
const char* gradproof_summary(gradproof_run* run);

/* Below, `call` is a case's JSON line, whose "data" are not looked at, or what the command
 * `gradproof explain` takes: "--input 2,3,8,8 --weight 4,3,3,3 --stride 2 --soc 910B". */

/* The call as a case's JSON line, with the command's defaults for what it does not say. Null: an
 * error. */
char* gradproof_case(const char* call);

/* Judges results without a run: those that there are, whatever the call's mask says. `data` and
 * `sizes`: by gradproof_tensor, null for a result that there is not. Returns JSON as
 * gradproof_verdict does, with the worst elements, explanations and a picture of each result
 * (docs/verify-your-own-library.md); null: an error. */
char* gradproof_judge(const char* call, const void* const data[6], const size_t sizes[6]);

/* What a result has to be, without a run: for each of its `count` elements, row-major, the exact
 * value of the sum and the largest |computed - exact| that is admitted, the result's own rounding
 * included; both as the nearest double. Allowed 0: nothing rounds; infinite: a right result may
 * overflow; NaN: not compared by value (a product is infinite or NaN, or partial sums may
 * overflow). `data` and `sizes`: of the three operands, by gradproof_tensor. Errors: `result` is
 * not asked for, has another count, or the call is too large to work out each element. */
int gradproof_limits(const char* call, const void* const data[3], const size_t sizes[3],
                     gradproof_tensor result, double* exact, double* allowed, size_t count);

/* Why the call is refused, or how exact a legal one is, as text or as JSON (docs/explain.md).
 * Null: an error. */
char* gradproof_explain(const char* call, int as_json);

void gradproof_free(char* text);

#ifdef __cplusplus
}
#endif

#endif
