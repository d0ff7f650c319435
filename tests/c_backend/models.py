"""C files of models, compiled and called."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from shutil import which

import numpy as np
import onnx
import onnxruntime
from tilewright.backends.c.model import ModelSizes, write_model
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model
from xdsl.dialects.builtin import ModuleOp

STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off")
COMPILERS = tuple(filter(which, ("gcc", "clang")))
TARGET = "c -vector-width=128 -threads=1"
_FIELD = re.compile(r"^  (?P<type>[\w ]+?) (?P<pointer>\*?)(?P<name>\w+);", re.M)


def lowered(model: onnx.ModelProto | ModuleOp, target: str = TARGET, **options: object) -> ModuleOp:
    """Executable loop IR of a model for a target of C."""
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
        """The struct of the inputs or of the outputs, from the header."""
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

    def arena_bytes(self, inputs: ctypes.Structure) -> int:
        fixed = re.search(rf"#define {self.name.upper()}_ARENA_BYTES (\d+)", self.header)
        if fixed:
            return int(fixed[1])
        function = self.function("arena_bytes")
        function.restype = ctypes.c_int64
        return function(ctypes.byref(inputs))

    def status(self, inputs: Mapping[str, np.ndarray | int], outputs: Mapping[str, np.ndarray]) -> int:
        """The status of a call; sizes are inputs that are numbers."""
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

    def message(self, status: int) -> str:
        function = self.function("message")
        function.restype = ctypes.c_char_p
        return function(status).decode()


def onnxruntime_results(model: onnx.ModelProto, inputs: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """The outputs of onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, dict(inputs))


def deviation(actual: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference over the spread of the expected outputs."""
    assert actual.shape == expected.shape and actual.dtype == expected.dtype
    return float(np.abs(actual - expected).max() / np.ptp(expected))
