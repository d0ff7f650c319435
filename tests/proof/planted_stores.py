"""Faults of stores, and programs that only copy: values of outputs that nobody wrote, or that were read too early.

A copy computes nothing, so an output buffer that held the values of an input would hide these faults. The passes here
rewrite each store of a function; one of the rewrites is the fault, the others keep what the function computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context, loop
from tilewright.ir import editor as edit
from tilewright.passes import may_rewrite
from tilewright.passes.framework.base import Level
from tilewright.passes.framework.bisection import bisect
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import conversion, default_pipeline
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from .planted import module_of

TRIALS = 2
_MISSING, _EARLY = "missing store", "store of an early read"
FAULTS = (_MISSING, _EARLY)


def _graph(element: str, body: str, result: str = "4x8") -> str:
    types = {"x": f"tensor<4x8x{element}>", "r": f"tensor<{result}x{element}>"}
    return f"func.func @main(%x: {types['x']}, %y: {types['x']}) -> {types['r']} {{\n{body.format(**types)}\n}}\n"


_OPERATORS = {
    "copy": ("%0 = graph.identity %x : {x}\nreturn %0 : {r}", "4x8"),
    "concatenation of rows": ("%0 = graph.concat %x, %y axis 0 : {r}\nreturn %0 : {r}", "8x8"),
    "concatenation of columns": ("%0 = graph.concat %y, %x axis 1 : {r}\nreturn %0 : {r}", "4x16"),
    "relu": ("%0 = graph.relu %x : {x}\nreturn %0 : {r}", "4x8"),
    "clip": ("%0 = graph.clip %x low -0.5 high 0.5 : {x}\nreturn %0 : {r}", "4x8"),
}
_ELEMENTS = {"copy": ("f32", "f16", "i8", "i64", "i1"), "concatenation of rows": ("f32", "i32")}

_IN_TWO_STEPS = """\
func.func @main(%x: memref<16x{0}>, %m: memref<16x{0}> {{tw.output}}, %y: memref<16x{0}> {{tw.output}}) {{
  loop.for %i = 0 to 16 {{
    %0 = loop.load %x[%i] : memref<16x{0}>
    loop.store %0, %m[%i] : memref<16x{0}>
  }}
  loop.for %i = 0 to 16 {{
    %0 = loop.load %m[15 - %i] : memref<16x{0}>
    loop.store %0, %y[%i] : memref<16x{0}>
  }}
  func.return
}}
"""
_OF_ANY_SIZE = """\
func.func @main(%x: memref<?x{0}>, %y: memref<?x{0}> {{tw.output}}) {{
  %n = loop.dim %x, 0 : memref<?x{0}>
  loop.bind %x shape [%n] strides [1] : memref<?x{0}>
  loop.bind %y shape [%n] strides [1] : memref<?x{0}>
  loop.for %i = 0 to %n {{
    %0 = loop.load %x[%i] : memref<?x{0}>
    loop.store %0, %y[%i] : memref<?x{0}>
  }}
  func.return
}}
"""


@dataclass(frozen=True)
class WrongStore(ModulePass):
    """Make all stores anew, one of them wrongly.

    `missing store`: it is left out. `store of an early read`: it stores what its element held before.
    """

    name = "wrong-store"

    fault: str = _MISSING
    number: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for number, store in enumerate([n for n in op.walk() if isinstance(n, loop.StoreOp)]):
            if not may_rewrite("make anew", store):
                continue
            made = store.clone()
            if number == self.number and self.fault == _EARLY:
                read = loop.LoadOp(store.buffer, store.index)
                edit.insert(read, InsertPoint.before(store), of=store)
                made = store.clone({store.value: read.res})
            if number != self.number or self.fault != _MISSING:
                edit.insert(made, InsertPoint.before(store))
            edit.erase(store)


@dataclass(frozen=True)
class EarlyLoop(ModulePass):
    """Move the last loop before the others, so that it reads what they have yet to write."""

    name = "early-loop"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [n for n in op.walk() if isinstance(n, loop.ForOp)]
        if len(loops) > 1 and may_rewrite("move before the others", loops[-1]):
            edit.move(loops[-1], InsertPoint.before(loops[0]))


@dataclass(frozen=True)
class PlantedStore:
    """A program, the passes that take it to loops, and the faulty pass behind them."""

    label: str
    text: str
    passes: tuple[ModulePass, ...]
    fault: ModulePass

    def __str__(self) -> str:
        fault = f"{self.fault.fault} {self.fault.number}" if isinstance(self.fault, WrongStore) else "early loop"
        return f"{self.label}: {fault}"

    def problem(self) -> str | None:
        """Return the fault in what bisection says; None where it names the pass and the rewrite."""
        try:
            found = bisect(module_of(self.text), [*self.passes, self.fault], TRIALS)
        except TilewrightError as error:
            return f"not found: {error}"
        if found.pass_ is not self.fault or "TW0550" not in str(found.error):
            return f"not named: {found.report()}"
        number = self.fault.number + 1 if isinstance(self.fault, WrongStore) else 1
        if found.rewrite is None or found.rewrite.number != number:
            return f"not pinned: {found.report()}"
        return None


def planted_stores(*, optimised: bool) -> Iterator[PlantedStore]:
    """Yield each fault in each store of each program; of operators also behind the default passes where `optimised`."""
    for label, text, passes in _programs(optimised):
        module = module_of(text)
        PassManager(passes).run(context(), module)
        count = sum(isinstance(op, loop.StoreOp) for op in module.walk())
        for fault in FAULTS:
            for number in range(count):
                yield PlantedStore(label, text, passes, WrongStore(fault, number))
    for element in ("f32", "i32"):
        yield PlantedStore(f"copies of {element}", _IN_TWO_STEPS.format(element), (), EarlyLoop())


def _programs(optimised: bool) -> Iterator[tuple[str, str, tuple[ModulePass, ...]]]:
    for operator, (body, result) in _OPERATORS.items():
        for element in _ELEMENTS.get(operator, ("f32",)):
            text = _graph(element, body, result)
            yield f"{operator} of {element}", text, tuple(conversion(Level.GRAPH, Level.LOOP))
            if optimised and element == "f32":
                yield f"{operator} of {element}, optimised", text, tuple(default_pipeline(Level.GRAPH))
    for element in ("f32", "i32"):
        yield f"copies of {element}", _IN_TWO_STEPS.format(element), ()
        yield f"copy of any size of {element}", _OF_ANY_SIZE.format(element), ()
