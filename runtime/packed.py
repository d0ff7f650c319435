"""Python functions that compiled code calls, `tir.call_packed` in programs.

The symbol of such a call states the callee and its parameters: `packed ["mine.scale", ["float32", [4, 8]], "int32"]`
calls the function registered as `mine.scale` (`runtime.registry`) with an array and a number. From this text a C
function is made here, which takes the address of each array and its strides in elements, as int32, each number and each
address. It returns 0. Where the last parameter is `{"result": dtype}`, it returns the number that the Python function
returns; for None 0, or with `"keeps": true` the last number that was passed. The name is looked up at each call.

An exception of the function is stored for its thread. Later packed calls of that thread do nothing, and the call of the
program raises the exception.
"""

from __future__ import annotations

import ctypes
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .description import read_dtype
from .registry import find
from .slots import PACKED_ARRAYS

PREFIX = "packed "

ADDRESS = "handle"
"""The parameter that is an address, which functions get as a `ctypes.c_void_p`."""


class _Raised(threading.local):
    """The exception of a Python function that compiled code called in this thread."""

    error: BaseException | None = None


_raised = _Raised()
_callees: dict[str, Any] = {}
"""The C function of each symbol. They live as long as the process: code refers to them."""


def symbol_of(name: str, parameters: Sequence[object]) -> str:
    """Return the symbol of calls of a function: an array is a list of its dtype and shape, a number its dtype, an
    address "handle", a constant text is `{"text": …}`, and a last `{"result": dtype}` is the type of the result."""
    symbol = PREFIX + json.dumps([name, *parameters])
    if symbol not in _callees:
        _callees[symbol] = _callee(name, parameters)
    return symbol


def is_packed(symbol: str) -> bool:
    """Return whether `symbol` is the symbol of calls of a Python function."""
    return symbol.startswith(PREFIX)


def addresses() -> dict[str, int]:
    """Return the addresses of all callees by their symbols."""
    return {symbol: ctypes.cast(callee, ctypes.c_void_p).value or 0 for symbol, callee in _callees.items()}


def raise_pending() -> None:
    """Raise the exception that a function raised in this thread since the last call of this function."""
    error = _raised.error
    if error is not None:
        _raised.error = None
        raise error


def reference(name: str, parameters: Sequence[object]) -> Callable[..., Any]:
    """Return the function as the interpreter calls it: with an array and its strides, or a number, for each
    parameter."""
    taken, result, keeps = _signature(parameters)

    def call(*passed: Any) -> Any:
        rest = iter(passed)
        arguments: list[Any] = []
        for parameter in taken:
            if isinstance(parameter, list):
                array = next(rest).reshape(parameter[1])
                arguments.append(array.view(PACKED_ARRAYS.value))
                for _ in parameter[1]:
                    next(rest)
            elif parameter == ADDRESS:
                arguments.append(ctypes.c_void_p(next(rest).ctypes.data))
            else:
                arguments.append(_number(parameter, rest))
        return _given(find(name)(*arguments), arguments[-1] if keeps else 0, result)

    return call


def _signature(parameters: Sequence[Any]) -> tuple[Sequence[Any], str | None, bool]:
    """Return the parameters of a call, the type of the number that it returns, and whether None keeps the previous
    number."""
    last = parameters[-1] if parameters else None
    if isinstance(last, dict) and "result" in last:
        return parameters[:-1], last["result"], last.get("keeps", False)
    return parameters, None, False


def _given(returned: Any, otherwise: Any, result: str | None) -> Any:
    """Return the result of the call: a number of the type `result`, 0 where there is none."""
    if result is None:
        return 0
    return np.dtype(result).type(otherwise if returned is None else returned).item()


def _callee(name: str, parameters: Sequence[object]) -> Any:
    taken, result, keeps = _signature(parameters)
    types: list[Any] = []
    for parameter in taken:
        if isinstance(parameter, list):
            types += [ctypes.c_void_p, *[ctypes.c_int32] * len(parameter[1])]
        elif parameter == ADDRESS:
            types.append(ctypes.c_void_p)
        elif isinstance(parameter, str):
            types.append(_c_type("int32" if parameter == "bool" else parameter))

    def call(*passed: Any) -> Any:
        if _raised.error is None:
            try:
                rest = iter(passed)
                arguments = [_argument(parameter, rest) for parameter in taken]
                return _given(find(name)(*arguments), arguments[-1] if keeps else 0, result)
            except BaseException as error:  # which must not cross native code
                _raised.error = error
        return 0

    return ctypes.CFUNCTYPE(_c_type(result or "int32"), *types)(call)


def _c_type(dtype: str) -> Any:
    return np.ctypeslib.as_ctypes_type(np.dtype(dtype))


def _argument(parameter: Any, passed: Iterator[Any]) -> Any:
    if parameter == ADDRESS:
        return ctypes.c_void_p(next(passed))
    if not isinstance(parameter, list):
        return _number(parameter, passed)
    dtype, shape = read_dtype(parameter[0]), tuple(parameter[1])
    address = next(passed)
    strides = [next(passed) for _ in shape]
    if 0 in shape:
        return np.empty(shape, dtype).view(PACKED_ARRAYS.value)
    size = dtype.itemsize * (1 + sum((n - 1) * s for n, s in zip(shape, strides)))
    memory = (ctypes.c_uint8 * size).from_address(address)
    array = np.ndarray(shape, dtype, memoryview(memory), 0, [s * dtype.itemsize for s in strides])
    return array.view(PACKED_ARRAYS.value)


def _number(parameter: Any, passed: Iterator[Any]) -> Any:
    if isinstance(parameter, dict):
        return parameter["text"]
    value = next(passed)
    return bool(value) if parameter == "bool" else value.item() if isinstance(value, np.generic) else value
