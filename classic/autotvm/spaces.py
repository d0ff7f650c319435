"""Candidates of knobs, which the methods `define_*` of a configuration enumerate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import prod
from typing import Any, cast

from ...diagnostics import fail
from ...diagnostics.text import did_you_mean
from .entities import (
    BAD_SPACE,
    AnnotateEntity,
    Entity,
    OtherOptionEntity,
    ReorderEntity,
    SplitEntity,
)


class TransformSpace:
    """The candidates of a knob in order, and the axes that result from the transformation."""

    def __init__(self, entities: Sequence[Entity], outputs: Sequence[VirtualAxis] = (), description: str = "") -> None:
        self.entities = list(entities)
        self.outputs = list(outputs)
        self._description = description

    @property
    def num_output(self) -> int:
        """The number of axes that the transformation makes."""
        return len(self.outputs)

    def __len__(self) -> int:
        return len(self.entities)

    def __getitem__(self, index: int) -> Entity:
        return self.entities[index]

    def __repr__(self) -> str:
        return f"{self._description} len={len(self)}"


class VirtualAxis:
    """An axis of a template before scheduling: a name and an extent, which is -1 (unknown) for a part of an axis."""

    def __init__(self, var: Any, name: str | None = None) -> None:
        if isinstance(var, VirtualAxis):
            self.length, self.name = var.length, name or var.name
            return
        self.length = length_of(var)
        self.name = name or str(getattr(var, "name", "axis"))

    def __repr__(self) -> str:
        return f"vaxis({self.name})"


def length_of(axis: Any) -> int:
    """Return the extent of a number, an axis, or an expression of a number.

    Raises TilewrightError TW0870 where it is none, as an open size is.
    """
    extent = axis if isinstance(axis, int) else getattr(axis, "extent", None)
    extent = getattr(extent, "value", extent) if not isinstance(extent, int) else extent
    if not isinstance(extent, int) or isinstance(extent, bool):
        fail(
            BAD_SPACE,
            f"expected an axis of a known length, but got {axis!r}",
            help="templates are for sizes that are known: pass numbers to task.create, or leave the axis as it is",
        )
    return extent


def divisors(number: int) -> list[int]:
    """Return the numbers that divide `number`, ascending."""
    low = [step for step in range(1, int(number**0.5) + 1) if number % step == 0]
    return sorted({*low, *(number // step for step in low)})


def powers_of_two(number: int) -> list[int]:
    """Return the powers of two up to `number`, ascending."""
    return [1 << exponent for exponent in range(number.bit_length())]


SPLIT_POLICIES = ("factors", "power2", "verbose", "candidate")


def split_space(axis: VirtualAxis, policy: str, **options: Any) -> TransformSpace:
    """Return the ways to split an axis into `num_outputs` parts, without those that `filter` says no to.

    - "factors": the inner lengths divide the length of the axis;
    - "power2": they are powers of two, and the outermost part may have a tail, unless `no_tail` is given;
    - "verbose": both of these;
    - "candidate": those of the list `candidate`.

    `max_factor` is the largest length of an inner part.
    """
    _expect_policy(policy, SPLIT_POLICIES)
    count = options.get("num_outputs", 0)
    if not isinstance(count, int) or count < 1:
        fail(BAD_SPACE, f"expected num_outputs of at least 1 for a split of {axis.name}, but got {count!r}")
    if policy == "candidate":
        sizes: Iterable[Sequence[int]] = options.get("candidate", ())
        wrong = next((size for size in sizes if len(size) != count), None)
        if wrong is not None:
            fail(BAD_SPACE, f"expected candidates of {count} lengths, but got {list(wrong)}")
    else:
        sizes = _sizes(axis.length, policy, count, options)
    keep = options.get("filter", _anything)
    entities = [entity for entity in map(SplitEntity, sizes) if keep(entity)]
    described = f"Split(policy={policy}, product={axis.length}, num_outputs={count})"
    return TransformSpace(entities, [VirtualAxis(-1, f"{axis.name}.{k}") for k in range(count)], described)


def _sizes(length: int, policy: str, count: int, options: dict[str, Any]) -> Iterator[tuple[int, ...]]:
    """Return an iterator over the lengths of parts, the outermost of them -1."""
    lengths = {"factors": divisors, "power2": powers_of_two, "verbose": _both}[policy](length)
    most = options.get("max_factor", 1 << 31)
    lengths = [each for each in lengths if each <= most]
    no_tail = options.get("no_tail", policy == "factors")

    def parts(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if prod(chosen) > length:
            return
        if len(chosen) == count - 1:
            if length % prod(chosen) == 0 or not no_tail:
                yield (-1, *chosen[::-1])
            return
        for each in lengths:
            yield from parts((*chosen, each))

    return parts(())


def _both(length: int) -> list[int]:
    return sorted({*divisors(length), *powers_of_two(length)})


REORDER_POLICIES = ("identity", "all", "interval_all", "candidate", "interleave")


def reorder_space(axes: Sequence[VirtualAxis], policy: str, **options: Any) -> TransformSpace:
    """Return the orders of axes.

    - "identity": theirs; "all": every one;
    - "interval_all": every order of those from `interval[0]` up to, but not including, `interval[1]`;
    - "candidate": those of the list `candidate`, of axes;
    - "interleave": `spatial` and `reduce` list chains of axes whose order stays: the outer parts of spatial chains are
      mixed, and inside of them their innermost parts with the chains that reduce.
    """
    _expect_policy(policy, REORDER_POLICIES)
    positions = range(len(axes))
    if policy == "identity":
        perms: Iterable[Sequence[int]] = [positions]
    elif policy == "all":
        perms = permutations(positions)
    elif policy == "interval_all":
        begin, end = options["interval"]
        perms = [(*positions[:begin], *middle, *positions[end:]) for middle in permutations(positions[begin:end])]
    elif policy == "candidate":
        perms = [_positions(axes, order) for order in options["candidate"]]
    else:
        spatial = [_positions(axes, chain) for chain in options["spatial"]]
        reduce = [_positions(axes, chain) for chain in options["reduce"]]
        outer = _merged(tuple(tuple(chain[:-1]) for chain in spatial))
        inner = _merged(tuple(tuple(chain) for chain in (*(each[-1:] for each in spatial), *reduce)))
        perms = [(*first, *rest) for first in outer for rest in inner]
    keep = options.get("filter", _anything)
    entities = [entity for entity in map(ReorderEntity, perms) if keep(entity)]
    return TransformSpace(entities, axes, f"Reorder(policy={policy}, num_axes={len(axes)})")


def _positions(axes: Sequence[VirtualAxis], chosen: Iterable[Any]) -> list[int]:
    try:
        return [next(k for k, axis in enumerate(axes) if axis is each) for each in chosen]
    except StopIteration:
        fail(BAD_SPACE, f"expected an order of the axes {list(axes)}, but got one of another axis")


@cache
def _merged(chains: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Return the interleavings of chains, in which the order of each chain stays."""
    if not any(chains):
        return ((),)
    return tuple(
        (chain[0], *rest)
        for k, chain in enumerate(chains)
        if chain
        for rest in _merged((*chains[:k], chain[1:], *chains[k + 1 :]))
    )


_THREADS_OF = {1: ("x",), 2: ("y", "x"), 3: ("z", "y", "x")}
ANNOTATE_POLICIES = (
    "none", "unroll", "vec", "try_unroll", "try_vec", "try_unroll_vec", "try_vec_unroll", "bind_gpu",
    "bind_gpu_virtual", "locate_cache",
)  # fmt: skip


def annotate_space(axes: Sequence[VirtualAxis], policy: str, **options: Any) -> TransformSpace:
    """Return the kinds of loops.

    - "try_unroll", "try_vec", "try_unroll_vec": each loop as it is, unrolled or (one at most) vectorized;
    - "bind_gpu", "bind_gpu_virtual": loops bound to blocks and threads, with virtual threads in between, those in front
      fused;
    - "locate_cache": the positions of the loops in which `num_anchor` caches are computed.
    """
    _expect_policy(policy, ANNOTATE_POLICIES)
    if policy == "bind_gpu":
        found: Iterable[Sequence[str | int]] = [_bound(axes, ("blockIdx", "threadIdx"), policy)]
    elif policy == "bind_gpu_virtual":
        found = [_bound(axes, ("blockIdx", "vthread", "threadIdx"), policy)]
    elif policy == "locate_cache":
        found = combinations_with_replacement(range(len(axes)), options["num_anchor"])
    else:
        found = _kinds(len(axes), policy.replace("try", "none").split("_"))
    keep = options.get("filter", _anything)
    entities = [entity for entity in map(AnnotateEntity, found) if keep(entity)]
    return TransformSpace(entities, axes, f"Annotate(policy={policy}, num_axes={len(axes)})")


def _bound(axes: Sequence[VirtualAxis], units: Sequence[str], policy: str) -> list[str]:
    """Return the axes of threads of the innermost loops; the loops in front of them are fused."""
    dimensions = min(len(axes) // len(units), 3)
    if not dimensions:
        fail(BAD_SPACE, f"expected {len(units)} axes or more for the policy {policy}, but got {len(axes)}")
    bound = [
        unit if unit == "vthread" else f"{unit}.{dimension}" for unit in units for dimension in _THREADS_OF[dimensions]
    ]
    return ["fuse"] * (len(axes) - len(bound)) + bound


def _kinds(count: int, kinds: Sequence[str]) -> Iterator[tuple[str, ...]]:
    def chosen(front: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(front) == count:
            yield front
            return
        for kind in kinds:
            if kind != "vec" or "vec" not in front:
                yield from chosen((*front, kind))

    return chosen(())


def option_space(candidates: Sequence[Any]) -> TransformSpace:
    """Return the candidates of `define_knob`."""
    entities = [OtherOptionEntity(each) for each in candidates]
    return TransformSpace(entities, (), f"OtherOption({[each.val for each in entities]})")


def _expect_policy(policy: str, known: Sequence[str]) -> None:
    if policy not in known:
        fail(BAD_SPACE, f"expected the policy {', '.join(known)}, but got {policy!r}{did_you_mean(policy, known)}")


def _anything(entity: Entity) -> bool:
    return True


Filter = Callable[[Any], bool]
Axes = Sequence[Any]


def virtual_axes(axes: Any) -> list[VirtualAxis]:
    """Return the virtual axes of numbers and axes; virtual ones are kept."""
    given = cast("Sequence[Any]", axes if isinstance(axes, (list, tuple)) else [axes])
    return [each if isinstance(each, VirtualAxis) else VirtualAxis(each) for each in given]
