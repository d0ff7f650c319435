"""Guards whose conditions may differ from lane to lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.index_expr import LANE, Index
from .buffers import at_lane, is_lane_linear
from .index import Condition, IndexWriter


@dataclass(frozen=True)
class GuardPlan:
    """A guard sorted by how its conditions depend on the lane."""

    uniform: tuple[Index, ...]
    linear: tuple[tuple[Index, int], ...]
    """(value at lane 0, step per lane)."""
    irregular: tuple[Index, ...]
    lanes: int | None


@dataclass(frozen=True)
class Mask:
    """The lanes where a guard holds: the lanes of `lanes`, provided that `uniform` holds."""

    uniform: Condition
    lanes: Condition

    @property
    def never(self) -> bool:
        return self.uniform is False or self.lanes is False

    @property
    def always(self) -> bool:
        return self.uniform is True and self.lanes is True


ALWAYS = Mask(True, True)


def plan_guard(guard: Sequence[Index], lanes: int | None) -> GuardPlan:
    """Sort the conditions of a guard over `lanes` lanes (None: a scalar)."""
    uniform = tuple(e for e in guard if not e.uses_lane)
    varying = [e for e in guard if e.uses_lane]
    linear = tuple((at_lane(e, 0), e.coefficient(LANE)) for e in varying if is_lane_linear(e))
    return GuardPlan(uniform, linear, tuple(e for e in varying if not is_lane_linear(e)), lanes)


def write_mask(writer: IndexWriter, plan: GuardPlan) -> Mask:
    uniform = writer.holds(plan.uniform)
    if uniform is False or plan.lanes is None:
        return Mask(uniform, True)
    conditions = [_linear_mask(writer, base, step, plan.lanes) for base, step in plan.linear]
    conditions += [_irregular_mask(writer, e, plan.lanes) for e in plan.irregular]
    if any(c is False for c in conditions):
        return Mask(uniform, False)
    varying = [c for c in conditions if isinstance(c, str)]
    return Mask(uniform, writer.conjunction(varying, f"<{plan.lanes} x i1>"))


def vector_mask(writer: IndexWriter, mask: Mask, lanes: int) -> Condition:
    """Return the mask as one vector of i1, or True or False where that is known."""
    if mask.never:
        return False
    if isinstance(mask.uniform, bool):
        return mask.lanes
    uniform = broadcast(writer, "i1", mask.uniform, lanes)
    if isinstance(mask.lanes, bool):
        return uniform
    return writer.conjunction([uniform, mask.lanes], f"<{lanes} x i1>")


def broadcast(writer: IndexWriter, element: str, operand: str, lanes: int) -> str:
    """Return a vector with `operand` in every lane."""
    if not operand.startswith("%"):
        return f"splat ({element} {operand})"
    type_ = f"<{lanes} x {element}>"
    first = writer.code.pure(f"insertelement {type_} poison, {element} {operand}, i64 0", (operand,))
    zeros = f"<{lanes} x i32> zeroinitializer"
    return writer.code.pure(f"shufflevector {type_} {first}, {type_} poison, {zeros}", (first,))


def literal_mask(lanes: Sequence[bool]) -> Condition:
    if all(lanes) or not any(lanes):
        return lanes[0]
    return f"<{', '.join('i1 true' if lane else 'i1 false' for lane in lanes)}>"


def _linear_mask(writer: IndexWriter, base: Index, step: int, lanes: int) -> Condition:
    """Return the mask of lanes with `base + step * lane >= 0`."""
    operand = writer.operand(base)
    if isinstance(operand, int):
        return literal_mask([operand + step * lane >= 0 for lane in range(lanes)])
    # Beyond the bound on either side all lanes agree, so the comparison can be made in 32 bits.
    bound = abs(step) * lanes
    clamped = str(writer.extreme("max", [writer.extreme("min", [operand, bound]), -bound]))
    narrow = writer.code.pure(f"trunc i64 {clamped} to i32", (clamped,))
    vector = broadcast(writer, "i32", narrow, lanes)
    thresholds = ", ".join(f"i32 {-step * lane}" for lane in range(lanes))
    return writer.code.pure(f"icmp sge <{lanes} x i32> {vector}, <{thresholds}>", (vector,))


def _irregular_mask(writer: IndexWriter, expression: Index, lanes: int) -> Condition:
    """Return the mask of lanes in which `expression`, evaluated lane by lane, is at least 0."""
    conditions = [writer.holds([at_lane(expression, lane)]) for lane in range(lanes)]
    if all(isinstance(c, bool) for c in conditions):
        return literal_mask([c is True for c in conditions])
    vector = "poison"
    for lane, condition in enumerate(conditions):
        bit = condition if isinstance(condition, str) else str(condition).lower()
        vector = writer.code.pure(f"insertelement <{lanes} x i1> {vector}, i1 {bit}, i64 {lane}", (vector, bit))
    return vector
