"""Dependences are compared with enumeration: all pairs of instances of small random nests."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.analysis.access import accesses_in, consumers, producers, reads, writes
from tilewright.analysis.block_reductions import reduction_of
from tilewright.analysis.dependence import Conflict, carried, permutes_reduction, reversed_by
from tilewright.analysis.instances import runs_each_once, runs_whole_reduction
from tilewright.analysis.integer_set import PROVED
from tilewright.analysis.radix import determined
from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import Index
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

NAMES = ("i", "j", "k")


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


@st.composite
def expressions(draw: st.DrawFn) -> str:
    terms = [f"%{name} * {draw(st.integers(-2, 3))}" for name in NAMES if draw(st.booleans())]
    e = " + ".join([*terms, str(draw(st.integers(0, 3)))])
    kind = draw(st.sampled_from(["plain", "plain", "floordiv", "mod"]))
    return e if kind == "plain" else f"(({e}) {kind} {draw(st.integers(2, 4))})"


@st.composite
def nests(draw: st.DrawFn) -> str:
    """Return three loops around a load and a store of one buffer."""
    extents = [draw(st.integers(1, 4)) for _ in NAMES]
    loops = [f"loop.for %{name} = 0 to {n} {{" for name, n in zip(NAMES, extents, strict=True)]
    if draw(st.booleans()):
        loops[1] = "loop.for %j = %i to %i + 3 {"
    guard = f"loop.if ({draw(expressions())} >= 0) {{" if draw(st.integers(0, 2)) == 0 else "loop.if (0 >= 0) {"
    load = f"%a = loop.load %A[{draw(expressions())}, {draw(expressions())}] : memref<9x9xf32>"
    store = f"loop.store %a, %A[{draw(expressions())}, {draw(expressions())}] : memref<9x9xf32>"
    body = "\n".join([*loops, guard, load, store, "} } } }"])
    return f"func.func @f(%A: memref<9x9xf32>) {{ {body} func.return }}"


def loops_of(module: ModuleOp) -> list[loop.ForOp]:
    return [op for op in module.walk() if isinstance(op, loop.ForOp)]


def instances(module: ModuleOp) -> list[tuple[dict[object, int], list[tuple[bool, tuple[int, ...]]]]]:
    """Return each iteration with the accesses (is_write, element) that it makes, in program order."""
    loops = loops_of(module)
    (condition,) = [op for op in module.walk() if isinstance(op, loop.IfOp)]
    accesses = accesses_in(module)
    found = []
    for point in product(range(-1, 8), repeat=3):
        env = dict(zip((op.induction_variable for op in loops), point, strict=True))
        inside = all(
            op.lowers[0].evaluate(env) <= env[op.induction_variable] < op.uppers[0].evaluate(env) for op in loops
        )
        if inside and all(e.evaluate(env) >= 0 for e in condition.conditions):
            touched = [(a.is_write, tuple(e.evaluate(env) for e in a.op.index)) for a in accesses]
            found.append((env, touched))
    return found


def conflicting(first: list[tuple[bool, tuple[int, ...]]], second: list[tuple[bool, tuple[int, ...]]]) -> bool:
    return any(e == f and (w or v) for w, e in first for v, f in second)


def confirm(conflict: Conflict) -> None:
    """Check that a counter-example is made of two instances that touch one element, one of them writing."""
    assert conflict.unknown is None
    source, sink = conflict.source, conflict.sink
    assert source.is_write or sink.is_write
    assert source.system.contains(conflict.source_point)
    assert sink.system.contains(conflict.sink_point)
    element = tuple(e.evaluate(conflict.sink_point) for e in sink.index)
    assert element == conflict.element()


@settings(max_examples=60, deadline=None)
@given(nests())
def test_carried(text: str) -> None:
    module = parse(text)
    loops = loops_of(module)
    points = instances(module)
    for depth, op in enumerate(loops):
        outer = [o.induction_variable for o in loops[:depth]]
        expected = any(
            all(p[v] == q[v] for v in outer)
            and p[op.induction_variable] < q[op.induction_variable]
            and conflicting(a, b)
            for (p, a), (q, b) in product(points, points)
        )
        conflict = carried(op)
        assert (conflict is not None) == expected
        if conflict is not None:
            confirm(conflict)
            assert conflict.source_point[op.induction_variable] < conflict.sink_point[op.induction_variable]


@settings(max_examples=40, deadline=None)
@given(nests(), st.sampled_from(list(permutations(range(3)))))
def test_reversed_by(text: str, order: tuple[int, ...]) -> None:
    module = parse(text)
    old = loops_of(module)
    new = [old[k] for k in order]

    def position(loops: list[loop.ForOp], point: dict[object, int]) -> list[int]:
        return [point[op.induction_variable] for op in loops]

    expected = any(
        position(old, p) < position(old, q) and position(new, p) > position(new, q) and conflicting(a, b)
        for (p, a), (q, b) in product(instances(module), instances(module))
    )
    conflict = reversed_by(old, new)
    assert (conflict is not None) == expected
    if conflict is not None:
        confirm(conflict)
        assert position(old, conflict.source_point) < position(old, conflict.sink_point)
        assert position(new, conflict.source_point) > position(new, conflict.sink_point)


REDUCTION = """
func.func @f(%A: memref<8x8xf32>, %C: memref<8xf32>, %D: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    loop.for %k = BOUNDS {
      loop.block "C" (%vi = spatial(%i) in 8, %vk = reduce(BINDING) in 8) {
        loop.init { loop.store %z, %C[%vi] : memref<8xf32> }
        %c = loop.load %C[%vi] : memref<8xf32>
        %a = loop.load %A[%vi, %vk] : memref<8x8xf32>
        %s = OP
        loop.store %s, %C[%vi] : memref<8xf32>
      }
    }
  }
  loop.for %i = 0 to 8 {
    loop.block "D" (%vi = spatial(%i) in 8) {
      %c = loop.load %C[%vi] : memref<8xf32>
      loop.store %c, %D[%vi] : memref<8xf32>
    }
  }
  func.return
}"""


def reduction(op: str = "arith.addf %c, %a : f32", bounds: str = "0 to 8", binding: str = "%k") -> ModuleOp:
    return parse(REDUCTION.replace("OP", op).replace("BOUNDS", bounds).replace("BINDING", binding))


def blocks_of(module: ModuleOp) -> list[loop.BlockOp]:
    return [op for op in module.walk() if isinstance(op, loop.BlockOp)]


def test_reduction_updates_commute_and_init_comes_first() -> None:
    module = reduction()
    i, k, _ = loops_of(module)
    assert reversed_by([i, k], [k, i]) is None
    assert not permutes_reduction([i, k], [k, i])
    assert carried(i) is None
    assert carried(k) is not None


def test_reversed_init_is_refused() -> None:
    module = reduction(binding="7 - %k")
    i, k, _ = loops_of(module)
    assert reduction_of(blocks_of(module)[0]) is not None
    assert reversed_by([i, k], [k, i]) is None


@pytest.mark.parametrize("kind", ["reduce", "spatial"])
def test_updates_commute_along_reduce_variables_alone(kind: str) -> None:
    module = parse(f"""
func.func @f(%A: memref<8x8xf32>, %C: memref<15xf32>) {{
  loop.for %i = 0 to 8 {{
    loop.for %k = 0 to 8 {{
      loop.block "C" (%vi = spatial(%i) in 8, %vk = {kind}(%k) in 8) {{
        %a = loop.load %A[%vi, %vk] : memref<8x8xf32>
        %c = loop.load %C[%vi + %vk] : memref<15xf32>
        %s = arith.addf %c, %a : f32
        loop.store %s, %C[%vi + %vk] : memref<15xf32>
      }}
    }}
  }}
  func.return
}}""")
    i, k = loops_of(module)
    assert (reversed_by([i, k], [k, i]) is None) == (kind == "reduce")


def test_only_associative_updates_are_reductions() -> None:
    assert reduction_of(blocks_of(reduction())[0]) is not None
    assert reduction_of(blocks_of(reduction("arith.maximumf %a, %c : f32"))[0]) is not None
    assert reduction_of(blocks_of(reduction("math.fma %a, %a, %c : f32"))[0]) is not None
    assert reduction_of(blocks_of(reduction("math.fma %a, %c, %c : f32"))[0]) is None
    assert reduction_of(blocks_of(reduction("arith.subf %a, %c : f32"))[0]) is None
    assert reduction_of(blocks_of(reduction("arith.addf %c, %c : f32"))[0]) is None


def test_whole_reductions() -> None:
    for bounds, binding, whole, once in [
        ("0 to 8", "%k", True, True),
        ("0 to 4", "%k", False, True),
        ("1 to 9", "%k - 1", True, True),
        ("0 to 16", "%k floordiv 2", True, False),
        ("0 to 16", "%k mod 8", True, False),
        ("0 to 8", "7 - %k", True, True),
        ("0 to %i + 1", "%k", False, True),
    ]:
        module = reduction(bounds=bounds, binding=binding)
        block, loops = blocks_of(module)[0], loops_of(module)[:2]
        assert (runs_whole_reduction(block, loops) == PROVED) == whole, (bounds, binding)
        assert (runs_each_once(block, loops) == PROVED) == once, (bounds, binding)


def test_producers_and_consumers() -> None:
    module = reduction()
    c, d = blocks_of(module)
    assert producers(d) == [c]
    assert consumers(c) == [d]
    assert producers(c) == []
    assert [v.name_hint for v in reads(c)] == ["C", "A"]
    assert [v.name_hint for v in writes(c)] == ["C"]


def test_values_that_determine_iterations() -> None:
    module = parse("func.func @f() { loop.for %i = 0 to 3 { loop.for %j = 0 to 8 { } } func.return }")
    outer, inner = loops_of(module)
    i, j = Index.of(outer.induction_variable), Index.of(inner.induction_variable)
    for expressions, band, expected in [
        ((i * 8 + j,), (outer, inner), True),
        ((i * 7 + j,), (outer, inner), False),
        ((i * 7 + j,), (inner,), True),  # i is the same for both
        ((j // 4, j % 4), (inner,), True),
        ((j % 4,), (inner,), False),
        ((i + j % 4, j // 4), (inner,), True),
        ((i + j % 4, j // 4), (outer, inner), False),
    ]:
        assert determined(expressions, (outer, inner), band) == expected, expressions
