"""Calls of Python functions from compiled code.

@tvm.register_func("mine.scale")
def scale(x, y, factor):
    y.copyfrom(x.numpy() * factor)

B = te.extern((8,), [A], lambda ins, outs: tir.call_packed("mine.scale", ins[0], outs[0], 2.0), name="B")
C = te.compute((8,), lambda i: tir.trace([i, A[i]], "mine.watch"))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..diagnostics.expectations import expect_type
from ..runtime import packed, registry
from ..semantics.foreign import register_extern
from ..te.calls import PackedCall, ValuedCall
from ..te.dtypes import dtype_info
from ..te.expr import Const, Expr, as_expr, cast, const
from ..te.foreign import Buffer, Call, Pointer, Stride
from ..te.te_errors import te_error

DEFAULT_TRACE = "tvm.default_trace_action"
_CALLED = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
"""The types of numbers that C passes."""


def call_packed(name: str, *arguments: Any) -> Call:
    """Return a call of the function that `register_func` made known as `name`: in the body of `te.extern`, or emitted.

    The function gets an array for each buffer, inputs to read and results to write, a `ctypes.c_void_p` for each
    address (`buffer.data`, `buffer.access_ptr(...)`), and each number and text as it is; a size, an index, and an
    element of a buffer that a builder has are numbers too. The call of the program raises its exceptions. It
    runs in the thread that calls the program: loops around the call cannot be parallel, and programs that make one
    cannot be saved (TW0254). Raises TW0466 for other arguments.
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
            case Pointer():
                parameters.append(packed.ADDRESS)
                passed.append(argument)
            case Stride():
                parameters.append("int32")
                passed.append(argument)
            case str():
                parameters.append({"text": argument})
            case _:
                parameter, number = _number(name, argument)
                parameters.append(parameter)
                passed.append(number)
    symbol = _symbol(name, parameters)
    if not all(isinstance(each, Expr) for each in passed):
        return Call("int32", symbol, tuple(passed))
    value = PackedCall(name, _symbol(name, [*parameters, {"result": "int32"}]), tuple(passed), "int32")
    return ValuedCall("int32", symbol, tuple(passed), value)


def trace(args: Sequence[Any], trace_action: str = DEFAULT_TRACE) -> Expr:
    """Return the last of `args`, which the function registered as `trace_action` is called with each time it is
    computed.

    The function gets all of `args` as numbers. Its result replaces the value, unless that is None. The default
    action prints the numbers. The limits of `call_packed` apply; the call cannot stand in a condition (TW0254).
    Raises TW0466 for arguments that are no numbers.
    """
    expect_type("trace_action", trace_action, str)
    expect_type("args", args, list, tuple)
    if not args:
        te_error("TW0466", f"expected a value to trace by '{trace_action}', but got none")
    if trace_action == DEFAULT_TRACE and not registry.is_registered(DEFAULT_TRACE):
        registry.register(DEFAULT_TRACE, lambda *values: print(list(values)))
    wanted = as_expr(args[-1]).dtype
    passed = [_number(trace_action, each) for each in args]
    result = passed[-1][1].dtype
    symbol = _symbol(trace_action, [*(parameter for parameter, _ in passed), {"result": result, "keeps": True}])
    called = PackedCall(trace_action, symbol, tuple(number for _, number in passed), result)
    return cast(wanted, called) if wanted != result else called


def _symbol(name: str, parameters: Sequence[object]) -> str:
    symbol = packed.symbol_of(name, parameters)
    register_extern(symbol, packed.reference(name, parameters))
    return symbol


def _number(name: str, argument: Any) -> tuple[str, Expr]:
    """Return the type of the parameter for a number, and the number as C passes it."""
    match argument:
        case Const(value=value) if not dtype_info(argument.dtype).is_bool:
            given = const(value, "int32" if argument.dtype == "index" and abs(value) < 2**31 else argument.dtype)
        case Const(value=value) | (bool() as value):
            return "bool", const(int(value), "int32")
        case int():
            given = const(argument, "int32" if -(2**31) <= argument < 2**31 else "int64")
        case float():
            given = const(argument, "float64")
        case Expr() if dtype_info(argument.dtype).is_bool:
            return "bool", cast("int32", argument)
        case Expr():
            given = argument
        case _:
            te_error("TW0466", f"expected buffers, numbers and texts as arguments of {name!r}, but got {argument!r}")
    if given.dtype not in _CALLED:
        info = dtype_info(given.dtype)
        given = cast("float32" if info.is_float else "int32" if info.is_storage else "int64", given)
    return given.dtype, given
