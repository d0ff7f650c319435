"""Programs for AArch64 under QEMU, where that and a cross compiler are installed: values, not only assembly.

A C program reads the inputs of each function from files, calls it with three threads, and writes the outputs.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tilewright
from numpy.typing import NDArray

Array = NDArray[Any]
TRIPLE = "aarch64-linux-gnu"
COMPILER, EMULATOR = f"{TRIPLE}-gcc", "qemu-aarch64"
THREADS = 3

_HEAD = """\
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "program.h"

static void *block(const char *name, size_t size, int filled) {
  void *data = aligned_alloc(64, (size + 127) / 64 * 64);
  if (!filled) return data;
  FILE *file = fopen(name, "rb");
  if (!file || fread(data, 1, size, file) != size) exit(2);
  fclose(file);
  return data;
}

static void keep(const char *name, void *data, size_t size) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(data, 1, size, file) != size) exit(3);
  fclose(file);
}

int main(void) {
  void *openmp = dlopen("libgomp.so.1", RTLD_NOW);
  if (!openmp) return 4;
  void *runtime[] = {dlsym(openmp, "GOMP_parallel"), dlsym(openmp, "omp_get_thread_num"),
                     dlsym(openmp, "omp_get_num_threads")};
  tilewright_use_openmp(runtime);
"""


def available() -> bool:
    return shutil.which(COMPILER) is not None and shutil.which(EMULATOR) is not None


def run(
    module: tilewright.runtime.Module, inputs: Mapping[str, Sequence[Array]], folder: Path
) -> dict[str, list[Array]]:
    """The outputs of the module's functions on these inputs."""
    module.save(folder / "program.o")
    lines: list[str] = []
    outputs: dict[str, list[Array]] = {}
    for name, arrays in inputs.items():
        results = [np.empty([int(str(n)) for n in a.shape], a.dtype) for a in module[name].signature.outputs]
        outputs[name] = results
        for number, array in enumerate(arrays):
            (folder / f"{name}.{number}").write_bytes(array.tobytes())
        everything = [*arrays, *results]
        blocks = [
            f'block("{name}.{number}", {array.nbytes}, {int(number < len(arrays))})'
            for number, array in enumerate(everything)
        ]
        lines.append(f"  {{ void *b[] = {{{', '.join(blocks)}}};")
        passed = ", ".join(f"b[{number}]" for number in range(len(everything)))
        function = "tw_main" if name == "main" else name
        lines.append(f"    if ({function}({passed}, {THREADS})) return 5;")
        for number in range(len(arrays), len(everything)):
            lines.append(f'    keep("{name}.{number}", b[{number}], {everything[number].nbytes});')
        lines.append("  }")
    (folder / "driver.c").write_text(_HEAD + "\n".join([*lines, "  return 0;", "}", ""]))
    _command(folder, COMPILER, "-O1", "driver.c", "program.o", "-o", "driver", "-lm", "-ldl")
    _command(folder, EMULATOR, "-L", f"/usr/{TRIPLE}", "./driver")
    for name, results in outputs.items():
        for number, result in enumerate(results, len(inputs[name])):
            result[...] = np.fromfile(folder / f"{name}.{number}", result.dtype).reshape(result.shape)
    return outputs


def _command(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command[0]}: status {done.returncode}\n{done.stderr}"
