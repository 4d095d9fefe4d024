/* A C89 program that asks and tells: it computes the one gradient that needs no index, and says that it cannot do others.
   Without an argument every answer is right; with one, gradBias misses its last sample, which must be found. */
#include <gradproof/gradproof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gradBias of a call in FLOAT: the sums of gradOutput over all but the channels. */
static void grad_bias(gradproof_run* run, long loses_last, float* sums) {
  size_t size, axes, axis;
  long shape[5], area = 1, sample, channel, place;
  const float* values = (const float*)gradproof_operand(run, GRADPROOF_GRAD_OUTPUT, &size);
  axes = gradproof_integers(run, "grad_output", shape, 5);
  for (axis = 2; axis < axes; ++axis) area *= shape[axis];
  for (channel = 0; channel < shape[1]; ++channel) {
    double sum = 0;
    for (sample = 0; sample < shape[0] - loses_last; ++sample)
      for (place = 0; place < area; ++place)
        sum += (double)values[(sample * shape[1] + channel) * area + place];
    sums[channel] = (float)sum;
  }
}

/* Whether the library says of these sums that a right result is elsewhere. */
static int is_beyond_limits(gradproof_run* run, const float* sums, size_t channels) {
  const void* operands[3];
  size_t sizes[3], i;
  char* call;
  double exact[64], allowed[64], error;
  if (channels > 64) return 0;
  call = (char*)malloc(strlen(gradproof_call(run)) + 1);
  strcpy(call, gradproof_call(run));
  for (i = 0; i < 3; ++i) operands[i] = gradproof_operand(run, (gradproof_tensor)i, &sizes[i]);
  if (gradproof_limits(call, operands, sizes, GRADPROOF_GRAD_BIAS, exact, allowed, channels) != GRADPROOF_OK) {
    printf("%s: %s\n", call, gradproof_error());
    exit(1);
  }
  free(call);
  for (i = 0; i < channels; ++i) {
    error = (double)sums[i] - exact[i];
    if (error > allowed[i] || -error > allowed[i]) return 1;
  }
  return 0;
}

int main(int count, char** arguments) {
  char options[1000];
  long mask[3], channels[5];
  int next, beyond = 0;
  size_t findings;
  gradproof_run* run;
  sprintf(options, "{\"dtypes\": [\"FLOAT\"], \"seed\": 7, \"cases\": 1500, \"out\": \"%.900s\"}", arguments[1]);
  run = gradproof_open(options);
  if (run == NULL) return printf("%s\n", gradproof_error()), 1;
  while ((next = gradproof_next(run)) == GRADPROOF_OK) {
    float* sums;
    gradproof_integers(run, "output_mask", mask, 3);
    if (mask[0] || mask[1] || !mask[2]) {
      gradproof_tell_unsupported(run, "gradBias alone");
      continue;
    }
    gradproof_integers(run, "grad_bias", channels, 5);
    sums = (float*)malloc((size_t)channels[0] * sizeof *sums);
    grad_bias(run, count > 2, sums);
    beyond += is_beyond_limits(run, sums, (size_t)channels[0]);
    if (gradproof_result(run, GRADPROOF_GRAD_BIAS, sums, (size_t)channels[0] * sizeof *sums) != GRADPROOF_OK)
      return printf("%s\n", gradproof_error()), 1;
    free(sums);
    if (gradproof_tell(run) != GRADPROOF_OK) return printf("%s\n", gradproof_error()), 1;
  }
  if (next != GRADPROOF_OVER) return printf("%s\n", gradproof_error()), 1;
  findings = gradproof_findings(run);
  printf("%s\n", gradproof_summary(run));
  if (findings > 0) printf("%s\n", gradproof_finding(run, 0));
  if (strstr(gradproof_summary(run), "\"agree\":0,\"disagree\":0,") != NULL) return printf("nothing was compared\n"), 1;
  gradproof_close(run);
  if (gradproof_open("{\"sede\": 1}") != NULL || strstr(gradproof_error(), "sede") == NULL) return 1;
  return (findings > 0) == (count > 2) && (beyond > 0) == (count > 2) ? 0 : 1;
}
