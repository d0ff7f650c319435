"""The base class of operations with index expressions.

Such an operation holds its expressions as affine maps in properties, all over one list of `index` operands named
`dims`; if an expression uses LANE, that is the dim after the operands. Python code reads and writes whole
tuples of `Index` through `index_lists`, `set_index_lists` and `substitute_indices`, and never touches the maps.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias, TypeVar

from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import IRDLOperation, OptOperandDef, VarOperandDef, irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from ..ir import editor as edit
from .index_expr import Index
from .index_maps import from_map, to_map

IndexLists: TypeAlias = "Mapping[str, Sequence[Index]]"
OpT = TypeVar("OpT", bound="IndexedOp")


class _Decoded(NamedTuple):
    """A map and its decoded expressions over `dims`, which are among an operation's `operands`."""

    map: AffineMapAttr
    operands: Sequence[SSAValue]
    dims: tuple[SSAValue, ...]
    expressions: tuple[Index, ...]

    def over(self, dims: tuple[SSAValue, ...]) -> tuple[Index, ...] | None:
        """Return the expressions over other values, where these correspond to the old ones one to one."""
        renaming = dict(zip(self.dims, dims, strict=True))
        if not len(renaming) == len(set(dims)) == len(dims):
            return None
        return tuple([e.rename(renaming) for e in self.expressions])


def encode(lists: IndexLists) -> tuple[dict[str, AffineMapAttr], tuple[SSAValue, ...]]:
    """Return maps by name and their shared operands."""
    joint, operands = to_map([e for expressions in lists.values() for e in expressions])
    maps: dict[str, AffineMapAttr] = {}
    start = 0
    for name, expressions in lists.items():
        results = joint.results[start : start + len(expressions)]
        maps[name] = AffineMapAttr(AffineMap(joint.num_dims, 0, results)) if results else _empty_map(joint.num_dims)
        start += len(expressions)
    return maps, operands


class _PlainClass(ABCMeta):
    """A metaclass whose `isinstance` ignores virtual subclasses, which halves the time of the most frequent test of
    passes."""

    __instancecheck__ = type.__instancecheck__


class IndexedOp(IRDLOperation, metaclass=_PlainClass):
    """Base of operations with index expressions; subclasses name their map properties in `INDEX_PROPERTIES`."""

    INDEX_PROPERTIES: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        *,
        operands: Sequence[SSAValue | Sequence[SSAValue] | None],
        properties: Mapping[str, Attribute],
        result_types: Sequence[Attribute | Sequence[Attribute]] = (),
        regions: Sequence[Region] = (),
    ) -> None:
        """Take operands and result types by group.

        xDSL's constructor looks for more forms of each argument, which takes longer than all that an operation needs
        of it; most operations of a program are made here.
        """
        groups = [() if g is None else (g,) if isinstance(g, SSAValue) else g for g in operands]
        if getattr(self, "irdl_options", ()):
            properties = {**properties, "operandSegmentSizes": _segments_attribute(tuple([len(g) for g in groups]))}
        Operation.__init__(
            self,
            operands=[value for group in groups for value in group],
            result_types=[t for g in result_types for t in ((g,) if isinstance(g, Attribute) else g)],
            properties=properties,
            regions=regions,
        )

    def __post_init__(self) -> None:
        # Decoding dominates the time of analyses. Decoded expressions stay valid because operands and maps are
        # replaced, never changed.
        self._decoded: dict[str, _Decoded] = {}
        self._segments: tuple[Attribute | None, tuple[int, ...]] = (None, ())
        super().__post_init__()

    def clone_without_regions(self, *arguments: Any, **options: Any) -> Self:
        clone = super().clone_without_regions(*arguments, **options)
        clone._decoded.update(self._decoded)  # the same maps over other operands
        clone._segments = self._segments
        return clone

    @property
    def segment_sizes(self) -> tuple[int, ...]:
        """The sizes of the operand groups, for an operation with several variadic groups."""
        attribute = self.properties["operandSegmentSizes"]
        known, sizes = self._segments
        if known is not attribute:
            assert isinstance(attribute, DenseArrayBase)
            sizes = tuple(attribute.get_values())
            self._segments = attribute, sizes
        return sizes

    def index_list(self, name: str) -> tuple[Index, ...]:
        """Return the expressions of one map property."""
        attribute = self.properties[name]
        known = self._decoded.get(name)
        if known is not None and known.map is attribute:
            if known.operands is self._operands:
                return known.expressions
        else:
            known = None
        assert isinstance(attribute, AffineMapAttr)
        start, count = dims_position(self)
        dims = tuple(self._operands[start : start + count])
        result = None if known is None else known.over(dims)
        if result is None:
            result = from_map(attribute.data, dims)
        self._decoded[name] = _Decoded(attribute, self._operands, dims, result)
        return result

    def index_lists(self) -> dict[str, tuple[Index, ...]]:
        return {name: self.index_list(name) for name in self.INDEX_PROPERTIES}

    def set_index_lists(self, **lists: Sequence[Index]) -> None:
        """Replace the named lists, keeping the others, and rebuild the shared operands."""
        lists = {**self.index_lists(), **lists}
        maps, operands = encode(lists)
        old = self._operands
        start, count = dims_position(self)
        edit.change(self).operands = [*old[:start], *operands, *old[start + count :]]
        self.properties.update(maps)
        if len(operands) != count and "operandSegmentSizes" in self.properties:
            sizes = list(self.segment_sizes)
            sizes[_groups(type(self))[0]] = len(operands)
            self.properties["operandSegmentSizes"] = _segments_attribute(tuple(sizes))
        for name, expressions in lists.items():
            self._decoded[name] = _Decoded(maps[name], self._operands, operands, tuple(expressions))

    def set_group(self, name: str, values: Sequence[SSAValue]) -> None:
        """Replace the operands of one of several groups."""
        position = [group for group, _ in type(self).get_irdl_definition().operands].index(name)
        sizes = list(self.segment_sizes)
        start = sum(sizes[:position])
        old = self._operands
        edit.change(self).operands = [*old[:start], *values, *old[start + sizes[position] :]]
        sizes[position] = len(values)
        self.properties["operandSegmentSizes"] = _segments_attribute(tuple(sizes))

    def substitute_indices(self, mapping: Mapping[SSAValue, Index]) -> None:
        """Replace SSA values by expressions in every list."""
        start, count = dims_position(self)
        if any(value in mapping for value in self._operands[start : start + count]):
            self.set_index_lists(
                **{name: [e.substitute(mapping) for e in es] for name, es in self.index_lists().items()}
            )

    def verify_index_lists(self, *, lane: bool) -> None:
        """Check that every map reads, over the operands and, where `lane`, the lane."""
        start, count = dims_position(self)
        dims = frozenset(self._operands[start : start + count])
        for name in self.INDEX_PROPERTIES:
            try:
                expressions = self.index_list(name)
            except ValueError as error:
                raise VerifyException(f"in {name}: {error}") from error
            if not lane and any(e.uses_lane for e in expressions):
                raise VerifyException(f"expected {name} without the lane, but got {expressions}")
            if not all(dims.issuperset(e.values()) for e in expressions):
                raise VerifyException(f"expected {name} over the operation's operands")


@lru_cache(maxsize=1024)
def _segments_attribute(sizes: tuple[int, ...]) -> DenseArrayBase:
    return DenseArrayBase.from_list(i32, sizes)


@lru_cache(maxsize=64)
def _empty_map(dims: int) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(dims, 0, ()))


class _OperandGroup:
    """Reads one group of operands; xDSL's accessor decodes the sizes of all groups each time."""

    def __init__(self, position: int, *, is_single: bool) -> None:
        self.position = position
        self.is_single = is_single

    def __get__(self, op: IndexedOp, owner: type[IndexedOp] | None = None) -> Any:
        sizes = op.segment_sizes
        start = sum(sizes[: self.position])
        group = op._operands[start : start + sizes[self.position]]  # pyright: ignore[reportPrivateUsage]
        return group if not self.is_single else group[0] if group else None


def indexed_op_definition(cls: type[OpT]) -> type[OpT]:
    """Apply `irdl_op_definition` to an operation that is read often and has several groups of any number of
    operands."""
    cls = irdl_op_definition(cls)
    for position, (name, group) in enumerate(cls.get_irdl_definition().operands):
        is_single = isinstance(group, OptOperandDef) or not isinstance(group, VarOperandDef)
        setattr(cls, name, _OperandGroup(position, is_single=is_single))
    return cls


@cache
def _groups(kind: type[IndexedOp]) -> tuple[int, int]:
    """Return the position of `dims` among the groups of operands, and the number of groups."""
    names = [name for name, _ in kind.get_irdl_definition().operands]
    return names.index("dims"), len(names)


def dims_position(op: IndexedOp) -> tuple[int, int]:
    """Start and length of `dims` in the flat operand list."""
    position, groups = _groups(type(op))
    if "operandSegmentSizes" in op.properties:
        sizes = op.segment_sizes
        return sum(sizes[:position]), sizes[position]
    return position, len(op.operands) - (groups - 1)


def verify_extents(extents: Iterable[Index]) -> None:
    """Fail verification where a dimension is known to have a negative number of elements."""
    for extent in extents:
        if extent.is_constant and extent.constant < 0:
            raise VerifyException(f"expected no negative extent, but got {extent}")
