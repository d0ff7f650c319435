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
from typing import Any, cast

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))

import tilewright
from tilewright import te, topi
from tilewright.analysis.access import blocks_in
from tilewright.backends.cpu import host
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.target import CpuTargetAttr
from tilewright.dialects.target_text import cpu_target
from tilewright.driver import compile as compile_module
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.shared.scheduling import SCHEDULED
from tilewright.schedule import Schedule
from tilewright.schedule.decisions import Point
from tilewright.schedule.trace import Trace
from tilewright.schedule.trace_arguments import recordable
from tilewright.tune.space import Built, RuleSpace
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp

OUTPUT = "tw.output"
OPEN = 23
"""The value of sizes that are known only in calls."""

MACHINES = {
    "avx2": "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2",
    "avx512": "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -mattr=+avx512vnni -caches=48K,2M,32M -threads=2",
}


def function_of(tensors: Sequence[te.Tensor]) -> FuncOp:
    """Return the loops that compute the last of the tensors."""
    (function,) = tilewright.IRModule({"main": te.create_prim_func(list(tensors))}).op.ops
    assert isinstance(function, FuncOp)
    return function


def kernel_of(graph: str) -> FuncOp:
    """Return the loops of a graph's only function with operators, as they are before auto-schedule."""
    module = parse(context(), graph, "graph.mlir")
    pipeline = "fuse,outline,lower-graph,fuse,collapse-dimensions,lower-te"
    PassManager(parse_pipeline(pipeline)).run(context(), module)
    function = max((op for op in module.ops if isinstance(op, FuncOp)), key=lambda op: len(blocks_in(op)))
    function.detach()
    return function


def product(n: Any, m: int, k: int) -> FuncOp:
    a, b = te.placeholder((n, k), name="A"), te.placeholder((k, m), name="B")
    return function_of([a, b, topi.nn.relu(topi.matmul(a, b))])


def transposed_product(n: int, m: int, k: int) -> FuncOp:
    """Return a product in which each result is a sum along rows of both operands."""
    a, b, t = te.placeholder((n, k), name="A"), te.placeholder((m, k), name="B"), te.reduce_axis((0, k), "t")
    return function_of([a, b, te.compute((n, m), lambda i, j: te.sum(a[i, t] * b[j, t], axis=t), name="C")])


def byte_product(n: int, m: int, k: int) -> FuncOp:
    a, b, t = te.placeholder((n, k), "int8", "A"), te.placeholder((k, m), "int8", "B"), te.reduce_axis((0, k), "t")
    wide = ("int32", "int32")

    def body(i: Any, j: Any) -> Any:
        return te.sum(a[i, t].astype(wide[0]) * b[t, j].astype(wide[1]), axis=t)

    return function_of([a, b, te.compute((n, m), body, name="C")])


def convolution(channels: int, outputs: int, size: int, window: int) -> FuncOp:
    x = te.placeholder((1, channels, size, size), name="X")
    w = te.placeholder((outputs, channels, window, window), name="W")
    return function_of([x, w, topi.nn.relu(topi.nn.conv2d(x, w, 1, window // 2, 1))])


def blocked(blocks: int, pixels: int, terms: int, lanes: int) -> FuncOp:
    """Return rows of `lanes` results a pixel: a convolution of one pixel on blocks of channels."""
    x = te.placeholder((terms, pixels, lanes), name="X")
    w = te.placeholder((blocks, terms, lanes, lanes), name="W")
    c, i = te.reduce_axis((0, terms), "c"), te.reduce_axis((0, lanes), "i")
    return function_of(
        [x, w, te.compute((blocks, pixels, lanes), lambda o, p, n: te.sum(x[c, p, i] * w[o, c, i, n], axis=[c, i]))]
    )


def winograd(inputs: int, outputs: int, size: int, block: int) -> FuncOp:
    x, w = f"tensor<1x{inputs}x{size}x{size}x{block}xf32>", f"tensor<4x4x{outputs}x{inputs}x{block}x{block}xf32>"
    y = f"tensor<1x{outputs}x{size}x{size}x{block}xf32>"
    return kernel_of(f"""
func.func @main(%x: {x}, %w: {w}, %b: tensor<{outputs}x{block}xf32>) -> {y} {{
  %c = graph.winograd_conv2d %x, %w, %b padding [1, 1, 1, 1] : {y}
  func.return %c : {y}
}}""")


def softmax(rows: int, width: int) -> FuncOp:
    x = te.placeholder((rows, width), name="X")
    return function_of([x, topi.nn.softmax(x)])


def layer_norm(rows: int, width: int) -> FuncOp:
    x, w = f"tensor<{rows}x{width}xf32>", f"tensor<{width}xf32>"
    return kernel_of(f"""
func.func @main(%x: {x}, %s: {w}, %b: {w}) -> {x} {{
  %y = graph.layer_norm %x, %s, %b axes [1] epsilon 1.0e-05 : {x}
  func.return %y : {x}
}}""")


def row_sums(rows: int, width: int) -> FuncOp:
    x, k = te.placeholder((rows, width), name="X"), te.reduce_axis((0, width), "k")
    return function_of([x, te.compute((rows,), lambda i: te.sum(x[i, k], axis=k), name="S")])


def column_sums(rows: int, width: int) -> FuncOp:
    x, k = te.placeholder((rows, width), name="X"), te.reduce_axis((0, rows), "k")
    return function_of([x, te.compute((width,), lambda i: te.sum(x[k, i], axis=k), name="S")])


def strided_sums(rows: int, width: int) -> FuncOp:
    """Return sums of every fifth element: no vectors of them are loaded."""
    x, k = te.placeholder((rows, width * 5), name="X"), te.reduce_axis((0, width), "k")
    return function_of([x, te.compute((rows,), lambda i: te.sum(x[i, k * 5], axis=k), name="S")])


def transpose(rows: int, width: int) -> FuncOp:
    x = te.placeholder((rows, width), name="X")
    return function_of([x, te.compute((width, rows), lambda i, j: x[j, i], name="T")])


def sums(rows: int, width: int) -> FuncOp:
    x, y = te.placeholder((rows, width), name="X"), te.placeholder((width,), name="Y")
    return function_of([x, y, te.compute((rows, width), lambda i, j: x[i, j] * y[j] + y[j], name="Z")])


FUNCTIONS: dict[str, Callable[[], FuncOp]] = {
    "product": lambda: product(37, 53, 41),
    "long product": lambda: product(65, 136, 1024),
    "product of any number of rows": lambda: product(te.var("n"), 53, 41),
    "large product": lambda: product(310, 530, 723),
    "transposed product": lambda: transposed_product(21, 19, 45),
    "byte product": lambda: byte_product(67, 83, 101),
    "large byte product": lambda: byte_product(256, 384, 512),
    "convolution": lambda: convolution(8, 16, 13, 3),
    "convolution of one pixel": lambda: convolution(16, 32, 7, 1),
    "large convolution": lambda: convolution(64, 64, 28, 3),
    "blocks of 8": lambda: blocked(3, 29, 6, 8),
    "blocks of 16": lambda: blocked(4, 30, 12, 16),
    "winograd": lambda: winograd(2, 4, 10, 8),
    "large winograd": lambda: winograd(4, 4, 56, 16),
    "softmax": lambda: softmax(19, 103),
    "large softmax": lambda: softmax(1024, 1024),
    "layer norm": lambda: layer_norm(17, 130),
    "large layer norm": lambda: layer_norm(512, 768),
    "row sums": lambda: row_sums(23, 1001),
    "one sum": lambda: row_sums(1, 1 << 16),
    "column sums": lambda: column_sums(95, 611),
    "strided sums": lambda: strided_sums(36, 50),
    "transpose": lambda: transpose(35, 71),
    "sums": lambda: sums(43, 217),
    "large sums": lambda: sums(4096, 4096),
}
"""By name. Large ones are built only, not run."""


@cache
def target_of(machine: str) -> CpuTargetAttr:
    return cpu_target(MACHINES[machine], host.host_architecture(), host.host_target)


def space_of(name: str, machine: str) -> RuleSpace:
    return RuleSpace(FUNCTIONS[name](), target_of(machine))


def draw(space: RuleSpace, rng: random.Random, changes: int) -> Point:
    """Return a point that answers up to so many decisions otherwise than by default, from the first that is asked to
    the last.

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


def arguments_of(function: FuncOp) -> list[np.ndarray]:
    """Return values for what a function reads."""
    rng = np.random.default_rng(0)
    attributes = [{}] * len(function.args) if function.arg_attrs is None else [a.data for a in function.arg_attrs]
    inputs = [v for v, known in zip(function.args, attributes, strict=True) if OUTPUT not in known]
    return [_values(rng, cast(MemRefType[Any], value.type)) for value in inputs]


def _values(rng: np.random.Generator, type: MemRefType[Any]) -> np.ndarray:
    dtype, shape = numpy_dtype(type.element_type), [OPEN if n < 0 else n for n in type.get_shape()]
    return rng.standard_normal(shape).astype(dtype) if dtype.kind == "f" else rng.integers(-100, 100, shape, dtype)


def run(built: Built, arguments: Sequence[np.ndarray]) -> np.ndarray:
    """Return the result of a built function, compiled for its target."""
    module = built.function.parent_op()
    assert isinstance(module, ModuleOp)
    copy = module.clone()
    (function,) = copy.ops
    function.attributes[SCHEDULED] = UnitAttr()
    function.properties["sym_name"] = StringAttr("main")
    function.properties.pop("sym_visibility", None)
    return np.asarray(compile_module(copy)(*arguments))


def main(count: int, names: Sequence[str], seed: int = 0) -> int:
    """Draw points of functions, run those of small ones, and print each that fails; the number of these."""
    failures = 0
    for name in names or FUNCTIONS:
        for machine in MACHINES:
            space = space_of(name, machine)
            arguments = arguments_of(space.function)
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
    """Check that a built function verifies, and that its trace states its decisions and replays to it in every form."""
    built.function.verify()
    stated = {
        step.positional[0]: step.keywords.get("decision")
        for step in built.trace.instructions
        if step.method == "decide"
    }
    assert stated == {key: recordable(value) for key, value in built.point.items()}
    for trace in (built.trace, Trace.from_json(built.trace.as_json()), Trace.from_mlir(built.trace.as_mlir())):
        replayed = Schedule(space.function.clone())
        trace.apply_to(replayed)
        assert str(replayed.func) == str(built.function)
        assert replayed.trace.as_python() == built.trace.as_python()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]) > 0)
