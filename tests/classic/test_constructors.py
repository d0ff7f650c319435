"""Constructors of classic nodes: an object where there is one to make, else one coded error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te, tir

A = tir.decl_buffer((4, 3), "float32", name="A")
i, j = te.var("i"), te.var("j")


def test_elements_of_declared_buffers() -> None:
    assert str(tir.BufferLoad(A, [i, j + 1])) == str(A.vload([i, j + 1]))
    function = tir.PrimFunc([A], tir.BufferStore(A, 2.5, [1, 2]))
    given = np.zeros((4, 3), np.float32)
    tvm.build(function, target="interpreter")(given)
    expected = np.zeros((4, 3), np.float32)
    expected[1, 2] = 2.5
    np.testing.assert_array_equal(given, expected)


@pytest.mark.parametrize("name", ["IfThenElse", "Allocate", "Block", "Stmt", "LetStmt", "AttrStmt", "While", "IterVar"])
def test_faces_that_make_nothing(name: str) -> None:
    for arguments in ((), (1,), (i, A, None)):
        with pytest.raises(TilewrightError, match=f"TW0251.*'{name}' makes no object"):
            getattr(tir, name)(*arguments)


@pytest.mark.each(
    ("call", "code"),
    [
        (lambda: tir.Add(i), "TW0725.*tir.Add: missing a required argument: 'b'"),
        (lambda: tir.Cast("float32"), "TW0725.*tir.Cast: missing a required argument: 'value'"),
        (lambda: tir.BufferLoad(A), "TW0725.*tir.BufferLoad: missing a required argument: 'indices'"),
        (lambda: tir.BufferLoad(5, [0]), "TW0725.*'buffer' to be of type Buffer"),
        (lambda: tir.BufferLoad(A, [0]), "TW0430.*expected 2 indices of buffer 'A'"),
        (lambda: tir.StringImm(5), "TW0725.*'value' to be of type str"),
        (lambda: tir.FloatImm("int32", 1.0), "TW0725.*expected a type of floats, but got 'int32'"),
        (lambda: te.var(1, "int32"), "TW0725.*'name' to be of type str"),
        (lambda: tir.SeqStmt(5), "TW0725.*'seq' to be of type list or tuple"),
        (lambda: tir.SeqStmt([5]), "TW0255.*expected statements of functions, but got 5"),
        (lambda: tir.For(i, 0), "TW0725.*tir.For: missing a required argument: 'extent'"),
        (lambda: tir.For(5, 0, 4, 0, tir.SeqStmt([])), "TW0255.*expected a variable of te.var, but got 5"),
        (lambda: tir.For(i, 0, 4, [], tir.SeqStmt([])), r"TW0255.*unrolled loop, but got \[\]"),
        (lambda: tir.ForKind("serial"), "TW0725.*expected a kind of loop of 0 .SERIAL.*but got 'serial'"),
        (lambda: tir.For(i, 0, 1.5, 0, tir.SeqStmt([])), "TW0255.*expected integers as bounds, but got 0 and 1.5"),
        (lambda: te.compute((4,), 5), "TW0725.*expected a function of the axes of 'compute', but got 5"),
        (lambda: te.extern((4,), [], 5), "TW0725.*expected a function of the buffers of extern 'extern', but got 5"),
        (lambda: tir.PrimFunc(5, 5), "TW0725.*'params' to be of type list or tuple"),
        (lambda: tir.Schedule(5), "TW0725.*expected a module or a function to transform, but got 5"),
        (lambda: tir.Schedule(), "TW0725.*expected a module or a function to transform, but got None"),
        (lambda: tvm.IRModule(5), "TW0725.*expected functions by name, or a module operation, but got 5"),
        (lambda: tvm.IRModule({"main": 5}), "TW0725.*expected a function, but got 5"),
        (lambda: tir.call_intrin("int32", 5), "TW0725.*'name' to be of type str"),
        (lambda: te.sum(i, 5), "TW0456.*expected an axis made by te.reduce_axis, but got 5"),
        (lambda: te.comm_reducer(lambda x, y: x, lambda t: t, 5), "TW0725.*'name' to be of type str"),
    ],
)
def test_arguments_that_do_not_fit(call: Any, code: str) -> None:
    with pytest.raises(TilewrightError, match=code):
        call()


def test_functions_that_a_module_lacks() -> None:
    module = tvm.IRModule({"first": tir.PrimFunc([A], tir.BufferStore(A, 1.0, [0, 0])).op})
    assert module.get("second") is None
    assert "second" not in module
    with pytest.raises(KeyError, match="TW0257.*none named 'firsd'.*did you mean 'first'"):
        module["firsd"]


def test_texts_have_values() -> None:
    text = tir.StringImm("shared")
    assert (text, text.value) == ("shared", "shared")
    assert isinstance(text, tir.StringImm)
