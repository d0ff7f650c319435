"""What a stage and a schedule remember of the calls made on them, each with the user's line."""

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
"""Where a stage is computed; None: in loops of its own."""


@dataclass(frozen=True)
class Annotation:
    """How loops run and buffers lie: what is applied once all loops are in place."""

    primitive: str
    axis: IterVar | None
    arguments: tuple[Any, ...]
    location: LocationAttr


@dataclass(frozen=True, eq=False)
class IterVarAttr:
    """What was said of how a loop runs: a number of `IterVar`, and the keys and values of its pragmas."""

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
        """The stages that the call is about, the one that it makes included."""
        return self.source, *self.readers, self.cache


@dataclass(frozen=True, eq=False)
class CacheWrite:
    """`cache` computes what `stage` did, which copies it."""

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
    """How they were split and fused."""
    axis: IterVar
    """The one of the resulting axes that becomes data-parallel."""
    remaining: tuple[IterVar, ...]
    """The others, in order."""
    position: int
    """Where it stands among the axes of `factored`."""
    location: LocationAttr

    @property
    def made(self) -> Stage:
        return self.factored

    @property
    def touched(self) -> tuple[Stage, ...]:
        return self.stage, self.factored


Structural: TypeAlias = "CacheRead | CacheWrite | RFactor"
