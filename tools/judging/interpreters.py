"""Execution of a function by xDSL's interpreters of upstream dialects, in a separate process.

The interpreters support few operations and loops of constant bounds, and compute floats in double precision between two
accesses to memory. They are the fallback where `mlir-runner` is missing.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...semantics.values import Array
from .function import Layout, Original, Slot
from .mlir_tools import run
from .runner import CannotRun, Crash, Left, Ran

NAME = "xDSL's interpreter"
_OUTSIDE = re.compile("out of bounds|too small|requires a buffer")
"""Words of errors of accesses outside of a buffer."""


def run_all(function: Original, trials: Sequence[Sequence[Array]], shapes: Sequence[tuple[int, ...]]) -> list[Ran]:
    """Call a function on the inputs of each trial, all of the same shapes; `shapes` has those of its results.

    Raises CannotRun where an operation or a type is not implemented.
    """
    if (reason := function.unsuited()) is not None:
        raise CannotRun(reason)
    layout = Layout.of(function, trials[0], shapes)
    request = {
        "text": function.text,
        "name": function.name,
        "trials": [[np.asarray(value).reshape(-1).tolist() for value in inputs] for inputs in trials],
        "shared": function.shared,
        "shapes": [list(slot.shape) for slot in layout.inputs],
    }
    ended = run([sys.executable, "-m", __name__], json.dumps(request).encode())
    if ended.status != 0:
        raise CannotRun(f"{NAME} does not run the file: {ended.reason}")
    return [_ran(layout, answer) for answer in json.loads(ended.out)]


def _ran(layout: Layout, answer: dict[str, Any]) -> Ran:
    if "skipped" in answer:
        return None
    if "crash" in answer:
        return Crash(answer["crash"])
    slots = [*layout.inputs, *layout.results]
    values = [_array(slot, numbers) for slot, numbers in zip(slots, answer["values"], strict=True)]
    return Left(values, values, None)


def _array(slot: Slot, numbers: list[float]) -> Array:
    if len(numbers) != np.prod(slot.shape, dtype=int):
        raise CannotRun("its results have other shapes than expected")
    with np.errstate(all="ignore"):
        return np.array(numbers, dtype=object).astype(slot.dtype).reshape(slot.shape)


def main() -> int:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    print(json.dumps([_answer(request, inputs) for inputs in request["trials"]]))
    return 0


def _answer(request: dict[str, Any], inputs: list[list[float]]) -> dict[str, Any]:
    """Return the state after one call: numbers of arguments and results, or why the interpreters stopped."""
    from xdsl.interpreter import Interpreter
    from xdsl.interpreters import register_implementations

    from ...diagnostics.parsing import parse
    from ...dialects import context

    ctx = context()
    module = parse(ctx, request["text"], "<judged>")
    _use_dimensions(module)
    interpreter = Interpreter(module)
    register_implementations(interpreter, ctx)
    function = interpreter.get_op_for_symbol(request["name"])
    types = function.body.block.arg_types  # pyright: ignore
    values = [
        _value(type_, numbers, shape) for type_, numbers, shape in zip(types, inputs, request["shapes"], strict=True)
    ]
    for first, *others in request["shared"]:
        for other in others:
            values[other] = values[first]
    try:
        results = interpreter.call_op(function, tuple(values))
    except OverflowError:  # a float beyond float32, which these interpreters cannot store
        return {"skipped": True}
    except Exception as error:  # an operation that is not implemented ends in any kind of exception
        text = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        if isinstance(error, (IndexError, ZeroDivisionError)) or _OUTSIDE.search(text):
            return {"crash": text}
        raise SystemExit(f"error: {text}") from None
    return {"values": [_numbers(value) for value in (*values, *results)]}


def _use_dimensions(module: Any) -> None:
    """Write symbols of subscripts as dimensions: xDSL parses subscripts to symbols, and evaluates dimensions alone."""
    from xdsl.dialects import affine
    from xdsl.dialects.builtin import AffineMapAttr
    from xdsl.ir.affine import AffineExpr, AffineMap

    for op in module.walk():
        if not isinstance(op, (affine.LoadOp, affine.StoreOp, affine.ApplyOp)):
            continue
        old = op.map.data
        dims = [AffineExpr.dimension(n) for n in range(old.num_dims + old.num_symbols)]
        results = [each.replace_dims_and_symbols(dims[: old.num_dims], dims[old.num_dims :]) for each in old.results]
        op.properties["map"] = AffineMapAttr(AffineMap(len(dims), 0, tuple(results)))


def _value(type_: Any, numbers: list[float], shape: list[int]) -> Any:
    from xdsl.interpreters.builtin import xtype_for_el_type
    from xdsl.interpreters.shaped_array import ShapedArray
    from xdsl.interpreters.utils.ptr import TypedPtr

    if not hasattr(type_, "element_type"):
        return numbers[0]
    return ShapedArray(TypedPtr[Any].new(numbers, xtype=xtype_for_el_type(type_.element_type, 64)), shape)


def _numbers(value: Any) -> list[float]:
    return list(value.data) if hasattr(value, "data") else [value]


if __name__ == "__main__":
    sys.exit(main())
