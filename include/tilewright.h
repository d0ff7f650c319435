/* Compiled programs for C: loads the shared libraries that tilewright saves, tells what they take, and runs them.

   Compile tilewright.c with the program, and link it with -ldl where the C library asks for that:

     struct tilewright_error error;
     struct tilewright_library *library = tilewright_load("model.so", &error);
     struct tilewright *model = tilewright_create(library, NULL, &error);
     const void *inputs[] = {image};
     void *outputs[] = {scores};
     if (tilewright_run(model, inputs, outputs, &error)) fprintf(stderr, "%s\n", error.text);
     tilewright_destroy(model);
     tilewright_unload(library);

   A library may be used by any number of threads. An instance of one of its functions holds the memory that its calls
   work in, so that each thread has an instance of its own. Functions that give an int give 0 where they succeed; all
   accept NULL for `error`. */
#ifndef TILEWRIGHT_H
#define TILEWRIGHT_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tilewright_library;
struct tilewright;
struct tilewright_error {
  char text[512]; /* a code and a sentence; empty where nothing failed */
};

/* A library from a file, or from its bytes, which need not stay. NULL where that is impossible, or where this machine
   lacks an instruction set that the code uses. */
struct tilewright_library *tilewright_load(const char *path, struct tilewright_error *error);
struct tilewright_library *tilewright_load_bytes(const void *data, size_t bytes, struct tilewright_error *error);
/* After all of its instances are destroyed. */
void tilewright_unload(struct tilewright_library *library);
/* The functions of a library. */
int tilewright_function_count(const struct tilewright_library *library);
const char *tilewright_function_name(const struct tilewright_library *library, int number);

/* An instance of a function; of `main`, or of the only one, where the name is NULL. */
struct tilewright *tilewright_create(
    struct tilewright_library *library, const char *function, struct tilewright_error *error);
void tilewright_destroy(struct tilewright *model);

/* Inputs and outputs by number. An element type is called as numpy calls it: float32, int8, bool, bfloat16. */
int tilewright_input_count(const struct tilewright *model);
int tilewright_output_count(const struct tilewright *model);
const char *tilewright_input_name(const struct tilewright *model, int number);
const char *tilewright_output_name(const struct tilewright *model, int number);
const char *tilewright_input_type(const struct tilewright *model, int number);
const char *tilewright_output_type(const struct tilewright *model, int number);
/* The number of dimensions, which are written to `shape` unless it is NULL: -1 for one that `tilewright_set_sizes` has
   not determined yet. Of an output with as many elements as data says it is the room that it needs until a call has
   run, and then the shape that the call found. */
int tilewright_input_shape(const struct tilewright *model, int number, int64_t *shape);
int tilewright_output_shape(const struct tilewright *model, int number, int64_t *shape);
/* The bytes of the array: -1 while its shape is not known. */
int64_t tilewright_input_bytes(const struct tilewright *model, int number);
int64_t tilewright_output_bytes(const struct tilewright *model, int number);

/* Numbers that the program leaves open: sizes, then strides, in elements, that the caller states. A program with some
   runs only after they are set; they may be set again between calls. */
int tilewright_size_count(const struct tilewright *model);
const char *tilewright_size_name(const struct tilewright *model, int number);
int tilewright_set_sizes(struct tilewright *model, const int64_t *sizes, struct tilewright_error *error);

/* The threads of parallel loops, 1 until set; more need an OpenMP runtime (libgomp, libiomp5 or libomp). To be called
   while no instance of the library runs. */
int tilewright_set_threads(struct tilewright *model, int threads, struct tilewright_error *error);

/* Run on dense arrays in row-major order, aligned to their elements. Outputs share memory with nothing. Nothing is
   allocated here. What a program with open sizes allocates itself is freed before the call ends. */
int tilewright_run(
    struct tilewright *model, const void *const *inputs, void *const *outputs, struct tilewright_error *error);

/* What a library exports as `tilewright_exports`; programs have no need of it. */
#define TILEWRIGHT_INTERFACE 1
struct tilewright_argument {
  const char *name;
  const char *type;
  const int64_t *shape; /* -1 for dimensions that open sizes determine */
  const void *value;    /* the one value of an input that the program was compiled for, else NULL */
  int32_t rank;
  int32_t element_bytes;
  int32_t shape_of; /* the output whose shape this output holds, by number among arguments, else -1 */
};
struct tilewright_function {
  const char *name;
  int32_t (*entry)(void *const *arguments, const int64_t *sizes, void *const *constants, void *arena, int32_t threads);
  void (*extents)(const int64_t *sizes, int64_t *extents); /* all dimensions of all arguments */
  const struct tilewright_argument *arguments;             /* inputs, then outputs */
  const char *const *size_names;                           /* sizes, then strides */
  const int64_t *constants;                                /* distances from the first; -1 for the record of a call */
  const char *const *checks;                               /* messages, with {} for each number of the record */
  int64_t arena_bytes;
  int64_t thread_bytes; /* of the arena for each thread, behind the others */
  int32_t input_count;
  int32_t output_count;
  int32_t size_count;
  int32_t stride_count;
  int32_t constant_count;
  int32_t check_count;
  int32_t record_count; /* of numbers in the record of a call */
};
struct tilewright_exports {
  int32_t interface_version;
  int32_t function_count;
  const struct tilewright_function *functions;
  const char *const *features; /* the instruction sets that the code uses, as the kernel calls them; NULL ends them */
  const char *weights;         /* the file beside the library that has the constants; NULL where they are inside */
  uint64_t weights_header;     /* the digest of what stands before the constants in that file */
  int64_t constant_bytes;
  const unsigned char *(*constants)(void); /* the first constant of a library that has them inside */
  void (*use_openmp)(void *const *functions);
};

#ifdef __cplusplus
}
#endif
#endif
