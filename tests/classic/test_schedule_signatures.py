"""The classic `tir.Schedule` of two versions: each method and keyword is taken, or refused with a code."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import pytest
import tilewright as tvm
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.primitive_declaration import find_primitive
from tilewright.script import tir as T

V0_8_0 = """
mod trace state
__init__(mod, *, seed=None, debug_mask='none', error_render_level='detail')
copy()
seed(seed)
fork_seed()
show(rand_var)
get(rand_var_or_sref)
get_sref(rand_var_or_stmt)
remove_rv(rand_var)
sample_categorical(candidates, probs, decision=None)
sample_perfect_tile(loop, n, max_innermost_factor=16, decision=None)
get_block(name, func_name='main')
get_loops(block)
get_child_blocks(block_or_loop)
get_producers(block)
get_consumers(block)
fuse(*loops)
split(loop, factors)
reorder(*ordered_loops)
parallel(loop)
vectorize(loop)
bind(loop, thread_axis)
unroll(loop)
cache_read(block, read_buffer_index, storage_scope)
cache_write(block, write_buffer_index, storage_scope)
compute_at(block, loop, preserve_unit_loops=False)
reverse_compute_at(block, loop, preserve_unit_loops=False)
compute_inline(block)
reverse_compute_inline(block)
decompose_reduction(block, loop)
rfactor(loop, factor_axis)
storage_align(block, buffer_index, axis, factor, offset)
enter_postproc()
"""
V0_18_0 = """
mod trace state func_working_on
__init__(mod, *, seed=None, debug_mask='none', error_render_level='detail', enable_check=True)
work_on(func_name)
copy()
seed(seed)
fork_seed()
show()
get(rand_var_or_sref)
get_sref(rand_var_or_stmt)
remove_rv(rand_var)
sample_categorical(candidates, probs, decision=None)
sample_perfect_tile(loop, n, max_innermost_factor=16, decision=None)
sample_partitioned_tile(loop, n, partition_pos=0, innerpart_factor=1, decision=None)
sample_compute_location(block, decision=None)
get_block(name, func_name=None)
get_loops(block)
get_child_blocks(block_or_loop)
get_producers(block)
get_consumers(block)
get_output_blocks(scope_block)
merge(*loops)
fuse(*loops, preserve_unit_iters=True)
split(loop, factors, preserve_unit_iters=True, disable_predication=False)
loop_partition(loop, factors, preserve_unit_iters=True)
reorder(*ordered_loops)
reorder_block_iter_var(block, new_order)
add_unit_loop(block_or_loop)
parallel(loop)
vectorize(loop)
bind(loop, thread_axis)
unroll(loop)
cache_read(block, read_buffer_index, storage_scope, consumer_blocks=None)
cache_write(block, write_buffer_index, storage_scope, consumer_blocks=None)
reindex_cache_read(block, read_buffer_index, storage_scope, index_map)
reindex_cache_write(block, write_buffer_index, storage_scope, index_map)
cache_inplace(block, read_buffer_index, storage_scope)
cache_index(block, storage_scope, cse_thresh=0)
reindex(block, buffer)
read_at(loop, block, read_buffer_index, storage_scope)
write_at(loop, block, write_buffer_index, storage_scope)
compute_at(block, loop, preserve_unit_loops=False, index=-1)
reverse_compute_at(block, loop, preserve_unit_loops=False, index=-1)
compute_inline(block)
reverse_compute_inline(block)
decompose_reduction(block, loop)
rfactor(loop, factor_axis)
storage_align(block, buffer_index, axis, factor, offset)
set_scope(block, buffer_index, storage_scope)
unsafe_set_dtype(block, buffer_index, dtype)
blockize(target, preserve_unit_iters=True)
tensorize(block_or_loop, tensor_intrin, preserve_unit_iters=True)
annotate(block_or_loop, ann_key, ann_val)
unannotate(block_or_loop, ann_key)
transform_layout(block, buffer, index_map, pad_value=None, *, assume_injective_transform=False)
transform_block_layout(block, index_map)
set_axis_separator(block, buffer, axis_separators)
decompose_padding(block, loop)
can_decompose_padding(block, loop)
pad_einsum(block, padding)
rolling_buffer(block, write_buffer_index)
enter_postproc()
unsafe_hide_buffer_access(block, buf_type, buf_index_array)
"""
REFUSED = {
    "annotate_buffer_access", "fork_seed", "get_sref", "sample_partitioned_tile", "state", "unsafe_hide_buffer_access",
    "work_on",
}  # fmt: skip
"""Methods that end in TW0477, with the reason."""
VERSIONS = {"0.8.0": V0_8_0, "0.18.0": V0_18_0}


@T.prim_func
def main(A: T.Buffer((8, 12), "float32"), B: T.Buffer((8, 12), "float32")):
    for i, j in T.grid(8, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)


def schedule() -> tvm.tir.Schedule:
    return tvm.tir.Schedule(tvm.IRModule({"main": main}))


def listed(version: str) -> Iterator[tuple[str, ast.arguments | None]]:
    """Yield the properties and methods of a version; a property has no arguments."""
    names, *methods = VERSIONS[version].strip().splitlines()
    yield from ((name, None) for name in names.split())
    for line in methods:
        name, _, rest = line.partition("(")
        function = ast.parse(f"def {name}({rest}: ...").body[0]
        assert isinstance(function, ast.FunctionDef)
        yield name, function.args


def taken(sch: Any, name: str, positional: list[Any], keywords: dict[str, Any]) -> bool:
    """Return whether a call with these arguments would be carried out, without calling anything."""
    primitive = find_primitive(name)
    try:
        if primitive is None:
            method = type(sch) if name == "__init__" else getattr(sch, name)
            inspect.signature(method).bind(*positional, **keywords)
        else:
            given, named = sch.as_declared(name, positional, keywords)
            primitive.bind(given, named)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("version", VERSIONS)
def test_each_method_and_keyword_is_taken_or_refused(version: str) -> None:
    sch = schedule()
    wrong: list[str] = []
    for name, arguments in listed(version):
        if name in REFUSED:
            with pytest.raises(TilewrightError, match="TW0477"):
                getattr(sch, name)
            continue
        if not hasattr(sch, name):
            wrong.append(f"{name} is missing")
        if arguments is None:
            continue
        by_position = [a.arg for a in arguments.args]
        defaults = dict(zip(reversed(by_position), map(ast.literal_eval, reversed(arguments.defaults)), strict=False))
        values = {a: defaults.get(a, f"<{a}>") for a in by_position}
        only = {
            a.arg: ast.literal_eval(d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d
        }
        loops = ["<one>", "<other>"] if arguments.vararg else []
        required = [values[a] for a in by_position if a not in defaults]
        for positional, keywords in (
            (required + loops, {}),
            ([*values.values(), *loops], only),
            (loops, {**values, **only}),
        ):
            if not taken(sch, name, positional, keywords):
                wrong.append(f"{name} does not take {positional} {keywords}")
    assert not wrong, "\n".join(wrong)


def test_the_defaults_are_taken_when_they_are_given() -> None:
    """Calls with every keyword, carried out."""
    sch = schedule()
    block = sch.get_block(name="B", func_name="main")
    i, j = sch.get_loops(block=block)
    first, second = sch.loop_partition(loop=i, factors=[2, None], preserve_unit_iters=True)
    inner = sch.get_child_blocks(block_or_loop=first)[0]
    cached = sch.cache_read(block=inner, read_buffer_index=0, storage_scope="global", consumer_blocks=None)
    sch.cache_write(block=inner, write_buffer_index=0, storage_scope="global", consumer_blocks=None)
    *_, last = sch.get_loops(inner)
    sch.compute_at(block=cached, loop=last, preserve_unit_loops=False, index=-1)
    outer, _ = sch.split(last, [None, 4], True, False)
    sch.annotate(block_or_loop=outer, ann_key="pragma_auto_unroll_max_step", ann_val=4)
    sch.unannotate(block_or_loop=outer, ann_key="pragma_auto_unroll_max_step")
    sch.blockize(target=sch.get_loops(sch.get_child_blocks(block_or_loop=second)[0])[1], preserve_unit_iters=True)
    assert sch.get(rand_var_or_sref=outer).op.name == "loop.for"
    sch.remove_rv(rand_var=outer)
    with pytest.raises(TilewrightError, match="TW0404"):
        sch.get(outer)
    assert "loop_partition(l0, factors=[2, None])" in sch.trace.as_python()


def test_keywords_of_classic_programs_stand_in_the_classic_schedule_alone() -> None:
    core = tvm.Schedule(tvm.IRModule({"main": main}))
    i, _ = core.get_loops(core.get_block("B"))
    for call in (
        lambda: core.loop_partition(i, [2], preserve_unit_iters=True),
        lambda: core.get_child_blocks(block_or_loop=i),
        lambda: core.cache_read(core.get_block("B"), read_buffer_index=0, storage_scope="global"),
    ):
        with pytest.raises(TilewrightError, match="TW0725"):
            call()
    with pytest.raises(TypeError):
        tvm.Schedule(main, debug_mask="all")  # type: ignore[call-arg]
    assert isinstance(schedule(), tvm.Schedule)
    assert type(schedule().copy()) is tvm.tir.Schedule


def test_a_keyword_that_no_version_has_ends_in_a_code() -> None:
    sch = schedule()
    i, j = sch.get_loops(sch.get_block("B"))
    for call in (
        lambda: sch.loop_partition(i, [2], True, False),
        lambda: sch.loop_partition(i, factors=[2], unit=True),
        lambda: sch.split(i, [2, 4], factors=[2, 4]),
        lambda: sch.merge(i, j, unit=True),
        lambda: sch.loop_partition(i, [2], preserve_unit_iters=3),
        lambda: sch.annotate(i, "unroll", key="unroll", ann_key="unroll"),
        lambda: sch.get(handle=i),
        lambda: tvm.tir.Schedule(main, debug=True),
    ):
        with pytest.raises(TilewrightError, match="TW0725"):
            call()
