/* Runs the C file of a model: nothing is allocated, and nothing but the C library's header for printing is needed. */
#include <stdio.h>

#include "digits.h"
#include "image.h"

static unsigned char arena[DIGITS_ARENA_BYTES];

int main(void) {
  static float image[256], scores[10];
  struct digits_inputs inputs = {image};
  struct digits_outputs outputs = {scores};
  int status;
  draw(image);
  status = digits_run(&inputs, &outputs, arena);
  if (status) {
    fprintf(stderr, "%s\n", digits_message(status));
    return 1;
  }
  for (int i = 0; i < 10; ++i) printf("%.6f\n", scores[i]);
  return 0;
}
