"""Configuration spaces of templates: candidates of each policy, indices, filters, and what `apply` does to a stage."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import pytest
import tilewright as tvm
from tilewright import te
from tilewright.autotvm.task.space import (
    AnnotateEntity,
    ConfigSpace,
    FallbackConfigEntity,
    OtherOptionEntity,
    ReorderEntity,
    SplitEntity,
)


def sizes(*arguments: Any, **options: Any) -> list[list[int]]:
    cfg = ConfigSpace()
    cfg.define_split("x", *arguments, **options)
    return [entity.size for entity in cfg.space_map["x"].entities]


def test_splits_by_divisors_powers_of_two_both_or_a_list() -> None:
    assert sizes(12, num_outputs=2) == [[-1, n] for n in (1, 2, 3, 4, 6, 12)]
    assert sizes(12, policy="power2", num_outputs=2) == [[-1, n] for n in (1, 2, 4, 8)]
    assert sizes(12, policy="power2", num_outputs=2, no_tail=True) == [[-1, n] for n in (1, 2, 4)]
    assert sizes(12, policy="verbose", num_outputs=2) == [[-1, n] for n in (1, 2, 3, 4, 6, 8, 12)]
    assert sizes(12, policy="candidate", num_outputs=2, candidate=[[-1, 5], [3, 4]]) == [[-1, 5], [3, 4]]
    assert sizes(12, num_outputs=2, max_factor=4) == [[-1, n] for n in (1, 2, 3, 4)]
    assert sizes(12, num_outputs=2, filter=lambda each: each.size[-1] % 2 == 0) == [[-1, n] for n in (2, 4, 6, 12)]
    assert sizes(7, num_outputs=2) == [[-1, 1], [-1, 7]]
    assert sizes(12, num_outputs=1) == [[-1]]
    three = {(inner, outer) for inner, outer in product(range(1, 13), repeat=2) if 12 % (inner * outer) == 0}
    assert {(each[2], each[1]) for each in sizes(12, num_outputs=3)} == three


def test_an_axis_is_a_number_an_axis_of_a_compute_or_of_a_stage() -> None:
    C = te.compute((6, 8), lambda i, j: i + j, name="C")
    s = te.create_schedule(C.op)
    outer, _ = s[C].split(C.op.axis[0], factor=2)
    cfg = ConfigSpace()
    assert [cfg.axis(each).length for each in (5, C.op.axis[1], outer)] == [5, 8, 3]
    n = te.var("n")
    with pytest.raises(tvm.TilewrightError, match="TW0870.*known length"):
        cfg.axis(te.compute((n,), lambda i: i).op.axis[0])


def perms(axes: int, policy: str, **options: Any) -> list[list[int]]:
    cfg = ConfigSpace()
    virtual = [cfg.axis(4) for _ in range(axes)]
    named = {k: [[virtual[p] for p in chain] for chain in v] for k, v in options.items() if k != "interval"}
    interval = {"interval": options["interval"]} if "interval" in options else {}
    cfg.define_reorder("order", virtual, policy, **named, **interval)
    return [entity.perm for entity in cfg.space_map["order"].entities]


def test_orders_of_loops() -> None:
    assert perms(3, "identity") == [[0, 1, 2]]
    assert perms(3, "all") == [list(each) for each in permutations(range(3))]
    assert perms(4, "interval_all", interval=(1, 3)) == [[0, 1, 2, 3], [0, 2, 1, 3]]
    assert perms(3, "candidate", candidate=[[2, 0, 1], [0, 1, 2]]) == [[2, 0, 1], [0, 1, 2]]
    # Outer parts 0 and 2 in both orders; inside of them the inner parts 1 and 3 and the reduction 4 in every order.
    mixed = perms(5, "interleave", spatial=[[0, 1], [2, 3]], reduce=[[4]])
    assert sorted(map(tuple, mixed)) == sorted(
        (*outer, *inner) for outer in permutations((0, 2)) for inner in permutations((1, 3, 4))
    )


def anns(axes: int, policy: str, **options: Any) -> list[list[Any]]:
    cfg = ConfigSpace()
    cfg.define_annotate("kinds", [cfg.axis(4) for _ in range(axes)], policy, **options)
    return [entity.anns for entity in cfg.space_map["kinds"].entities]


def test_kinds_of_loops() -> None:
    assert anns(2, "try_unroll") == [list(each) for each in product(("none", "unroll"), repeat=2)]
    several = anns(2, "try_unroll_vec")
    assert len(several) == 8 and all(each.count("vec") < 2 for each in several)
    assert anns(3, "bind_gpu") == [["fuse", "blockIdx.x", "threadIdx.x"]]
    assert anns(4, "bind_gpu") == [["blockIdx.y", "blockIdx.x", "threadIdx.y", "threadIdx.x"]]
    assert anns(3, "bind_gpu_virtual") == [["blockIdx.x", "vthread", "threadIdx.x"]]
    assert anns(2, "locate_cache", num_anchor=2) == [[0, 0], [0, 1], [1, 1]]


def test_an_index_has_the_first_knob_as_its_lowest_digit() -> None:
    cfg = ConfigSpace()
    cfg.define_split("y", 8, num_outputs=2)  # 4
    cfg.define_knob("packed", [False, True, 1])
    cfg.define_reorder("order", [cfg.axis(2), cfg.axis(3)], policy="all")
    assert (len(cfg), cfg.range_length, cfg.dims) == (24, 24, [4, 3, 2])
    config = cfg.get(2 + 4 * 1 + 12 * 1)
    assert config["y"].size == [-1, 4] and config["packed"].val is True and config["order"].perm == [1, 0]
    assert config.values == {"y": (-1, 4), "packed": True, "order": (1, 0)}
    for index in range(24):
        assert cfg.knob2point(cfg.point2knob(index)) == index
        assert cfg.with_values(cfg.get(index).values).index == index
    assert sorted(cfg.sample_ints(30)) == list(range(24)) and 0 <= cfg.get_rand_index() < 24
    assert config.from_json_dict(config.to_json_dict()) == config
    assert "space_map" in repr(cfg) and "Split(policy=factors, product=8, num_outputs=2) len=4" in repr(cfg)


def test_a_filter_over_several_knobs_leaves_out_configurations() -> None:
    cfg = ConfigSpace()
    cfg.define_split("y", 8, num_outputs=2)
    cfg.define_split("x", 8, num_outputs=2)
    cfg.multi_filter(filter=lambda entity: entity["y"].size[1] * entity["x"].size[1] <= 8)
    assert (len(cfg), cfg.range_length) == (10, 16)
    assert all(cfg.is_index_valid(k) for k in cfg.sample_ints(16)) and not cfg.is_index_valid(15)
    with pytest.raises(tvm.TilewrightError, match="TW0801.*multi_filter"):
        cfg.with_values({"y": (-1, 8), "x": (-1, 8)})
    with pytest.raises(tvm.TilewrightError, match="TW0870"):
        cfg.get(15)


@pytest.mark.each(
    ("define", "says"),
    [
        (lambda c: c.define_split("x", 8, policy="factor", num_outputs=2), "expected the policy factors.*'factor'"),
        (lambda c: c.define_split("x", 8), "num_outputs of at least 1"),
        (lambda c: c.define_split("x", 8, policy="candidate", num_outputs=2, candidate=[[1, 2, 4]]), "2 lengths"),
        (lambda c: c.define_split("x", 8, num_outputs=2, filter=lambda _: False), "leave none"),
        (lambda c: c.define_reorder("x", [8, 8], policy="some"), "expected the policy identity"),
        (lambda c: c.define_reorder("x", [8, 8], "candidate", candidate=[[c.axis(8)]]), "of another axis"),
        (lambda c: c.define_annotate("x", [8], policy="bind_gpu"), "2 axes or more"),
        (lambda c: c.define_annotate("x", [8], policy="unrol"), "expected the policy none"),
        (lambda c: c.define_knob("x", [object()]), "candidates of a knob, but got object"),
        (lambda c: c.define_knob("x", []), "leave none"),
        (lambda c: c["x"], "a knob that the template defines, but got 'x'"),
    ],
)
def test_a_space_that_cannot_be_made_is_refused(define: Callable[[ConfigSpace], Any], says: str) -> None:
    with pytest.raises(tvm.TilewrightError, match=f"TW0870.*{says}"):
        define(ConfigSpace())


def scheduled(change: Callable[[te.Schedule, te.Tensor, te.Tensor], Any]) -> tuple[te.Schedule, te.Tensor, Any]:
    A = te.placeholder((8, 8), name="A")
    B = te.compute((8, 8), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((8, 8), lambda i, j: B[i, j] * 2.0, name="C")
    s = te.create_schedule(C.op)
    return s, C, change(s, B, C)


def lowered(s: te.Schedule, C: te.Tensor) -> str:
    A = next(t for stage in s.stages for t in stage.op.inputs if isinstance(t.op, te.PlaceholderOp))
    return str(tvm.lower(s, [A, C], simple_mode=True))


def names(axes: Any) -> list[str]:
    return [axis.name for axis in axes]


def test_values_applied_to_a_stage() -> None:
    s, C, parts = scheduled(lambda s, B, C: SplitEntity([-1, 2, 2]).apply(s, C, C.op.axis[0]))
    assert [axis.extent for axis in parts] == [2, 2, 2] and list(s[C].leaf_iter_vars[:3]) == parts
    s, C, order = scheduled(lambda s, B, C: ReorderEntity([1, 0, 2]).apply(s, C, list(C.op.axis)))
    assert names(s[C].leaf_iter_vars) == names(order) == ["j", "i"]
    s, C, left = scheduled(lambda s, B, C: AnnotateEntity(["fuse", "vec"]).apply(s, C, list(C.op.axis)))
    assert names(left) == ["i_j"] and "vectorized" in lowered(s, C)
    s, C, _ = scheduled(lambda s, B, C: AnnotateEntity([0]).apply(s, C, list(C.op.axis), source=[[B]]))
    assert lowered(s, C).count("loop.for") == 3


def test_annotations_that_do_not_fit_a_loop_are_refused() -> None:
    with pytest.raises(tvm.TilewrightError, match="TW0872.*at most 4 iterations, but got 8"):
        scheduled(lambda s, B, C: AnnotateEntity(["unroll"]).apply(s, C, C.op.axis, axis_lens=[8], max_unroll=4))
    with pytest.raises(tvm.TilewrightError, match="TW0872.*vectorized loop"):
        scheduled(lambda s, B, C: AnnotateEntity(["vec"]).apply(s, C, C.op.axis, axis_lens=[8], vec_size=[4]))
    with pytest.raises(tvm.TilewrightError, match="TW0872.*too large"):
        ConfigSpace().raise_error("too large")


def test_values_of_knobs_are_compared_by_kind_and_value() -> None:
    assert SplitEntity([1, 2]) == SplitEntity((1, 2)) != ReorderEntity([1, 2])
    assert OtherOptionEntity(1) != OtherOptionEntity(True)
    assert OtherOptionEntity(0.5).val == 0.5 and OtherOptionEntity([1, [2]]).value == (1, (2,))
    assert FallbackConfigEntity().is_fallback and not ConfigSpace().is_fallback
