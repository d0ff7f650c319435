"""Values of programs for reduced instruction sets, against numpy.

SSE2 has no masked accesses, no gathers, no multiply-add, no conversion of f16 and no rounding; the scalar path has no
vectors either.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tilewright.backends.cpu.host import host_architecture, host_features
from tilewright.dialects.target import X86_64
from tilewright.dialects.target_features import LEVELS
from tilewright.runtime import Module

from .cases import FUNCTIONS as SCALAR_FUNCTIONS
from .cases import cases, check_functions, function_inputs
from .emulated import MACHINES, VECTOR_ROUNDING
from .machines import FUNCTIONS, SCALAR, SSE2, WITHOUT_FMA, programs_on

ON_X86_64 = pytest.mark.skipif(host_architecture() != X86_64, reason="no x86-64")
NOT_EMULATED = {("riscv64-vectors", "roundings"): VECTOR_ROUNDING}
"""Programs that an emulator cannot run, and why."""
EMULATED = [pytest.param(name, marks=pytest.mark.needs(*machine.tools)) for name, machine in MACHINES.items()]
HERE = [
    pytest.param(target, name, marks=ON_X86_64)
    for target in (SSE2, WITHOUT_FMA, SCALAR)
    for name in programs_on(target)
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("target", "name"), HERE)
def test_values(built: Callable[[str], Module], target: str, name: str) -> None:
    if target == WITHOUT_FMA and not {*LEVELS[X86_64]["x86-64-v3"]} <= {*host_features()}:
        pytest.skip("no AVX2")
    if name == FUNCTIONS:
        check_functions(built(target)[name](*function_inputs()))
    else:
        results = built(target)[name](*cases()[name].inputs)
        cases()[name].check(results if isinstance(results, tuple) else (results,))


@pytest.mark.parametrize("machine", EMULATED)
def test_values_of_code_for_other_machines(machine: str, built: Callable[[str], Module], tmp_path: Path) -> None:
    emulator = MACHINES[machine]
    names = [name for name in cases() if (machine, name) not in NOT_EMULATED]
    calls = [*((name, cases()[name].inputs) for name in names), (FUNCTIONS, function_inputs())]
    form = "wasm" if machine == "wasm32" else "o"
    *results, functions = emulator.run(built(emulator.target), calls, tmp_path, form)
    for name, outputs in zip(names, results, strict=True):
        cases()[name].check(outputs)
    check_functions(functions)


def test_samples_reach_every_magnitude() -> None:
    """The comparison is one of many different numbers."""
    for x in function_inputs():
        finite = np.abs(x[np.isfinite(x) & (x != 0)])
        assert np.unique(x).size > 500 and finite.min() < 1.1
    assert len(SCALAR_FUNCTIONS) == 23
