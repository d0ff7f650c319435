"""Accesses of a flattened buffer by one index: `T.load("float32", A.data, i)` and `T.store(A.data, i, value)`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import loop
from . import arithmetic, expressions, rows
from .literals import type_name
from .positions import positions
from .script_values import BufferValue, Value, kind_of
from .state import BAD_ARGUMENT, UNSUPPORTED, State

_NO_PREDICATE = (None, True, 1)


def load(s: State, node: ast.Call) -> Value:
    """Read `T.load(dtype, A.data, index)`."""
    defaults = {"dtype": rows.REQUIRED, "var": rows.REQUIRED, "index": rows.REQUIRED, "predicate": None}
    given = rows.bound(s, node, defaults, "T.load")
    buffer = _buffer(s, given["var"])
    _check_predicate(s, given.get("predicate"))
    value = expressions.load(s, buffer, positions(s, buffer, [given["index"]]))
    wanted, found = type_name(rows.type_of(s, given["dtype"])), type_name(value.type)
    if wanted != found:
        s.fail(BAD_ARGUMENT, f"expected a load of {found}, which the buffer holds, but got {wanted}", given["dtype"])
    return value


def store(s: State, node: ast.Call) -> Value:
    """Read `T.store(A.data, index, value)`."""
    defaults = {"var": rows.REQUIRED, "index": rows.REQUIRED, "value": rows.REQUIRED, "predicate": None}
    given = rows.bound(s, node, defaults, "T.store")
    buffer = _buffer(s, given["var"])
    _check_predicate(s, given.get("predicate"))
    value = expressions.evaluate(s, given["value"])
    store_at(s, buffer, [given["index"]], value)
    return None


def store_at(s: State, buffer: BufferValue, parts: Sequence[ast.expr], value: Value) -> None:
    """Store a value to an element, or to the lanes of a vector access."""
    known = value if isinstance(value, SSAValue) else arithmetic.stored(s, value, buffer.element, None)
    indices, lanes = expressions.lanes_in(s, positions(s, buffer, parts))
    stored = arithmetic.stored(s, known, buffer.element, lanes)
    s.add(loop.StoreOp(stored, buffer.value, buffer.at(indices)))


def _buffer(s: State, node: ast.expr) -> BufferValue:
    found = expressions.evaluate(s, node)
    if not isinstance(found, BufferValue):
        s.fail(BAD_ARGUMENT, f"expected the data of a buffer, but got {kind_of(found)}", node)
    return found.as_flat()


def _check_predicate(s: State, node: ast.expr | None) -> None:
    if isinstance(node, ast.Call) and expressions.called_name(s, node) in ("broadcast", "Broadcast") and node.args:
        node = node.args[0]  # the same for all lanes
    if node is not None and expressions.evaluate(s, node) not in _NO_PREDICATE:
        s.fail(UNSUPPORTED, "expected an access without a predicate", node, help="guard it: `if condition:`")
