"""Configurations of templates: the space that a template's first run collects, and the values that later runs apply.

A configuration has an index in its space: a mixed-radix number whose digits are the positions of its values among the
candidates of each knob; the lowest digit is the first knob.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any, ClassVar, NoReturn

from ...diagnostics import fail
from ...diagnostics.expectations import coded_methods
from ...diagnostics.text import did_you_mean
from ...schedule.decisions import Value
from .entities import BAD_SPACE, ENTITIES, REFUSED, Entity
from .entities import AnnotateEntity as AnnotateEntity
from .entities import OtherOptionEntity as OtherOptionEntity
from .entities import ReorderEntity as ReorderEntity
from .entities import SplitEntity as SplitEntity
from .spaces import (
    TransformSpace,
    VirtualAxis,
    annotate_space,
    option_space,
    reorder_space,
    split_space,
    virtual_axes,
)

BAD_RECORD = "TW0873"


@coded_methods
class ConfigSpace:
    """The knobs of a template by name, in the order in which it defines them; `cfg[name]` is the first candidate."""

    is_fallback: ClassVar[bool] = False
    code_hash: str | None = None

    def __init__(self) -> None:
        self.space_map: dict[str, TransformSpace] = {}
        self.flop: float = 0
        self._entities: dict[str, Entity] = {}
        self._filter: Callable[[Mapping[str, Any]], bool] | None = None

    # The interface of templates

    @staticmethod
    def axis(var: Any) -> VirtualAxis:
        """Return the axis that a number, an axis or a virtual axis stands for."""
        return VirtualAxis(var)

    reduce_axis = axis

    def define_split(self, name: str, axis: Any, policy: str = "factors", **options: Any) -> list[VirtualAxis]:
        """Define a split by `num_outputs`, `max_factor`, `filter`, `no_tail`, `candidate`; returns the parts."""
        return self._define(name, lambda: split_space(virtual_axes(axis)[0], policy, **options))

    def define_reorder(self, name: str, axes: Sequence[Any], policy: str, **options: Any) -> list[VirtualAxis]:
        """Define an order of axes by `interval`, `candidate`, or `spatial` and `reduce`; returns the axes."""
        return self._define(name, lambda: reorder_space(virtual_axes(axes), policy, **options))

    def define_annotate(self, name: str, axes: Sequence[Any], policy: str, **options: Any) -> list[VirtualAxis]:
        """Define kinds of loops, or positions of `num_anchor` caches; returns the axes."""
        return self._define(name, lambda: annotate_space(virtual_axes(axes), policy, **options))

    def define_knob(self, name: str, candidate: Sequence[Any]) -> None:
        """Define a choice among numbers, texts, truth values, None or lists of them."""
        self._define(name, lambda: option_space(candidate))

    def add_flop(self, flop: float) -> None:
        """Add to the number of operations of a run, by which rates are computed."""
        self.flop += float(flop)

    def raise_error(self, msg: str) -> NoReturn:
        """Refuse the configuration: TilewrightError TW0872."""
        fail(REFUSED, f"the template refuses this configuration: {msg}")

    def valid(self) -> bool:
        """Return True: a configuration that a template refuses raises an error."""
        return True

    def multi_filter(self, filter: Callable[[Mapping[str, Any]], bool], **options: Any) -> None:
        """Leave out configurations that a function of their values by name says no to."""
        self._filter = filter

    def _define(self, name: str, make: Callable[[], TransformSpace]) -> list[VirtualAxis]:
        """Add a knob; one that is defined again stays as it is."""
        if name not in self.space_map:
            made = make()
            if not len(made):
                fail(BAD_SPACE, f"expected candidates for knob '{name}', but its filter or its limits leave none")
            self.space_map[name] = made
            self._entities[name] = made[0]
        return self.space_map[name].outputs

    def __getitem__(self, name: str) -> Any:
        if name not in self._entities:
            fail(
                BAD_SPACE,
                f"expected a knob that the template defines, but got '{name}'{did_you_mean(name, self._entities)}",
            )
        return self._entities[name]

    def __setitem__(self, name: str, entity: Entity) -> None:
        self._entities[name] = entity

    # The configurations

    @property
    def range_length(self) -> int:
        """The number of indices, those that `multi_filter` leaves out among them."""
        return prod(map(len, self.space_map.values()))

    @property
    def dims(self) -> list[int]:
        """The number of candidates of each knob."""
        return [len(space) for space in self.space_map.values()]

    @cached_property
    def _valid_count(self) -> int:
        return sum(map(self.is_index_valid, range(self.range_length)))

    def __len__(self) -> int:
        """Return the number of configurations that `multi_filter` leaves."""
        return self.range_length if self._filter is None else self._valid_count

    def is_index_valid(self, index: int) -> bool:
        """Return True for an index that names a configuration that `multi_filter` leaves."""
        if not 0 <= index < self.range_length:
            return False
        return self._filter is None or bool(self._filter(self._entities_at(index)))

    def get(self, index: int) -> ConfigEntity:
        """Return the configuration of an index. Raises TilewrightError TW0870 where there is none."""
        if not self.is_index_valid(index):
            fail(BAD_SPACE, f"expected an index of the {self.range_length} configurations, but got {index}")
        return ConfigEntity(index, self.code_hash, self._entities_at(index), self.flop)

    def get_rand_index(self) -> int:
        """Return an index that is drawn."""
        return self.sample_ints(1)[0]

    def sample_ints(self, m: int) -> list[int]:
        """Return several different indices that are drawn, all of them where there are no more."""
        drawn = (k for k in random.sample(range(self.range_length), self.range_length) if self.is_index_valid(k))
        return [index for index, _ in zip(drawn, range(m), strict=False)]

    def point2knob(self, point: int) -> list[int]:
        """Return the digits of an index: the position of each value among the candidates of its knob."""
        digits: list[int] = []
        for space in self.space_map.values():
            point, digit = divmod(point, len(space))
            digits.append(digit)
        return digits

    def knob2point(self, knob: Sequence[int]) -> int:
        """Return the index of digits."""
        index = 0
        for digit, space in zip(reversed(knob), reversed(self.space_map.values()), strict=True):
            index = index * len(space) + digit
        return index

    def _entities_at(self, index: int) -> dict[str, Entity]:
        digits = self.point2knob(index)
        return {name: space[k] for (name, space), k in zip(self.space_map.items(), digits, strict=True)}

    def with_values(self, values: Mapping[str, Value]) -> ConfigEntity:
        """Return the configuration of values by name, others being the first candidates.

        Raises TilewrightError TW0801 for a value that is no candidate, and for a name that is no knob.
        """
        unknown = next((name for name in values if name not in self.space_map), None)
        if unknown is not None:
            fail(
                "TW0801", f"expected a knob of the template, but got '{unknown}'{did_you_mean(unknown, self.space_map)}"
            )
        digits: list[int] = []
        for name, space in self.space_map.items():
            value = values.get(name, space[0].value)
            digit = next((k for k, each in enumerate(space.entities) if _is(each.value, value)), None)
            if digit is None:
                fail("TW0801", f"expected one of the {len(space)} candidates of knob '{name}', but got {value!r}")
            digits.append(digit)
        index = self.knob2point(digits)
        if not self.is_index_valid(index):
            fail("TW0801", f"expected a configuration that multi_filter leaves, but got {dict(values)}")
        return self.get(index)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entities)

    def __repr__(self) -> str:
        rows = [f"{k:2d} {name}: {space}" for k, (name, space) in enumerate(self.space_map.items())]
        return "\n".join([f"ConfigSpace (len={len(self)}, range_length={self.range_length}, space_map=", *rows, ")"])


def _is(one: Value, other: Value) -> bool:
    return type(one) is type(other) and one == other  # True equals 1


class ConfigEntity(ConfigSpace):
    """One configuration: `cfg[name]` is its value of a knob; calls of `define_*` have no effect."""

    def __init__(self, index: int, code_hash: str | None, entities: Mapping[str, Entity], flop: float = 0) -> None:
        super().__init__()
        self.index = index
        self.code_hash = code_hash
        self.flop = flop
        self._entities = dict(entities)

    def _define(self, name: str, make: Callable[[], TransformSpace]) -> list[VirtualAxis]:
        """Return the axes that the transformation makes; the value stays, and has to be a candidate (TW0801)."""
        made, entity = make(), self._entities.get(name)
        if entity not in made.entities:
            fail("TW0801", f"expected one of the {len(made)} candidates of knob '{name}', but the record has {entity}")
        return made.outputs

    def add_flop(self, flop: float) -> None:
        """Change nothing: the space knows the number of operations."""

    def multi_filter(self, filter: Callable[[Mapping[str, Any]], bool], **options: Any) -> None:
        """Change nothing: the configuration is chosen."""

    @property
    def values(self) -> dict[str, Value]:
        """The values by name, as a point of the template's space has them."""
        return {name: entity.value for name, entity in self._entities.items()}

    def to_json_dict(self) -> dict[str, Any]:
        """Return the configuration as record lines have it."""
        entity = [[name, each.kind, getattr(each, "val", each.value)] for name, each in self._entities.items()]
        return {"index": self.index, "code_hash": self.code_hash, "entity": entity}

    @staticmethod
    def from_json_dict(json_dict: Mapping[str, Any]) -> ConfigEntity:
        """Return the configuration of a record line. Raises TilewrightError TW0873 where it is none."""
        try:
            entities = {name: ENTITIES[kind](value) for name, kind, value in json_dict["entity"]}
            return ConfigEntity(int(json_dict["index"]), json_dict.get("code_hash"), entities)
        except (KeyError, TypeError, ValueError) as error:
            fail(BAD_RECORD, f"expected a configuration, but got {type(error).__name__}: {error}")

    def __len__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConfigEntity) and other.values == self.values

    def __hash__(self) -> int:
        return hash(tuple(self.values.items()))

    def __repr__(self) -> str:
        return f"{[*self._entities.items()]},{self.code_hash},{self.index}"


class FallbackConfigEntity(ConfigSpace):
    """The configuration of a template for which no record is found: the first candidate of each knob."""

    is_fallback = True
