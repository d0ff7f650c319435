/* The implementation of tilewright.h, for Linux. */
#define _GNU_SOURCE
#include "tilewright.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALIGNMENT 64

struct tilewright_library {
  void *handle;
  int file; /* of a library from memory, whose number names it while it is loaded; else -1 */
  const struct tilewright_exports *exports;
  const unsigned char *constants;
  void *mapped; /* the file of weights beside the library, or NULL */
  size_t mapped_bytes;
};

struct tilewright {
  const struct tilewright_library *library;
  const struct tilewright_function *function;
  int32_t threads;
  int is_ready; /* whether all sizes are known */
  int has_run;
  int64_t *numbers;   /* open sizes and strides */
  int64_t *extents;   /* all dimensions of all arguments */
  int64_t *symbolic;  /* those of them that open sizes determine */
  int64_t *record;    /* of the check that failed */
  int64_t *shapes;    /* that calls have found, of outputs whose shapes are outputs of the program */
  void **arguments;   /* strides, inputs, outputs */
  void **constants;
  void *arena_memory; /* as it was allocated */
  void *arena;
};

static int fail(struct tilewright_error *error, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return 1;
}

static void clear(struct tilewright_error *error) {
  if (error) error->text[0] = '\0';
}

/* Whether the kernel's list of instruction sets has a word; 1 where there is no list. */
static int has_feature(const char *list, const char *word) {
  size_t length = strlen(word);
  if (!*list) return 1;
  for (const char *at = strstr(list, word); at; at = strstr(at + 1, word)) {
    int starts = at == list || strchr(" \t:", at[-1]) != NULL;
    int ends = at[length] == '\0' || strchr(" \n", at[length]) != NULL;
    if (starts && ends) return 1;
  }
  return 0;
}

/* The kernel's list of instruction sets, empty where there is none. It is to be freed. */
static char *processor_features(void) {
  char *line = NULL;
  size_t room = 0;
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (file) {
    while (getline(&line, &room, file) > 0) {
      if (!strncmp(line, "flags", 5) || !strncmp(line, "Features", 8)) {
        fclose(file);
        return line;
      }
    }
    fclose(file);
  }
  free(line);
  return calloc(1, 1);
}

/* Linux lets a process use the tile registers of AMX after it has asked for them. */
static int may_use_tiles(void) {
#if defined(__x86_64__)
  return syscall(SYS_arch_prctl, 0x1023, 18) == 0;
#else
  return 0;
#endif
}

static int check_features(const struct tilewright_exports *exports, struct tilewright_error *error) {
  char *present = processor_features();
  int status = present ? 0 : fail(error, "TW0711: out of memory");
  for (const char *const *feature = exports->features; !status && *feature; ++feature) {
    if (!has_feature(present, *feature) || (!strncmp(*feature, "amx_", 4) && !may_use_tiles())) {
      status = fail(error, "TW0612: expected a program that this machine runs, but it has no %s", *feature);
    }
  }
  free(present);
  return status;
}

/* The digest of a header: FNV-1a, of 64 bits. */
static uint64_t digest_of(const unsigned char *bytes, uint64_t count) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (uint64_t i = 0; i < count; ++i) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
  return digest;
}

/* Map the file of weights beside a library: 8 bytes say how long a description is, and the constants follow it. */
static int map_weights(
    struct tilewright_library *library, const char *path, const char *name, struct tilewright_error *error) {
  size_t folder = (size_t)(strrchr(path, '/') + 1 - path);
  char *beside = malloc(folder + strlen(name) + 1);
  int status = 1;
  if (library->file >= 0 || strchr(name, '/') || !beside) {
    free(beside);
    return fail(error, "TW0711: expected a library with its constants inside, but they are in '%s' beside it", name);
  }
  memcpy(beside, path, folder);
  strcpy(beside + folder, name);
  int file = open(beside, O_RDONLY | O_CLOEXEC);
  off_t bytes = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  void *data = bytes > 8 ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  if (data != MAP_FAILED) {
    uint64_t length;
    memcpy(&length, data, sizeof length);
    library->mapped = data;
    library->mapped_bytes = (size_t)bytes;
    uint64_t rest = (uint64_t)bytes - 8;
    status = length > rest || rest - length < (uint64_t)library->exports->constant_bytes ||
             digest_of(data, 8 + length) != library->exports->weights_header;
    if (!status) library->constants = (const unsigned char *)data + 8 + length;
  }
  if (status) fail(error, "TW0711: expected the constants of the program in '%s', but it cannot be used", beside);
  if (file >= 0) close(file);
  free(beside);
  return status;
}

static struct tilewright_library *load(const char *path, const char *shown, int file, struct tilewright_error *error) {
  struct tilewright_library *library = calloc(1, sizeof *library);
  if (!library) {
    fail(error, "TW0711: out of memory");
    if (file >= 0) close(file);
    return NULL;
  }
  library->file = file;
  library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library->handle) {
    const char *reason = dlerror();
    fail(error, "TW0711: expected a program that tilewright saved, but '%s' cannot be loaded: %s", shown, reason);
    tilewright_unload(library);
    return NULL;
  }
  library->exports = dlsym(library->handle, "tilewright_exports");
  if (!library->exports) {
    fail(error, "TW0711: expected a program that tilewright saved, but '%s' does not describe itself to C", shown);
  } else if (library->exports->interface_version != TILEWRIGHT_INTERFACE) {
    fail(error, "TW0711: expected a program of interface %d, but '%s' has interface %d", TILEWRIGHT_INTERFACE, shown,
         (int)library->exports->interface_version);
  } else if (!check_features(library->exports, error)) {
    const char *weights = library->exports->weights;
    if (!weights) library->constants = library->exports->constants();
    if (!weights || !map_weights(library, path, weights, error)) return library;
  }
  tilewright_unload(library);
  return NULL;
}

struct tilewright_library *tilewright_load(const char *path, struct tilewright_error *error) {
  clear(error);
  if (!path || access(path, R_OK)) {
    fail(error, "TW0204: '%s' cannot be read: %s", path ? path : "", path ? strerror(errno) : "it has no name");
    return NULL;
  }
  if (strchr(path, '/')) return load(path, path, -1, error);
  /* The loader looks for a name without a folder elsewhere. */
  size_t length = strlen(path);
  char *here = malloc(length + 3);
  if (!here) {
    fail(error, "TW0711: out of memory");
    return NULL;
  }
  memcpy(here, "./", 2);
  memcpy(here + 2, path, length + 1);
  struct tilewright_library *library = load(here, path, -1, error);
  free(here);
  return library;
}

struct tilewright_library *tilewright_load_bytes(const void *data, size_t bytes, struct tilewright_error *error) {
  clear(error);
  int file = memfd_create("tilewright", MFD_CLOEXEC);
  const char *rest = data;
  while (file >= 0 && bytes) {
    ssize_t written = write(file, rest, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    rest += written;
    bytes -= (size_t)written;
  }
  if (file < 0 || bytes) {
    fail(error, "TW0711: the program cannot be held in memory: %s", strerror(errno));
    if (file >= 0) close(file);
    return NULL;
  }
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return load(path, "the program in memory", file, error);
}

void tilewright_unload(struct tilewright_library *library) {
  if (!library) return;
  if (library->handle) dlclose(library->handle);
  if (library->mapped) munmap(library->mapped, library->mapped_bytes);
  if (library->file >= 0) close(library->file);
  free(library);
}

int tilewright_function_count(const struct tilewright_library *library) { return library->exports->function_count; }

const char *tilewright_function_name(const struct tilewright_library *library, int number) {
  return library->exports->functions[number].name;
}

static const struct tilewright_function *find(const struct tilewright_exports *exports, const char *name) {
  for (int32_t i = 0; i < exports->function_count; ++i) {
    if (!strcmp(exports->functions[i].name, name ? name : "main")) return exports->functions + i;
  }
  return name ? NULL : exports->functions;
}

/* Memory of the arena for so many threads. */
static int resize_arena(struct tilewright *model, int32_t threads, struct tilewright_error *error) {
  const struct tilewright_function *f = model->function;
  int64_t bytes = (f->arena_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (f->thread_bytes > 0 && threads > (INT64_MAX - bytes - ALIGNMENT) / f->thread_bytes) bytes = INT64_MAX - ALIGNMENT;
  else bytes += threads * f->thread_bytes;
  void *memory = malloc((size_t)bytes + ALIGNMENT);
  if (!memory) return fail(error, "TW0708: expected %lld bytes of memory, but there are none", (long long)bytes);
  free(model->arena_memory);
  model->arena_memory = memory;
  model->arena = (char *)memory + (-(uintptr_t)memory & (ALIGNMENT - 1));
  model->threads = threads;
  return 0;
}

static int32_t rank_of_all(const struct tilewright_function *f) {
  int32_t total = 0;
  for (int32_t i = 0; i < f->input_count + f->output_count; ++i) total += f->arguments[i].rank;
  return total;
}

/* How many dimensions calls find: of outputs whose shapes are outputs of the program. */
static int32_t rank_of_found(const struct tilewright_function *f) {
  int32_t total = 0;
  for (int32_t i = f->input_count; i < f->input_count + f->output_count; ++i) {
    if (f->arguments[i].shape_of >= 0) total += (int32_t)f->arguments[i].shape[0];
  }
  return total;
}

/* The dimensions of an argument. */
static int64_t *extents_of(const struct tilewright *model, int32_t number) {
  int64_t *extents = model->extents;
  for (int32_t i = 0; i < number; ++i) extents += model->function->arguments[i].rank;
  return extents;
}

struct tilewright *tilewright_create(
    struct tilewright_library *library, const char *name, struct tilewright_error *error) {
  clear(error);
  const struct tilewright_function *f = find(library->exports, name);
  if (!f) {
    fail(error, "TW0713: expected a function of the library, but got '%s'", name ? name : "main");
    return NULL;
  }
  int32_t count = f->input_count + f->output_count, rank = rank_of_all(f), numbers = f->size_count + f->stride_count;
  int32_t found = rank_of_found(f);
  size_t words = (size_t)numbers + 2 * (size_t)rank + (size_t)found + (size_t)f->record_count;
  size_t pointers = (size_t)f->stride_count + (size_t)count + (size_t)f->constant_count;
  struct tilewright *model = calloc(1, sizeof *model + words * sizeof(int64_t) + pointers * sizeof(void *));
  if (!model) {
    fail(error, "TW0708: out of memory");
    return NULL;
  }
  model->library = library;
  model->function = f;
  model->numbers = (int64_t *)(model + 1);
  model->extents = model->numbers + numbers;
  model->symbolic = model->extents + rank;
  model->shapes = model->symbolic + rank;
  model->record = model->shapes + found;
  model->arguments = (void **)(model->record + f->record_count);
  model->constants = model->arguments + f->stride_count + count;
  for (int32_t i = 0; i < f->constant_count; ++i) {
    int64_t distance = f->constants[i];
    model->constants[i] = distance < 0 ? (void *)model->record : (void *)(uintptr_t)(library->constants + distance);
  }
  for (int32_t i = 0; i < count; ++i) {
    memcpy(extents_of(model, i), f->arguments[i].shape, (size_t)f->arguments[i].rank * sizeof(int64_t));
  }
  model->is_ready = numbers == 0;
  if (resize_arena(model, 1, error)) {
    free(model);
    return NULL;
  }
  return model;
}

void tilewright_destroy(struct tilewright *model) {
  if (!model) return;
  free(model->arena_memory);
  free(model);
}

/* The position among arguments of an output that callers see: not of those that hold the shapes of others. */
static int32_t output_at(const struct tilewright *model, int number) {
  const struct tilewright_function *f = model->function;
  for (int32_t i = f->input_count; i < f->input_count + f->output_count; ++i) {
    if (f->arguments[i].shape_of < 0 && number-- == 0) return i;
  }
  return -1;
}

int tilewright_input_count(const struct tilewright *model) { return model->function->input_count; }

int tilewright_output_count(const struct tilewright *model) {
  int count = 0;
  while (output_at(model, count) >= 0) ++count;
  return count;
}

const char *tilewright_input_name(const struct tilewright *model, int number) {
  return model->function->arguments[number].name;
}

const char *tilewright_output_name(const struct tilewright *model, int number) {
  return model->function->arguments[output_at(model, number)].name;
}

const char *tilewright_input_type(const struct tilewright *model, int number) {
  return model->function->arguments[number].type;
}

const char *tilewright_output_type(const struct tilewright *model, int number) {
  return model->function->arguments[output_at(model, number)].type;
}

/* The dimensions of an argument that a call has found, in memory of the instance; NULL where shapes determine them. */
static int64_t *found_shape(const struct tilewright *model, int32_t argument, int32_t *rank) {
  const struct tilewright_function *f = model->function;
  int64_t *found = model->shapes;
  for (int32_t i = f->input_count; i < f->input_count + f->output_count; ++i) {
    if (f->arguments[i].shape_of < 0) continue;
    *rank = (int32_t)f->arguments[i].shape[0];
    if (f->arguments[i].shape_of == argument) return found;
    found += *rank;
  }
  return NULL;
}

static int shape_of(const struct tilewright *model, int32_t argument, int64_t *shape) {
  int32_t rank = model->function->arguments[argument].rank;
  const int64_t *extents = extents_of(model, argument);
  if (model->has_run) {
    int32_t found_rank = 0;
    const int64_t *found = found_shape(model, argument, &found_rank);
    if (found) {
      extents = found;
      rank = found_rank;
    }
  }
  if (shape) memcpy(shape, extents, (size_t)rank * sizeof *shape);
  return rank;
}

int tilewright_input_shape(const struct tilewright *model, int number, int64_t *shape) {
  return shape_of(model, number, shape);
}

int tilewright_output_shape(const struct tilewright *model, int number, int64_t *shape) {
  return shape_of(model, output_at(model, number), shape);
}

static int64_t bytes_of(const struct tilewright *model, int32_t number) {
  const struct tilewright_argument *argument = model->function->arguments + number;
  int64_t bytes = argument->element_bytes, *extents = extents_of(model, number);
  for (int32_t d = 0; d < argument->rank; ++d) {
    if (extents[d] < 0) return -1;
    bytes *= extents[d];
  }
  return bytes;
}

int64_t tilewright_input_bytes(const struct tilewright *model, int number) { return bytes_of(model, number); }

int64_t tilewright_output_bytes(const struct tilewright *model, int number) {
  return bytes_of(model, output_at(model, number));
}

int tilewright_size_count(const struct tilewright *model) {
  return model->function->size_count + model->function->stride_count;
}

const char *tilewright_size_name(const struct tilewright *model, int number) {
  return model->function->size_names[number];
}

int tilewright_set_sizes(struct tilewright *model, const int64_t *sizes, struct tilewright_error *error) {
  const struct tilewright_function *f = model->function;
  clear(error);
  for (int32_t i = 0; i < f->size_count; ++i) {
    if (sizes[i] < 0 || sizes[i] > INT32_MAX) {
      return fail(error, "TW0704: expected size '%s' from 0 to %ld, but got %lld", f->size_names[i], (long)INT32_MAX,
                  (long long)sizes[i]);
    }
  }
  for (int32_t i = 0; i < f->size_count + f->stride_count; ++i) model->numbers[i] = sizes[i];
  f->extents(model->numbers, model->extents);
  int32_t symbolic = 0;
  const int64_t *extents = model->extents;
  for (int32_t i = 0; i < f->input_count + f->output_count; ++i) {
    for (int32_t d = 0; d < f->arguments[i].rank; ++d, ++extents) {
      if (f->arguments[i].shape[d] < 0) model->symbolic[symbolic++] = *extents;
      if (*extents < 0) {
        model->is_ready = 0;
        return fail(error, "TW0704: expected sizes from 0 on, but dimension %ld of '%s' is %lld", (long)d,
                    f->arguments[i].name, (long long)*extents);
      }
    }
  }
  for (int32_t i = 0; i < f->stride_count; ++i) {
    model->arguments[i] = (void *)(intptr_t)model->numbers[f->size_count + i];
  }
  model->is_ready = 1;
  model->has_run = 0;
  return 0;
}

/* Let the library's parallel loops reach the OpenMP runtime of the process, or else one of the system. */
static int use_openmp(const struct tilewright_library *library, struct tilewright_error *error) {
  static const char *const names[] = {"libiomp5.so", "libomp.so.5", "libomp.so", "libgomp.so.1"};
  static const char *const functions[] = {"GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads"};
  void *runtime = NULL;
  for (int pass = 0; pass < 2 && !runtime; ++pass) {
    for (size_t i = 0; i < sizeof names / sizeof *names && !runtime; ++i) {
      /* First what is loaded already, because two runtimes of one kind end the process; then GCC's before others. */
      size_t number = pass ? sizeof names / sizeof *names - 1 - i : i;
      runtime = dlopen(names[number], RTLD_NOW | RTLD_LOCAL | (pass ? 0 : RTLD_NOLOAD));
    }
  }
  void *addresses[3];
  for (int i = 0; i < 3; ++i) {
    addresses[i] = runtime ? dlsym(runtime, functions[i]) : NULL;
    if (!addresses[i]) {
      return fail(error, "TW0772: expected an OpenMP runtime for several threads, but there is none: install libgomp");
    }
  }
  library->exports->use_openmp(addresses); /* the runtime stays: its threads wait in it */
  return 0;
}

int tilewright_set_threads(struct tilewright *model, int threads, struct tilewright_error *error) {
  clear(error);
  if (threads < 1) return fail(error, "TW0725: expected at least one thread, but got %d", threads);
  if (threads > 1 && use_openmp(model->library, error)) return 1;
  return threads == model->threads ? 0 : resize_arena(model, threads, error);
}

/* Tell of the check that failed: its message with the numbers of the record. */
static int fail_check(const struct tilewright *model, struct tilewright_error *error) {
  if (!error) return 1;
  const char *message = model->function->checks[model->record[0] - 1];
  size_t used = (size_t)snprintf(error->text, sizeof error->text, "TW0730: ");
  for (int32_t value = 1; *message && used + 1 < sizeof error->text;) {
    if (message[0] == '{' && message[1] == '}' && value < model->function->record_count) {
      int written = snprintf(
          error->text + used, sizeof error->text - used, "%lld", (long long)model->record[value++]);
      used += (size_t)written;
      message += 2;
    } else {
      error->text[used++] = *message++;
      error->text[used] = '\0';
    }
  }
  return 1;
}

int tilewright_run(
    struct tilewright *model, const void *const *inputs, void *const *outputs, struct tilewright_error *error) {
  const struct tilewright_function *f = model->function;
  void **arguments = model->arguments + f->stride_count;
  int32_t output = 0;
  clear(error);
  if (!model->is_ready) return fail(error, "TW0704: expected sizes for '%s' before it runs", f->name);
  for (int32_t i = 0; i < f->input_count; ++i) {
    const struct tilewright_argument *argument = f->arguments + i;
    if (!inputs[i] && bytes_of(model, i) != 0) return fail(error, "TW0707: input '%s' is NULL", argument->name);
    if (argument->value && memcmp(inputs[i], argument->value, (size_t)bytes_of(model, i))) {
      return fail(error, "TW0714: input '%s' has another value than the program was compiled for", argument->name);
    }
    arguments[i] = (void *)(uintptr_t)inputs[i];
  }
  for (int32_t i = f->input_count; i < f->input_count + f->output_count; ++i) {
    const struct tilewright_argument *argument = f->arguments + i;
    int32_t rank;
    if (argument->shape_of >= 0) {
      arguments[i] = found_shape(model, argument->shape_of, &rank);
    } else {
      arguments[i] = outputs[output++];
      if (!arguments[i] && bytes_of(model, i) != 0) return fail(error, "TW0707: output '%s' is NULL", argument->name);
    }
  }
  for (int32_t i = 0; i < f->record_count; ++i) model->record[i] = 0;
  int32_t status = f->entry(model->arguments, model->symbolic, model->constants, model->arena, model->threads);
  if (status && f->record_count && model->record[0]) return fail_check(model, error);
  if (status) return fail(error, "TW0708: '%s' found no memory for buffers of these sizes", f->name);
  model->has_run = 1;
  return 0;
}
