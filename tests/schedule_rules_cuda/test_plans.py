"""Plans of reductions, lines and chains of rows for described GPUs, and the loops that become of them; nothing runs."""

from __future__ import annotations

from typing import Any

import pytest
from tilewright import te, topi
from tilewright.analysis.domain import loops_around
from tilewright.dialects import context, loop
from tilewright.dialects.target import CudaTargetAttr
from tilewright.schedule import Schedule
from tilewright.schedule.rules.cuda.lines import schedule_lines
from tilewright.schedule.rules.cuda.result_reduction import plan_result_reduction
from tilewright.schedule.rules.cuda.row_chain import RowChain, plan_row_chain
from tilewright.schedule.rules.cuda.row_reduction import model, plan_row_reduction
from xdsl.parser import Parser

from .plans import GPU, block_of, blocks_in, scheduled, scopes, tags


def sums(shape: tuple[int, ...], axes: list[int], epilogue: bool = False) -> list[te.Tensor]:
    a = te.placeholder(shape, name="A")
    b = topi.sum(a, axis=axes)
    return [a, te.compute(b.shape, lambda *index: b(*index) * 2, name="C") if epilogue else b]


def reduction(shape: tuple[int, ...], axes: list[int]) -> Any:
    tensors = sums(shape, axes)
    return block_of(tensors, tensors[1].op.name)


# Rows that are reduced


@pytest.mark.parametrize(
    ("rows", "terms", "threads", "together", "parts"),
    [
        (1, 32, 32, 1, 1),
        (132, 255, 32, 1, 1),
        (132, 256, 64, 1, 1),
        (132, 4095, 512, 1, 1),
        (132, 4096, 1024, 1, 1),
        (264, 64, 32, 2, 1),
        (263, 64, 32, 1, 1),
        (1056, 64, 32, 8, 1),
        (1055, 64, 32, 4, 1),
        (1055, 1024, 256, 1, 1),
        (1056, 8192, 256, 1, 1),
        (1055, 8192, 512, 1, 1),
        (132, 8192, 1024, 1, 2),
        (133, 8192, 1024, 1, 1),
        (32, 8192, 1024, 1, 2),
        (31, 8192, 1024, 1, 1),
        (1, 1 << 18, 1024, 1, 64),
        (1, (1 << 18) - 1024, 1024, 1, 1),
        (3, 1 << 20, 1024, 1, 64),
    ],
)
def test_threads_of_rows(rows: int, terms: int, threads: int, together: int, parts: int) -> None:
    found = model(rows, terms, True, GPU)
    assert found is not None
    assert (found.threads, found.together, found.parts) == (threads, together, parts)
    unknown = model(rows, terms, False, GPU)
    assert unknown is not None and (unknown.threads, unknown.together, unknown.parts) == (threads, together, 1)


def test_short_rows_have_one_thread() -> None:
    assert model(100, 31, True, GPU) is None
    assert model(100, 31, True, CudaTargetAttr.get(max_threads=64)) is None


@pytest.mark.parametrize(
    ("shape", "axes", "by_rows"),
    [
        ((40, 100), [1], True),
        ((40, 100), [0], False),
        ((40, 32), [1], True),
        ((40, 31), [1], False),
        ((3, 40, 100), [1, 2], True),
        ((3, 40, 100), [0, 2], True),
        ((3, 40, 100), [0, 1], False),
        ((100,), [0], True),
        ((100, 1), [0], False),
    ],
)
def test_which_sums_threads_share(shape: tuple[int, ...], axes: list[int], by_rows: bool) -> None:
    op = reduction(shape, axes)
    assert (plan_row_reduction(op, GPU) is not None) == by_rows
    assert plan_result_reduction(op, GPU) is not None, "one thread for each result would do, too"


@pytest.mark.parametrize(
    ("shape", "parts"), [((3000, 100), 40), ((2048, 128), 32), ((2047, 128), 1), ((64, 100000), 1), ((128, 2048), 2)]
)
def test_long_columns_are_cut(shape: tuple[int, int], parts: int) -> None:
    found = plan_result_reduction(reduction(shape, [0]), GPU)
    assert found is not None and (found.results, found.terms, found.parts) == (shape[1], shape[0], parts)


def test_parts_of_rows_are_reduced_by_a_separate_kernel() -> None:
    function, (message,) = scheduled(sums((1, 1 << 18), [1]))
    assert "is reduced by 1024 threads, in 64 parts, 1 to a block" in message
    nests = [op for op in function.body.block.ops if isinstance(op, loop.ForOp)]
    kernels = [[op for op in nest.walk() if isinstance(op, loop.BlockOp) and "reduce" in op.kinds] for nest in nests]
    assert [len(kernel) for kernel in kernels] == [1, 1]
    whole, _ = scheduled(sums((1, (1 << 18) - 1024), [1]))
    assert len([op for op in whole.body.block.ops if isinstance(op, loop.ForOp)]) == 1


@pytest.mark.parametrize("epilogue", [False, True])
def test_a_result_is_summed_in_registers_of_its_thread(epilogue: bool) -> None:
    tensors = sums((40, 100), [0], epilogue)
    function, (message,) = scheduled(tensors)
    assert "each of 100 results" in message and "reduced by one thread" in message
    assert list(scopes(function).values()) == ['"local"']
    (update,) = [b for b in blocks_in(function) if "reduce" in b.kinds]
    (writer,) = [b for b in blocks_in(function) if b is not update and not b.label.endswith("_init")]
    assert tags(update) == ["blockIdx.x", "threadIdx.x", "serial"] and tags(writer) == tags(update)[:2]
    assert loops_around(writer) == loops_around(update)[:2]


def test_results_that_nobody_reads_stay_with_their_thread() -> None:
    """The greatest elements beside their positions."""

    def combine(x: Any, y: Any) -> Any:
        return te.if_then_else(x[1] > y[1], x[0], y[0]), te.if_then_else(x[1] > y[1], x[1], y[1])

    reducer = te.comm_reducer(combine, lambda t0, t1: (te.const(-1, t0), te.min_value(t1)), name="argmax")
    a, k = te.placeholder((40, 100), name="A"), te.reduce_axis((0, 40), name="k")
    position, _ = te.compute((100,), lambda i: reducer((k, a[k, i]), axis=k), name="B")
    function, (message,) = scheduled([a, position.op.output(0)])
    assert "reduced by one thread" in message
    assert list(scopes(function).values()) == ['"local"']


@pytest.mark.parametrize("is_read_elsewhere", [False, True])
def test_several_results_that_are_used_together_stay_with_their_thread(is_read_elsewhere: bool) -> None:
    """Unless another kernel reads one of them."""

    def combine(x: Any, y: Any) -> Any:
        return x[0] + y[0], x[1] + y[1]

    reducer = te.comm_reducer(combine, lambda *types: tuple(te.const(0, t) for t in types), name="sums")
    a, k = te.placeholder((40, 100), name="A"), te.reduce_axis((0, 40), name="k")
    first, second = te.compute((100,), lambda i: reducer((a[k, i], a[k, i] * a[k, i]), axis=k), name="B")
    variance = te.compute((100,), lambda i: second[i] - first[i] * first[i], name="C")
    other = te.compute((100,), lambda i: first[99 - i], name="D")
    function, _ = scheduled([a, variance, *([other] if is_read_elsewhere else [])])
    (update,) = [b for b in blocks_in(function) if "reduce" in b.kinds]
    (writer,) = [b for b in blocks_in(function) if b.label == "C"]
    together = loops_around(writer)[0] is loops_around(update)[0]
    assert together == (not is_read_elsewhere)
    assert (set(scopes(function).values()) == {'"local"'}) == (not is_read_elsewhere)


# Lines


def lines(text: str, label: str) -> tuple[list[str] | None, list[list[str]]]:
    """Return the labels of the blocks that the rule takes care of, and what the loops around each block are bound
    to."""
    module = Parser(context(), f"func.func @main{text}").parse_module()
    (function,) = module.ops
    sch = Schedule(function)  # pyright: ignore[reportArgumentType]
    block = next(b for b in blocks_in(function) if b.label == label)
    taken = schedule_lines(sch, block, GPU)
    return (None if taken is None else [b.label for b in taken]), [tags(b) for b in blocks_in(sch.func)]


SCAN = """
loop.block "{name}" (%vi = spatial(%i) in 8, %vj = spatial({column}) in 9) {{
  %x = loop.load %A[%vi, %vj] : memref<8x10xf32>
  %y = arith.addf %x, %x : f32
  loop.store %y, %A[%vi, %vj + 1] : memref<8x10xf32>
}}"""


def test_scans_run_in_order_and_lines_side_by_side() -> None:
    body = SCAN.format(name="S", column="%j")
    nests = (
        f"loop.for %i = 0 to 8 {{ loop.for %j = 0 to 9 {{ {body} }} }}",
        f"loop.for %j = 0 to 9 {{ loop.for %i = 0 to 8 {{ {body} }} }}",
    )
    for nest in nests:
        found = lines(f"(%A: memref<8x10xf32> {{tw.output}}) {{ {nest} func.return }}", "S")
        assert found == (["S"], [["blockIdx.x", "threadIdx.x", "serial"]])


def test_loops_that_hold_more_than_the_next_are_the_last_to_be_moved() -> None:
    first, second = SCAN.format(name="S", column="%j"), SCAN.format(name="T", column="%k")
    nest = (
        f"loop.for %i = 0 to 8 {{ loop.for %j = 0 to 9 {{ {first} }} loop.for %k = 0 to 9 {{ {second} }} }}",
        f"loop.for %j = 0 to 9 {{ loop.for %i = 0 to 8 {{ {first} }} loop.for %h = 0 to 8 {{ {second} }} }}",
    )
    taken, around = lines(f"(%A: memref<8x10xf32> {{tw.output}}) {{ {nest[0]} func.return }}", "S")
    assert taken == ["S", "T"]
    assert around == [["blockIdx.x", "threadIdx.x", "serial"]] * 2
    bad = nest[1].replace("(%i) in 8, %vj = spatial(%k)", "(%h) in 8, %vj = spatial(%j)")
    bad = bad.replace('"T" (%vi = spatial(%i)', '"T" (%vi = spatial(%h)').replace("spatial(%k)", "spatial(%j)")
    assert lines(f"(%A: memref<8x10xf32> {{tw.output}}) {{ {bad} func.return }}", "S") == (None, [["serial"] * 2] * 2)


# Chains


def chain_of(tensors: list[te.Tensor], target: CudaTargetAttr = GPU) -> RowChain | None:
    return plan_row_chain(block_of(tensors, tensors[-1].op.name), target)


def total(a: te.Tensor, element: Any, name: str) -> te.Tensor:
    """Return the sum of each row."""
    k = te.reduce_axis((0, int(a.shape[1])), name="k")
    return te.compute((a.shape[0],), lambda i: te.sum(element(i, k), axis=k), name=name)


def test_one_reduction_and_what_is_made_of_its_result_is_no_chain() -> None:
    a = te.placeholder((40, 1000), name="A")
    s = total(a, lambda i, k: a[i, k], "S")
    assert chain_of([a, te.compute((40,), lambda i: s[i] * 2, name="C")]) is None


def test_one_reduction_of_elements_that_are_computed_is_a_chain() -> None:
    a = te.placeholder((40, 1000), name="A")
    e = te.compute((40, 1000), lambda i, j: te.exp(a[i, j]), name="E")
    s = total(a, lambda i, k: e[i, k], "S")
    found = chain_of([a, te.compute((40, 1000), lambda i, j: e[i, j] / s[i], name="C")])
    assert found is not None and [b.label for b in found.blocks] == ["E", "S", "C"]
    assert (found.rows, found.threads, found.together) == (1, 128, 1)
    assert [b.label for b in found.memory.kept] == ["E"] and found.memory.copied == ()
    assert found.shared == 4 + 128 * 4, "a sum, and one of each thread"


def test_one_reduction_and_elements_that_use_it() -> None:
    a = te.placeholder((40, 1000), name="A")
    s = total(a, lambda i, k: a[i, k], "S")
    found = chain_of([a, te.compute((40, 1000), lambda i, j: a[i, j] / s[i], name="C")])
    assert found is not None and [b.label for b in found.blocks] == ["S", "C"]
    assert [buffer.name_hint for buffer in found.memory.copied] == ["A"]


def test_two_reductions_without_elements_are_a_chain() -> None:
    a = te.placeholder((40, 1000), name="A")
    s = total(a, lambda i, k: a[i, k], "S")
    t = total(a, lambda i, k: a[i, k] * s[i], "T")
    found = chain_of([a, te.compute((40,), lambda i: t[i] - s[i], name="C")])
    assert found is not None and [b.label for b in found.blocks] == ["S", "T", "C"]


READS: dict[str, tuple[Any, list[str]]] = {
    "own elements": (lambda a, i, j: a[i, j], ["A"]),
    "elements of another row": (lambda a, i, j: a[39 - i, j], []),
    "elements the other way round": (lambda a, i, j: a[i, 999 - j], []),
    "own elements and others": (lambda a, i, j: a[i, j] + a[i, 999 - j], []),
    "own elements and those of another row": (lambda a, i, j: a[i, j] + a[39 - i, j], []),
    "own elements, guarded": (lambda a, i, j: te.if_then_else(j < 998, a[i, j], 0.0), []),
}


@pytest.mark.parametrize("case", READS)
def test_inputs_stay_with_the_thread_that_reads_the_same_of_them_again(case: str) -> None:
    read, copied = READS[case]
    a = te.placeholder((40, 1000), name="A")
    s = total(a, lambda i, k: a[i, k], "S")
    found = chain_of([a, te.compute((40, 1000), lambda i, j: read(a, i, j) / s[i], name="C")])
    assert found is not None and [buffer.name_hint for buffer in found.memory.copied] == copied


@pytest.mark.parametrize(
    ("shape", "threads", "together", "shared", "copied", "kept"),
    [
        ((40, 1000), 128, 1, 8 + 512, ["A"], ["powers"]),
        ((1000, 1000), 128, 2, 2 * (8 + 512), ["A"], ["powers"]),
        ((4000, 100), 32, 8, 8 * (8 + 128), ["A"], ["powers"]),
        ((40, 7), 8, 1, 8 + 32, ["A"], ["powers"]),
        ((5, 1000), 128, 1, 8 + 512, ["A"], ["powers"]),
        ((2, 16384), 1024, 1, 8 + 4096, ["A"], ["powers"]),
    ],
)
def test_chains_of_a_softmax(
    shape: tuple[int, int], threads: int, together: int, shared: int, copied: list[str], kept: list[str]
) -> None:
    a = te.placeholder(shape, name="A")
    found = chain_of([a, topi.nn.softmax(a, axis=-1)])
    assert found is not None
    assert [b.label for b in found.blocks] == ["greatest", "powers", "total", "softmax"]
    assert (found.threads, found.together, found.shared) == (threads, together, shared)
    assert [buffer.name_hint for buffer in found.memory.copied] == copied
    assert [b.label for b in found.memory.kept] == kept


def test_rows_beyond_all_memory_are_no_chain() -> None:
    a = te.placeholder((1, 60000), name="A")
    assert chain_of([a, topi.nn.softmax(a, axis=-1)]) is None
    small = te.placeholder((40, 1000), name="A")
    assert chain_of([small, topi.nn.softmax(small, axis=-1)], CudaTargetAttr.get(shared=519)) is None
    assert chain_of([small, topi.nn.softmax(small, axis=-1)], CudaTargetAttr.get(shared=520)) is not None
