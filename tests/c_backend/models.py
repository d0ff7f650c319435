"""C files of models, compiled and called."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from shutil import which

import numpy as np
import onnx
import onnxruntime
import pytest
from tilewright.backends.c.model import ModelSizes, write_model
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model
from xdsl.dialects.builtin import ModuleOp

STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off")
COMPILERS = tuple(filter(which, ("gcc", "clang")))
EACH_COMPILER = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("gcc", "clang")]
TARGET = "c -vector-width=128 -threads=1"
_FIELD = re.compile(r"^  (?P<type>[\w ]+?) (?P<pointer>\*?)(?P<name>\w+);", re.M)


def lowered(model: onnx.ModelProto | ModuleOp, target: str = TARGET, **options: object) -> ModuleOp:
    """Return executable loop IR of a model for a target of C."""
    module = import_model(model, **options) if isinstance(model, onnx.ModelProto) else model
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    return lower_module(module)


def written(model: onnx.ModelProto | ModuleOp, path: Path, target: str = TARGET, **options: object) -> ModelSizes:
    """Write the C file of a model."""
    return write_model(lowered(model, target), path, **options)


class CModel:
    """A C file of a model as a library of this process."""

    def __init__(self, path: Path, compiler: str, flags: Sequence[str] = ("-O2",), name: str | None = None) -> None:
        self.name = name or path.stem
        self.header = path.with_suffix(".h").read_text()
        library = path.with_suffix(f".{compiler}.so")
        command = [compiler, *STRICT, *flags, "-shared", "-fPIC", path.name, "-o", str(library), "-lm"]
        subprocess.run(command, cwd=path.parent, check=True)
        self.library = ctypes.CDLL(str(library))
        self.weights: np.ndarray | None = None
        if path.with_suffix(".weights").exists():
            self.weights = np.fromfile(path.with_suffix(".weights"), np.uint64)

    def function(self, name: str) -> ctypes._CFuncPtr:
        return getattr(self.library, f"{self.name}_{name}")

    def struct(self, kind: str) -> type[ctypes.Structure]:
        """Return the struct of the inputs or of the outputs, from the header."""
        body = re.search(rf"struct {self.name}_{kind} \{{(.*?)^\}};", self.header, re.M | re.S)
        fields = [
            (f["name"], ctypes.c_void_p if f["pointer"] else ctypes.c_int64)
            for f in _FIELD.finditer(body[1] if body else "")
        ]
        return type(kind, (ctypes.Structure,), {"_fields_": fields})

    @cached_property
    def inputs_type(self) -> type[ctypes.Structure]:
        return self.struct("inputs")

    @cached_property
    def outputs_type(self) -> type[ctypes.Structure]:
        return self.struct("outputs")

    @cached_property
    def output_shapes(self) -> list[list[str]]:
        """The dimensions of each output, as the header states them."""
        body = re.search(rf"struct {self.name}_outputs \{{(.*?)^\}};", self.header, re.M | re.S)
        shapes = re.findall(r"/\* .*?\[(.*?)\] \*/", body[1] if body else "")
        return [shape.split(", ") if shape else [] for shape in shapes]

    def arena_bytes(self, inputs: ctypes.Structure) -> int:
        fixed = re.search(rf"#define {self.name.upper()}_ARENA_BYTES (\d+)", self.header)
        if fixed:
            return int(fixed[1])
        function = self.function("arena_bytes")
        function.restype = ctypes.c_int64
        return function(ctypes.byref(inputs))

    def status(self, inputs: Mapping[str, np.ndarray | int], outputs: Mapping[str, np.ndarray]) -> int:
        """Return the status of a call; sizes are inputs that are numbers."""
        given = self.inputs_type(**{k: v if isinstance(v, int) else v.ctypes.data for k, v in inputs.items()})
        taken = self.outputs_type(**{k: v.ctypes.data for k, v in outputs.items()})
        size = self.arena_bytes(given)
        assert size >= 0
        # What lies around the arena stays as it was, wherever the arena begins.
        arena = np.full(size + 65, 0xA5, np.uint8)
        start = arena.ctypes.data + 1
        extra = [] if self.weights is None else [ctypes.c_void_p(self.weights.ctypes.data)]
        status = self.function("run")(ctypes.byref(given), ctypes.byref(taken), ctypes.c_void_p(start), *extra)
        assert arena[0] == 0xA5 and (arena[size + 1 :] == 0xA5).all()
        self.sizes = {name: getattr(taken, name) for name, type_ in taken._fields_ if type_ is ctypes.c_int64}
        return status

    def weights_status(self, weights: np.ndarray | None = None) -> int:
        """Return the status of the program's check of a file of weights, by default of the one beside it."""
        data = self.weights if weights is None else weights
        assert data is not None
        return self.function("check_weights")(ctypes.c_void_p(data.ctypes.data), ctypes.c_size_t(data.nbytes))

    def message(self, status: int) -> str:
        function = self.function("message")
        function.restype = ctypes.c_char_p
        return function(status).decode()


def onnxruntime_results(model: onnx.ModelProto, inputs: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """Return the outputs of onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, dict(inputs))


def deviation(actual: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest difference over the spread of the expected outputs."""
    assert actual.shape == expected.shape and actual.dtype == expected.dtype
    return float(np.abs(actual - expected).max() / np.ptp(expected))


_PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include "{header}"

static void *read_file(const char *path) {{
  FILE *file = fopen(path, "rb");
  if (!file) exit(3);
  fseek(file, 0, SEEK_END);
  size_t bytes = (size_t)ftell(file);
  rewind(file);
  void *data = malloc(bytes ? bytes : 1);
  if (fread(data, 1, bytes, file) != bytes) exit(3);
  fclose(file);
  return data;
}}

int main(void) {{
  struct {name}_inputs inputs = {{{inputs}}};
  struct {name}_outputs outputs = {{{outputs}}};
  long long arena_bytes = (long long){arena};
  void *arena = malloc(arena_bytes > 0 ? (size_t)arena_bytes : 1);
  {weights}
  int status = {name}_run(&inputs, &outputs, arena{passed});
  if (status) {{
    puts({name}_message(status));
    return 1;
  }}
{written}
  return 0;
}}
"""


def run_program(
    path: Path,
    compiler: str,
    flags: Sequence[str],
    inputs: Mapping[str, np.ndarray | int],
    expected: Mapping[str, np.ndarray],
) -> list[np.ndarray]:
    """Run the C file of a model as a program of its own, in which each array has memory of its own size; return the
    outputs."""
    name, folder = path.stem, path.parent
    header = path.with_suffix(".h").read_text()
    given: list[str] = []
    for field, value in inputs.items():
        if isinstance(value, np.ndarray):
            (folder / f"{field}.in").write_bytes(np.ascontiguousarray(value).tobytes())
        given.append(f".{field} = {value}" if isinstance(value, int) else f'.{field} = read_file("{field}.in")')
    fixed = f"{name.upper()}_ARENA_BYTES"
    in_file = path.with_suffix(".weights").exists()
    text = _PROGRAM.format(
        name=name,
        header=path.with_suffix(".h").name,
        inputs=", ".join(given),
        outputs=", ".join(f".{field} = malloc({max(array.nbytes, 1)})" for field, array in expected.items()),
        arena=fixed if fixed in header else f"{name}_arena_bytes(&inputs)",
        weights=f'void *weights = read_file("{name}.weights");' if in_file else "",
        passed=", weights" if in_file else "",
        written="\n".join(_written(field, array) for field, array in expected.items()),
    )
    (folder / "program.c").write_text(text)
    command = [compiler, *STRICT, *flags, "program.c", path.name, "-o", "program", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    run = subprocess.run(["./program"], cwd=folder, capture_output=True, text=True, check=False, env=LEAKS)
    assert run.returncode == 0 and not run.stderr, f"{run.stdout}\n{run.stderr}"
    return [
        np.frombuffer((folder / f"{field}.out").read_bytes(), array.dtype).reshape(array.shape)
        for field, array in expected.items()
    ]


LEAKS = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
"""The program ends without giving memory back."""


def _written(field: str, array: np.ndarray) -> str:
    return f"""\
  FILE *{field}_file = fopen("{field}.out", "wb");
  fwrite(outputs.{field}, 1, {array.nbytes}, {field}_file);
  fclose({field}_file);"""


def undefined_symbols(path: Path, compiler: str) -> set[str]:
    """Return the symbols that the C file of a model takes from elsewhere, as an object for a machine without a
    system."""
    object_ = path.with_suffix(".freestanding.o")
    flags = ["-O2", "-ffreestanding", "-nostdlib"]
    subprocess.run([compiler, *STRICT, *flags, "-c", path.name, "-o", object_], cwd=path.parent, check=True)
    listed = subprocess.run(["nm", "-u", object_], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in listed.splitlines()}


MEMORY = {"memcpy", "memmove", "memset", "memcmp"}
"""Functions that compilers call on their own, too."""


def defined_symbols(path: Path) -> set[str]:
    """Return the symbols that others see of the object that `undefined_symbols` made."""
    command = ["nm", "-g", "--defined-only", path.with_suffix(".freestanding.o")]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in listed.splitlines()}


SANITIZED = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
