"""Translation of graph operators and operations of user dialects: calls of the reference registered for each."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType, TensorType, UnrankedTensorType
from xdsl.ir import Operation

from ...diagnostics import TilewrightError, fail
from ..registry import Reference, find_reference
from ..values import Array, dtype_of, is_index
from .function import FunctionEmitter
from .text import tuple_text


def emit_registered(emitter: FunctionEmitter, op: Operation) -> None:
    """Emit one call of the reference. Raises TilewrightError TW0720 where there is none."""
    reference = find_reference(op.name)
    if reference is None or op.regions or op.successors:
        emitter.program.fail_unknown(op)
    function = emitter.bind(partial(_evaluate, op, reference, emitter.is_grid), op.name.rpartition(".")[2])
    operands = emitter.names(op.operands)
    results = [emitter.define(r) for r in op.results]
    call = f"{function}({', '.join(operands)})"
    emitter.add(f"{tuple_text(results)} = {call}" if results else call)


def _evaluate(op: Operation, reference: Reference, is_grid: bool, *operands: Any) -> tuple[Any, ...]:
    try:
        found: Any = reference(op, *operands)
    except TilewrightError as error:
        if error.location is not None:
            raise
        fail(error.code, error.message, op=op, notes=error.notes, help=error.help)
    values = tuple(found) if isinstance(found, (tuple, list)) else () if found is None else (found,)
    if len(values) != len(op.results):
        fail(
            "TW0720",
            f"expected the reference of {op.name} to give {len(op.results)} values, but got {len(values)}",
            op=op,
        )
    return tuple(_checked(op, r.type, value, is_grid) for r, value in zip(op.results, values, strict=True))


def _checked(op: Operation, type: Any, value: Any, is_grid: bool) -> Any:
    """Return a value in the form that the interpreter holds it in, of the type that the IR states."""
    if is_index(type) and not is_grid:
        return int(value)
    array = np.asarray(value)
    fits = is_grid or isinstance(type, UnrankedTensorType) or _has_shape(array, type)
    if not is_index(type) and array.dtype != dtype_of(type, op) or not fits:
        found = f"{array.dtype}{[*array.shape]}"
        fail("TW0720", f"expected the reference of {op.name} to give {type}, but got {found}", op=op)
    return array if array.ndim or isinstance(type, TensorType) else array[()]


def _has_shape(array: Array, type: Any) -> bool:
    shape = type.get_shape() if isinstance(type, ShapedType) else ()
    return len(shape) == array.ndim and all(n in (DYNAMIC_INDEX, m) for n, m in zip(shape, array.shape, strict=True))
