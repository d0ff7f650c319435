"""Calls of functions of Python from compiled code.

@tvm.register_func("mine.scale")
def scale(x, y, factor):
    y.copyfrom(x.numpy() * factor)

B = te.extern((8,), [A], lambda ins, outs: tir.call_packed("mine.scale", ins[0], outs[0], 2.0), name="B")
"""

from __future__ import annotations

from typing import Any

from ..runtime import packed
from ..semantics.foreign import register_extern
from ..te.dtypes import dtype_info
from ..te.expr import Const, const
from ..te.foreign import Buffer, Call, Stride
from ..te.te_errors import te_error


def call_packed(name: str, *arguments: Any) -> Call:
    """A call of the function that `register_func` made known as `name`, in the body of `te.extern`.

    The function gets an array for each buffer, inputs to read and results to write, and each number and text as it is.
    What it raises is what the call of the program raises. It runs in the thread that calls the program: loops around
    the call cannot be parallel, and programs that make one cannot be saved (TW0254). Raises TW0466 for other arguments.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        te_error("TW0466", f"expected the name of a registered function, but got {name!r}")
    parameters: list[object] = []
    passed: list[Any] = []
    for argument in arguments:
        match argument:
            case Buffer():
                shape = [size for size in argument.shape if isinstance(size, int)]
                if len(shape) != len(argument.shape):
                    te_error("TW0466", f"expected constant sizes of buffer {argument.name!r}, which {name!r} gets")
                parameters.append([argument.dtype, shape])
                passed += [argument, *(Stride(d, None, f"stride{d}", [argument]) for d in range(len(shape)))]
            case str():
                parameters.append({"text": argument})
            case _:
                number = _number(name, argument)
                parameters.append("bool" if isinstance(argument, bool) else number.dtype)
                passed.append(number)
    symbol = packed.symbol_of(name, parameters)
    register_extern(symbol, packed.reference(name, parameters))
    return Call("int32", symbol, tuple(passed))


def _number(name: str, argument: Any) -> Const:
    match argument:
        case Const() if not dtype_info(argument.dtype).is_bool:
            return argument
        case Const(value=value) | (bool() as value):
            return const(int(value), "int32")
        case int():
            return const(argument, "int32" if -(2**31) <= argument < 2**31 else "int64")
        case float():
            return const(argument, "float64")
        case _:
            te_error("TW0466", f"expected buffers, numbers and texts as arguments of {name!r}, but got {argument!r}")
