"""The tests that the onnx package brings, one at a time, and what became of each.

Models are compiled as the suite feeds them: inputs stay inputs. A result has to have the dtype and the shape, and its
values are compared as the suite compares them (relative 1e-3, absolute 1e-7, where a test says nothing else; bfloat16
by two units in the last place), float16 by two units too: expected values are rounded after each operation. Of random
numbers, which are each implementation's own, dtype and shape alone are compared.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.test_case import TestCase
from onnx.backend.test.loader import load_model_tests
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import backend
from tilewright.frontends.onnx.light_models import light_model_path

PASSED, REFUSED, WRONG, RAW = "passed", "refused", "wrong", "raw error"
KINDS = ("node", "simple", "real")
DataSet: TypeAlias = tuple[Sequence[Any], Sequence[Any]]
"""The inputs of a call, and its results."""
_TWO_UNITS = {"bfloat16": 2**-6, "float16": 2**-9}
"""Twice the distance of neighbouring numbers, relative to the smallest of a binade."""
_RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
_NOISE = {"test_dft_inverse": 1e-6, "test_dft_inverse_opset19": 1e-6}
"""Tests whose expected values have the rounding errors of a transform in float32 where the result is exactly zero."""
_OPERATOR = re.compile(r"the model uses operators that are not supported at opset \d+: (.*)")
_NAMED = re.compile(r"'[^']*'|%\S+|\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a test."""

    kind: str
    name: str
    verdict: str
    reason: str = ""
    """Code and message, without names and numbers, so that equal reasons are counted together."""


def cases(kind: str) -> list[TestCase]:
    """Return the tests of a kind, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sorted(load_model_tests(kind=kind), key=lambda case: case.name)


def judge(case: TestCase) -> Outcome:
    """Compile and run one test. Nothing that it raises gets out."""
    try:
        wrong = _first_difference(case)
    except TilewrightError as error:
        return Outcome(case.kind, case.name, REFUSED, _reason(error))
    except Exception as error:  # what is no error of ours is what the suite looks for
        return Outcome(case.kind, case.name, RAW, f"{type(error).__name__}: {error}"[:200])
    return Outcome(case.kind, case.name, WRONG, wrong) if wrong else Outcome(case.kind, case.name, PASSED)


def _reason(error: TilewrightError) -> str:
    text = error.message.partition("\n")[0]
    if found := _OPERATOR.match(text):
        names = re.sub(r" \(\d+×[^)]*\)", "", found[1])
        return f"{error.code}: no converter for {names}"
    return f"{error.code}: {_NAMED.sub('…', text)}"


def _first_difference(case: TestCase) -> str:
    """Return the description of the first wrong result, or an empty string."""
    model, data = _of_light_model(case) if case.kind == "real" else _model_and_data(case)
    program = backend.prepare(model)
    is_random = any(node.op_type in _RANDOM for node in model.graph.node)
    for inputs, expected in data:
        results = program.run(inputs)
        if len(results) != len(expected):
            return f"{len(results)} results, expected {len(expected)}"
        for result, value in zip(results, expected, strict=True):
            found, wanted = _tensors(result), _tensors(value)
            if len(found) != len(wanted):
                return f"{len(found)} tensors, expected {len(wanted)}"
            for one, other in zip(found, wanted, strict=True):
                if is_random and (one.dtype, one.shape) == (other.dtype, other.shape):
                    continue
                if difference := _difference(one, other, case.rtol, _NOISE.get(case.name, case.atol)):
                    return difference
    return ""


def _tensors(value: Any) -> list[np.ndarray]:
    """Return a tensor, or those of a sequence; an optional without a value has none."""
    if isinstance(value, (list, tuple)):
        return [np.asarray(each) for each in value]
    return [] if value is None else [np.asarray(value)]


def _model_and_data(case: TestCase) -> tuple[onnx.ModelProto, Sequence[DataSet]]:
    if case.model is not None and case.data_sets is not None:
        return case.model, [(_arrays(inputs), _arrays(outputs)) for inputs, outputs in case.data_sets]
    assert case.model_dir is not None
    folders = sorted(Path(case.model_dir).glob("test_data_set_*"))
    return onnx.load(Path(case.model_dir) / "model.onnx"), [(_all(f, "input"), _all(f, "output")) for f in folders]


def _of_light_model(case: TestCase) -> tuple[onnx.ModelProto, Sequence[DataSet]]:
    """Return a light model as shipped, with the input that its expected output belongs to: numbers from 0 to 1 in
    order."""
    path = light_model_path(case.model_name)
    model = onnx.load(path)
    initialized = {tensor.name for tensor in model.graph.initializer}
    (image,) = (value for value in model.graph.input if value.name not in initialized)
    shape = [dim.dim_value or 1 for dim in image.type.tensor_type.shape.dim]
    count = int(np.prod(shape))
    given = (np.arange(count).reshape(shape) / count).astype(np.float32)
    return model, [([given], [_read(path.with_name(f"{path.stem}_output_0.pb"))])]


def _arrays(values: Sequence[Any]) -> list[Any]:
    """Return arrays; those of types that numpy lacks are stored as tensors of ONNX."""
    return [numpy_helper.to_array(v) if isinstance(v, onnx.TensorProto) else v for v in values]


def _all(folder: Path, what: str) -> list[np.ndarray]:
    return [_read(folder / f"{what}_{k}.pb") for k in range(len(list(folder.glob(f"{what}_*.pb"))))]


def _read(path: Path) -> np.ndarray:
    return numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes()))


def _difference(result: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> str:
    if result.dtype != expected.dtype:
        return f"dtype {result.dtype}, expected {expected.dtype}"
    if result.shape != expected.shape:
        return f"shape {result.shape}, expected {expected.shape}"
    if expected.dtype.kind in "biuSUO":
        return "" if np.array_equal(result, expected) else "other values"
    rtol = max(rtol, _TWO_UNITS.get(expected.dtype.name, 0))
    close = np.isclose(result.astype(np.float64), expected.astype(np.float64), rtol, atol, equal_nan=True)
    return "" if close.all() else f"{np.count_nonzero(~close)} of {close.size} values differ"
