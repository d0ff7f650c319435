"""Facts that hold at an op: checked against every iteration of the loops around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.analysis.ranges import Facts, RangeAnalysis, facts_at, proves, ranges_at
from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import LANE, Index
from xdsl.ir import Operation
from xdsl.parser import Parser


def parse(text: str) -> Operation:
    return Parser(context(), text).parse_module()


def find(module: Operation, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def variables(op: Operation) -> dict[str, Index]:
    loops = loop.enclosing(op, loop.ForOp)
    return {f.induction_variable.name_hint: Index.of(f.induction_variable) for f in loops}


NEST = """
func.func @k(%A: memref<1000x?xf32>) {
  %n = loop.dim %A, 1 : memref<1000x?xf32>
  loop.for %i = 0 to 32 { loop.for %ii = %i * 4 to %i * 4 + 4 { loop.for %j = 0 to %n {
    loop.if (%i * 32 + %ii < 1000) { %v = loop.load %A[%i, %j] : memref<1000x?xf32> }
  } } }
  func.return
}
"""


def test_ranges_narrow_by_loops_and_conditions() -> None:
    load = find(parse(NEST), "loop.load")
    v, n = variables(load), Index.of(find(load.get_toplevel_object(), "loop.dim").results[0])
    ranges = ranges_at(load)
    assert [ranges[v[name].values()[0]] for name in ("i", "ii")] == [(0, 31), (0, 127)]
    assert ranges[v["j"].values()[0]] == (0, None)
    for proved in (n - 1, n - v["j"] - 1, v["j"], 27 - v["i"], 999 - v["i"] * 32 - v["ii"]):
        assert proves(load, proved), proved
    for open_ in (n - 2, n - v["j"] - 2, 26 - v["i"], v["ii"] - v["i"] * 4 - 1):
        assert not proves(load, open_), open_


def test_applied_and_delinearized_values() -> None:
    module = parse("""
    func.func @k(%A: memref<?xf32>, %n: index) {
      loop.for %f = 0 to 12 {
        %x = loop.apply (%f * 2 + 1) : index
        %p, %q = loop.delinearize %f into (%n, 4)
        loop.if (%x < 7) { %v = loop.load %A[%x] : memref<?xf32> }
      }
      func.return
    }""")
    load, apply = find(module, "loop.load"), find(module, "loop.apply")
    p, q = find(module, "loop.delinearize").results
    x, f = Index.of(apply.results[0]), variables(load)["f"]
    assert facts_at(load).bounds(x) == (1, 5)
    for proved in (2 - f, 6 - x, x - 1, 3 - Index.of(q), Index.of(q), Index.of(p)):
        assert proves(load, proved), proved
    assert not proves(load, 1 - f)
    assert not proves(load, 2 - Index.of(q))


def test_else_and_lane_and_block() -> None:
    module = parse("""
    func.func @k(%A: memref<64xf32>, %v: f32, %w: vector<8xf32>) {
      loop.for %i = 0 to 8 {
        loop.if (%i < 3) { } else { loop.store %w, %A[%i * 8 + lane] : vector<8xf32>, memref<64xf32> }
        loop.block "b" (%s = spatial(%i) in 8) where (%i < 5) { %u = loop.load %A[%s] : memref<64xf32> }
      }
      func.return
    }""")
    store, load = find(module, "loop.store"), find(module, "loop.load")
    i = variables(store)["i"]
    assert facts_at(store).bounds(i * 8 + LANE) == (24, 63)
    s = Index.of(find(module, "loop.block").body.block.args[0])
    assert proves(load, s) and proves(load, 7 - s) and proves(load, 4 - i)
    assert not proves(load, 6 - s)


def test_facts_alone() -> None:
    assert Facts({}).proves(Index.of(0)) and not Facts({}).proves(Index.of(-1))
    assert proves({LANE: (0, 7)}, 7 - Index.of(LANE)) and not proves({LANE: (0, 7)}, 6 - Index.of(LANE))


SMALL = st.integers(-3, 5)


def instances(op: Operation) -> Iterator[dict[object, int]]:
    """Yield the values of the loop variables at each instance of `op`."""

    def run(block_op: Operation, environment: dict[object, int]) -> Iterator[dict[object, int]]:
        if block_op is op:
            yield environment
        elif isinstance(block_op, loop.ForOp):
            low = max(e.evaluate(environment) for e in block_op.lowers)
            high = min(e.evaluate(environment) for e in block_op.uppers)
            for i in range(low, high):
                for inner in block_op.body.block.ops:
                    yield from run(inner, {**environment, block_op.induction_variable: i})
        elif isinstance(block_op, loop.IfOp):
            holds = all(e.evaluate(environment) >= 0 for e in block_op.conditions)
            body = block_op.then_body if holds else block_op.else_body
            for inner in body.block.ops if body.blocks else ():
                yield from run(inner, environment)

    (function,) = op.get_toplevel_object().body.block.ops
    for top in function.body.block.ops:
        yield from run(top, {})


@settings(max_examples=60, deadline=None)
@given(st.lists(SMALL, min_size=8, max_size=8), st.lists(st.tuples(SMALL, SMALL, SMALL), min_size=4, max_size=8))
def test_what_is_proved_holds_at_every_instance(numbers: list[int], questions: list[tuple[int, int, int]]) -> None:
    a, b, c, d, e, f, g, h = numbers
    module = parse(f"""
    func.func @k(%A: memref<64xf32>) {{
      loop.for %i = {a} to {abs(b) + 1} {{ loop.for %j = max(%i + {c}, {d}) to min({abs(e)} - %i, 6) {{
        loop.if (%i * {f} + %j >= {g}) {{ loop.if (%j floordiv 2 + %i < {h}) {{ }} else {{
          %v = loop.load %A[%i] : memref<64xf32>
        }} }}
      }} }}
      func.return
    }}""")
    load = find(module, "loop.load")
    points = list(instances(load))
    v, facts = variables(load), RangeAnalysis().at(load)
    for k, m, n in questions:
        question = v["i"] * k + v["j"] * m + n
        values = [question.evaluate(point) for point in points]
        lo, hi = facts.bounds(question)
        assert all((lo is None or lo <= x) and (hi is None or x <= hi) for x in values)
        if facts.proves(question):
            assert all(x >= 0 for x in values)
        elif values:
            assert min(values) < 0, "the integer sets are exact for linear questions"


def test_a_value_of_no_loop_is_unbounded() -> None:
    module = parse("func.func @k(%A: memref<4xf32>, %n: index) { %v = loop.load %A[%n] : memref<4xf32> func.return }")
    n = module.body.block.first_op.body.block.args[1]
    assert facts_at(find(module, "loop.load")).bounds(Index.of(n)) == (None, None)
    with pytest.raises(KeyError):
        ranges_at(find(module, "loop.load"))[n]
