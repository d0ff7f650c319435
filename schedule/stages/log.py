"""Records of the calls on stages and schedules, each with the user's line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from xdsl.dialects.builtin import LocationAttr

from ...lazy import missing_field
from ...te.shapes import Text
from ...te.tensor import Tensor
from .axes import IterVar, Relation

if TYPE_CHECKING:
    from .stage import Stage


@dataclass(frozen=True)
class At:
    """A stage is computed inside the loop that is `axis` of another stage."""

    named: IterVar
    """The axis of the call, which may have been split or fused since."""
    location: LocationAttr

    @property
    def axis(self) -> IterVar:
        return self.named.innermost


@dataclass(frozen=True)
class Inline:
    """A stage is computed wherever it is read."""

    location: LocationAttr


Attachment: TypeAlias = "At | Inline | None"
"""The loop in which a stage is computed; None for a separate loop nest."""


@dataclass(frozen=True)
class Annotation:
    """A statement about the execution of a loop or the layout of a buffer, applied once all loops are in place."""

    primitive: str
    axis: IterVar | None
    arguments: tuple[Any, ...]
    location: LocationAttr


@dataclass(frozen=True, eq=False)
class IterVarAttr:
    """The kind of a loop as calls stated it: one of the numbers of `IterVar`, and the keys and values of its
    pragmas."""

    iter_type: int
    bind_thread: Any
    pragma_keys: list[Text]
    pragma_values: list[Any]
    tensor_intrin: Any = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "an attribute of an axis", name)


@dataclass(frozen=True, eq=False)
class CacheRead:
    """`readers` read `cache`, which copies `tensor`."""

    tensor: Tensor
    source: Stage
    readers: tuple[Stage, ...]
    cache: Stage
    scope: str
    location: LocationAttr

    @property
    def made(self) -> Stage:
        return self.cache

    @property
    def touched(self) -> tuple[Stage, ...]:
        """The stages that the call concerns, including the stage that it creates."""
        return self.source, *self.readers, self.cache


@dataclass(frozen=True, eq=False)
class CacheWrite:
    """`cache` takes over the computation of `stage`, which copies the result."""

    stage: Stage
    cache: Stage
    scope: str
    location: LocationAttr

    @property
    def made(self) -> Stage:
        return self.cache

    @property
    def touched(self) -> tuple[Stage, ...]:
        return self.stage, self.cache


@dataclass(frozen=True, eq=False)
class RFactor:
    """`factored` reduces all but one axis, `stage` the rest."""

    stage: Stage
    factored: Stage
    reduction: tuple[IterVar, ...]
    """The reduction axes of the stage before."""
    baked: tuple[Relation, ...]
    """The relations that split and fused the reduction axes."""
    axis: IterVar
    """The one of the resulting axes that becomes data-parallel."""
    remaining: tuple[IterVar, ...]
    """The others, in order."""
    position: int
    """The position of `axis` among the axes of `factored`."""
    location: LocationAttr

    @property
    def made(self) -> Stage:
        return self.factored

    @property
    def touched(self) -> tuple[Stage, ...]:
        return self.stage, self.factored


Structural: TypeAlias = "CacheRead | CacheWrite | RFactor"
