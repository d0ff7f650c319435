"""Verification of a module op by op, so that an error carries the location of the op that breaks a rule.

Ops are verified innermost first, as in xDSL. The traversal uses an explicit stack: the depth of nesting is not limited.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from .errors import TilewrightError
from .locations import location_of
from .text import on_one_line

_XDSL_PREFIXES = ("Operation does not verify: ",)


def verify(op: Operation) -> None:
    """Verify `op` and all ops inside it. Raises TilewrightError TW0103 at the first that breaks a rule."""
    for nested in post_order(op):
        try:
            nested.verify(verify_nested_ops=False)
            for region in nested.regions:
                for block in region.blocks:
                    if block.is_empty:
                        block.verify()
        except RecursionError:
            raise
        except Exception as error:  # upstream verifiers meet IR that they do not expect with any exception
            raise located(error, nested) from None


def located(error: Exception, op: Operation) -> TilewrightError:
    """Return the error of a verifier in our form, at `op`."""
    message = on_one_line(error)
    if not isinstance(error, VerifyException):
        message = f"cannot be verified: {message}"
    for prefix in _XDSL_PREFIXES:
        message = message.removeprefix(prefix)
    if f"'{op.name}'" not in message:
        message = f"'{op.name}': {message}"
    return TilewrightError("TW0103", message, location=location_of(op), op=op)


def post_order(op: Operation) -> Iterator[Operation]:
    """Yield `op` and the ops inside it, each after those that it contains."""
    stack: list[tuple[Operation, Iterator[Operation]]] = [(op, _children(op))]
    while stack:
        current, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            yield current
        elif child.regions:
            stack.append((child, _children(child)))
        else:
            yield child


def _children(op: Operation) -> Iterator[Operation]:
    return (child for region in op.regions for block in region.blocks for child in block.ops)
