"""
The tolerance between two correct runs of a model, element by element.

The operators' references compute the model in float64, rounded to the element type after each operator, once as it is
and several times disturbed: what an operator rounds is moved by a unit in the last place or a few, and what it sums by
as much as the rounding of that many terms in the accumulator's type amounts to. Where the results lie apart, the model
is as sensitive as that. Elements that nothing rounds have to be equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias
from unittest.mock import patch

import numpy as np
import onnx
from tilewright.dialects import graph
from tilewright.dialects.dtypes import dtype_name
from tilewright.dialects.names import NAME_ATTRIBUTE, SHAPE_OF_ATTRIBUTE
from tilewright.frontends.onnx import importer
from tilewright.operators import get_operator
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, SSAValue

RUNS, MANY_RUNS = 4, 48
FACTOR = 8.0
"""The factor between the largest distance among a few runs and the tolerance."""

_Values: TypeAlias = dict[SSAValue, np.ndarray]
_fold = importer._fold  # pyright: ignore[reportPrivateUsage]
_HALF_ULP = {"float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}
_LEAST = {"float16": 2.0**-24, "float32": 2.0**-149, "float64": 0.0}
_BASIC = {"add", "sub", "mul", "div", "sqrt", "reciprocal", "cast", "leaky_relu", "clip", "pow"}
"""Rounded correctly."""
_EXACT = (
    "relu neg abs sign floor ceil round identity dropout where minimum maximum less less_equal greater greater_equal "
    "equal and or xor not reshape flatten squeeze unsqueeze transpose broadcast_to concat split slice pad gather "
    "gather_elements tile depth_to_space space_to_depth reduce_max reduce_min argmax argmin max_pool2d"
)
"""Whose results are elements of the operands, or decided by them."""
_NORMALISED = ("layer_norm", "instance_norm", "group_norm")
_DIGITS = 4.0
"""The error of an elementary function in units of the last place, and of the number 1 where its result is small. Those
of float16 are computed in float32 and rounded."""


class NotComparable(Exception):
    """The data leads to what the type does not hold, to no number, or out of what a conversion defines."""


def import_unfolded(
    model: onnx.ModelProto, data: dict[str, np.ndarray] | None = None, by_value: Sequence[str] = ()
) -> ModuleOp:
    """Return the module of a model with the operators on floats that the importer would compute at once. Sizes are
    those of `data`, and the inputs in `by_value` have its values."""

    def fold(
        op: type[graph.GraphOp], arrays: Sequence[np.ndarray], properties: dict[str, Any], most: int | None
    ) -> Sequence[Any] | None:
        return None if any(array.dtype.kind == "f" for array in arrays) else _fold(op, arrays, properties, most)

    with patch.object(importer, "_fold", fold):
        shapes = {name: array.shape for name, array in (data or {}).items()}
        values = {name: (data or {})[name] for name in by_value}
        return importer.import_model(model, shapes=shapes, values=values)


def tolerances(module: ModuleOp, arrays: Sequence[np.ndarray], runs: int = RUNS) -> list[np.ndarray]:
    """Return the tolerance of each element of each output; more runs find more sensitive ones. Raises NotComparable."""
    expected = _run(module, arrays, None)
    spreads = [np.zeros(result.shape) for result in expected]
    for seed in range(runs):
        disturbed = _run(module, arrays, np.random.default_rng(seed))
        for spread, plain, other in zip(spreads, expected, disturbed, strict=True):
            if other.shape != plain.shape:
                raise NotComparable("a size that rounding decides")
            with np.errstate(invalid="ignore"):
                distance = np.abs(other.astype(np.float64) - plain.astype(np.float64))
            np.maximum(spread, np.where(np.isnan(distance), np.inf, distance), out=spread)
    if runs >= MANY_RUNS:  # near a pole no number of runs says how far apart others may lie
        for spread, plain in zip(spreads, expected, strict=True):
            spread[spread > 0.25 * np.abs(plain.astype(np.float64))] = np.inf
    return [FACTOR * spread for spread in spreads]


def _run(module: ModuleOp, arrays: Sequence[np.ndarray], rng: np.random.Generator | None) -> list[np.ndarray]:
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    values: _Values = dict(zip(function.body.block.args, arrays, strict=True))
    return _cut(function, _run_block(function.body.block, values, rng))


def _cut(function: FuncOp, results: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the outputs of a model: of those whose sizes are data the elements that there are, in their shape."""
    attributes = [item.data for item in function.res_attrs or ()]
    shapes = {
        attribute[SHAPE_OF_ATTRIBUTE]: result
        for attribute, result in zip(attributes, results, strict=False)
        if SHAPE_OF_ATTRIBUTE in attribute
    }
    outputs = list(results[: len(results) - len(shapes)])
    for position, attribute in enumerate(attributes[: len(outputs)]):
        if (shape := shapes.get(attribute[NAME_ATTRIBUTE])) is not None:
            outputs[position] = outputs[position].reshape(-1)[: shape.prod()].reshape(shape)
    return outputs


def _run_block(block: Block, values: _Values, rng: np.random.Generator | None) -> list[np.ndarray]:
    """Return the operands of the last operation of a block."""
    for op in block.ops:
        match op:
            case graph.ConstantOp():
                values[op.y] = op.array
            case graph.GraphOp():
                values |= zip(op.results, _evaluate(op, [values[v] for v in op.operands], rng), strict=True)
            case graph.IfOp():
                region = op.then_body if values[op.condition].item() else op.else_body
                values |= zip(op.res, _run_block(region.block, values, rng), strict=True)
            case graph.LoopOp():
                values |= zip(op.res, _run_loop(op, values, rng), strict=True)
            case ReturnOp() | graph.YieldOp():
                return [values[value] for value in op.operands]
            case _:
                raise AssertionError(op)
    raise AssertionError("no end of a block")


def _run_loop(op: graph.LoopOp, values: _Values, rng: np.random.Generator | None) -> list[np.ndarray]:
    most = values[op.trips].item() if op.trips is not None else op.length
    if not isinstance(most, int) and not op.sources:
        most = None
    elif op.sources:
        most = len(values[op.sources[0]])
    going = op.going is None or bool(values[op.going].item())
    carried, number = [values[init] for init in op.inits], 0
    parts: list[list[np.ndarray]] = [[] for _ in op.collected]
    while going and (most is None or number < most):
        elements = [values[source][number] for source in op.sources]
        values |= zip(op.body.block.args, [np.array(number), *carried, *elements], strict=True)
        passed = _run_block(op.body.block, values, rng)
        if op.going is not None:
            going = bool(passed.pop(0).item())
        carried = passed[: len(carried)]
        for part, value in zip(parts, passed[len(carried) :], strict=True):
            part.append(value)
        number += 1
    stacked = [
        np.stack(part) if part else np.zeros([int(size) if isinstance(size, int) else 0 for size in graph.shape_of(r)])
        for part, r in zip(parts, list(op.res)[len(carried) :], strict=True)
    ]
    return [*carried, *stacked]


def _evaluate(op: graph.GraphOp, operands: Sequence[np.ndarray], rng: np.random.Generator | None) -> list[np.ndarray]:
    name = op.name.removeprefix("graph.")
    record = get_operator(name)
    dtype = dtype_name(graph.element_of(op.results[0]))
    wide = [array.astype(np.float64) if array.dtype.kind == "f" else array for array in operands]
    if rng is not None and record.accumulator is not None and dtype in _HALF_ULP:
        terms = max(array.size for array in wide) / max(np.prod(graph_size(op, wide)), 1)
        unit = _HALF_ULP[record.accumulator.of(dtype)] * 2 * max(terms, 1.0) ** 0.5
        wide = [_moved(array, unit, 0.0, rng) if not _is_whole(array) else array for array in wide]
        if dtype == "float64" and _is_widened(op):  # transforms: peers sum in float32, with tables of that type
            unit = _HALF_ULP["float32"] * 2 * max(terms, 1.0) ** 0.5
            wide = [_moved(array, unit, unit * float(np.abs(array).max(initial=0)), rng) for array in wide]
    try:
        with np.errstate(all="ignore"):
            if name == "reduce_prod":  # who overflows ends where it likes
                _require_fitting(record.compute(wide[0].astype(np.float64), **op.values)[0], dtype)
            results = record.compute(*wide, **op.values)
    except ValueError as error:
        raise NotComparable(str(error)) from error
    if name == "resize" and rng is not None:  # peers find places, and so weights, in float32
        error = _HALF_ULP["float32"] * max(graph_size(op, wide), default=1) * 2
        results = [_moved(np.asarray(r), 0.0, error * float(np.abs(wide[0]).max(initial=0)), rng) for r in results]
    if name in _NORMALISED and rng is not None:
        # Peers compute x * scale + shift: the two cancel, and the digits of elements times scales are lost.
        largest = float(np.abs(wide[0]).max(initial=0)) * float(np.abs(wide[1]).max(initial=0))
        error = 2 * _HALF_ULP["float32"] * largest / float(op.values["epsilon"]) ** 0.5  # pyright: ignore
        results = [_moved(np.asarray(r), 0.0, error, rng) for r in results]
    if name == "cast" and wide[0].dtype.kind == "f":
        results = (wide[0],)  # before it is rounded
    # What is added up may be added up in another order, and float64 has no room to see what was rounded.
    exact = name in _EXACT.split() or (name in _BASIC and all(map(_is_whole, [*wide, *map(np.asarray, results)])))
    seen = name in _BASIC and name not in ("add", "sub") and dtype != "float64"
    dtypes = [dtype_name(graph.element_of(value)) for value in op.results]
    pairs = zip(results, dtypes, strict=True)
    return [_rounded(np.asarray(r), d, None if exact else rng, name in _BASIC, seen) for r, d in pairs]


def _is_widened(op: graph.GraphOp) -> bool:
    """Return whether an operand was of float32, as those of DFT and STFT are."""
    casts = [value.owner for value in op.operands if isinstance(value.owner, graph.CastOp)]
    return any(dtype_name(graph.element_of(cast.operands[0])) == "float32" for cast in casts)


def graph_size(op: graph.GraphOp, operands: Sequence[np.ndarray]) -> tuple[int, ...]:
    """Return the sizes of the result that are numbers: how many sums there are at least."""
    return tuple(size for size in graph.shape_of(op.results[0]) if isinstance(size, int))


def _rounded(result: np.ndarray, dtype: str, rng: np.random.Generator | None, basic: bool, seen: bool) -> np.ndarray:
    """Return the result in its type, moved where it was rounded: what is `seen` to be exact stays."""
    if dtype not in _HALF_ULP:
        if result.dtype.kind == "f":
            _require_fitting(result, dtype)
        return result.astype(dtype)
    if result.dtype.kind != "f":
        result = result.astype(np.float64)
    with np.errstate(over="ignore"):
        rounded = result.astype(dtype)
    if not np.isfinite(rounded).all():
        raise NotComparable("a number that is not finite")
    if rng is None:
        return rounded
    narrow = dtype == "float16"
    unit = _HALF_ULP[dtype] * (1.5 if basic or narrow else 2 * _DIGITS)
    absolute = 0.0 if basic else _HALF_ULP["float32" if narrow else dtype]
    moved = _moved(result, unit, 2 * _LEAST[dtype] + absolute, rng).astype(dtype)
    return np.where(rounded.astype(np.float64) == result, rounded, moved) if seen else moved


def _require_fitting(result: np.ndarray, dtype: str) -> None:
    if dtype != "bool" and dtype not in _HALF_ULP and result.size:
        info = np.iinfo(dtype)
        if not np.isfinite(result).all() or result.min() <= info.min - 1 or result.max() >= info.max + 1:
            raise NotComparable("a conversion to a type that does not hold the number")


def _moved(array: np.ndarray, relative: float, absolute: float, rng: np.random.Generator) -> np.ndarray:
    if array.dtype.kind != "f":
        return array
    signs = rng.choice([-1.0, 1.0], array.shape)
    return array + signs * (np.abs(array) * relative + absolute)


def _is_whole(array: np.ndarray) -> bool:
    """Return whether sums of the elements are exact in any order."""
    return array.dtype.kind != "f" or bool((array == np.round(array)).all() and (np.abs(array) < 512).all())
