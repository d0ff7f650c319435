"""Tensor intrinsics: the description of a computation that hardware or foreign code performs, and its implementations.

Both are functions of loop IR over the same buffers, inputs first. The description is one nest of loops around one
block; `tensorize` compares nests with it and replaces them by an implementation. Intrinsics are defined in the programs
of their users. This module only registers their names, so that traces can refer to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation

from ..analysis.access import blocks_in, writes
from ..analysis.bounds import inside_conditions, outside
from ..diagnostics import fail
from ..diagnostics.locations import caller_location, location_of, name_of
from ..diagnostics.text import did_you_mean
from ..dialects import context, loop
from ..dialects.ir_module import operation_of
from ..lazy import missing_field
from ..renamed import with_earlier_members
from ..te.foreign import Buffer
from ..te.tensor import Computation, Tensor
from ..te.tiles import TileCall, call_tile
from ..traversal import operations

MALFORMED, UNKNOWN = "TW0430", "TW0431"

Strides = tuple[int | None, ...]
"""Of a buffer, in elements; None for any."""


@dataclass(frozen=True)
class TilePosition:
    """The expected position of a tile: an offset in its buffer that is a multiple of `factor` elements, in memory of
    `scope`."""

    factor: int = 1
    scope: str = ""
    """"" for any."""


@dataclass(frozen=True)
class Declaration:
    """A description in Python: the compute, and a buffer for each of its tensors, inputs first."""

    op: Computation
    buffers: tuple[Buffer, ...]
    returned: tuple[Any, Any, Any]
    """The body, the reset and the update."""


@with_earlier_members
@dataclass(frozen=True, eq=False)
class TensorIntrin:
    """A description and its implementations, each over the description's arguments.

    A reduction whose terms are all within the tile is computed by `body`, or by `reset` and then `update`. If the terms
    span several tiles, `reset` initializes the result and `update` adds the terms of one tile. A description without an
    init is an update.
    """

    name: str
    description: FuncOp
    body: FuncOp | None = None
    reset: FuncOp | None = None
    update: FuncOp | None = None
    strides: Mapping[int, Strides] = field(default_factory=dict[int, Strides])
    """By position among the arguments, the strides that the implementations expect of a buffer."""
    scopes: Mapping[int, str] = field(default_factory=dict[int, str])
    """By position among the arguments, the scope that says how the implementations hold a tile in registers."""

    positions: Mapping[int, TilePosition] = field(default_factory=dict[int, TilePosition])
    """By position among the arguments, the position at which the implementations expect a tile."""
    declaration: Declaration | None = None
    """The description in Python; None for functions of loop IR."""

    def __call__(self, *regions: Any, reduce_axis: Any = None) -> TileCall:
        """Return the intrinsic on regions of tensors, for the function of a `te.compute`.

        `C = te.compute((n, 16), lambda i: vadd(A[i, 0:16], B[i, 0:16]))`; the terms of a reduction may lie in several
        tiles along `reduce_axis`. Raises TilewrightError TW0453 for regions of other shapes than those described.
        """
        return call_tile(self, self._declared("compute").op, regions, reduce_axis)

    @property
    def op(self) -> Computation:
        """The compute that describes it."""
        return self._declared("op").op

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        return self._declared("inputs").op.inputs

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return self._declared("buffers").buffers

    @property
    def reduce_init(self) -> Any:
        """The statement that starts a reduction, as it was declared."""
        return self._declared("reduce_init").returned[1]

    @property
    def reduce_update(self) -> Any:
        """The statement that continues a reduction, as it was declared."""
        return self._declared("reduce_update").returned[2]

    def _declared(self, name: str) -> Declaration:
        if self.declaration is None:
            raise missing_field(self, "a tensor intrinsic of loop IR", name)
        return self.declaration

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a tensor intrinsic", name)

    @property
    def block(self) -> loop.BlockOp:
        """The block of the description."""
        return blocks_in(self.description)[0]

    @property
    def arguments(self) -> Sequence[BlockArgument]:
        return self.description.body.block.args

    def check(self, seed: int = 0) -> None:
        """Run the implementations and the description on random operands.

        Raises TilewrightError TW0430 where their results differ. Foreign code is called.
        """
        from .intrinsic_check import check_intrinsic

        check_intrinsic(self, seed)

    @staticmethod
    def register(
        name: str, desc: FuncOp | str | TensorIntrin, impl: FuncOp | str | None = None, override: bool = False
    ) -> TensorIntrin:
        """Make an intrinsic known under a name: two functions of the same buffers, as operations or as MLIR text.

        Raises TilewrightError TW0431 where the name is taken, TW0430 where the functions are no intrinsic.
        """
        if name in _REGISTERED and not override:
            fail(UNKNOWN, f"expected a fresh name for a tensor intrinsic, but {name!r} is registered")
        if isinstance(desc, TensorIntrin):
            intrin = desc
        else:
            description = function_from(name, desc)
            implementation = function_from(name, desc if impl is None else impl)
            intrin = checked(TensorIntrin(name, description, implementation))
        _REGISTERED[name] = intrin
        return intrin

    @staticmethod
    def get(name: str) -> TensorIntrin:
        """Return the intrinsic registered under a name. Raises TilewrightError TW0431 where there is none."""
        found = _REGISTERED.get(name)
        if found is None:
            near = did_you_mean(str(name), _REGISTERED)
            fail(UNKNOWN, f"expected a registered tensor intrinsic, but got {name!r}{near}")
        return found


_REGISTERED: dict[str, TensorIntrin] = {}


def known_name(intrin: TensorIntrin) -> str:
    """Return the name that an intrinsic is registered under; one that is not is registered now."""
    name, count = intrin.name, 0
    while _REGISTERED.setdefault(name, intrin) is not intrin:
        count += 1
        name = f"{intrin.name}_{count}"
    return name


def function_from(name: str, given: Any) -> FuncOp:
    """Return the function that was given as an operation, as a module of one function, or as MLIR text."""
    given = operation_of(given)
    if isinstance(given, str):
        from ..diagnostics.parsing import parse

        given = parse(context(), given, f"<tensor intrinsic {name}>")
        given.verify()
    if isinstance(given, ModuleOp):
        functions = [op for op in given.ops if isinstance(op, FuncOp)]
        given = functions[0] if len(functions) == 1 else None
    if not isinstance(given, FuncOp) or len(given.body.blocks) != 1:
        fail(MALFORMED, f"tensor intrinsic {name!r}: expected one function with a body, as an operation or MLIR text")
    return given


def checked(intrin: TensorIntrin) -> TensorIntrin:
    """Return the intrinsic. Raises TilewrightError TW0430 where its functions do not have the form that they should."""
    _check_description(intrin.name, intrin.description)
    for implementation in (intrin.body, intrin.reset, intrin.update):
        if implementation is not None:
            _check_implementation(intrin.name, intrin.description, implementation)
    return intrin


def _check_description(name: str, function: FuncOp) -> None:
    """Raise TilewrightError TW0430 where a function is not one nest of loops of constant extents around one block."""
    if len(function.body.blocks) != 1 or not all(_is_static(a) for a in function.body.block.args):
        _refuse(name, "expected a description over buffers of constant shapes", function)
    op: Operation | None = function.body.block.first_op
    while isinstance(op, loop.ForOp):
        if op.constant_bounds is None or op.constant_bounds[0] != 0:
            _refuse(name, "expected the description's loops to run from 0 to a constant", op)
        op = op.body.block.first_op if len(op.body.block.ops) == 1 else None
    outer = [op for op in function.body.block.ops if not isinstance(op, ReturnOp)]
    if len(outer) != 1 or not isinstance(op, loop.BlockOp) or op.conditions:
        _refuse(name, "expected a description of one nest of loops around one block", function)


def _check_implementation(name: str, description: FuncOp, function: FuncOp) -> None:
    wanted = [a.type for a in description.body.block.args]
    have = [a.type for a in function.body.block.args]
    if wanted != have:
        types = ", ".join(map(str, wanted))
        _refuse(name, f"expected an implementation over ({types}), but got ({', '.join(map(str, have))})", function)
    outputs = writes(description)
    for argument, described in zip(function.body.block.args, description.body.block.args, strict=True):
        if argument in writes(function) and described not in outputs:
            _refuse(
                name, f"expected an implementation that reads {name_of(described)} only, but it writes it", function
            )
        for use in argument.uses:
            if not isinstance(use.operation, (loop.LoadOp, loop.StoreOp, loop.CallExternOp)):
                _refuse(
                    name,
                    f"expected an implementation that loads, stores and passes its buffers, but it has "
                    f"{use.operation.name}",
                    use.operation,
                )
    for op in operations(function):
        if isinstance(op, (loop.LoadOp, loop.StoreOp)):
            _check_inside(name, op)


def _check_inside(name: str, op: loop.LoadOp | loop.StoreOp) -> None:
    """Raise TilewrightError TW0430 where an access certainly leaves its tile, beside which other tiles lie."""
    conditions = inside_conditions(op)
    found = None if conditions is None else outside(op, conditions, op.conditions, op.lanes)
    if found is not None:
        index = ", ".join(map(str, op.index))
        _refuse(name, f"expected accesses inside of {name_of(op.buffer)}, but [{index}] lies outside", op)


def _is_static(argument: BlockArgument) -> bool:
    return isinstance(argument.type, MemRefType) and DYNAMIC_INDEX not in argument.type.get_shape()


def _refuse(name: str, message: str, op: Operation) -> NoReturn:
    location = location_of(op)
    if location is None:  # built by a call: the user can look at that line
        location = caller_location()
    fail(MALFORMED, f"tensor intrinsic {name!r}: {message}", location=location)
