"""The runtime signature of an entry function: names, dtypes, shapes and strides of its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    MemRefType,
    StringAttr,
    TensorType,
)
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..diagnostics import fail
from ..dialects.constant_data import constant_array
from ..dialects.dtypes import numpy_dtype
from ..dialects.graph import shape_of
from ..dialects.index_expr import FloorDiv, Index, Mod
from ..dialects.loop import ApplyOp, BindOp, DimOp
from ..dialects.names import (
    DEFAULTS_ATTRIBUTE,
    NAME_ATTRIBUTE,
    ORDER_ATTRIBUTE,
    SHAPE_OF_ATTRIBUTE,
    STRIDES_ATTRIBUTE,
    VALUE_ATTRIBUTE,
)
from ..runtime.arguments import Argument, Default, Signature
from ..runtime.extent import Combination, Dimension, Division, Extent


def signature_of(main: func.FuncOp) -> Signature:
    """Return the signature of a function: outputs are the arguments with `tw.output`, which come last, inputs the
    others.

    Index arguments before all others are strides of arguments that state some. A `loop.bind` of an argument states its
    dynamic extents; each dynamic extent of an input without a `loop.bind` becomes a separate size. Raises TW0601 where
    an output's extents are not stated.
    """
    arguments = main.body.block.args
    attributes = list(main.arg_attrs or [DictionaryAttr({})] * len(arguments))
    symbols = _Symbols(main)
    inputs: list[Argument] = []
    outputs: list[Argument] = []
    passed = sum(stride is None for attribute in attributes for stride in _strides(attribute) or ())
    for argument, attribute in zip(arguments, attributes, strict=True):
        if argument.index < passed and isinstance(argument.type, IndexType):
            continue
        is_output = "tw.output" in attribute.data
        if outputs and not is_output:
            fail("TW0601", f"expected the outputs of @{main.sym_name.data} after its inputs", op=main)
        name = attribute.data.get(NAME_ATTRIBUTE)
        text = name.data if isinstance(name, StringAttr) else argument.name_hint or f"argument{argument.index}"
        (outputs if is_output else inputs).append(_argument(main, argument, text, symbols, attribute))
    try:
        return Signature(tuple(inputs), tuple(outputs), _order(main, [*inputs, *outputs]), defaults_of(main))
    except ValueError as error:
        fail("TW0601", str(error), op=main)


def defaults_of(main: func.FuncOp) -> tuple[Default, ...]:
    """Return the inputs that a function states defaults of."""
    stated = main.attributes.get(DEFAULTS_ATTRIBUTE)
    found: list[Default] = []
    for each in stated if isinstance(stated, ArrayAttr) else ():
        match each:
            case ArrayAttr(data=[StringAttr(data=name), TensorType() as type_, StringAttr(data=digest)]):
                sizes = [d if isinstance(d, int) else Extent.symbol(d or "?") for d in shape_of(type_)]
                found.append(Default(name, numpy_dtype(type_.element_type), tuple(sizes), digest=digest))
            case _:
                fail("TW0601", f"expected a name, a type and a digest in {DEFAULTS_ATTRIBUTE}, but got {each}", op=main)
    return tuple(found)


def _order(main: func.FuncOp, arguments: Sequence[Argument]) -> tuple[int | str, ...]:
    """Return the order that the function states for its callers: numbers of arguments, and names of sizes."""
    stated = main.attributes.get(ORDER_ATTRIBUTE)
    if not isinstance(stated, ArrayAttr):
        return ()
    numbers = {argument.name: number for number, argument in enumerate(arguments)}
    names = [name.data for name in stated if isinstance(name, StringAttr)]
    return tuple(numbers.get(name, name) for name in names)


def _argument(
    main: func.FuncOp, argument: BlockArgument, name: str, symbols: _Symbols, attribute: DictionaryAttr
) -> Argument:
    type_ = argument.type
    if not isinstance(type_, MemRefType):
        fail("TW0601", f"expected argument '{name}' of @{main.sym_name.data} to be a buffer, but got {type_}", op=main)
    stated = symbols.binds.get(argument)
    shape: list[Dimension] = []
    for dimension, extent in enumerate(type_.get_shape()):
        if extent != DYNAMIC_INDEX:
            shape.append(extent)
        elif stated is not None:
            shape.append(symbols.extent(stated[dimension]))
        elif "tw.output" in attribute.data:
            fail("TW0601", f"expected a loop.bind that states the extents of output '{name}'", op=main)
        else:
            shape.append(symbols.size(argument, dimension))
    dtype = numpy_dtype(type_.element_type)
    described = attribute.data.get(SHAPE_OF_ATTRIBUTE)
    shape_of = described.data if isinstance(described, StringAttr) else None
    return Argument(name, dtype, tuple(shape), _strides(attribute), _value(main, attribute, dtype, shape), shape_of)


def _value(
    main: func.FuncOp, attribute: DictionaryAttr, dtype: np.dtype[Any], shape: Sequence[Dimension]
) -> bytes | None:
    """Return the value that a function states for an input. Raises TW0601 for one of another type than the input's."""
    stated = attribute.data.get(VALUE_ATTRIBUTE)
    if stated is None:
        return None
    try:
        array = constant_array(stated)
    except TypeError:
        array = None
    if array is None or array.dtype != dtype or array.shape != tuple(shape):
        fail("TW0601", f"expected {VALUE_ATTRIBUTE} to be of the input's type, but got {stated}", op=main)
    return array.tobytes()


def _strides(attribute: DictionaryAttr) -> tuple[int | None, ...] | None:
    stated = attribute.data.get(STRIDES_ATTRIBUTE)
    if not isinstance(stated, DenseArrayBase):
        return None
    return tuple(None if s == DYNAMIC_INDEX else int(s) for s in stated.get_values())


class _Symbols:
    """Names for the values that occur in extents."""

    def __init__(self, main: func.FuncOp) -> None:
        self.binds = {op.buffer: op.index_list("shape") for op in main.walk() if isinstance(op, BindOp)}
        self._main = main
        self._hints = {
            (op.buffer, op.dimension.value.data): _name_of(op) for op in main.walk() if isinstance(op, DimOp)
        }
        self._names: dict[tuple[SSAValue, int], str] = {}

    def size(self, buffer: SSAValue, dimension: int) -> Extent:
        """Return the extent of the buffer as a symbol: named like the value that reads it where that name is free."""
        key = (buffer, dimension)
        if key not in self._names:
            hint = self._hints.get(key) or f"{buffer.name_hint or 'argument'}_dim{dimension}"
            name, count = hint, 0
            while name in self._names.values():
                count += 1
                name = f"{hint}{count}"
            self._names[key] = name
        return Extent.symbol(self._names[key])

    def extent(self, index: Index) -> Dimension:
        """Return an index expression over sizes of the inputs, by name."""
        if index.is_constant:
            return index.constant
        result = Extent(index.constant)
        for atom, coefficient in index.terms:
            if isinstance(atom, (FloorDiv, Mod)):
                kind = "floordiv" if isinstance(atom, FloorDiv) else "mod"
                numerator = self.extent(atom.numerator)
                assert isinstance(numerator, Extent)
                part: Dimension = Extent(0, ((Division(kind, numerator, atom.divisor), 1),))
            else:
                assert isinstance(atom, SSAValue)
                part = self._value(atom)
            result = _add_scaled(result, part, coefficient)
        return result

    def _value(self, value: SSAValue) -> Dimension:
        owner = value.owner
        if isinstance(owner, ApplyOp):
            return self.extent(owner.index)
        if isinstance(owner, arith.ConstantOp):
            return owner.value.value.data  # pyright: ignore
        if isinstance(owner, DimOp) and isinstance(owner.buffer, BlockArgument):
            dimension = owner.dimension.value.data
            stated = self.binds.get(owner.buffer)
            if stated is not None and not _is_dim(stated[dimension], owner.buffer, dimension):
                return self.extent(stated[dimension])
            return self.size(owner.buffer, dimension)
        if isinstance(owner, (arith.AddiOp, arith.SubiOp, *_COMBINATIONS)):
            return self._combined(owner)
        described = owner.name if isinstance(owner, Operation) else "an argument"
        fail(
            "TW0601",
            f"expected extents of @{self._main.sym_name.data}'s arguments to be made of loop.dim, but got {described}",
            op=self._main,
        )

    def _combined(self, op: Operation) -> Dimension:
        """Return the result of an operation of arith on two sizes."""
        lhs, rhs = (self._value(v) for v in op.operands)
        if isinstance(op, (arith.AddiOp, arith.SubiOp)):
            return _add_scaled(_add_scaled(Extent(), lhs, 1), rhs, 1 if isinstance(op, arith.AddiOp) else -1)
        if isinstance(op, arith.MuliOp) and isinstance(rhs, int):
            return _add_scaled(Extent(), lhs, rhs)
        if isinstance(op, arith.MuliOp) and isinstance(lhs, int):
            return _add_scaled(Extent(), rhs, lhs)
        sides = (Extent(d) if isinstance(d, int) else d for d in (lhs, rhs))
        return Extent(0, ((Combination(_COMBINATIONS[type(op)], *sides), 1),))


_COMBINATIONS: dict[type[Operation], Literal["*", "floordiv", "min", "max"]] = {
    arith.MuliOp: "*",
    arith.FloorDivSIOp: "floordiv",
    arith.MinSIOp: "min",
    arith.MaxSIOp: "max",
}
"""Operations on sizes that are not affine."""


def _name_of(dim: DimOp) -> str | None:
    name = dim.attributes.get(NAME_ATTRIBUTE)
    return name.data if isinstance(name, StringAttr) else dim.res.name_hint


def _is_dim(index: Index, buffer: SSAValue, dimension: int) -> bool:
    """Return whether an expression is the extent `dimension` of `buffer`, read by a `loop.dim`."""
    if index.constant or len(index.terms) != 1 or index.terms[0][1] != 1:
        return False
    owner = getattr(index.terms[0][0], "owner", None)
    return isinstance(owner, DimOp) and owner.buffer is buffer and owner.dimension.value.data == dimension


def _add_scaled(total: Extent, part: Dimension, factor: int) -> Extent:
    if isinstance(part, int):
        return Extent(total.constant + part * factor, total.terms)
    terms = [(atom, c * factor) for atom, c in part.terms]
    return Extent(total.constant + part.constant * factor, (*total.terms, *terms))
