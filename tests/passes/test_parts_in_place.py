"""Parts that are joined are written in place: what counts as a join, and that programs compute the same without it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
import onnx.parser
import onnx.reference
import pytest
import tilewright
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from onnx import numpy_helper
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects import context
from tilewright.frontends.onnx import import_model
from tilewright.passes.phase1.plan_arena.joins import Join, join_of
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

ZERO = "%zero = arith.constant 0.0 : f32"
CHAIN = """
    %p = loop.load %b[{b}] where ({where_b}) else %zero : memref<4xf32>
    %q = loop.load %a[{a}] where ({where_a}) else %p : memref<4xf32>"""


def chain(
    upper: int = 8, a: str = "%i", where_a: str = "%i < 4", b: str = "%i - 4", where_b: str = "%i >= 4", to: str = "%i"
) -> str:
    """Return a kernel of one loop that stores to eight elements what it takes from the arguments, of four each."""
    loads = CHAIN.format(a=a, b=b, where_a=where_a, where_b=where_b)
    return f"loop.for %i = 0 to {upper} {{ {ZERO} {loads} loop.store %q, %y[{to}] : memref<8xf32> }}"


def kernel(body: str, result: str = "memref<8xf32>") -> FuncOp:
    arguments = f"%a: memref<4xf32>, %b: memref<4xf32>, %y: {result} {{tw.output}}"
    module = Parser(context(), f"func.func @k({arguments}) {{ {body} func.return }}").parse_module()
    module.verify()
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def copy_of(source: str, shift: int, count: int = 4) -> str:
    load = f"%v = loop.load %{source}[%i] : memref<4xf32>"
    return f"loop.for %i = 0 to {count} {{ {load} loop.store %v, %y[%i + {shift}] : memref<8xf32> }}"


JOINS = {
    "a chain of guards": (chain(), {0: 0, 1: 16}),
    "the other way round": (chain(a="%i - 4", where_a="%i >= 4", b="%i", where_b="%i < 4"), {1: 0, 0: 16}),
    "backwards": (chain(a="7 - %i - 4", where_a="%i < 4", b="7 - %i", where_b="%i >= 4", to="7 - %i"), {1: 0, 0: 16}),
    "loops apart": (copy_of("a", 0) + copy_of("b", 4), {0: 0, 1: 16}),
    "one part": (copy_of("a", 0) + copy_of("a", 4), {0: 0}),
    "tiles": (
        f"loop.for %o = 0 to 3 {{ loop.for %c = 0 to 3 kind vectorized {{ loop.if (%o * 3 + %c < 8) {{ {ZERO}"
        + CHAIN.format(a="%o * 3 + %c", where_a="%o * 3 + %c < 4", b="%o * 3 + %c - 4", where_b="%o * 3 + %c >= 4")
        + "loop.store %q, %y[%o * 3 + %c] : memref<8xf32> } } }",
        {0: 0, 1: 16},
    ),
}


@pytest.mark.parametrize("name", JOINS)
def test_joins_are_known(name: str) -> None:
    body, offsets = JOINS[name]
    join = join_of(kernel(body))
    assert isinstance(join, Join)
    assert {part.argument: part.offset for part in join.parts if part.offset in offsets.values()} == offsets
    assert join.output == 2
    assert sum(part.size for part in join.parts) == 32


NO_JOINS = {
    "an element short": (chain(upper=7), "every element"),
    "a gap between the guards": (chain(where_b="%i >= 5"), "those of no part"),
    "parts that share elements": (copy_of("a", 0) + copy_of("b", 2), "side by side"),
    "a part over another": (copy_of("a", 0) + copy_of("a", 2) + copy_of("b", 4), "side by side"),
    "outside of a part": (chain(where_a="%i < 5"), "inside of its bounds"),
    "the first elements alone": (chain(a="0"), "in one piece"),
    "every other element": (
        f"loop.for %i = 0 to 4 {{ {ZERO}" + CHAIN.format(a="%i", where_a="%i < 4", b="%i", where_b="%i < 4") + ""
        "loop.store %q, %y[%i * 2] : memref<8xf32> loop.store %p, %y[%i * 2 + 1] : memref<8xf32> }",
        "in one piece",
    ),
    "an order of its own": (chain(a="3 - %i"), "in one piece"),
}


@pytest.mark.parametrize("name", NO_JOINS)
def test_what_is_no_join_is_reported(name: str) -> None:
    body, reason = NO_JOINS[name]
    found = join_of(kernel(body))
    assert isinstance(found, str)
    assert reason in found


@pytest.mark.parametrize(
    "body",
    [
        copy_of("a", 2),  # part of the result
        f"loop.for %i = 0 to 8 {{ {ZERO} loop.store %zero, %y[%i] : memref<8xf32> }}",
        chain().replace("loop.store %q", "%n = arith.negf %q : f32 loop.store %n"),
        "loop.for %i = 0 to 4 { %v = loop.load %y[%i] : memref<8xf32> loop.store %v, %y[%i + 4] : memref<8xf32> }",
        "%t = loop.alloc : memref<8xf32>" + chain().replace("%y[", "%t["),
    ],
)
def test_other_functions_are_none(body: str) -> None:
    assert join_of(kernel(body)) is None


def test_symbolic_sizes_are_reported() -> None:
    body = """
    %n = loop.dim %y, 0 : memref<?xf32>
    loop.for %i = 0 to %n {
      %v = loop.load %a[0] : memref<4xf32>
      %w = loop.load %b[%i] where (%i < 4) else %v : memref<4xf32>
      loop.store %w, %y[%i] : memref<?xf32>
    }"""
    assert join_of(kernel(body, "memref<?xf32>")) == "its sizes are not known before it is called"


# Whole programs

COLUMNS = st.sampled_from([16, 16, 5])
"""A row is 64 bytes, or parts do not start at multiples of that."""


@dataclass(frozen=True)
class Drawn:
    """A network of products and joins of rows, and how it is compiled."""

    model: onnx.ModelProto
    inputs: dict[str, np.ndarray]
    threads: int


@st.composite
def networks(draw: st.DrawFn) -> Drawn:
    columns = draw(COLUMNS)
    rows = {"x": draw(st.integers(1, 3)), "c": 2}
    nodes: list[str] = []
    for number in range(draw(st.integers(3, 9))):
        name = f"v{number}"
        if draw(st.booleans()):
            source = draw(st.sampled_from(list(rows)))
            nodes.append(f"{name} = MatMul ({source}, w)")
            rows[name] = rows[source]
        else:
            # What came last is drawn most, so that there are chains.
            recent = [*rows, *list(rows)[-2:], list(rows)[-1]]
            parts = draw(st.lists(st.sampled_from(recent), min_size=2, max_size=3))
            nodes.append(f"{name} = Concat <axis = 0> ({', '.join(parts)})")
            rows[name] = sum(rows[part] for part in parts)
    computed = [name for name in rows if name.startswith("v")]
    outputs = sorted({computed[-1], *draw(st.lists(st.sampled_from(computed), max_size=2))})
    rng = np.random.default_rng(draw(st.integers(0, 3)))
    return Drawn(
        network(nodes, outputs, rows["x"], columns),
        {"x": rng.standard_normal((rows["x"], columns)).astype(np.float32)},
        draw(st.sampled_from([1, 2])),
    )


def network(nodes: list[str], outputs: list[str], rows: int, columns: int) -> onnx.ModelProto:
    """Return a model of nodes over an image `x`, a constant `c` of two rows and a matrix `w`."""
    results = ", ".join(f"float[n{k}, {columns}] {name}" for k, name in enumerate(outputs))
    head = '<ir_version: 10, opset_import: ["" : 22]>'
    text = f"{head} g (float[{rows}, {columns}] x) => ({results}) {{ {' '.join(nodes)} }}"
    model = onnx.parser.parse_model(text)
    rng = np.random.default_rng(0)
    for name, shape in {"w": (columns, columns), "c": (2, columns)}.items():
        values = (rng.standard_normal(shape) / np.sqrt(columns)).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(values, name))
    return model


def check(drawn: Drawn, target: str = "cpu") -> list[Remark]:
    """Compile, compare with ONNX's reference, and give the remarks."""
    with collect_remarks() as remarks:
        device = "simulator" if target == "cuda" else None
        program = tilewright.compile(import_model(drawn.model), target, drawn.threads, device=device)
    results = program(*drawn.inputs.values())
    expected = onnx.reference.ReferenceEvaluator(drawn.model).run(None, drawn.inputs)
    actual = list(results) if isinstance(results, (list, tuple)) else [results]
    for ours, theirs in zip(actual, expected, strict=True):
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-5, atol=1e-5 * max(1, np.abs(theirs).max()))
    return [r for r in remarks if r.code in ("TW0770", "TW0771")]


@settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(networks())
def test_drawn_networks(drawn: Drawn) -> None:
    check(drawn)


@pytest.mark.full
@settings(max_examples=5, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(networks())
def test_drawn_networks_validate(drawn: Drawn) -> None:
    with tilewright.PassContext(validate=1):
        check(drawn)


def fixed(nodes: list[str], outputs: list[str], columns: int = 16, rows: int = 3, threads: int = 1) -> Drawn:
    x = np.random.default_rng(1).standard_normal((rows, columns)).astype(np.float32)
    return Drawn(network(nodes, outputs, rows, columns), {"x": x}, threads)


DENSE = [
    "a = MatMul (x, w)",
    "b = MatMul (a, w)",
    "s = Concat <axis = 0> (a, b)",
    "c1 = MatMul (s, w)",
    "t = Concat <axis = 0> (s, c1)",
    "d = MatMul (t, w)",
    "u = Concat <axis = 0> (t, d)",
    "y = MatMul (u, w)",
]


@pytest.mark.parametrize(("target", "threads"), [("cpu", 1), ("cpu", 2), ("c", 2), ("cuda", 1)])
def test_a_chain_is_one_buffer(target: str, threads: int) -> None:
    remarks = check(fixed(DENSE, ["y"], threads=threads), target)
    assert [r.message.split(",")[0] for r in remarks] == ["2 of 2 parts that @concat joins"] + [
        f"2 of 2 parts that @concat_{k} joins" for k in (1, 2)
    ]


def test_lists_of_all_parts_are_one_buffer() -> None:
    """Each result begins with the parts of the one before."""
    nodes = [node.replace("(s, c1)", "(a, b, c1)").replace("(t, d)", "(a, b, c1, d)") for node in DENSE]
    remarks = check(fixed(nodes, ["y"]))
    assert [r.code for r in remarks] == ["TW0770"] * 3


def test_a_part_of_two_results_lies_in_the_first() -> None:
    nodes = ["a = MatMul (x, w)", "b = MatMul (a, w)", "y = Concat <axis = 0> (a, b)", "z = Concat <axis = 0> (b, b)"]
    messages = [r.message for r in check(fixed(nodes, ["y", "z"]))]
    assert messages == [
        "2 of 2 parts that @concat joins, 384 bytes, are written in place",
        "part 1 of what @concat_1 joins is copied: it lies in a buffer that holds more",
        "part 2 of what @concat_1 joins is copied: it lies in a buffer that holds more",
    ]


@pytest.mark.parametrize("columns", [16, 5])
def test_arguments_and_constants_are_copied(columns: int) -> None:
    nodes = ["a = MatMul (x, w)", "b = MatMul (a, w)", "y = Concat <axis = 0> (c, b, x, a, a)"]
    messages = [r.message for r in check(fixed(nodes, ["y"], columns))]
    reasons = [message.split(": ")[-1] for message in messages if " is copied: " in message]
    unaligned = "its offset in the result is no multiple of 64 bytes"
    if columns == 16:
        assert reasons == ["it is a constant", "it is an argument of @main", "the result has it twice"]
    else:
        assert reasons == ["it is a constant", unaligned, "it is an argument of @main", unaligned, unaligned]


def test_columns_are_copied() -> None:
    nodes = ["a = MatMul (x, w)", "b = MatMul (a, w)", "y = Concat <axis = 1> (a, b)"]
    (remark,) = check(fixed(nodes, ["y"]))
    assert "do not lie in one piece" in remark.message
