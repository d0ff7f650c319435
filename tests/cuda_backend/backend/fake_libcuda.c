/* As much of CUDA's driver API as calls use, with the types of its header, over the host's memory. What was launched
   and waited for is kept where tests read it. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct context { int device; } *CUcontext;
typedef struct module { char text[64]; } *CUmodule;
typedef struct function { char name[64]; int shared; } *CUfunction;
typedef void *CUstream;
typedef struct event { CUstream stream; } *CUevent;

static struct context contexts[2] = {{0}, {1}};
static _Thread_local CUcontext current = NULL;
int retained = 0;

struct launch {
    char name[64];
    unsigned grid[3], block[3], shared, count;
    void *stream;
    long long words[64];
} last;
void *waits[2];
int live_events = 0, unloaded = 0, synchronized_streams = 0;
int words_wanted = 0;

CUresult cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
CUresult cuGetErrorName(CUresult error, const char **text) {
    *text = error == 1 ? "CUDA_ERROR_INVALID_VALUE" : error == 218 ? "CUDA_ERROR_INVALID_PTX" : NULL;
    return *text ? 0 : 1;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = error == 1 ? "invalid argument" : "a PTX JIT compilation failed";
    return 0;
}
CUresult cuDeviceGetCount(int *count) { *count = 2; return 0; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { *device = ordinal; return ordinal < 2 ? 0 : 101; }
CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    strncpy(name, device ? "Second" : "First", length);
    return 0;
}
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    *value = attribute == 75 ? 8 + device : attribute == 76 ? 6 : -1;
    return 0;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    retained++;
    *context = &contexts[device];
    return 0;
}
CUresult cuCtxGetCurrent(CUcontext *context) { *context = current; return 0; }
CUresult cuCtxSetCurrent(CUcontext context) { current = context; return 0; }

struct block { CUdeviceptr address; size_t size; int device; } blocks[64];
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
    if (!current) return 201;
    if (size > (1ull << 40)) return 2;
    for (int n = 0; n < 64; n++)
        if (!blocks[n].address) {
            *address = blocks[n].address = (CUdeviceptr)malloc(size);
            blocks[n].size = size;
            blocks[n].device = current->device;
            return 0;
        }
    return 2;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
    for (int n = 0; n < 64; n++)
        if (blocks[n].address == address && address) {
            free((void *)address);
            blocks[n].address = 0;
            return 0;
        }
    return 1;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
    memcpy((void *)to, from, size);
    return 0;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, CUstream stream) {
    memcpy(to, (void *)from, size);
    return 0;
}
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options, void **values) {
    if (strncmp(image, ".version", 8)) {
        for (unsigned n = 0; n < count; n++)
            if (options[n] == 5) strncpy(values[n], "ptxas: syntax error\nline 1", 64);
            else if (options[n] != 6 || (size_t)values[n] != 8192) return 1;
        return 218;
    }
    *module = calloc(1, sizeof(struct module));
    return 0;
}
CUresult cuModuleUnload(CUmodule module) { free(module); unloaded++; return 0; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    *function = calloc(1, sizeof(struct function));
    strncpy((*function)->name, name, 63);
    return 0;
}
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    if (attribute != 8) return 1;
    function->shared = value;
    return 0;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void **parameters, void **extra) {
    if (!current || extra || bx * by * bz > 1024 || shared > 49152u && (int)shared > function->shared) return 1;
    strcpy(last.name, function->name);
    last.grid[0] = gx, last.grid[1] = gy, last.grid[2] = gz;
    last.block[0] = bx, last.block[1] = by, last.block[2] = bz;
    last.shared = shared, last.stream = stream, last.count = words_wanted;
    for (int n = 0; n < words_wanted; n++) last.words[n] = *(long long *)parameters[n];
    return 0;
}
CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address) {
    if (attribute != 9) return 1;
    for (int n = 0; n < 64; n++)
        if (blocks[n].address && blocks[n].address <= address && address < blocks[n].address + blocks[n].size) {
            *(int *)data = blocks[n].device;
            return 0;
        }
    return 1;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
    if (flags != 2) return 1;
    *event = calloc(1, sizeof(struct event));
    live_events++;
    return 0;
}
CUresult cuEventRecord(CUevent event, CUstream stream) { event->stream = stream; return 0; }
CUresult cuEventDestroy_v2(CUevent event) { free(event); live_events--; return 0; }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    waits[0] = stream, waits[1] = event->stream;
    return flags == 0 ? 0 : 1;
}
CUresult cuStreamSynchronize(CUstream stream) { synchronized_streams++; return 0; }
