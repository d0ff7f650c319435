"""Errors about schedules point at the call that asked, and their remedies name what its program has."""

from __future__ import annotations

import re
from typing import Any

import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.primitive_declaration import primitives
from tilewright.schedule.stages import LazySchedule, Stage
from tilewright.schedule.stages.stage_errors import remedy_for_stages


def chain(n: int = 8) -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    a = te.placeholder((n, n), name="A")
    b = te.compute((n, n), lambda i, j: a[i, j] * 2, name="B")
    return a, b, te.compute((n, n), lambda i, j: b[i, j] + 1, name="C")


def refused(action: Any) -> TilewrightError:
    with pytest.raises(TilewrightError) as caught:
        action()
    return caught.value


@pytest.mark.parametrize("target", ["llvm", "c", "opencl", "cuda"])
@pytest.mark.parametrize("is_lazy", [True, False], ids=["stages", "blocks"])
def test_a_scope_that_a_target_lacks_is_refused_at_set_scope(target: str, is_lazy: bool) -> None:
    a, b, c = chain()
    if is_lazy:
        lazy = te.create_schedule(c.op)
        lazy[b].set_scope("accumulator_of_mine")
        if target in ("opencl", "cuda"):
            lazy[b].compute_at(lazy[c], c.op.axis[0])
            lazy[c].bind(c.op.axis[0], te.thread_axis("blockIdx.x"))
        error = refused(lambda: tvm.build(lazy, [a, c], target))
    else:
        schedule = tir.Schedule(te.create_prim_func([a, c]))
        schedule.set_scope(schedule.get_block("B"), 0, "accumulator_of_mine")
        if target in ("opencl", "cuda"):
            outer, _ = schedule.get_loops(schedule.get_block("C"))
            schedule.compute_at(schedule.get_block("B"), outer)
            schedule.bind(outer, "blockIdx.x")
        error = refused(lambda: tvm.build(schedule.mod, target=target))
    assert error.code == "TW0601"
    assert "set_scope(" in str(error).splitlines()[1]
    assert re.search("expected a buffer of scope global, .* or [a-z]+, but got accumulator_of_mine", error.message)
    assert error.help is not None and "set_scope" in error.help


def test_a_tile_of_a_stage_that_is_not_whole() -> None:
    a = te.placeholder((30,), name="A")
    b = te.compute((30,), lambda i: a[i] * 2, name="B")
    wide = te.placeholder((8,), name="wide")
    twice = te.compute((8,), lambda i: wide[i] * 2, name="twice")
    intrinsic = te.decl_tensor_intrin(
        twice, lambda ins, outs: tir.call_extern("void", "f", outs[0].access_ptr("w"), ins[0].access_ptr("r"))
    )
    s = te.create_schedule(b.op)
    _, inner = s[b].split(b.op.axis[0], 8)
    s[b].tensorize(inner, intrinsic)
    error = refused(lambda: tvm.lower(s, [a, b]))
    assert error.code == "TW0434"
    assert error.help is not None and "rounded up to whole tiles" in error.help


def test_remedies_of_stages_name_what_stages_have() -> None:
    unknown = {n for n in primitives() if "_" in n and not hasattr(Stage, n) and not hasattr(LazySchedule, n)}
    assert {"pad_einsum", "loop_partition", "decompose_reduction"} <= unknown
    remedy = remedy_for_stages("TW0434", "pad the block with pad_einsum")
    assert remedy is not None and not any(name in remedy for name in unknown)
    for name in sorted({*unknown, "assert_legal"}):
        said = remedy_for_stages("TW0401", f"use {name} first")
        assert said == f"use {name} first; stages have no {name}: tir.Schedule(te.create_prim_func(args)) has"
    for same in (None, "split it by a factor, or rfactor it", "give set_scope another scope"):
        assert remedy_for_stages("TW0401", same) == same


def test_objects_are_called_by_their_types() -> None:
    a, b, _ = chain()
    schedule = tir.Schedule(te.create_prim_func([a, b]))
    loop, _ = schedule.get_loops(schedule.get_block("B"))
    wrong: list[str] = []
    for action in (
        lambda: te.decl_tensor_intrin(object(), lambda ins, outs: None),
        lambda: tir.TensorIntrin.get(object()),  # type: ignore[arg-type]
        lambda: tir.Schedule(object()),  # type: ignore[arg-type]
        lambda: schedule.tensorize(loop, object()),  # type: ignore[arg-type]
        lambda: te.compute((8,), object(), name="X"),  # type: ignore[arg-type]
        lambda: te.create_schedule(b.op)[b].split(b.op.axis[0], factor=object()),
    ):
        error = refused(action)
        if " at 0x" in str(error) or "object" not in error.message:
            wrong.append(str(error))
    assert not wrong, wrong


def test_the_list_of_pragmas_has_those_of_foreign_code() -> None:
    a, b, _ = chain()
    schedule = tir.Schedule(te.create_prim_func([a, b]))
    loop, _ = schedule.get_loops(schedule.get_block("B"))
    for name in ("nothing_known", "import_lvm"):
        error = refused(lambda name=name: schedule.pragma(loop, name))
        assert error.code == "TW0413"
        assert "import_c, import_llvm" in error.message
    assert "did you mean 'import_llvm'" in error.message


def test_axes_have_their_kind() -> None:
    a = te.placeholder((4, 8), name="A")
    k = te.reduce_axis((0, 8), "k")
    b = te.compute((4,), lambda i: te.sum(a[i, k], axis=k), name="B")
    assert [axis.iter_type for axis in (*b.op.axis, *b.op.reduce_axis)] == [0, 2]
    assert [te.schedule.IterVar.DataPar, te.schedule.IterVar.CommReduce] == [0, 2]
    error = refused(lambda: b.op.axis[0].no_field)
    assert (error.code, "docs/classic.md" in error.message) == ("TW0251", True)
