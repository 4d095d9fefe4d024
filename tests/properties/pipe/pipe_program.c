/* A program behind a pipe (docs/pipe.md), in C without any library: the gradients of FLOAT tensors, summed in double.
 * pipe_program [MISTAKE [FILE]]: zeros (of any type; the lines of its calls go to FILE), stride (dilation for stride), strides
 * (those of views ignored), old (knows no views), random (gradBias differs from call to call), crash, hang, exit, nonsense, version, mute, late-crash (of the fifth
 * call), input (changes an operand), short (a byte of each gradient lacks). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GRAD_OUTPUT, INPUT, WEIGHT, GRAD_INPUT, GRAD_WEIGHT, GRAD_BIAS, TENSORS };
enum { COMPUTED, RETURNED, FAILED, UNSUPPORTED };
static const uint32_t absent = 0xFFFFFFFFu;

typedef struct {
  uint32_t number, axes, transposed, mask, mode, json_bytes;
  int64_t groups, stride[3], padding[3], dilation[3], output_padding[3];
} Head;
typedef struct {
  uint32_t dtype, rank;
  int64_t shape[5];
} Tensor;
typedef struct {
  uint32_t number, outcome;
  int32_t status;
  uint32_t text_bytes;
  int64_t changed[3];
} Answer;

static void get(void *to, size_t size) {
  if (size > 0 && fread(to, 1, size, stdin) != size) exit(0);
}
static void put(const void *from, size_t size) {
  if (size > 0 && fwrite(from, 1, size, stdout) != size) exit(0);
}
static size_t count(const Tensor *tensor) {
  size_t elements = tensor->dtype == absent ? 0 : 1;
  uint32_t i;
  for (i = 0; i < tensor->rank; ++i) elements *= (size_t)tensor->shape[i];
  return elements;
}
/* The length along spatial axis 0 to 2 of a tensor of any rank: those that it lacks come first and are 1. */
static int64_t length(const Tensor *tensor, int axis) {
  int own = axis - 3 + (int)tensor->rank;
  return own < 2 ? 1 : tensor->shape[own];
}
static int64_t value(const Head *head, const int64_t *values, int axis, int64_t otherwise) {
  int own = axis - 3 + (int)head->axes;
  return own < 0 ? otherwise : values[own];
}
static size_t place(const Tensor *tensor, int64_t first, int64_t second, const int64_t at[3]) {
  size_t index = (size_t)(first * tensor->shape[1] + second);
  int axis;
  for (axis = 0; axis < 3; ++axis) index = index * (size_t)length(tensor, axis) + (size_t)at[axis];
  return index;
}

/* Bytes of an element. */
static size_t width(const Tensor *tensor) {
  return tensor->dtype == 0 ? 4 : tensor->dtype == 1 || tensor->dtype == 27 ? 2 : 1;
}

static FILE *calls_file; /* null: nobody wants to know them */
static float *operands[3];
static double *results[3];

/* One meeting of a small position and a tap, for all channels of all groups and batches. */
static void meet(const Head *head, const Tensor *t, const int64_t small[3], const int64_t big[3],
                 const int64_t tap[3]) {
  const Tensor *of_big = &t[head->transposed ? GRAD_OUTPUT : INPUT];
  const Tensor *of_small = &t[head->transposed ? INPUT : GRAD_OUTPUT];
  int64_t bigs = t[WEIGHT].shape[1], smalls = t[WEIGHT].shape[0] / head->groups, n, s, b;
  for (n = 0; n < of_big->shape[0]; ++n) {
    for (s = 0; s < t[WEIGHT].shape[0]; ++s) {
      for (b = 0; b < bigs; ++b) {
        int64_t channel = s / smalls * bigs + b;
        size_t in_big = place(of_big, n, channel, big), in_small = place(of_small, n, s, small);
        size_t in_weight = place(&t[WEIGHT], s, b, tap);
        size_t dy = head->transposed ? in_big : in_small, x = head->transposed ? in_small : in_big;
        results[0][x] += (double)operands[0][dy] * operands[2][in_weight];
        results[1][in_weight] += (double)operands[0][dy] * operands[1][x];
      }
    }
  }
}

static void compute(const Head *head, const Tensor *t, int has_mistake) {
  const Tensor *of_big = &t[head->transposed ? GRAD_OUTPUT : INPUT];
  const Tensor *of_small = &t[head->transposed ? INPUT : GRAD_OUTPUT];
  int64_t small[3], tap[3], big[3], end[3], taps[3];
  size_t i, positions = 1;
  int axis;
  for (axis = 0; axis < 3; ++axis) {
    end[axis] = length(of_small, axis);
    taps[axis] = length(&t[WEIGHT], axis);
  }
  for (small[0] = 0; small[0] < end[0]; ++small[0])
    for (small[1] = 0; small[1] < end[1]; ++small[1])
      for (small[2] = 0; small[2] < end[2]; ++small[2])
        for (tap[0] = 0; tap[0] < taps[0]; ++tap[0])
          for (tap[1] = 0; tap[1] < taps[1]; ++tap[1])
            for (tap[2] = 0; tap[2] < taps[2]; ++tap[2]) {
              int inside = 1;
              for (axis = 0; axis < 3; ++axis) {
                int64_t dilation = value(head, has_mistake ? head->stride : head->dilation, axis, 1);
                big[axis] = small[axis] * value(head, head->stride, axis, 1) -
                            value(head, head->padding, axis, 0) + tap[axis] * dilation;
                inside = inside && big[axis] >= 0 && big[axis] < length(of_big, axis);
              }
              if (inside) meet(head, t, small, big, tap);
            }
  for (axis = 0; axis < 3; ++axis) positions *= (size_t)length(&t[GRAD_OUTPUT], axis);
  for (i = 0; i < count(&t[GRAD_OUTPUT]); ++i) {
    results[2][i / positions % (size_t)t[GRAD_OUTPUT].shape[1]] += operands[0][i];
  }
}

static void answer(const Head *head, const Tensor *t, const char *mistake) {
  Answer reply = {0, COMPUTED, 0, 0, {-1, -1, -1}};
  const char *why = "FLOAT alone, as it is, with elements";
  size_t i;
  int role;
  reply.number = head->number;
  if (strcmp(mistake, "zeros") == 0) {
    put(&reply, sizeof reply);
    for (role = 0; role < 3; ++role) {
      size_t bytes = (head->mask >> role & 1) == 0 ? 0 : count(&t[GRAD_INPUT + role]) * width(&t[GRAD_INPUT + role]);
      for (i = 0; i < bytes; ++i) putchar(0);
    }
    return;
  }
  for (role = 0; role < TENSORS; ++role) {
    if (t[role].dtype != 0 && t[role].dtype != absent) reply.outcome = UNSUPPORTED;
    if (t[role].dtype == 0 && count(&t[role]) == 0) reply.outcome = UNSUPPORTED;
  }
  if (head->mode != 0) reply.outcome = UNSUPPORTED;
  if (reply.outcome == UNSUPPORTED) {
    reply.text_bytes = (uint32_t)strlen(why);
    put(&reply, sizeof reply);
    put(why, reply.text_bytes);
    return;
  }
  if (strcmp(mistake, "status") == 0) { /* success, without a gradient */
    reply.outcome = 1;
    put(&reply, sizeof reply);
    return;
  }
  results[0] = calloc(count(&t[INPUT]) + 1, sizeof(double));
  results[1] = calloc(count(&t[WEIGHT]) + 1, sizeof(double));
  results[2] = calloc((size_t)t[GRAD_OUTPUT].shape[1] + 1, sizeof(double));
  compute(head, t, strcmp(mistake, "stride") == 0);
  if (strcmp(mistake, "random") == 0) {
    static int calls = 0;
    results[2][0] *= 1 + (++calls % 2) * 6e-8; /* a unit in the last place */
  }
  if (strcmp(mistake, "input") == 0) reply.changed[WEIGHT] = 3;
  put(&reply, sizeof reply);
  for (role = 0; role < 3; ++role) {
    if ((head->mask >> role & 1) == 0) continue;
    for (i = 0; i < count(&t[GRAD_INPUT + role]); ++i) {
      float element = (float)results[role][i];
      put(&element, sizeof element - (size_t)(i == 0 && strcmp(mistake, "short") == 0));
    }
  }
  for (role = 0; role < 3; ++role) free(results[role]);
}

/* Of a tensor's object in the call's JSON: the list or number behind a key, as many as there are values. 0: there is no such key. */
static int in_json(const char *json, const char *tensor, const char *key, int64_t *values, uint32_t most) {
  char name[40];
  const char *object, *found;
  uint32_t i;
  sprintf(name, "\"%s\":{", tensor);
  object = strstr(json, name);
  if (object == NULL) return 0;
  sprintf(name, "\"%s\":", key);
  found = strstr(object, name);
  if (found == NULL || found > strchr(object, '}')) return 0;
  found += strlen(name);
  for (i = 0; i < most; ++i) {
    found += strspn(found, "[,");
    values[i] = strtoll(found, (char **)&found, 10);
  }
  return 1;
}

/* The elements of a view, dense: from the storage by strides and offset, unless the mistake is to ignore these. */
static void gather(const char *json, int role, const Tensor *tensor, const float *storage, int ignores) {
  static const char *const names[] = {"gradOutput", "input", "weight"};
  int64_t strides[5], offset = 0, at[5] = {0, 0, 0, 0, 0}, step = 1;
  size_t i, elements = count(tensor);
  uint32_t axis;
  for (axis = tensor->rank; axis-- > 0; step *= tensor->shape[axis]) strides[axis] = step;
  if (!ignores) in_json(json, names[role], "strides", strides, tensor->rank);
  if (!ignores) in_json(json, names[role], "offset", &offset, 1);
  for (i = 0; i < elements; ++i) {
    int64_t from = offset;
    for (axis = 0; axis < tensor->rank; ++axis) from += at[axis] * strides[axis];
    operands[role][i] = storage[from];
    for (axis = tensor->rank; axis-- > 0 && ++at[axis] == tensor->shape[axis];) at[axis] = 0;
  }
}

static int takes_views = 0;

static void misbehave(const char *mistake, unsigned long calls) {
  if (strcmp(mistake, "crash") == 0) abort();
  if (strcmp(mistake, "late-crash") == 0 && calls == 5) abort();
  if (strcmp(mistake, "exit") == 0) exit(3);
  if (strcmp(mistake, "hang") == 0) sleep(600);
  if (strcmp(mistake, "nonsense") == 0) {
    printf("Done! Everything went very well, thank you for asking.\n");
    fflush(stdout);
    sleep(600);
  }
}

static void serve_call(const char *mistake, unsigned long calls) {
  Head head;
  Tensor tensors[TENSORS];
  char *json;
  int role;
  get(&head, 24);
  get(&head.groups, sizeof head - 24);
  get(tensors, sizeof tensors);
  json = malloc(head.json_bytes + 1);
  get(json, head.json_bytes);
  json[head.json_bytes] = 0;
  if (calls_file != NULL) {
    fprintf(calls_file, "%s\n", json);
    fflush(calls_file);
  }
  for (role = 0; role < 3; ++role) {
    operands[role] = malloc(count(&tensors[role]) * 4 + 1);
    if (takes_views) {
      int64_t size;
      char *storage;
      get(&size, sizeof size);
      storage = malloc((size_t)size + count(&tensors[role]) * 4 + 1);
      get(storage, (size_t)size);
      if (tensors[role].dtype == 0) gather(json, role, &tensors[role], (float *)storage, strcmp(mistake, "strides") == 0);
      free(storage);
    } else {
      get(operands[role], count(&tensors[role]) * width(&tensors[role]));
    }
  }
  free(json);
  misbehave(mistake, calls);
  answer(&head, tensors, mistake);
  fflush(stdout);
  for (role = 0; role < 3; ++role) free(operands[role]);
}

int main(int argument_count, char **arguments) {
  const char *mistake = argument_count > 1 ? arguments[1] : "";
  char line[64];
  uint32_t calls;
  unsigned long all = 0;
  if (strcmp(mistake, "mute") == 0) return 7;
  if (argument_count > 2) calls_file = fopen(arguments[2], "a");
  if (fgets(line, sizeof line, stdin) == NULL) return 1;
  takes_views = strcmp(line, "gradproof-pipe 1 views\n") == 0 && strcmp(mistake, "old") != 0;
  if (strncmp(line, "gradproof-pipe 1", 16) != 0) return 1;
  printf(strcmp(mistake, "version") == 0 ? "gradproof-pipe 2 c\n" : "gradproof-pipe 1%s pipe_program\n",
         takes_views ? " views" : "");
  fflush(stdout);
  for (;;) {
    get(&calls, sizeof calls);
    for (; calls > 0; --calls) serve_call(mistake, ++all);
  }
}
