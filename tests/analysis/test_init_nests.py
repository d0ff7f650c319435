"""Inits of reductions that have no terms: for which results they run, and when none is needed."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import semantics
from tilewright.analysis.init_nests import extents_maybe_zero, init_if_empty, reduction_loops, reductions_by_first_loop
from tilewright.analysis.ranges import Facts, facts_at
from tilewright.dialects import context, loop
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser

ROWS, COLUMNS = 8, 5
UNWRITTEN, INIT = 55.0, 3.0


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def block(row: str = "%i", column: str = "%j", term: str = "%k", where: str = "", extent: str = "%n") -> str:
    """Return B[vi, vj] = 3 + the sum of A[vk]."""
    return f"""
    loop.block "B" (%vi = spatial({row}) in {ROWS}, %vj = spatial({column}) in {COLUMNS},
                    %vk = reduce({term}) in {extent}) {where} {{
      loop.init {{ loop.store %three, %B[%vi, %vj] : memref<{ROWS}x{COLUMNS}xf64> }}
      %a = loop.load %A[%vk] : memref<?xf64>
      %b = loop.load %B[%vi, %vj] : memref<{ROWS}x{COLUMNS}xf64>
      %s = arith.addf %a, %b : f64
      loop.store %s, %B[%vi, %vj] : memref<{ROWS}x{COLUMNS}xf64>
    }}"""


def program(body: str) -> ModuleOp:
    return parse(f"""
    func.func @main(%A: memref<?xf64>, %B: memref<{ROWS}x{COLUMNS}xf64> {{tw.output}}) {{
      %three = arith.constant {INIT} : f64
      %n = loop.dim %A, 0 : memref<?xf64>
      {body}
      func.return
    }}""")


def nest(inner: str, loops: str = "k i j") -> str:
    bounds = {"i": f"0 to {ROWS}", "j": f"0 to {COLUMNS}", "k": "0 to %n"}
    for name in reversed(loops.split()):
        inner = f"loop.for %{name} = {bounds[name]} {{ {inner} }}"
    return inner


i, j = np.indices((ROWS, COLUMNS))
everywhere = np.ones((ROWS, COLUMNS), bool)

NESTS = {
    "all": (nest(block()), everywhere),
    "of outer loops": (nest(block(), "i j k"), everywhere),
    "of a loop outside and one inside": (nest(block(), "i k j"), everywhere),
    "under a guard": (nest(f"loop.if (%i - 5 >= 0) {{ {block()} }}"), i >= 5),
    "else": (nest(f"loop.if (%i - 5 >= 0) {{ }} else {{ {block()} }}"), i < 5),
    "else of a guard of both": (nest(f"loop.if (%i - %j * 2 >= 1) {{ }} else {{ {block()} }}"), i - j * 2 < 1),
    "between guards": (
        nest(f"loop.if (%i - 2 >= 0) {{ loop.if (%i - 6 >= 0) {{ }} else {{ {block()} }} }}"),
        (i >= 2) & (i < 6),
    ),
    "a guard outside of the reduction": (
        f"loop.for %i = 0 to {ROWS} {{ loop.if (%i >= 3) {{ {nest(block(), 'k j')} }} }}",
        i >= 3,
    ),
    "a block's own guard": (nest(block(where="where (%i + %j < 6)")), i + j < 6),
    "a guard on the term": (nest(f"loop.if (%k - 2 >= 0) {{ {block()} }}"), everywhere),
    "tiles beyond the end": (
        f"loop.for %k = 0 to %n {{ loop.for %t = 0 to 3 {{ loop.for %u = 0 to 3 {{ loop.for %j = 0 to {COLUMNS} {{"
        f"{block('%t * 3 + %u', where='where (%t * 3 + %u < 8)')} }} }} }} }}",
        everywhere,
    ),
    "a window of rows": (
        f"loop.for %k = 0 to %n {{ loop.for %i = 2 to 7 {{ loop.for %j = %i - 2 to {COLUMNS} {{ {block()} }} }} }}",
        (i >= 2) & (i < 7) & (j >= i - 2),
    ),
    "one row": (nest(block("4"), "k j"), i == 4),
    "a loop shared with the reduction": (
        f"loop.for %f = 0 to %n * {COLUMNS} {{ loop.for %i = 0 to {ROWS} {{"
        f"{block(column=f'%f mod {COLUMNS}', term=f'%f floordiv {COLUMNS}')} }} }}",
        everywhere,
    ),
    "a number of the loops' own": (
        nest(f"%own = arith.constant {INIT} : f64 {block().replace('%three', '%own')}"),
        everywhere,
    ),
}
"""Loops around the block, and the results that are to have the init where there are no terms."""


@pytest.mark.parametrize("case", NESTS)
def test_results_without_terms(case: str) -> None:
    body, expected = NESTS[case]
    out = np.full((ROWS, COLUMNS), UNWRITTEN)
    semantics.run(program(body), "main", np.zeros(0), out)
    np.testing.assert_array_equal(out, np.where(expected, INIT, UNWRITTEN))


@pytest.mark.parametrize("case", [c for c in NESTS if c != "a guard on the term"])
def test_results_of_terms_are_those_that_would_have_the_init(case: str) -> None:
    body, expected = NESTS[case]
    out = np.full((ROWS, COLUMNS), UNWRITTEN)
    semantics.run(program(body), "main", np.arange(4.0), out)
    np.testing.assert_array_equal(out, np.where(expected, INIT + 6, UNWRITTEN))


def blocks_of(module: Operation) -> list[loop.BlockOp]:
    return [op for op in module.walk() if isinstance(op, loop.BlockOp)]


def names(loops: list[loop.ForOp]) -> list[str | None]:
    return [op.induction_variable.name_hint for op in loops]


@pytest.mark.parametrize(("loops", "found"), [("k i j", ["k"]), ("i k j", ["k"]), ("i j k", ["k"])])
def test_reduction_loops(loops: str, found: list[str]) -> None:
    module = program(nest(block(), loops))
    (only,) = blocks_of(module)
    assert names(reduction_loops(only)) == found
    started = reductions_by_first_loop(module)
    assert [(op.induction_variable.name_hint, each) for op, each in started.items()] == [("k", [only])]


def test_a_reduction_begins_at_the_outermost_of_its_loops() -> None:
    tiled = block(term="%o * 4 + %k", where="where (%o * 4 + %k < %n)")
    module = program(f"loop.for %o = 0 to 9 {{ {nest(f'loop.for %k = 0 to 4 {{ {tiled} }}', 'i j')} }}")
    (only,) = blocks_of(module)
    assert names(reduction_loops(only)) == ["o", "k"]
    (started,) = reductions_by_first_loop(module)
    assert started.induction_variable.name_hint == "o"


@pytest.mark.parametrize(
    ("body", "needed"),
    [
        (nest(block()), True),
        (nest(block(extent="%n + 1")).replace("0 to %n ", "0 to %n + 1 "), False),
        (f"loop.for %k = 0 to 4 {{ {nest(block(extent='4'), 'i j')} }}", False),
        (f"loop.for %k = 0 to 0 {{ {nest(block(extent='0'), 'i j')} }}", True),
        (nest(block(term="0", extent="1"), "i j"), False),
        (nest(block()).replace("loop.init", "loop.if (0 >= 0)"), False),
    ],
)
def test_where_there_are_terms_no_init_is_needed(body: str, needed: bool) -> None:
    module = program(body)
    (only,) = blocks_of(module)
    facts = facts_at(next(op for op in module.walk() if isinstance(op, loop.ForOp)))
    assert (init_if_empty(only, facts) is not None) == needed


def test_extents_that_are_not_known_to_be_positive() -> None:
    text = """
    func.func @main(%A: memref<?x?x4xf64>, %B: memref<1xf64> {tw.output}) {
      %zero = arith.constant 0.0 : f64
      %n = loop.dim %A, 0 : memref<?x?x4xf64>
      %m = loop.dim %A, 1 : memref<?x?x4xf64>
      loop.for %i = 0 to %n { loop.for %j = 0 to %m { loop.for %k = 0 to 4 {
        loop.block "B" (%vo = spatial(0) in 1, %vi = reduce(%i) in %n, %vj = reduce(%j) in %m, %vk = reduce(%k) in 4) {
          loop.init { loop.store %zero, %B[%vo] : memref<1xf64> }
          %a = loop.load %A[%vi, %vj, %vk] : memref<?x?x4xf64>
          %b = loop.load %B[%vo] : memref<1xf64>
          %s = arith.addf %a, %b : f64
          loop.store %s, %B[%vo] : memref<1xf64>
        }
      } } }
      func.return
    }"""
    module = parse(text)
    (only,) = blocks_of(module)
    n, m = (op.results[0] for op in module.walk() if isinstance(op, loop.DimOp))
    facts = Facts({})
    assert [e.values() for e in extents_maybe_zero(only, facts)] == [(n,), (m,)]
    assert [e.values() for e in extents_maybe_zero(only, Facts({n: (1, None), m: (0, None)}))] == [(m,)]
    assert extents_maybe_zero(only, Facts({n: (1, None), m: (1, None)})) == []
    for shape in [(0, 3, 4), (3, 0, 4), (0, 0, 4), (2, 3, 4)]:
        out = np.full(1, UNWRITTEN)
        semantics.run(module, "main", np.ones(shape), out)
        assert out[0] == np.prod(shape)
