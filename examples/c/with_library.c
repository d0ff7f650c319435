/* Loads a library that tilewright saved, asks what it takes, and runs it. */
#include <stdio.h>
#include <stdlib.h>

#include "image.h"
#include "tilewright.h"

static int run(struct tilewright *model, struct tilewright_error *error) {
  static float image[256];
  const void *inputs[] = {image};
  void *outputs[1];
  int64_t bytes = tilewright_output_bytes(model, 0);
  float *scores = malloc((size_t)bytes);
  int64_t shape[4];
  int rank = tilewright_input_shape(model, 0, shape), status;

  fprintf(stderr, "%s: %s of", tilewright_input_name(model, 0), tilewright_input_type(model, 0));
  for (int d = 0; d < rank; ++d) fprintf(stderr, " %ld", (long)shape[d]);
  fprintf(stderr, "\n");
  if (!scores || tilewright_input_bytes(model, 0) != (int64_t)sizeof image) return 1;
  draw(image);
  outputs[0] = scores;
  status = tilewright_run(model, inputs, outputs, error);
  for (int64_t i = 0; !status && i < bytes / 4; ++i) printf("%.6f\n", scores[i]);
  free(scores);
  return status;
}

int main(int argc, char **argv) {
  struct tilewright_error error;
  struct tilewright_library *library = tilewright_load(argc > 1 ? argv[1] : "digits.so", &error);
  struct tilewright *model = library ? tilewright_create(library, NULL, &error) : NULL;
  int status = model ? run(model, &error) : 1;
  if (status) fprintf(stderr, "%s\n", error.text);
  tilewright_destroy(model);
  tilewright_unload(library);
  return status;
}
