"""Names of classes that programs test by isinstance, print, and make expressions with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te, tir

A = te.placeholder((8, 4), name="A")
i, k = te.var("i"), te.reduce_axis((0, 4), "k")
B = te.compute((8,), lambda x: te.sum(A[x, k], axis=k), name="B")

EXPRESSIONS: list[tuple[Any, set[str]]] = [
    (i + 1, {"Add"}),
    (i - 1, {"Sub"}),
    (i * i, {"Mul"}),
    (i // 2, {"FloorDiv"}),
    (i % 2, {"FloorMod"}),
    (te.truncmod(i, 2), {"Mod"}),
    (te.truncdiv(i, 2), {"Div"}),
    (A[0, 0] / 2, {"Div"}),
    (te.minimum(i, 2), {"Min"}),
    (te.maximum(i, 2), {"Max"}),
    (i < 2, {"LT"}),
    (i <= 2, {"LE"}),
    (i > 2, {"GT"}),
    (i >= 2, {"GE"}),
    (i == 2, {"EQ"}),
    (i != 2, {"NE"}),
    (te.all(i < 2, i > 0), {"And"}),
    (te.any(i < 2, i > 0), {"Or"}),
    (~(i < 2), {"Not"}),
    (te.Select(i < 2, i, 0), {"Select"}),
    (te.if_then_else(i < 2, i, 0), {"Call"}),
    (te.exp(A[0, 0]), {"Call"}),
    (i.astype("float32"), {"Cast"}),
    (te.const(1.5), {"FloatImm"}),
    (te.const(3), {"IntImm"}),
    (A[0, i], {"ProducerLoad"}),
    (B.op.body[0], {"Reduce"}),
    (k, {"IterVar"}),
    (i, {"Var", "SizeVar"}),
]
NAMES = [*sorted({name for _, names in EXPRESSIONS for name in names}), "Ramp", "Let", "Broadcast"]


@pytest.mark.each("case", range(len(EXPRESSIONS)), ids=lambda n: str(EXPRESSIONS[n][0]))
def test_expressions(case: int) -> None:
    expr, names = EXPRESSIONS[case]
    assert {name for name in NAMES if isinstance(expr, getattr(tir, name))} == names
    for each in (tvm.ir.PrimExpr, tvm.ir.BaseExpr, tir.PrimExpr):
        assert isinstance(expr, each)
        assert not isinstance(3, each)


def test_expressions_are_made() -> None:
    x = te.placeholder((4,), "int32", "X")
    made = te.compute(
        (4,), lambda n: tir.Select(tir.LT(x[n], 2), tir.Add(x[n], tir.Mul(x[n], 3)), tir.Max(x[n], tir.Sub(9, x[n])))
    )
    data = np.array([-1, 1, 4, 7], "int32")
    got = tvm.compile(te.to_module([x, made]))(data)
    np.testing.assert_array_equal(got, np.where(data < 2, data * 4, np.maximum(data, 9 - data)))
    added = tir.Add(i, 1)
    assert added.a is i
    assert added.b.value == 1
    assert (tir.Cast("float32", i).dtype, tir.FloatImm("float32", 2).value) == ("float32", 2.0)
    with pytest.raises(TilewrightError, match="TW0251.*'Shuffle' makes no object"):
        tir.Shuffle([0], [1])


def test_definitions() -> None:
    outside = te.extern((8,), [B], lambda ins, outs: te.call_extern("int32", "f", outs[0], ins[0]), name="C")
    kinds = {"ComputeOp": B.op, "PlaceholderOp": A.op, "ExternOp": outside.op}
    for name in ("ComputeOp", "PlaceholderOp", "ExternOp", "ScanOp", "HybridOp", "TensorComputeOp"):
        for namespace in (te, te.tensor):
            found = {kind for kind, op in kinds.items() if isinstance(op, getattr(namespace, name))}
            assert found == {name} & set(kinds), name
    assert all(isinstance(op, te.Operation) for op in kinds.values())
    s = te.create_schedule(B.op)
    assert isinstance(s, te.Schedule)
    assert isinstance(s, te.schedule.Schedule)
    assert isinstance(s[B], te.Stage)
    assert isinstance(s[B].op.axis[0], tir.IterVar)
    assert isinstance(te.thread_axis("threadIdx.x"), tir.IterVar)


def test_programs_and_statements() -> None:
    s = te.create_schedule(B.op)
    program = tvm.build(s, [A, B])
    assert isinstance(program, tvm.driver.build_module.OperatorModule)
    assert isinstance(program, tvm.runtime.Module)
    module = tvm.lower(s, [A, B])
    assert isinstance(module, tvm.IRModule)
    found: list[str] = []
    names = ("For", "Store", "BufferStore", "AssertStmt", "Evaluate", "AttrStmt", "While")

    def visit(node: Any) -> None:
        found.extend(name for name in names if isinstance(node, getattr(tir, name)))

    tir.stmt_functor.post_order_visit(tir.PrimFunc(module["main"]).body, visit)
    assert set(found) == {"For", "Store", "BufferStore"}


def test_what_looks_into_lowering_is_refused() -> None:
    with pytest.raises(AttributeError, match="TW0251.*te.schedule.SchedulePostProcToPrimFunc.*one step"):
        _ = te.schedule.SchedulePostProcToPrimFunc
    with pytest.raises(AttributeError, match="TW0225.*has no attribute 'Schedul'"):
        _ = te.schedule.Schedul
    with pytest.raises(AttributeError, match="TW0225.*has no attribute 'CompuetOp'"):
        _ = te.tensor.CompuetOp


def test_fields_that_classes_do_not_have() -> None:
    for face, name in ((tir.IterVar, "ThreadIndex"), (tir.For, "no_such"), (tir.Add, "code")):
        assert not hasattr(face, name)
        with pytest.raises(TilewrightError, match=f"TW0251.*has no '{name}'"):
            getattr(face, name)


@pytest.mark.parametrize(
    "given", [tvm.ir.Range(0, 4), tvm.DataType("int32"), tir.StringImm("x")], ids=lambda given: type(given).__name__
)
def test_small_objects_have_no_text(given: Any) -> None:
    assert not hasattr(given, "script")
    with pytest.raises(TilewrightError, match="TW0251.*has no 'script'"):
        given.script()


def test_any_is_a_class_of_the_original() -> None:
    with pytest.raises(TilewrightError, match="TW0251.*'Any' makes no object"):
        tir.Any()


@pytest.mark.parametrize("method", ["script", "show"])
def test_looks_of_the_classic_printer_change_nothing_and_marks_are_refused(method: str) -> None:
    A = te.placeholder((4,), name="A")
    function = te.create_prim_func([A, te.compute((4,), lambda i: A[i] + 1.0, name="B")])
    module = tvm.IRModule({"main": function})
    assert getattr(module, method)(syntax_sugar=False) == getattr(module, method)(style="light")
    for text in (module, module["main"]):
        with pytest.raises(TilewrightError, match=f"TW0725.*{method}: expected options.*'obj_to_underline'"):
            getattr(text, method)(obj_to_underline=[])
