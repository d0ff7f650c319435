/* Runs a saved library for test_libraries_in_c.py:

     library_program MODE LIBRARY INPUTS OUTPUTS THREADS [SIZE...]

   INPUTS and OUTPUTS hold the arrays one behind the other. MODE is `file` or `bytes`, for one call; `count`, which
   prints the allocations of twenty calls; `team`, in which eight threads run instances of their own; or `describe`.
   With -DCOUNTING the C library's allocations are counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilewright.h"

#define TEAM 8
#define CALLS 20

static atomic_long allocations;

#ifdef COUNTING
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void *malloc(size_t n) { ++allocations; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { ++allocations; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { ++allocations; return __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { ++allocations; return __libc_memalign(a, n); }
void *memalign(size_t a, size_t n) { ++allocations; return __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { ++allocations; *p = __libc_memalign(a, n); return *p ? 0 : 12; }
#endif

void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags) {
  return getenv("NO_OPENMP") && strstr(name, "omp") ? NULL : __real_dlopen(name, flags);
}

static struct tilewright_error error;

static int complain(void) {
  puts(error.text);
  return 1;
}

static void *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(2);
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  void *data = malloc(*bytes + 1);
  if (fread(data, 1, *bytes, file) != *bytes) exit(2);
  fclose(file);
  return data;
}

struct call {
  struct tilewright *model;
  const void *inputs[16];
  void *outputs[16];
  int status;
};

static int prepare(struct call *call, struct tilewright_library *library, const char *data, int threads,
                   const int64_t *sizes) {
  call->model = tilewright_create(library, NULL, &error);
  if (!call->model) return 1;
  if (tilewright_size_count(call->model) && tilewright_set_sizes(call->model, sizes, &error)) return 1;
  if (threads != 1 && tilewright_set_threads(call->model, threads, &error)) return 1;
  for (int i = 0; i < tilewright_input_count(call->model); ++i) {
    call->inputs[i] = data;
    data += tilewright_input_bytes(call->model, i);
  }
  for (int i = 0; i < tilewright_output_count(call->model); ++i) {
    call->outputs[i] = malloc((size_t)tilewright_output_bytes(call->model, i) + 1);
  }
  return 0;
}

static void finish(struct call *call) {
  for (int i = 0; i < tilewright_output_count(call->model); ++i) free(call->outputs[i]);
  tilewright_destroy(call->model);
}

static void *run_often(void *argument) {
  struct call *call = argument;
  for (int i = 0; i < CALLS && !call->status; ++i) {
    call->status = tilewright_run(call->model, call->inputs, call->outputs, NULL);
  }
  return NULL;
}

static void describe(const struct tilewright *model) {
  int64_t shape[8];
  for (int i = 0; i < tilewright_size_count(model); ++i) printf("size %s\n", tilewright_size_name(model, i));
  for (int i = 0; i < tilewright_input_count(model); ++i) {
    int rank = tilewright_input_shape(model, i, shape);
    printf("input %s %s", tilewright_input_name(model, i), tilewright_input_type(model, i));
    for (int d = 0; d < rank; ++d) printf(" %lld", (long long)shape[d]);
    puts("");
  }
  for (int i = 0; i < tilewright_output_count(model); ++i) {
    int rank = tilewright_output_shape(model, i, shape);
    printf("output %s %s", tilewright_output_name(model, i), tilewright_output_type(model, i));
    for (int d = 0; d < rank; ++d) printf(" %lld", (long long)shape[d]);
    puts("");
  }
}

static int team(struct tilewright_library *library, struct call *first, const char *data, const int64_t *sizes) {
  struct call calls[TEAM];
  pthread_t threads[TEAM];
  memset(calls, 0, sizeof calls);
  for (int i = 0; i < TEAM; ++i) {
    if (prepare(calls + i, library, data, 1, sizes)) return complain();
  }
  for (int i = 0; i < TEAM; ++i) pthread_create(threads + i, NULL, run_often, calls + i);
  for (int i = 0; i < TEAM; ++i) pthread_join(threads[i], NULL);
  int differing = 0;
  for (int i = 0; i < TEAM; ++i) {
    differing += calls[i].status != 0;
    for (int k = 0; k < tilewright_output_count(first->model); ++k) {
      differing += memcmp(calls[i].outputs[k], first->outputs[k], (size_t)tilewright_output_bytes(first->model, k)) != 0;
    }
    finish(calls + i);
  }
  printf("%d of %d threads differ\n", differing, TEAM);
  return differing != 0;
}

int main(int argc, char **argv) {
  const char *mode = argv[1];
  size_t bytes;
  struct tilewright_library *library;
  if (!strcmp(mode, "bytes")) {
    void *content = read_file(argv[2], &bytes);
    library = tilewright_load_bytes(content, bytes, &error);
    free(content);
  } else {
    library = tilewright_load(argv[2], &error);
  }
  if (!library) return complain();
  int64_t sizes[8];
  for (int i = 6; i < argc; ++i) sizes[i - 6] = atoll(argv[i]);
  char *data = read_file(argv[3], &bytes);
  struct call call = {0};
  if (prepare(&call, library, data, atoi(argv[5]), sizes)) {
    tilewright_destroy(call.model);
    tilewright_unload(library);
    free(data);
    return complain();
  }
  int status = tilewright_run(call.model, call.inputs, call.outputs, &error);
  if (status) complain();
  if (!strcmp(mode, "describe")) describe(call.model);
  if (!strcmp(mode, "count")) {
    long before = allocations;
    run_often(&call);
    printf("%ld allocations\n", allocations - before);
  }
  FILE *file = fopen(argv[4], "wb");
  for (int i = 0; i < tilewright_output_count(call.model) && !status; ++i) {
    int64_t shape[8], count = 1;
    int rank = tilewright_output_shape(call.model, i, shape);
    for (int d = 0; d < rank; ++d) count *= shape[d];
    fwrite(call.outputs[i], 1, (size_t)tilewright_output_bytes(call.model, i), file);
  }
  fclose(file);
  if (!status && !strcmp(mode, "team")) status = team(library, &call, data, sizes);
  finish(&call);
  tilewright_unload(library);
  free(data);
  return status;
}
