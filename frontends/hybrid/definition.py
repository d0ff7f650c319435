"""`te.hybrid.script`: a Python function as the definition of tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from ...diagnostics import fail
from ...te.expr import Expr
from ...te.external import SCRIPT, extern
from ...te.tensor import Tensor
from .emulation import emulate
from .reading import read

NO_SCRIPT = "TW0314"


def script(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose loops, written in Python, compute tensors.

    Called with tensors, sizes and constants, lists of them included, it is read from its source text and gives a
    tensor, or a list of tensors, whose operation has its loops. Called with numbers and arrays it is run by Python.

    Inside it stand loops over `range`, `parallel`, `vectorize`, `unroll`, `const_range`, `grid` and
    `bind(thread, extent)`; `output_tensor(shape, dtype)` for each result, which is returned;
    `allocate(shape, dtype, scope)`; conditions, assertions, elements of tensors, variables, functions of scalars, and
    calls of other scripts.

    Raises TilewrightError TW0310 to TW0314, at a line and column of the script.
    """
    if not isinstance(function, FunctionType):
        fail(NO_SCRIPT, f"expected a function to read as a script, but got {function!r}")

    @wraps(function)
    def call(*arguments: Any) -> Any:
        return define(function, arguments) if any(map(is_symbolic, arguments)) else emulate(function, arguments)

    return call


def is_symbolic(argument: Any) -> bool:
    """Return whether an argument is a tensor or an expression, or a list with one: the script is read, not run."""
    if isinstance(argument, (list, tuple)):
        return any(map(is_symbolic, argument))  # pyright: ignore[reportUnknownArgumentType]
    return isinstance(argument, (Tensor, Expr))


def define(function: FunctionType, arguments: tuple[Any, ...]) -> Any:
    """Return the tensor, or the list of tensors, that a script computes of its arguments."""
    reading = read(function, arguments)
    shapes = [list(shape) for shape, _ in reading.results]
    dtypes = [dtype for _, dtype in reading.results]
    name = function.__name__
    attrs = {SCRIPT: name}
    made = extern(shapes, reading.inputs, lambda ins, outs: reading.emit, name=name, dtype=dtypes, attrs=attrs)
    return made[0] if len(made) == 1 else made
