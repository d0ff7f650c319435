"""Iterations of parallel loops that meet are found, where a run that watches every access finds them too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from tilewright.analysis.integer_set import System
from tilewright.analysis.integer_set.calculus import Calculus
from tilewright.analysis.polyhedral import Model, model_of
from tilewright.analysis.polyhedral.parallel_races import Race, race_in
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import loop
from tilewright.dialects.index_expr import Symbol
from tilewright.semantics.program import Program
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp

from .execute import sizes_of
from .functions import CARRIED, CASES, FUSED, Argument, Case
from .test_model import drawn_arguments, parsed


def loops_of(function: FuncOp) -> list[loop.ForOp]:
    return [op for op in function.walk() if isinstance(op, loop.ForOp)]


def made_parallel(text: str, position: int) -> tuple[ModuleOp, FuncOp]:
    """Return the function with one of its loops parallel, the others serial."""
    module, function = parsed(text)
    for k, op in enumerate(loops_of(function)):
        op.kind = loop.PARALLEL if k == position else loop.SERIAL
    return module, function


def race_at(model: Model, sizes: System | None = None) -> Race | None:
    """Return a race in a parallel loop, at some sizes or at those of the system."""
    calculus = Calculus(model.symbols)
    accepted = calculus.set((), [sizes or System()])
    races = (race_in(model, parallel, calculus, accepted) for parallel in model.parallel_loops)
    return next((race for race in races if race is not None), None)


def is_found_by_a_run(module: ModuleOp, function: FuncOp, call: Sequence[Argument]) -> bool:
    try:
        Program(module, finds_races=True).run("main", *drawn_arguments(function, call))
    except TilewrightError as error:
        assert error.code == "TW0537", error
        return True
    return False


LOOPS = [
    pytest.param(case, k, id=f"{case.name}-{k}")
    for case in (*CASES, FUSED)
    for k, op in enumerate(loops_of(parsed(case.text)[1]))
    if not op.iter_args
]


@pytest.mark.each("case, position", LOOPS)
def test_the_model_and_a_run_agree(case: Case, position: int) -> None:
    module, function = made_parallel(case.text, position)
    model = model_of(function)
    assert isinstance(model, Model)
    for call in case.calls:
        sizes = sizes_of(model, drawn_arguments(function, call))
        found = race_at(model, System().equating(sizes.items()))
        assert (found is not None) == is_found_by_a_run(module, function, call), (call, found)


@pytest.mark.each("case, position", LOOPS)
def test_sizes_that_are_named_have_a_race(case: Case, position: int) -> None:
    module, function = made_parallel(case.text, position)
    model = model_of(function)
    assert isinstance(model, Model)
    race = race_at(model)
    if race is None:
        return
    assert is_found_by_a_run(module, function, call_at(model, function, race.sizes))


def call_at(model: Model, function: FuncOp, sizes: Mapping[Symbol, int]) -> list[Argument]:
    """Return shapes and numbers of a call with these sizes; numbers that are no sizes are 1."""
    known = {(p.argument, p.dimension): sizes.get(p.symbol, 0) for p in model.parameters}
    call: list[Argument] = []
    for k, argument in enumerate(function.body.block.args):
        if isinstance(argument.type, MemRefType):
            extents = enumerate(argument.type.get_shape())
            call.append(tuple(known.get((k, d), 0) if n == DYNAMIC_INDEX else n for d, n in extents))
        else:
            call.append(known.get((k, None), 1))
    return call


SCRATCH = """
func.func @main(%A: memref<4x6xf32>, %B: memref<4x6xf32> {{tw.output}}) {{
  {outside}
  loop.for %i = 0 to 4 {outer}{{
    {inside}
    loop.for %j = 0 to 6 {inner}{{
      %a = loop.load %A[%i, %j] : memref<4x6xf32>
      loop.store %a, %t[{element}] : memref<6xf32>
      %b = loop.load %t[{element}] : memref<6xf32>
      loop.store %b, %B[%i, %j] : memref<4x6xf32>
    }}
  }}
  func.return
}}"""
ALLOCATE = "%t = loop.alloc : memref<6xf32>"


def scratch(position: str, parallel: str, element: str) -> str:
    parts = {"outside": "", "inside": "", "outer": "", "inner": "", position: ALLOCATE, parallel: "kind parallel "}
    return SCRATCH.format(**parts, element=element)


@pytest.mark.parametrize(
    "position, parallel, element, meets",
    [
        ("inside", "outer", "%j", False),
        ("inside", "outer", "0", False),
        ("outside", "outer", "%j", True),
        ("outside", "inner", "%j", False),
        ("inside", "inner", "%j", False),
        ("inside", "inner", "%j floordiv 2", True),
        ("inside", "inner", "5 - %j", False),
    ],
)
def test_scratch_is_of_an_iteration_or_shared(position: str, parallel: str, element: str, meets: bool) -> None:
    module, function = parsed(scratch(position, parallel, element))
    model = model_of(function)
    assert isinstance(model, Model)
    race = race_at(model)
    assert (race is not None) == meets == is_found_by_a_run(module, function, ((4, 6), (4, 6)))
    if race is None:
        return
    ((first,), (second,)) = race.iterations
    if parallel == "outer":
        assert race.around == () and 0 <= first < 4 and 0 <= second < 4 and first != second
    else:
        assert first // 2 == second // 2 == race.element[0] and first != second and 0 <= race.around[0] < 4


def test_a_carried_value_is_met_by_the_next_iteration() -> None:
    _, function = made_parallel(CARRIED.text, 1)
    model = model_of(function)
    assert isinstance(model, Model)
    race = race_at(model)
    assert race is not None and race.cell.kind == "carried"


@pytest.mark.parametrize("ahead, meets", [(0, False), (2, True)])
def test_bytes_that_another_iteration_writes_as_another_type(ahead: int, meets: bool) -> None:
    module, function = parsed(f"""
func.func @main(%A: memref<8xf32>, %B: memref<4xi64> {{tw.output}}, %lent: memref<64xi8> {{tw.workspace}}) {{
  %u = loop.view %lent[0] : memref<64xi8> to memref<12xf32>
  %v = loop.view %lent[0] : memref<64xi8> to memref<6xi64>
  loop.for %i = 0 to 4 kind parallel {{
    %a = loop.load %A[%i] : memref<8xf32>
    loop.store %a, %u[%i * 2 + {ahead}] : memref<12xf32>
    %b = loop.load %v[%i] : memref<6xi64>
    loop.store %b, %B[%i] : memref<4xi64>
  }}
  func.return
}}""")
    model = model_of(function)
    assert isinstance(model, Model)
    race = race_at(model)
    assert (race is not None) == meets == is_found_by_a_run(module, function, ((8,), (4,), (64,)))
