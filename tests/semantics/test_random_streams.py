"""Random numbers of one purpose say nothing about those of another."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import numpy as np
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.validation.execution import draw_inputs
from tilewright.semantics.calls import prepare_call
from tilewright.semantics.random_streams import Purpose, generator
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ((), (0,), (1,), (2,), (0, 0), (0, 1), (1, 0), (0, 0, 0), (1 << 32,), (0, 1 << 32), (1 << 40, 0), (-1,))
UNSEEDED = {
    "classic/contrib/random.py",
    "classic/relay/testing/init.py",
    "classic/schedule/interactive.py",
    "semantics/random_streams.py",
}
"""The streams that classic programs seed themselves, and the function that makes all others."""


def test_streams_differ_by_purpose_and_by_every_number() -> None:
    """Zeros behind a number count, and so does the word of a wide number in which a bit is set."""
    streams = defaultdict[bytes, list[str]](list)
    for purpose in Purpose:
        for numbers in SEEDS:
            streams[generator(purpose, *numbers).bytes(16)].append(f"{purpose.name}{numbers}")
    assert [names for names in streams.values() if len(names) > 1] == []


def test_streams_are_the_same_everywhere() -> None:
    assert generator(Purpose.OUTPUTS, 1, 0).integers(0, 1000, 6).tolist() == [5, 967, 12, 878, 712, 345]


def test_the_library_draws_from_these_streams_alone() -> None:
    folders = [path for path in ROOT.iterdir() if (path / "__init__.py").is_file() and path.name != "tests"]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    found = {
        str(path.relative_to(ROOT))
        for path in sources
        if re.search(r"default_rng\(|random\.(rand|randn|seed|uniform|normal)\(", path.read_text())
    }
    assert len(sources) > 500 and found == UNSEEDED


def program(element: str, shape: str = "3x40") -> tuple[ModuleOp, FuncOp]:
    """Return a function of two inputs and two outputs of one shape."""
    roles = {"a": "", "b": "", "c": " {tw.output}", "d": " {tw.output}"}
    arguments = ", ".join(f"%{name}: memref<{shape}x{element}>{role}" for name, role in roles.items())
    text = f"func.func @f({arguments}) {{\n func.return\n}}"
    module = parse(context(), text, "f.mlir")
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return module, function


def test_outputs_hold_before_a_call_what_no_input_holds() -> None:
    """Types of few values agree in as many elements as chance has it."""
    for element, share in (("f64", 0.0), ("f32", 0.0), ("bf16", 0.05), ("i64", 0.2), ("i8", 0.2), ("i1", 0.7)):
        module, function = program(element)
        for trial in range(4):
            inputs = draw_inputs(module, "f", trial)
            arrays = prepare_call(function, inputs, trial).values
            for k, first in enumerate(arrays):
                for second in arrays[:k]:
                    assert np.mean(first == second) <= share, (element, trial)


def test_both_sides_of_a_trial_begin_with_equal_outputs() -> None:
    """A pass may give an output another shape; its elements in row-major order stay."""
    module, function = program("f32")
    other = program("f32", "120")[1]
    inputs = draw_inputs(module, "f", 0)
    first, again, later = (prepare_call(f, inputs, t).values for f, t in ((function, 3), (other, 3), (function, 4)))
    assert all(np.array_equal(a.reshape(-1), b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[2], later[2]) and not np.array_equal(first[3], later[3])
