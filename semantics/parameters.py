"""Sizes of a function by position, as proofs name them: inputs of these sizes, and the names of sizes for messages."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..analysis.polyhedral.sizes import parameter_symbol
from ..analysis.polyhedral.te_builder import buffers_of
from ..diagnostics.locations import name_of
from ..dialects.graph.types import shape_of
from ..dialects.loop import BindOp, DimOp
from ..dialects.upstream.undefined import is_upstream
from ..traversal import operations
from .arguments import Argument, arguments_of, inputs_of
from .drawn_inputs import DEFAULT_SIZE, random_array
from .random_streams import Purpose, generator
from .values import dtype_of, is_index


def inputs_at(function: FuncOp, sizes: Mapping[str, int], seed: int) -> list[Any]:
    """Return random inputs of a function whose arguments have these extents, the same for the same seed.

    `sizes` has the extents by the names of the parameters of the function's model.
    """
    rng = generator(Purpose.INPUTS_AT_SIZES, seed)
    return [_input(rng, argument, sizes) for argument in inputs_of(function)]


def _input(rng: np.random.Generator, argument: Argument, sizes: Mapping[str, int]) -> Any:
    type, position = argument.type, argument.value.index
    if is_index(type):
        return sizes.get(parameter_symbol(position).name, DEFAULT_SIZE)
    if not isinstance(type, (MemRefType, TensorType, VectorType)):
        return random_array(rng, (), dtype_of(type))[()]
    if (given := sizes.get(parameter_symbol(position).name)) is not None:
        return np.array(given, dtype_of(type.element_type))
    return random_array(rng, _shape(type, position, sizes), dtype_of(type))


def elements_at(function: FuncOp, sizes: Mapping[str, int]) -> int:
    """Count the elements that all arguments of a function have together at these extents."""
    arguments = [(a.type, a.index) for a in function.body.block.args]
    return sum(
        prod(_shape(type, position, sizes))
        for type, position in arguments
        if isinstance(type, (MemRefType, TensorType, VectorType))
    )


def dynamic_outputs_at(function: FuncOp, sizes: Mapping[str, int]) -> dict[int, tuple[int, ...]]:
    """Return the shapes of outputs that have dynamic extents, by position."""
    outputs = [(a.type, a.value.index) for a in arguments_of(function) if a.is_output]
    return {
        position: _shape(type, position, sizes)
        for type, position in outputs
        if isinstance(type, MemRefType) and DYNAMIC_INDEX in type.get_shape()
    }


def _shape(type: MemRefType | TensorType | VectorType, position: int, sizes: Mapping[str, int]) -> tuple[int, ...]:
    names = [parameter_symbol(position, dimension).name for dimension in range(len(type.get_shape()))]
    extents = zip(type.get_shape(), names, strict=True)
    return tuple(sizes.get(name, DEFAULT_SIZE) if n == DYNAMIC_INDEX else n for n, name in extents)


def in_words(function: FuncOp, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the same sizes by names that stand in the function: `n` for the value that `loop.dim` gives, or that
    `loop.bind` states; `extent 0 of %A` where there is none. Extents that follow from others are left out."""
    names = _names(function)
    found: dict[str, int] = {}
    for parameter, value in sizes.items():
        name, plain = names.get(parameter, (parameter, parameter))
        if name is not None:
            found[name if found.get(name, value) == value else plain] = value
    return found


def words_of(function: FuncOp) -> dict[str, str]:
    """Return a word for each parameter of a function's model, the same for two only where they are one value.

    Extents of a function of upstream MLIR, which are one value where an operation demands it, are named by argument.
    """
    by_argument = is_upstream(function)
    arguments = function.body.block.args
    values = _values(function)
    taken: dict[str, SSAValue] = {}
    words: dict[str, str] = {}
    for argument in arguments:
        if isinstance(argument.type, TensorType):
            for dimension, size in enumerate(shape_of(argument)):
                word = size if isinstance(size, str) else f"extent {dimension} of {name_of(argument)}"
                words[parameter_symbol(argument.index, dimension).name] = word
            continue
        words[parameter_symbol(argument.index).name] = name_of(argument).removeprefix("%")
        if not isinstance(argument.type, MemRefType):
            continue
        for dimension in range(len(argument.type.get_shape())):
            value = values.get((argument.index, dimension))
            hint = None if value is None else value.name_hint
            if by_argument:
                hint, value = f"{name_of(argument).removeprefix('%')}_dim{dimension}", argument
            is_free = value is not None and hint is not None and taken.setdefault(hint, value) is value
            word = hint if is_free and hint is not None else f"extent {dimension} of {name_of(argument)}"
            words[parameter_symbol(argument.index, dimension).name] = word
    return words


def _names(function: FuncOp) -> dict[str, tuple[str | None, str]]:
    """Return, for each parameter, its name, None where it follows from others, and a name that it has in any case."""
    values = _values(function)
    names: dict[str, tuple[str | None, str]] = {}
    arguments = function.body.block.args
    for position, type in enumerate(buffers_of(function)[len(arguments) :], start=len(arguments)):
        if isinstance(type, MemRefType):  # of a result, whose extents follow from those of arguments
            extents = range(len(type.get_shape()))
            names |= {
                parameter_symbol(position, d).name: (None, f"result {position - len(arguments)}") for d in extents
            }
    for argument in arguments:
        name = name_of(argument)
        if isinstance(argument.type, TensorType):
            for dimension, size in enumerate(shape_of(argument)):
                plain = f"extent {dimension} of {name}"
                hint = size if isinstance(size, str) else plain
                names[parameter_symbol(argument.index, dimension).name] = (hint, plain)
            continue
        names[parameter_symbol(argument.index).name] = (name.removeprefix("%"), name)
        if not isinstance(argument.type, MemRefType):
            continue
        for dimension in range(len(argument.type.get_shape())):
            plain, key = f"extent {dimension} of {name}", (argument.index, dimension)
            value = values.get(key)
            hint = plain if key not in values else None if value is None else value.name_hint
            names[parameter_symbol(argument.index, dimension).name] = (hint, plain)
    return names


def _values(function: FuncOp) -> dict[tuple[int, int], SSAValue | None]:
    """Return the value that `loop.dim` gives for an extent, or that `loop.bind` states; None for a sum of values."""
    found: dict[tuple[int, int], SSAValue | None] = {}
    arguments = function.body.block.args
    for op in operations(function):
        if isinstance(op, DimOp) and op.buffer in arguments and op.res.name_hint:
            found.setdefault((arguments.index(op.buffer), op.dimension.value.data), op.res)
    for op in operations(function):
        if isinstance(op, BindOp) and op.buffer in arguments:
            for dimension, extent in enumerate(op.index_list("shape")):
                found.setdefault((arguments.index(op.buffer), dimension), extent.single_value)
    return found
