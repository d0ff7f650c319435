"""Software pipelines: refused exactly where instances whose order matters change places, and otherwise the same values.

Programs are a few statements over rows; a list of all instances, in both orders, says what is legal.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import TilewrightError, driver, te
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule import Schedule
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

from .test_phase1 import ops, parse

ROOM = 4


@dataclass(frozen=True)
class Access:
    """An element of A, C or T: at a distance from the iteration in A and C, at a place in T."""

    buffer: str
    offset: int

    def element(self, i: int) -> tuple[str, int, int]:
        """Return the memory that iteration i touches."""
        return (self.buffer, i, self.offset) if self.buffer == "T" else (self.buffer, 0, i + self.offset)

    def text(self) -> str:
        index = str(self.offset) if self.buffer == "T" else f"%i + {self.offset}"
        return f"%{self.buffer}[{index}] : {'memref<2xf32>' if self.buffer == 'T' else 'memref<?xf32>'}"


Statement = tuple[Access, Access, Access]
"""Two that are added, and where the sum is stored."""


def program(statements: list[Statement], attributes: str, upper: str) -> str:
    body = ""
    for k, (first, second, stored) in enumerate(statements):
        body += f"""
    %a{k} = loop.load {first.text()}
    %b{k} = loop.load {second.text()}
    %s{k} = arith.addf %a{k}, %b{k} : f32
    loop.store %s{k}, {stored.text()}"""
    return f"""
func.func @main(%A: memref<?xf32> {{tw.name = "A"}}, %C: memref<?xf32> {{tw.name = "C", tw.output}}) {{
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %i = 0 to {upper} attributes {{{attributes}}} {{
    %T = loop.alloc : memref<2xf32>{body}
  }}
  func.return
}}"""


@st.composite
def statement_lists(draw: st.DrawFn) -> list[Statement]:
    """Return statements that read of T only what an earlier one has written."""
    written: list[Access] = []
    statements: list[Statement] = []
    outer = st.builds(Access, st.sampled_from("AC"), st.integers(0, 2))
    for _ in range(draw(st.integers(2, 4))):
        readable = st.one_of(outer, st.sampled_from(written)) if written else outer
        buffer = draw(st.sampled_from("TC"))
        stored = Access(buffer, draw(st.integers(0, 1 if buffer == "T" else 2)))
        statements.append((draw(readable), draw(readable), stored))
        if stored.buffer == "T":
            written.append(stored)
    return statements


def is_legal(statements: list[Statement], stages: list[int], order: list[int], trips: int) -> bool:
    """Return whether no two instances that touch one element, one of them writing it, change places."""
    instances = [(i, k) for i in range(trips) for k in range(len(statements))]
    for (i, k), (j, m) in combinations(instances, 2):
        if k == m or (i + stages[k], order[k]) < (j + stages[m], order[m]):
            continue
        read = {a.element(i) for a in statements[k][:2]} & {statements[m][2].element(j)}
        written = {a.element(j) for a in statements[m]} & {statements[k][2].element(i)}
        if read or written:
            return False
    return True


def execute(module: ModuleOp, n: int) -> np.ndarray:
    """Return C after a call."""
    a = np.arange(1, n + ROOM + 1, dtype=np.float32)
    c = np.zeros(n + ROOM, np.float32)
    run(module, "main", a, c)
    return c


def pipelined(text: str) -> ModuleOp:
    module = parse(text)
    PassManager(parse_pipeline("software-pipeline")).run(context(), module)
    module.verify()
    return module


@settings(max_examples=25, deadline=None)
@given(statement_lists(), st.data(), st.integers(1, 6), st.booleans())
def test_refused_exactly_where_a_dependence_is_turned_around(statements, data, trips, is_symbolic) -> None:
    count = len(statements)
    stages = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    order = data.draw(st.permutations(range(count)))
    attributes = f"software_pipeline_stage = {stages}, software_pipeline_order = {list(order)}"
    text = program(statements, attributes, f"%n - {ROOM}" if is_symbolic else str(trips))
    first = min(stages)
    # With a symbolic trip count the question is whether it is legal for all.
    legal = is_legal(statements, [s - first for s in stages], list(order), 8 if is_symbolic else trips)
    try:
        module = pipelined(text)
    except TilewrightError as error:
        assert error.code == "TW0541" and not legal, f"{error}\n{text}"
        return
    assert legal, text
    for n in (0, 1, 2, trips) if is_symbolic else (trips,):
        np.testing.assert_array_equal(execute(module, n), execute(parse(text), n), err_msg=f"n = {n}\n{module}")


COPY_AND_COMPUTE = """
func.func @main(%A: memref<?x8xf32> {{tw.name = "A"}}, %C: memref<?x8xf32> {{tw.name = "C", tw.output}}) {{
  %n = loop.dim %A, 0 : memref<?x8xf32>
  loop.for %i = {lower} to {upper} attributes {{{attributes}}} {{
    %b = loop.alloc : memref<8xf32>
    loop.for %j = 0 to 8 {{
      %x = loop.load %A[%i, %j] : memref<?x8xf32>
      loop.store %x, %b[%j] : memref<8xf32>
    }}
    loop.for %j = 0 to 8 {{
      %y = loop.load %b[7 - %j] : memref<8xf32>
      loop.store %y, %C[%i, %j] : memref<?x8xf32>
    }}
  }}
  func.return
}}"""


@pytest.mark.parametrize("stages", [1, 2, 3, 5])
@pytest.mark.each("bounds", [("0", "%n"), ("1", "%n"), ("0", "min(%n, 4)"), ("0", "3"), ("2", "2")])
def test_trip_counts_below_and_above_the_stages(stages: int, bounds: tuple[str, str]) -> None:
    lower, upper = bounds
    text = COPY_AND_COMPUTE.format(lower=lower, upper=upper, attributes=f"num_stages = {stages}")
    module = pipelined(text)
    (rows,) = ops(module, loop.AllocOp)
    assert rows.res.type.get_shape() == ((stages, 8) if stages > 1 else (8,))
    program = driver.compile(parse(text), threads=1)
    for n in (3, 4, 7) if "%n" not in upper else (0, 1, 2, 3, 4, 7):
        a = np.arange(n * 8, dtype=np.float32).reshape(n, 8)
        expected = np.zeros_like(a)
        end = {"%n": n, "min(%n, 4)": min(n, 4)}.get(upper, int(upper) if upper.isdigit() else 0)
        expected[int(lower) : end] = a[int(lower) : end, ::-1]
        c = np.zeros_like(a)
        run(module, "main", a, c)
        np.testing.assert_array_equal(c, expected)
        compiled = np.zeros_like(a)
        program(a, compiled)
        np.testing.assert_array_equal(compiled, expected)


def test_consumer_first_needs_one_version() -> None:
    attributes = "software_pipeline_stage = [0, 1], software_pipeline_order = [1, 0]"
    module = pipelined(COPY_AND_COMPUTE.format(lower="0", upper="%n", attributes=attributes))
    (rows,) = ops(module, loop.AllocOp)
    assert rows.res.type.get_shape() == (8,)
    a = np.arange(40, dtype=np.float32).reshape(5, 8)
    c = np.zeros_like(a)
    run(module, "main", a, c)
    np.testing.assert_array_equal(c, a[:, ::-1])


def test_nested_pipelines() -> None:
    text = """
func.func @main(%A: memref<3x5xf32> {tw.name = "A"}, %C: memref<3x5xf32> {tw.name = "C", tw.output}) {
  loop.for %i = 0 to 3 attributes {num_stages = 2} {
    %b = loop.alloc : memref<5xf32>
    loop.for %j = 0 to 5 {
      %x = loop.load %A[%i, %j] : memref<3x5xf32>
      loop.store %x, %b[%j] : memref<5xf32>
    }
    loop.for %j = 0 to 5 attributes {num_stages = 3} {
      %t = loop.alloc : memref<1xf32>
      %x = loop.load %b[4 - %j] : memref<5xf32>
      loop.store %x, %t[0] : memref<1xf32>
      %y = loop.load %t[0] : memref<1xf32>
      loop.store %y, %C[%i, %j] : memref<3x5xf32>
    }
  }
  func.return
}"""
    module = pipelined(text)
    assert not any(op.attributes for op in ops(module, loop.ForOp))
    a = np.arange(15, dtype=np.float32).reshape(3, 5)
    c = np.zeros_like(a)
    run(module, "main", a, c)
    np.testing.assert_array_equal(c, a[:, ::-1])


@pytest.mark.parametrize(("m", "n", "k"), [(8, 8, 32), (7, 5, 29), (4, 4, 3)])
@pytest.mark.parametrize("face", ["num_stages", "stage and order"])
def test_a_pipelined_matmul_of_te(m: int, n: int, k: int, face: str) -> None:
    x, y = te.placeholder((m, k), name="X"), te.placeholder((k, n), name="Y")
    r = te.reduce_axis((0, k), name="r")
    z = te.compute((m, n), lambda i, j: te.sum(x[i, r] * y[r, j], axis=r), name="Z")
    s = te.create_schedule(z.op)
    copies = [s.cache_read(x, "local", [z]), s.cache_read(y, "local", [z])]
    i, j = z.op.axis
    outer, inner = s[z].split(r, factor=4)
    s[z].reorder(outer, i, j, inner)
    for copy in copies:
        s[copy].compute_at(s[z], outer)
    if face == "num_stages":
        s[z].pragma(outer, "num_stages", 2)
    else:
        s[z].pragma(outer, "software_pipeline_stage", [0, 0, 1])
        s[z].pragma(outer, "software_pipeline_order", [0, 1, 2])
    program = driver.build(s, [x, y, z])
    s[z].pragma(outer, "software_pipeline_stage", [0, 1])
    with pytest.raises(TilewrightError, match="but got both|expected 3 entries in software_pipeline_stage") as error:
        driver.build(s, [x, y, z])
    assert error.value.code == "TW0540"
    a = np.random.default_rng(1).integers(-3, 4, (m, k)).astype(np.float32)
    b = np.random.default_rng(2).integers(-3, 4, (k, n)).astype(np.float32)
    np.testing.assert_array_equal(program(a, b), a @ b)


@pytest.mark.parametrize(
    ("on_loop", "on_buffer"), [("attributes {num_stages = 3}", ""), ("", "attributes {tw.double_buffer}")]
)
def test_versions_of_what_foreign_code_reads(on_loop: str, on_buffer: str) -> None:
    text = f"""
func.func @main(%A: memref<5x6xf32> {{tw.name = "A"}}, %C: memref<5xf32> {{tw.name = "C", tw.output}})
    attributes {{tw.foreign = [#loop.foreign<"c", "{SUM}">]}} {{
  loop.for %i = 0 to 5 {on_loop} {{
    %b = loop.alloc {on_buffer} : memref<2x3xf32>
    loop.for %j = 0 to 6 {{
      %x = loop.load %A[%i, %j] : memref<5x6xf32>
      loop.store %x, %b[%j floordiv 3, %j mod 3] : memref<2x3xf32>
    }}
    loop.call_extern "add_up"(write %C[%i] box [1] : memref<5xf32>, read %b[0, 0] box [2, 3] : memref<2x3xf32>,
        stride %b 0 of memref<2x3xf32> : i64)
  }}
  func.return
}}"""
    module = parse(text)
    PassManager(parse_pipeline("software-pipeline,double-buffer")).run(context(), module)
    (rows,) = ops(module, loop.AllocOp)
    assert rows.res.type.get_shape() == (3 if on_loop else 2, 2, 3)
    a = np.arange(30, dtype=np.float32).reshape(5, 6)
    c = np.zeros(5, np.float32)
    run(module, "main", a, c)
    np.testing.assert_array_equal(c, a.sum(axis=1))
    np.testing.assert_array_equal(driver.compile(parse(text), threads=1)(a), a.sum(axis=1))


SUM = (
    "void add_up(float *c, const float *b, long s) { float r = 0; "
    "for (long i = 0; i < 2; ++i) for (long j = 0; j < 3; ++j) r += b[i * s + j]; *c = r; }"
)


def test_annotations_of_a_schedule() -> None:
    text = """
func.func @main(%A: memref<6xf32> {tw.name = "A"}, %C: memref<6xf32> {tw.name = "C", tw.output}) {
  loop.for %i = 0 to 6 {
    loop.block "C" (%v = spatial(%i) in 6) {
      %x = loop.load %A[%v] : memref<6xf32>
      loop.store %x, %C[%v] : memref<6xf32>
    }
  }
  func.return
}"""
    schedule = Schedule(parse(text))
    (i,) = schedule.get_loops(schedule.get_block("C"))
    schedule.annotate(i, "software_pipeline_stage", [0])
    with pytest.raises(TilewrightError, match="expected a list of numbers of at least 0 for software_pipeline_order"):
        schedule.pragma(i, "software_pipeline_order", ["first"])
    with pytest.raises(TilewrightError, match="expected a number of at least 0 for num_stages, but got -1"):
        schedule.pragma(i, "num_stages", -1)
    assert schedule.loop(i).attributes
