"""Every operator with symbolic sizes: one compilation serves two sizes, values are those of the reference.

The cases are those of `cases`. The leading size of each operand is a name, the same where sizes are equal; a case whose
operator needs a number there is listed with the reason: its verifier refuses, which the importer turns into a version
of the program for each size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import tilewright
from operator_case import Case
from operator_cases import CASES
from tilewright.dialects.dtypes import element_type
from tilewright.dialects.graph import GraphOp, make_type
from tilewright.dialects.graph.types import Dim, UnknownSize
from tilewright.operators import get_operator
from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

BATCH, LENGTH = 0, -1
SAME = "operands have to agree in this size, and cases name one"

NEEDS_A_NUMBER: dict[tuple[int, str], str] = {
    (BATCH, "batch_to_space_nd"): "the blocks divide the batch",
    (LENGTH, "adaptive_avg_pool"): "windows differ in size unless the output divides the image",
    (LENGTH, "adaptive_max_pool"): "windows differ in size unless the output divides the image",
    (LENGTH, "avg_pool2d_grad"): SAME,
    (LENGTH, "broadcast_to"): "the shape is a number; `stretch` states others",
    (LENGTH, "col2im"): "the size of the image says how many columns there are",
    (LENGTH, "conv1d_transpose"): "phases of the output are laid out by numbers",
    (LENGTH, "conv2d_transpose"): "phases of the output are laid out by numbers",
    (LENGTH, "conv3d_transpose"): "phases of the output are laid out by numbers",
    (LENGTH, "det"): "elimination is written out for the size of the matrix",
    (LENGTH, "gru"): "the last size is that of the gates",
    (LENGTH, "lstm"): "the last size is that of the gates",
    (LENGTH, "max_pool2d_grad"): SAME,
    (LENGTH, "non_max_suppression"): "a box has four coordinates",
    (LENGTH, "regroup"): "the shape of the case is stated in another size",
    (LENGTH, "resize"): "weights of elements are computed from the size",
    (LENGTH, "rnn"): "the last size is that of the gates",
    (LENGTH, "roi_align"): "regions are cut to the image",
    (LENGTH, "roi_pool"): "regions are cut to the image",
    (LENGTH, "slice"): "the part is a number; `cut` states others",
    (LENGTH, "space_to_depth"): "the block divides the size",
    (LENGTH, "split"): "the parts are numbers; `cut` states others",
    (LENGTH, "suppress_boxes"): "a box has a class, a score and coordinates at stated places",
    (LENGTH, "unblock_channels"): "the last size is that of a block",
    (LENGTH, "valid_boxes"): "a box has a class, a score and coordinates at stated places",
    (LENGTH, "where"): "the cases broadcast to numbers",
    (LENGTH, "winograd_conv2d"): "the last size is that of a block",
    (LENGTH, "words"): "a word has four bytes",
    (BATCH, "gather_elements"): "indices lie within the operand's other sizes",
    (BATCH, "packed_gather"): "a row is found by how many columns there are",
    (LENGTH, "packed_gather"): "a row is found by how many columns a block has",
    (BATCH, "squeeze"): "the cases drop the first dimension, which is 1",
    (BATCH, "stretch"): "the case stretches a first dimension of 1",
    (BATCH, "regroup"): "the shape of the case is stated in another size",
}
"""Reasons why one program cannot serve all sizes of an axis: the import raises TW0304, and each size gets a version."""


def marked(shapes: Sequence[tuple[int, ...]], axis: int) -> list[list[list[Dim]]]:
    """Return shapes with a name for the size of one axis of the first operand: there alone, and wherever others have
    it."""
    size = shapes[0][axis]
    alone: list[list[Dim]] = [[*shape] for shape in shapes]
    alone[0][axis] = "n"
    same: list[list[Dim]] = [[*shape] for shape in shapes]
    everywhere: list[list[Dim]] = [["n" if dim == size else dim for dim in shape] for shape in shapes]
    for shape in same:
        if shape and shape[axis] == size:
            shape[axis] = "n"
    return [alone, same, everywhere]


def grown(array: np.ndarray, dims: Sequence[Dim]) -> np.ndarray:
    """Return an array twice as long wherever its size has a name."""
    for axis, dim in enumerate(dims):
        if dim == "n":
            array = np.concatenate([array, array], axis)
    return array


def operation(case: Case, arrays: Sequence[np.ndarray], shapes: Sequence[Sequence[Dim]]) -> tuple[GraphOp, ModuleOp]:
    block = Block(arg_types=[make_type(s, element_type(a.dtype.name)) for s, a in zip(shapes, arrays, strict=True)])
    builder = Builder(InsertPoint.at_end(block))
    kind = get_operator(case.operator).operation
    assert kind is not None
    op = kind.of(*block.args, **case.values)
    builder.insert(op)
    builder.insert(ReturnOp(*op.results))
    function = FuncOp("main", (block.arg_types, op.result_types), Region(block))
    return op, ModuleOp([function])


def check(case: Case, axis: int) -> str:
    """Compile a case once and run it at two sizes; what stands against that, or nothing."""
    arrays = case.arrays()
    if not arrays or not arrays[0].ndim or arrays[0].shape[axis] < 1:
        return "no such size"
    why = ""
    for shapes in marked([a.shape for a in arrays], axis):
        try:
            _, module = operation(case, arrays, shapes)
        except UnknownSize as error:
            why = str(error)
            continue
        except Exception as error:
            why = why or f"invalid: {error}"
            continue
        larger = [grown(a, dims) for a, dims in zip(arrays, shapes, strict=True)]
        try:
            exact, _ = operation(case, larger, [a.shape for a in larger])
        except Exception as error:
            why = why or f"invalid: {error}"
            continue
        program = tilewright.compile(tilewright.IRModule(module), threads=1)
        for given in (arrays, larger):
            exact, _ = operation(case, given, [a.shape for a in given])
            expected = get_operator(case.operator).evaluate(exact, *given)
            results = program(*given)
            found = results if isinstance(results, tuple) else (results,)
            for actual, wanted in zip(found, expected, strict=True):
                assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
                if np.issubdtype(wanted.dtype, np.floating):
                    np.testing.assert_allclose(actual, wanted, rtol=5e-5, atol=5e-5)
                else:
                    np.testing.assert_array_equal(actual, wanted)
        return ""
    return why


def reasons(name: str, axis: int) -> list[str]:
    """Return, for each case of an operator, the reason against one program for all sizes of an axis; empty if none."""
    found: list[str] = []
    for case in CASES:
        if case.operator == name and "" not in found:
            found.append(check(case, axis))
    return found


NAMES = sorted({case.operator for case in CASES})


@pytest.mark.sampled(3)
@pytest.mark.each("name", [name for name in NAMES if (BATCH, name) not in NEEDS_A_NUMBER], shards=3)
def test_one_program_for_every_batch(name: str) -> None:
    assert "" in reasons(name, BATCH)


@pytest.mark.sampled(3)
@pytest.mark.each("name", [name for name in NAMES if (LENGTH, name) not in NEEDS_A_NUMBER], shards=3)
def test_one_program_for_every_length(name: str) -> None:
    assert "" in reasons(name, LENGTH)


@pytest.mark.each(("axis", "name"), NEEDS_A_NUMBER)
def test_others_say_that_they_need_a_number(axis: int, name: str) -> None:
    found = reasons(name, axis)
    assert "" not in found and any("expected" in each for each in found)
