"""Operators and networks on machines that are not this one: every record and every row of tests/topi, by emulators.

`make test` takes a sample of them, `make test-machines` all, and ResNet-50 on AArch64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from drawn_operators import all_values
from numpy.typing import NDArray
from operator_cases import CASES
from tilewright import te
from tilewright.frontends.onnx.light_models import light_model
from tilewright.operators import OPERATORS, get_operator
from topi_operator_cases import CASES as OF_TOPI

from ..topi.networks import NETWORKS
from ..topi.table import ELEMENTWISE, LINEAR, MOVEMENT, REDUCTIONS, Row
from .emulated import MACHINES, VECTOR_ROUNDING

Array = NDArray[Any]
BATCHES = 6
SAMPLED = 40
"""Of so many programs, `make test` runs one."""
TOLERANCE = 2e-5
"""Of floats that records compute, as in tests/operators and tests/topi, relative and absolute."""
OF_SPREAD = 1e-4
"""Of what a network computes, relative to the spread of its outputs, as in tests/models."""

EXCLUDED: dict[str, dict[str, str]] = {
    "riscv64-vectors": dict.fromkeys(
        (
            "cast-5x3-toint32-float32",
            "grid_sample-2x2x4x5_2x3x2x2-modenearest_paddingborder_align_cornersTrue-float32",
            "grid_sample-2x2x4x5_2x3x2x2-modecubic_paddingreflection_align_cornersFalse-float32",
            "trunc-3x5-float32",
            "trunc-nx1x5-float32",
            "cast-nx1x5-float32",
            "isinf-19-float32",
            "isfinite-19-float32",
            "quantize-3x4_scalar_scalar-touint8-float32",
            "quantize-3x4_4-toint16_axis-1-float32",
        ),
        VECTOR_ROUNDING,
    )
}
"""Machine -> programs that it does not run, and why. The list may only shrink."""


@dataclass(frozen=True)
class Program:
    """A function, what it is called with, and what each call computes."""

    name: str
    tensors: Sequence[te.Tensor]
    calls: Sequence[tuple[Sequence[Array], Sequence[Array]]]
    tolerance: float

    def check(self, call: int, results: Sequence[Array]) -> None:
        for actual, wanted in zip(results, self.calls[call][1], strict=True):
            assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
            if np.issubdtype(wanted.dtype, np.inexact):
                np.testing.assert_allclose(actual, wanted, rtol=self.tolerance, atol=self.tolerance)
            else:
                np.testing.assert_array_equal(actual, wanted)


@cache
def programs() -> list[Program]:
    """Return every case of a record, and every row of tests/topi."""
    return [*map(_of_record, (*CASES, *OF_TOPI)), *map(_of_row, ROWS)]


ROWS = (*ELEMENTWISE, *REDUCTIONS, *MOVEMENT, *LINEAR, *NETWORKS)


def _of_record(case: Any) -> Program:
    arrays, record = case.arrays(), get_operator(case.operator)
    values = all_values(case, arrays)
    assert values is not None, case
    operands = [te.placeholder(array.shape, array.dtype.name, f"x{k}") for k, array in enumerate(arrays)]
    tensors = [*operands, *record.express(*operands, **values)]
    return Program(str(case), tensors, [(arrays, record.compute(*arrays, **values))], TOLERANCE)


def _of_row(row: Row) -> Program:
    operands = row.placeholders()
    result = row.call(*operands)
    calls: list[tuple[Sequence[Array], Sequence[Array]]] = []
    for call in range(row.calls):
        arrays = row.arrays(call)
        with np.errstate(all="ignore"):
            calls.append((arrays, [np.asarray(row.expected(*arrays)).astype(result.dtype)]))
    return Program(str(row), [*operands, result], calls, row.tolerance)


def run(machine: str, chosen: Sequence[Program], folder: Path) -> None:
    """Build programs for a machine, make all their calls in one process there, compare with numpy."""
    emulator, left_out = MACHINES[machine], EXCLUDED.get(machine, {})
    kept = {f"f{number}": program for number, program in enumerate(chosen) if program.name not in left_out}
    module = tilewright.build({name: [*program.tensors] for name, program in kept.items()}, target=emulator.target)
    made = [(name, number) for name, program in kept.items() for number in range(len(program.calls))]
    results = emulator.run(module, [(name, kept[name].calls[number][0]) for name, number in made], folder)
    failures: list[Exception] = []
    for (name, number), outputs in zip(made, results, strict=True):
        try:
            kept[name].check(number, outputs)
        except AssertionError as error:
            error.add_note(f"in {kept[name].name}")
            failures.append(error)
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {len(made)} calls are wrong on {machine}", failures)


HERE = [pytest.param(name, marks=pytest.mark.needs(*machine.tools)) for name, machine in MACHINES.items()]


@pytest.mark.parametrize("machine", HERE)
def test_a_sample_of_all_operators(machine: str, tmp_path: Path) -> None:
    run(machine, programs()[::SAMPLED], tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("machine", HERE)
def test_all_operators(machine: str, batch: int, tmp_path: Path) -> None:
    run(machine, programs()[batch::BATCHES], tmp_path)


SINES = """
#include <math.h>
int sines(float *out, const float *in, int rows, int columns) {
  for (int i = 0; i < rows; ++i) {
    out[i] = 0;
    for (int j = 0; j < columns; ++j) out[i] += sinf(in[i * columns + j]);
  }
  return 0;
}
"""


@pytest.mark.parametrize("machine", HERE)
def test_c_source_of_users_is_compiled_for_the_machine(machine: str, tmp_path: Path) -> None:
    """With the C library of the machine."""
    a = te.placeholder((3, 5), name="a")
    b = te.extern(
        (3,), [a], lambda ins, outs: te.call_extern("int32", "sines", outs[0], ins[0], 3, 5), name="b", c_source=SINES
    )
    x = np.random.default_rng(0).standard_normal((3, 5)).astype(np.float32)
    module = tilewright.build([a, b], target=MACHINES[machine].target)
    ((actual,),) = MACHINES[machine].run(module, [("main", [x])], tmp_path)
    np.testing.assert_allclose(actual, np.sin(x.astype(np.float64)).sum(1), rtol=1e-6, atol=1e-6)


def test_few_are_left_out() -> None:
    """All names of records are there, `prefix` aside, whose shape no caller knows; at most 5 % of them are excluded."""
    assert {case.operator for case in (*CASES, *OF_TOPI)} == OPERATORS.keys() - {"prefix"}
    names = {program.name for program in programs()}
    for machine, excluded in EXCLUDED.items():
        assert machine in MACHINES and excluded.keys() <= names
        assert len(excluded) <= 0.05 * len(names)


def network(name: str, size: int) -> onnx.ModelProto:
    """Return a light model for images of `size` by `size` pixels."""
    model = light_model(name)
    for dimension in model.graph.input[0].type.tensor_type.shape.dim[2:]:
        dimension.dim_value = size
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    return model


def check_network(machine: str, name: str, size: int, folder: Path) -> None:
    """Check that a light model on a machine agrees with onnxruntime on this one."""
    model = network(name, size)
    x = np.random.default_rng(1).standard_normal((1, 3, size, size)).astype(np.float32)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, {session.get_inputs()[0].name: x})
    module = tilewright.compile(model, MACHINES[machine].target)
    ((actual,),) = MACHINES[machine].run(module, [("main", [x])], folder)
    assert actual.shape == expected.shape
    assert np.abs(actual - expected).max() <= OF_SPREAD * np.ptp(expected)


@pytest.mark.full
@pytest.mark.parametrize("machine", HERE)
def test_squeezenet(machine: str, tmp_path: Path) -> None:
    check_network(machine, "squeezenet", 64, tmp_path)


@pytest.mark.full
@pytest.mark.needs(*MACHINES["aarch64"].tools)
def test_resnet50_on_aarch64(tmp_path: Path) -> None:
    check_network("aarch64", "resnet50", 224, tmp_path)
