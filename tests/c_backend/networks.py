"""`make test-c`: the C files of whole networks, which take minutes of C compilers, beside onnxruntime.

    python tests/c_backend/networks.py [FOLDER]

Squeezenet with its weights as arrays, squeezenet with quantised weights and activations, and ResNet-50 with a file of
weights, by gcc and by clang, with warnings as errors: outputs agree to 1e-5 of their spread, those of the quantised one
within one step of a last bit that falls the other way. Squeezenet is an object for a machine without a system, too, and
runs under the sanitizers. Every tenth model of one node that the onnx package brings compiles without a warning. Prints
sizes and times, which decide nothing; the exit status is 0 where all hold.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from tilewright.backends.c.mathematics import LIBRARY_FUNCTIONS
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx.light_models import light_model
from tilewright.tests.c_backend.models import (
    COMPILERS,
    MEMORY,
    SANITIZED,
    STRICT,
    CModel,
    defined_symbols,
    deviation,
    onnxruntime_results,
    run_program,
    undefined_symbols,
    written,
)

TOLERANCE = 1e-5
FLAGS = ("-O2",)
NO_MODELS = {"TW0302", "TW0304", "TW0305", "TW0676"}
"""Codes of what the importer does not take or needs values for, and of outputs with as many elements as data says."""
LIBM = {*LIBRARY_FUNCTIONS, *(f"{name}f" for name in LIBRARY_FUNCTIONS)}


def image(size: int = 224) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((1, 3, size, size)).astype(np.float32)


def quantised(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a network whose convolutions take and give 8 bits: weights and what goes into each of them, both
    dequantised."""
    weights = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    nodes, added = list[onnx.NodeProto](), dict[str, np.ndarray]()

    def through(name: str, scale: float, zero: np.generic) -> str:
        added[f"{name}_scale"], added[f"{name}_zero"] = np.array(scale, np.float32), np.array(zero)
        parameters = [f"{name}_scale", f"{name}_zero"]
        nodes.append(helper.make_node("QuantizeLinear", [name, *parameters], [f"{name}_q"]))
        nodes.append(helper.make_node("DequantizeLinear", [f"{name}_q", *parameters], [f"{name}_d"]))
        return f"{name}_d"

    done: dict[str, str] = {}
    for node in model.graph.node:
        if node.op_type == "Conv":
            data, weight = node.input[0], node.input[1]
            if data not in done:
                done[data] = through(data, 0.05, np.uint8(100))
            array = weights[weight]
            node.input[0] = done[data]
            node.input[1] = through(weight, float(np.abs(array).max()) / 127, np.int8(0))
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in added.items())
    model.opset_import[0].version = 11
    model.ir_version = 8
    del model.graph.value_info[:]
    assert model.graph.input[0].type.tensor_type.elem_type == TensorProto.FLOAT
    return model


def agreements(name: str, model: onnx.ModelProto, folder: Path, tolerance: float) -> Iterator[tuple[str, bool]]:
    """Write a network, and compare what each compiler makes of it with onnxruntime."""
    x = image()
    source = model.graph.input[0].name
    (expected,) = onnxruntime_results(model, {source: x})
    start = time.monotonic()
    sizes = written(model, folder / f"{name}.c")
    print(f"{name}: {sizes}, written in {time.monotonic() - start:.0f} s", flush=True)
    for compiler in COMPILERS:
        start = time.monotonic()
        program = CModel(folder / f"{name}.c", compiler, FLAGS)
        compiled = time.monotonic() - start
        (field,), (result,) = ([f for f, _ in t._fields_] for t in (program.inputs_type, program.outputs_type))
        output = np.full(expected.shape, np.nan, np.float32)
        start = time.process_time()
        status = program.status({field: x}, {result: output})
        taken = time.process_time() - start
        found = deviation(output, expected)
        text = f"{name} by {compiler} {' '.join(FLAGS)}: {found:.1e} of the spread"
        yield f"{text}; compiled in {compiled:.0f} s, runs in {taken * 1000:.0f} ms", status == 0 and found <= tolerance
        if program.weights is not None:
            yield f"{name}: the digest of the weights holds", program.weights_status() == 0


def freestanding(folder: Path) -> Iterator[tuple[str, bool]]:
    """Check Squeezenet as an object for a machine without a system."""
    for compiler in COMPILERS:
        taken = undefined_symbols(folder / "squeezenet.c", compiler)
        names = defined_symbols(folder / "squeezenet.c")
        right = taken <= MEMORY | LIBM and all(name.startswith("squeezenet_") for name in names)
        yield f"squeezenet without a system by {compiler}: takes {', '.join(sorted(taken)) or 'nothing'}", right


def sanitized(folder: Path) -> Iterator[tuple[str, bool]]:
    """Check Squeezenet under the sanitizers of addresses and of undefined behaviour."""
    model, x = light_model("squeezenet"), image()
    (expected,) = onnxruntime_results(model, {model.graph.input[0].name: x})
    pointers = re.findall(r"^  (?:const )?float \*(\w+);", (folder / "squeezenet.h").read_text(), re.M)
    inputs, outputs = {pointers[0]: x}, {pointers[1]: expected}
    (found,) = run_program(folder / "squeezenet.c", "gcc", SANITIZED, inputs, outputs)
    yield "squeezenet under the sanitizers of gcc", deviation(found, expected) <= TOLERANCE


def nodes(folder: Path) -> Iterator[tuple[str, bool]]:
    """Check what compilers say of the C files of models of one node of the onnx package."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package computes what its models are to give, infinities among it
        models = [(case.name, case.model) for case in collect_testcases(None) if case.model is not None]
    compiled, refused = 0, Counter[str]()
    for name, model in models[::10]:
        try:
            written(model, folder / "node.c")
        except TilewrightError as error:
            refused[error.code] += 1
            continue
        compiled += 1
        for compiler in COMPILERS:
            command = [compiler, *STRICT, "-O1", "-c", "node.c", "-o", "node.o"]
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if run.returncode:
                yield f"{name} by {compiler}: {run.stderr}", False
    others = refused.keys() - NO_MODELS
    text = f"{compiled} models of one node compile without warnings, refused are {dict(refused)}"
    yield text, not others and compiled > refused.total()


def main(arguments: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments[0] if arguments else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        checks: list[Callable[[], Iterator[tuple[str, bool]]]] = [
            lambda: agreements("squeezenet", light_model("squeezenet"), folder, TOLERANCE),
            lambda: freestanding(folder),
            lambda: sanitized(folder),
            lambda: nodes(folder),
            lambda: agreements("quantised", quantised(light_model("squeezenet")), folder, 0.02),
            lambda: agreements("resnet50", light_model("resnet50"), folder, TOLERANCE),
        ]
        failed = 0
        for check in checks:
            for text, holds in check():
                print(f"{'ok' if holds else 'FAILED'}: {text}", flush=True)
                failed += not holds
    print(f"{failed} failed" if failed else "all hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
