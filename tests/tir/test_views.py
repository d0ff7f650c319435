"""Views stand beside the IR: no accessor changes the class or the fields of an operation, a region or a block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
import tilewright as tvm
from tilewright import IRModule, relay, tir
from tilewright.classic.relay import expr as relay_expr
from tilewright.classic.relay.functions import Function as RelayFunction
from tilewright.dialects.ir_module import Function
from tilewright.script import from_source
from tilewright.script import tir as T
from tilewright.tir import bodies, function_fields, statements, value_expressions
from xdsl.ir import Block, Operation, Region


@T.prim_func
def blocks(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16,), "float32"), n: T.int32):
    B = T.alloc_buffer((16, 8))
    for i, j in T.grid(16, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(i * 2 + j < 30)
            B[vi, vj] = T.exp(A[vi, vj]) * 2.0
    for i, k in T.grid(16, 8):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0.0
            C[vi] = T.max(C[vi], T.Select(vk < 4, B[vi, vk], T.Cast("float32", vk)))


LOOPS = """
func.func @main(%A: memref<8xf32>, %going: memref<i1>, %n: memref<4xi32>) {
  loop.while %i to 8 holds %going : memref<i1> {
    %0 = loop.load %A[%i] : memref<8xf32>
    loop.assert (%i < 7), "too far" ()
    %1 = arith.negf %0 : f32
    loop.store %1, %A[%i] : memref<8xf32>
  }
  func.return
}
"""


def of_a_builder() -> Any:
    ib = tir.ir_builder.create()
    A = ib.pointer("float32", "A")
    B = ib.allocate("float32", 8, "B")
    with ib.for_range(0, 8, "i", kind="vectorize") as i:
        B[i] = 1.0
    with ib.if_scope(A[0] < 4.0):
        ib.emit(tir.call_extern("int32", "work", A[0], 3))
    with ib.else_scope():
        A[0] = B[0]
    return tir.PrimFunc([A], ib.get())


def of_relay() -> Any:
    x, y = relay.var("x", shape=(2, 3)), relay.var("y", shape=(2, 3))
    parts = relay.split(relay.nn.relu(relay.add(x, y)), 3, axis=1)
    return IRModule.from_expr(relay.Tuple([parts[0], relay.const([[1.0]])]))


PROGRAMS: tuple[Callable[[], Any], ...] = (
    lambda: IRModule({"main": blocks}),
    lambda: tir.transform.LowerOpaqueBlock()(IRModule({"main": blocks})),
    lambda: tir.transform.VectorizeLoop()(IRModule.from_expr(of_a_builder())),
    lambda: IRModule.from_expr(of_a_builder()),
    lambda: IRModule.from_expr(from_source(LOOPS)),
    of_relay,
)

CLASSES: tuple[type, ...] = tuple(
    cls
    for module in (statements, bodies, value_expressions, relay_expr)
    for cls in vars(module).values()
    if isinstance(cls, type) and cls.__module__ == module.__name__
)
"""The classes of views, expressions and the parts of expressions among them."""


def accessors(cls: type) -> set[str]:
    """Return the properties that a class defines or inherits."""
    return {n for base in cls.__mro__ for n, v in vars(base).items() if isinstance(v, property) and n[0] != "_"}


class Walk:
    """Asks every view that is reached from a module for everything that it has."""

    def __init__(self) -> None:
        self.reached: set[tuple[type, str]] = set()
        self.seen: list[Any] = []
        self.known: set[tuple[type, int, int]] = set()

    def __call__(self, given: Any) -> None:
        if isinstance(given, (list, tuple)):
            for each in given:
                self(each)
        elif isinstance(given, dict):
            self([*given, *given.values()])
        elif isinstance(given, (*CLASSES, Function, IRModule, RelayFunction)) and not self._is_known(given):
            self.seen.append(given)
            for name in self._names(given):
                self._ask(given, name)
            if isinstance(given, bodies.BlockView):
                self(bodies.root_of(given.held))

    def _names(self, given: Any) -> Iterable[str]:
        if isinstance(given, (Function, bodies.BodyView)):
            return (*function_fields.MADE, *accessors(type(given)), "block", "checked_type", "script", "seq")
        if isinstance(given, IRModule):
            return (*function_fields.OF_MODULES, "functions")
        return (*accessors(type(given)), *vars(type(given)).get("__dataclass_fields__", ()), "__len__", "same_as")

    def _ask(self, given: Any, name: str) -> None:
        try:
            found = getattr(given, name)
        except (AttributeError, tvm.TilewrightError):
            return  # a node of another kind, or one that has several statements
        self.reached.add((type(given), name))
        self(found)

    def _is_known(self, given: Any) -> bool:
        held = next((vars(given)[each] for each in ("op", "held", "_block", "value") if each in vars(given)), given)
        key = type(given), id(held), id(vars(given).get("after"))
        is_known = key in self.known
        self.known.add(key)
        return is_known


def parts(module: Any) -> Iterator[Operation | Region | Block]:
    for op in module.op.walk():
        yield op
        for region in op.regions:
            yield region
            yield from region.blocks


def state(each: Any) -> tuple[type, frozenset[str]]:
    return type(each), frozenset(vars(each)) if hasattr(each, "__dict__") else frozenset()


@pytest.fixture(scope="module")
def walk() -> Walk:
    found = Walk()
    for make in PROGRAMS:
        module = make()
        held = list(parts(module))
        before, text = [state(each) for each in held], str(module.op)
        found(module)
        found([statements.Stmt.of(op) for op in module.op.walk()])
        assert [state(each) for each in held] == before and [*parts(module)] == held
        assert str(module.op) == text
    return found


def test_accessors_leave_operations_regions_and_blocks_as_they_are(walk: Walk) -> None:
    assert {IRModule, Function, *statements._FACES} <= {type(each) for each in walk.seen}


def test_all_accessors_were_asked(walk: Walk) -> None:
    missing = {
        f"{cls.__name__}.{name}"
        for cls in (
            *statements._FACES,
            statements.SeqStmt,
            bodies.RootBlock,
            bodies.BodyView,
            value_expressions.BufferOf,
            value_expressions.BlockVar,
            value_expressions.ExternCall,
            value_expressions.Ramp,
            value_expressions.Broadcast,
        )
        for name in accessors(cls)
        if (cls, name) not in walk.reached
    }  # fmt: skip
    missing |= {f"Function.{name}" for name in function_fields.MADE if (Function, name) not in walk.reached}
    missing |= {f"IRModule.{name}" for name in function_fields.OF_MODULES if (IRModule, name) not in walk.reached}
    assert not missing


def test_schedules_and_functors_leave_operations_as_they_are() -> None:
    sch = tir.Schedule(IRModule({"main": blocks}))
    held = list(parts(sch.mod))
    before = [state(each) for each in held]
    walk = Walk()
    block = sch.get_block("B")
    walk([sch.get(block), *map(sch.get, sch.get_loops(block))])
    tir.stmt_functor.post_order_visit(sch.mod["main"].body, walk)
    assert [state(each) for each in held] == before
    assert {tir.Block, tir.For} <= {type(each) for each in walk.seen}
