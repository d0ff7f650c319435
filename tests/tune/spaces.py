"""Functions whose default schedules have a space, random points of it, and what becomes of these.

Run as a program, it draws points of each function and prints those that fail or are refused:
`python tests/tune/spaces.py 100 [NAME...]`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))

import tilewright
from tilewright import te, topi
from tilewright.backends.cpu import host
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import CpuTargetAttr
from tilewright.dialects.target_text import cpu_target
from tilewright.driver import compile as compile_module
from tilewright.passes.scheduling import SCHEDULED
from tilewright.schedule import Schedule
from tilewright.schedule.decisions import Point
from tilewright.tune.rule_space import RuleSpace
from tilewright.tune.space import Built
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp

Tensors = list[te.Tensor]

MACHINES = {
    "avx2": "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2",
    "avx512": "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -mattr=+avx512vnni -caches=48K,2M,32M -threads=2",
}


def product(n: int, m: int, k: int, dtype: str = "float32") -> Tensors:
    a, b = te.placeholder((n, k), dtype, name="A"), te.placeholder((k, m), dtype, name="B")
    return [a, b, topi.nn.relu(topi.matmul(a, b))]


def convolution(channels: int, outputs: int, size: int, window: int, batch: int = 1) -> Tensors:
    x = te.placeholder((batch, channels, size, size), name="X")
    w = te.placeholder((outputs, channels, window, window), name="W")
    return [x, w, topi.nn.relu(topi.nn.conv2d(x, w, 1, window // 2, 1))]


def softmax(rows: int, width: int) -> Tensors:
    x = te.placeholder((rows, width), name="X")
    return [x, topi.nn.softmax(x)]


FUNCTIONS: dict[str, Callable[[], Tensors]] = {
    "product": lambda: product(37, 53, 41),
    "long product": lambda: product(65, 136, 1024),
    "large product": lambda: product(310, 530, 723),
    "convolution": lambda: convolution(8, 16, 13, 3),
    "large convolution": lambda: convolution(64, 64, 28, 3),
    "softmax": lambda: softmax(19, 103),
    "large softmax": lambda: softmax(1024, 1024),
}
"""By name: the arguments and the result. Large ones are built only, not run."""


@cache
def target_of(machine: str) -> CpuTargetAttr:
    return cpu_target(MACHINES[machine], host.host_architecture(), host.host_target)


def space_of(tensors: Sequence[te.Tensor], machine: str) -> RuleSpace:
    (function,) = tilewright.IRModule({"main": te.create_prim_func(list(tensors))}).op.ops
    assert isinstance(function, FuncOp)
    return RuleSpace(function, target_of(machine))


def draw(space: RuleSpace, rng: random.Random, changes: int) -> Point:
    """A point that answers up to so many decisions otherwise than by default, from the first that is asked to the last.

    Raises TilewrightError where the point is refused.
    """
    point: dict[str, Any] = {}
    for left in range(changes, 0, -1):
        decisions = list(space.decisions(point))
        answered = max((n for n, d in enumerate(decisions) if d.key in point), default=-1)
        free = [d for d in decisions[answered + 1 :] if len(d.candidates) > 1]
        if not free:
            break
        decision = rng.choice(free[: max(len(free) // left, 1)])
        point[decision.key] = rng.choice([v for v in decision.candidates if v != decision.default])
    return point


def arguments_of(tensors: Sequence[te.Tensor]) -> list[np.ndarray]:
    """Values for all tensors but the last."""
    rng = np.random.default_rng(0)
    return [_values(rng, tensor) for tensor in tensors[:-1]]


def _values(rng: np.random.Generator, tensor: te.Tensor) -> np.ndarray:
    shape = tuple(int(extent) for extent in tensor.shape)
    if np.dtype(tensor.dtype).kind == "f":
        return rng.standard_normal(shape).astype(tensor.dtype)
    return rng.integers(-100, 100, shape).astype(tensor.dtype)


def run(built: Built, arguments: Sequence[np.ndarray]) -> np.ndarray:
    """The result of a built function, compiled for its target."""
    module = built.function.parent_op()
    assert isinstance(module, ModuleOp)
    copy = module.clone()
    copy.body.block.first_op.attributes[SCHEDULED] = UnitAttr()  # pyright: ignore
    return np.asarray(compile_module(copy)(*arguments))


def main(count: int, names: Sequence[str], seed: int = 0) -> int:
    """Draw points of functions, run those of small ones, and print each that fails; the number of these."""
    failures = 0
    for name in names or FUNCTIONS:
        tensors = FUNCTIONS[name]()
        for machine in MACHINES:
            space, arguments = space_of(tensors, machine), arguments_of(tensors)
            expected = None if name.startswith("large") else run(space.build({}), arguments)
            outcomes = Counter[str]()
            for number in range(count):
                rng, point = random.Random(f"{seed} {name} {machine} {number}"), None
                try:
                    point = draw(space, rng, 1 + number % 6)
                    built = space.build(point)
                    check(space, built)
                    if expected is not None:
                        np.testing.assert_allclose(run(built, arguments), expected, rtol=2e-4, atol=2e-4)
                    outcomes["built"] += 1
                except TilewrightError as error:
                    outcomes[error.code] += 1
                    print(f"{name} on {machine}, {number}, {point}: {error.message[:300]}")
                except Exception as error:  # what is looked for
                    failures += 1
                    outcomes["FAILED"] += 1
                    print(f"FAILED {name} on {machine}, {number}, {point}: {type(error).__name__} {str(error)[:600]}")
            print(f"{name} on {machine}: {dict(outcomes)}", flush=True)
    return failures


def check(space: RuleSpace, built: Built) -> None:
    """A built function verifies, and its trace replays to it."""
    built.function.verify()
    replayed = Schedule(space.function.clone())
    built.trace.apply_to(replayed)
    assert str(replayed.func) == str(built.function)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]) > 0)
