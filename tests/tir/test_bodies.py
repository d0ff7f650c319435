"""Bodies of functions walked by their classic fields, and the expressions that values of the IR are."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import IRModule, TilewrightError, te, tir
from tilewright.script import from_source
from tilewright.script import tir as T
from xdsl.dialects.func import FuncOp


@T.prim_func
def two(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16,), "float32"), n: T.int32):
    B = T.alloc_buffer((16, 8))
    for i, j in T.grid(16, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(i * 2 + j < 30)
            B[vi, vj] = T.exp(A[vi, vj]) * 2.0
    for i, k in T.grid(16, 8):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0.0
            C[vi] = T.max(C[vi], T.Select(vk < 4, B[vi, vk], T.Cast("float32", vk)))


def test_the_root_block_of_a_function_with_blocks() -> None:
    body = two.body
    assert isinstance(body, tir.BlockRealize)
    assert not isinstance(body, tir.For)
    assert (body.block.iter_vars, body.block.init, body.iter_values, body.predicate.value) == ([], None, [], True)
    (allocated,) = body.block.alloc_buffers
    assert (allocated.name, allocated.dtype, [int(n) for n in allocated.shape]) == ("B", "float32", [16, 8])
    assert allocated.scope() == "global"
    assert [type(each) for each in body.block.body.seq] == [tir.For, tir.For]
    assert len(body.block.body) == 2
    assert body[1].loop_var.name == "i"


def test_loops_and_blocks() -> None:
    outer = two.body.block.body[0]
    assert (outer.extent.value, outer.min.value, outer.kind) == (16, 0, tir.ForKind.SERIAL)
    assert (outer.thread_binding, outer.annotations) == (None, {})
    inner = outer.body
    assert isinstance(inner, tir.For)
    assert isinstance(inner.body, tir.BlockRealize)
    block = inner.body.block
    assert isinstance(block, tir.Block)
    assert [str(each.var) for each in block.iter_vars] == ["vi", "vj"]
    assert [(each.iter_type, each.dom.extent.value) for each in block.iter_vars] == [(0, 16), (0, 8)]
    assert [str(each) for each in inner.body.iter_values] == ["i", "j"]
    assert str(inner.body.predicate) == "i * 2 + j < 30"
    assert [(r.buffer.name, str(r.region)) for r in block.reads] == [("A", "((i, 1), (j, 1))")]
    assert [r.buffer for r in block.writes] == two.body.block.alloc_buffers


def test_values_are_expressions() -> None:
    (first, second) = (each.body.body.block for each in two.body.block.body.seq)
    store = first.body
    assert isinstance(store, tir.BufferStore)
    assert (store.buffer.name, [str(e) for e in store.indices]) == ("B", ["vi", "vj"])
    assert isinstance(store.value, tir.Mul)
    assert str(store.value) == "exp(A[vi, vj]) * 2.0"
    element = store.value.a.operand
    assert isinstance(element, tir.BufferLoad)
    assert (element.buffer.name, element.dtype) == ("A", "float32")
    assert (second.init.value.value, second.iter_vars[1].iter_type) == (0.0, 2)
    chosen = second.body.value
    assert isinstance(chosen, tir.Max)
    assert isinstance(chosen.b, tir.Select)
    assert str(chosen) == "max(C[vi], Select(vk < 4, B[vi, vk], float32(vk)))"


def test_parameters_and_their_buffers() -> None:
    a, c, n = two.params
    assert [a.name, c.name, n.name] == ["A", "C", "n"]
    assert two.buffer_map[a].name == "A"
    assert [int(e) for e in two.buffer_map[c].shape] == [16]


def test_lowered_programs() -> None:
    body = tir.transform.LowerOpaqueBlock()(tvm.IRModule({"main": two}))["main"].body
    assert isinstance(body, tir.Allocate)
    assert (body.dtype, [e.value for e in body.extents], body.buffer_var.name) == ("float32", [16, 8], "B")
    inner = body.body[0].body.body
    assert isinstance(inner, tir.IfThenElse)
    assert str(inner.condition) == "i * 2 + j < 30"
    assert inner.else_case is None
    assert isinstance(inner.then_case, tir.BufferStore)


def test_vectors_are_ramps() -> None:
    ib = tir.ir_builder.create()
    A = ib.pointer("float32", "A")
    with ib.for_range(0, 8, "i", kind="vectorize") as i:
        A[i * 2] = 1.0
    function = tir.PrimFunc([A], ib.get())
    assert function.body.kind == tir.ForKind.VECTORIZED
    store = tir.transform.VectorizeLoop()(tvm.IRModule.from_expr(function))["main"].body
    (index,) = store.indices
    assert isinstance(index, tir.Ramp)
    assert (index.base.value, index.stride.value, index.lanes) == (0, 2, 8)
    assert isinstance(store.value, tir.Broadcast)
    assert (store.value.value.value, store.value.lanes, store.value.dtype) == (1.0, 8, "float32x8")


def test_calls_conditions_and_assertions() -> None:
    ib = tir.ir_builder.create()
    A = ib.pointer("int32", "A")
    with ib.if_scope(A[0] < 4):
        ib.emit(tir.call_extern("int32", "work", 3))
    body = tir.PrimFunc([A], ib.get()).body
    assert str(body.condition) == "A[0] < 4"
    call = body.then_case
    assert isinstance(call, tir.Evaluate)
    assert isinstance(call.value, tir.Call)
    assert (call.value.op.name, call.value.args[0], call.value.args[1].value) == ("tir.call_extern", "work", 3)


def test_loops_that_a_condition_ends() -> None:
    module = from_source("""
func.func @main(%A: memref<8xf32>, %going: memref<i1>, %n: memref<4xi32>) {
  loop.while %i to 8 holds %going : memref<i1> {
    %0 = loop.load %A[%i] : memref<8xf32>
    loop.assert (%i < 7), "too far" ()
    %1 = arith.negf %0 : f32
    loop.store %1, %A[%i] : memref<8xf32>
  }
  func.return
}
""")
    body = module.body
    assert isinstance(body, tir.While)
    assert str(body.condition) == "going[]"
    assert isinstance(body.body, tir.AssertStmt)
    assert (str(body.body.condition), body.body.message) == ("i < 7", "too far")
    assert isinstance(body.body.body, tir.BufferStore)
    assert str(body.body.body.value) == "-A[i]"


@pytest.mark.parametrize("name", ["else_case", "node", "attr_key", "no_such"])
def test_fields_that_a_node_does_not_have(name: str) -> None:
    for node in (two.body, two.body.block, two.body.block.body, two.body.block.body[0], two):
        assert not hasattr(node, name)
        with pytest.raises(TilewrightError, match=f"TW0251.*has no '{name}'"):
            getattr(node, name)
    with pytest.raises(TilewrightError, match="TW0251.*a buffer has no 'elem_offset'"):
        getattr(two.body.block.alloc_buffers[0], "elem_offset")  # noqa: B009


def test_views_leave_operations_as_they_are() -> None:
    op = two.op
    parts = [op, *op.regions, op.body.block, *op.walk()]
    states = [(type(each), set(vars(each)) if hasattr(each, "__dict__") else set()) for each in parts]
    for view in (two, two.body, two.body.block, two.body.block.body, *two.body.block.body.seq):
        for name in [each for each in dir(view) if not each.startswith("_")]:
            getattr(view, name, None)
    for name in ("attrs", "body", "buffer_map", "params", "script", "with_attr", "without_attr", "same_as", "walk"):
        assert getattr(two, name) is not None
    assert [(type(each), set(vars(each)) if hasattr(each, "__dict__") else set()) for each in parts] == states
    assert not isinstance(two, FuncOp)
    assert two.same_as(IRModule({"main": two})["main"]) is False


def test_the_view_of_a_function_is_one() -> None:
    module = IRModule({"main": two})
    assert module["main"] is module["main"] is IRModule(module.op)["main"]
    assert module["main"].body is module["main"].body
    assert module["main"].op is module.op.body.block.first_op


def test_the_region_stays_what_passes_work_on() -> None:
    assert two.body.block.parent is two.op.body
    assert [op.name for op in two.body.block.ops][-1] == "func.return"
    np.testing.assert_array_equal([len(two.clone().body.block.args)], [3])


def test_the_statements_of_a_schedule_are_a_function() -> None:
    n = te.size_var("n")
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] + 1, name="B")
    s = te.create_schedule(B.op)
    s[B].split(B.op.axis[0], factor=4)
    statements = te.schedule.ScheduleOps(s, te.schedule.InferBound(s))
    program = tvm.build(tir.PrimFunc([], statements))
    a, b = np.arange(6, dtype=np.float32), np.zeros(6, np.float32)
    program(a, b)
    np.testing.assert_array_equal(b, a + 1)
    assert isinstance(statements[0], tir.For)


def test_values_are_evaluated() -> None:
    ib = tir.ir_builder.create()
    A = ib.pointer("int32", "A")
    ib.emit(tir.Evaluate(tir.call_extern("int32", "work", A[0])))
    ib.emit(tir.Evaluate(1))
    body = tir.PrimFunc([A], ib.get()).body
    assert isinstance(body, tir.Evaluate)
    assert [str(each) for each in body.value.args] == ["work", "A[0]"]
    assert not hasattr(body, "body")
    with pytest.raises(TilewrightError, match="TW0466.*expected a statement or a call to emit, but got 'x'"):
        tir.Evaluate("x")


def test_functions_are_copied_and_their_memory_is_counted() -> None:
    copy = tir.stmt_functor.renew_defs(two)
    assert copy is not two
    tvm.ir.assert_structural_equal(copy, two)
    module = tvm.IRModule({"main": two, "other": two})
    assert tir.analysis.calculate_allocated_bytes(two) == {"main": {"global": 512}}
    assert tir.analysis.calculate_allocated_bytes(module) == {"main": {"global": 512}, "other": {"global": 512}}


def test_a_lowered_program_is_equal_to_one_with_blocks() -> None:
    lowered = tir.transform.LowerOpaqueBlock()(tvm.IRModule({"main": two}))
    tvm.ir.assert_structural_equal(lowered["main"], two)
    tvm.ir.assert_structural_equal(tvm.IRModule({"main": two}), lowered)
    tvm.ir.assert_structural_equal(two.body.block.body[0].body.body.reads, two.body.block.body[0].body.body.block.reads)


def test_the_larger_of_many() -> None:
    assert (tir.max(1, 7, 3, 4, 2).value, tir.min(5, 4, 3).value) == (7, 3)


def test_regions_of_blocks_are_compared_with_those_of_programs() -> None:
    block = two.body.block.body[0].body.body.block
    A = two.buffer_map[two.params[0]]
    i, j = two.body.block.body[0].loop_var, two.body.block.body[0].body.loop_var
    region = tir.BufferRegion(A, [tvm.ir.Range.from_min_extent(i, 1), tvm.ir.Range.from_min_extent(j, 1)])
    tvm.ir.assert_structural_equal(block.reads, [region])
    assert not tvm.ir.structural_equal(block.writes, [region])
    with pytest.raises(IndexError, match="TW0255.*expected one of 2 statements, but got number 2"):
        two.body[2]


def test_functions_with_a_map_of_buffers_and_attributes() -> None:
    n, handle = tir.SizeVar("n", "int32"), te.var("handle")
    buffer = tir.decl_buffer((n,), "float32", name="buffer")
    ib = tir.ir_builder.create()
    with ib.for_range(0, n) as i:
        ib.buffer_ptr(buffer)[i] = 2.0
    function = tir.PrimFunc(
        params=[handle], body=ib.get(), buffer_map={handle: buffer}, attrs={"global_symbol": "fill"}
    )
    assert function.op.sym_name.data == "fill"
    values = np.zeros(5, np.float32)
    tvm.build(function)(values)
    np.testing.assert_array_equal(values, [2] * 5)
    with pytest.raises(TilewrightError, match="TW0255.*stores its results, but got 'int32'"):
        tir.PrimFunc([], ib.get(), "int32")
