"""Passes over statements as classic programs write them: values against numpy, and the exact IR."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.tir import stmt_functor


def added(rows: int = 6, columns: int = 16) -> tuple[list[te.Tensor], te.Tensor]:
    A = te.placeholder((rows, columns), name="A")
    B = te.placeholder((rows, columns), name="B")
    return [A, B], te.compute((rows, columns), lambda i, j: A[i, j] + B[i, j] * 2, name="C")


def module_of(arguments: list[te.Tensor], result: te.Tensor) -> tilewright.IRModule:
    return tilewright.IRModule({"main": te.create_prim_func([*arguments, result])})


def vectorized_by(width: int) -> object:
    """Return a pass that splits innermost loops of a multiple of `width` iterations and vectorizes the inner part."""

    @tir.transform.prim_func_pass(opt_level=0, name="by_width")
    def by_width(f, mod, ctx):
        wanted = []

        def look(node):
            if isinstance(node, tir.For) and isinstance(node.extent, tir.IntImm) and node.extent.value % width == 0:
                wanted.append(node)

        def rewrite(node):
            if node not in wanted:
                return None
            outer, inner = te.var(node.loop_var.name + "_o"), te.var(node.loop_var.name + "_i")
            body = stmt_functor.substitute(node.body, {node.loop_var: outer * width + inner})
            body = tir.For(inner, 0, width, tir.ForKind.VECTORIZED, body)
            return tir.For(outer, 0, node.extent.value // width, tir.ForKind.SERIAL, body)

        stmt_functor.post_order_visit(f.body, look)
        if not wanted:
            return f
        return f.with_body(stmt_functor.ir_transform(f.body, None, rewrite, ["tir.For"]))

    return by_width


def test_a_vectorizing_pass_in_a_context() -> None:
    arguments, result = added()
    a, b = (np.random.default_rng(k).random((6, 16), dtype=np.float32) for k in range(2))
    with tilewright.transform.PassContext(config={"tir.add_lower_pass": [(1, vectorized_by(8))]}):
        lowered = str(tilewright.lower(te.create_schedule(result.op), [*arguments, result]))
        built = tilewright.build(te.create_schedule(result.op), [*arguments, result])
    assert "loop.for %j_o = 0 to 2 kind unrolled {" in lowered
    assert "loop.load %A_1[%i * 16 + %j_o * 8 + lane] : memref<96xf32>, vector<8xf32>" in lowered
    np.testing.assert_allclose(np.asarray(built(a, b)), a + b * 2, rtol=1e-6)


def test_the_pass_gives_a_copy_of_a_module() -> None:
    module = module_of(*added(2, 8))
    before = module.script()
    changed = vectorized_by(4)(module)
    assert module.script() == before
    text = changed.script()
    assert "loop.for %j_o = 0 to 2 {\n        loop.for %j_i = 0 to 4 kind vectorized {" in text
    assert 'loop.block "C" (%vi = spatial(%i) in 2, %vj = spatial(%j_o * 4 + %j_i) in 8)' in text


def test_a_pass_that_finds_nothing_keeps_the_function() -> None:
    module = module_of(*added(3, 5))
    plain = vectorized_by(8)(module).script()
    assert "vectorized" not in plain
    assert plain.count("loop.for") == 2


def test_visits_are_in_post_order_and_in_pre_order() -> None:
    function = tir.PrimFunc(module_of(*added(2, 8))["main"])

    def seen(visit) -> list[str]:
        kinds: list[str] = []

        def look(node) -> None:
            if isinstance(node, (tir.For, tir.Block, tir.BufferStore)):
                kinds.append(type(node).__name__)

        visit(function.body, look)
        return kinds

    assert seen(stmt_functor.post_order_visit) == ["BufferStore", "Block", "For", "For"]
    assert seen(stmt_functor.pre_order_visit) == ["For", "For", "Block", "BufferStore"]


def test_a_visitor_before_the_inner_loops_keeps_them_from_being_visited() -> None:
    function = tir.PrimFunc(module_of(*added(2, 8))["main"])
    visited: list[str] = []

    def unrolled(node):
        visited.append(node.loop_var.name)
        return tir.For(node.loop_var, node.min, node.extent, tir.ForKind.UNROLLED, node.body)

    result = stmt_functor.ir_transform(function.body, unrolled, None, ["tir.For"])
    assert visited == ["i"]
    assert "kind unrolled" in str(result)


def test_a_loop_made_again_with_its_variable_binds_that() -> None:
    @tir.transform.prim_func_pass
    def unrolled(f, mod, ctx):
        def again(node):
            return tir.For(node.loop_var, node.min, node.extent, tir.ForKind.UNROLLED, node.body)

        return f.with_body(stmt_functor.ir_transform(f.body, None, again, ["tir.For"]))

    module = unrolled(module_of(*added(2, 8)))
    assert "loop.for %i = 0 to 2 kind unrolled {" in module.script()
    assert "(%vi = spatial(%i) in 2, %vj = spatial(%j) in 8)" in module.script()
    a, b = (np.random.default_rng(k).random((2, 8), dtype=np.float32) for k in range(2))
    np.testing.assert_allclose(np.asarray(tilewright.build(module)(a, b)), a + b * 2, rtol=1e-6)


def test_what_was_not_changed_is_what_was_found() -> None:
    function = tir.PrimFunc(module_of(*added(2, 8))["main"])
    found: list[tir.Stmt] = []
    stmt_functor.post_order_visit(function.body, found.append)
    known: list[bool] = []

    def look(node):
        known.append(node in found)
        return tir.For(te.var("k"), 0, 8, 0, node.body) if len(known) == 1 else None

    stmt_functor.ir_transform(function.body, None, look, ["tir.For"])
    assert known == [True, False]


def test_an_index_of_the_ir_is_an_expression() -> None:
    A = te.placeholder((4, 6), name="A")
    R = te.compute((24,), lambda i: A[i // 6, i % 6], name="R")
    function = tir.PrimFunc(te.create_prim_func([A, R]))
    loads: list[tir.BufferLoad] = []
    stmt_functor.post_order_visit(
        function.body, lambda node: loads.append(node) if isinstance(node, tir.BufferLoad) else None
    )
    assert [str(index) for load in loads for index in load.indices] == ["vi // 6", "vi % 6"]


def refused(call) -> TilewrightError:
    with pytest.raises(TilewrightError) as error:
        call()
    assert error.value.code == "TW0255"
    return error.value


def test_a_variable_that_no_loop_binds_is_refused() -> None:
    function = tir.PrimFunc(module_of(*added(2, 8))["main"])
    outer = function.body.seq[0]
    assert isinstance(outer, tir.For)
    body = stmt_functor.substitute(outer.body, {outer.loop_var: te.var("lost") * 2})
    assert "'lost'" in refused(lambda: function.with_body(body)).message


def test_unknown_kinds_and_loops_of_threads_are_refused() -> None:
    function = tir.PrimFunc(module_of(*added(2, 8))["main"])
    outer = function.body.seq[0]
    assert isinstance(outer, tir.For)
    assert "did you mean 'tir.For'" in refused(
        lambda: stmt_functor.ir_transform(function.body, None, None, ["tir.Fro"])
    ).message.replace("`", "'")
    refused(lambda: tir.For(te.var("t"), 0, 2, tir.ForKind.THREAD_BINDING, outer.body))
    refused(lambda: stmt_functor.substitute(outer.body, {te.var("x"): 1}))


def test_statements_instead_of_a_value_are_refused() -> None:
    function = tir.PrimFunc(module_of(*added(2, 8))["main"])
    refused(lambda: stmt_functor.ir_transform(function.body, None, lambda node: tir.SeqStmt([]), ["tir.BufferLoad"]))


def test_a_pass_that_returns_no_function_is_refused() -> None:
    nothing = tir.transform.prim_func_pass(lambda f, mod, ctx: None, name="nothing")
    assert "return f or f.with_body" in refused(lambda: nothing(module_of(*added(2, 8)))).message


def test_a_sequence_of_passes_is_a_pass() -> None:
    module = module_of(*added(2, 8))
    both = tilewright.transform.Sequential([vectorized_by(4), "lower-blocks", "vectorize"], name="both")
    assert both.name == "both"
    assert "loop.load %A[%i, %j_o * 4 + lane] : memref<2x8xf32>, vector<4xf32>" in both(module).script()
    with tilewright.PassContext(opt_level=0):
        text = tilewright.transform.Sequential([vectorized_by(4)], opt_level=2)(module).script()
    assert "vectorized" not in text
