"""The fast path of calls from Python: a native function that checks the arrays and runs the kernel, without Python
code.

The call entry is one piece of native code for all programs (`backends.cpu.call_entry` writes it; saved libraries carry
it). CPython calls it with the arguments as they lie on its stack (METH_FASTCALL); its `self` is a tuple made here:

    (table, call, arenas, allocate, and the objects that the table points to)

`table` is an array of 64-bit words, laid out below. The entry accepts arrays of exactly the class `numpy.ndarray` whose
dtype, rank, shape, strides, alignment and flags equal those of the table, and whose outputs overlap no other argument.
It takes a block from the list `arenas`, releases the interpreter's lock, runs the kernel and puts the block back. In
all other cases it forwards the arguments unchanged to `call`, the checked call: for keywords, other objects, arrays
that have to be copied, wrong arguments, an empty list of arenas, or a kernel that failed. So all errors are raised in
one function.

Called with the inputs alone, the entry gets the outputs from `allocate` and returns them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .arguments import Argument, Signature, is_one_to_one
from .buffers import Array, address_of, aligned_empty
from .object_layout import ALIGNED, C_CONTIGUOUS, WRITEABLE, is_known

if TYPE_CHECKING:
    from .executable import CtypesCall

MAX_ARGUMENTS = 320
"""More than that go through ctypes: the entry keeps their addresses on the stack."""

_LARGEST = 2**63 - 1

ENTRY, CONSTANTS, INTERFACE, THREADS, LIMIT, INPUTS, ARGUMENTS, HAS_ARENA = range(8)
"""Words of a table: the native entry, its table of constants, the words of `interface`, threads, the address of the
most threads that a region may have, how many inputs and arguments there are, whether a call needs an arena."""
ALL_ORDER, INPUT_ORDER, RECORDS = 8, 8 + MAX_ARGUMENTS, 8 + 2 * MAX_ARGUMENTS
"""The first words of three tables: the number of the argument at each position of a call with all arguments; the same
for a call with inputs alone; the records of the arguments."""
DTYPE, RANK, SHAPE, STRIDES, FLAGS, LOW, HIGH, RECORD_WORDS = range(8)
"""Words of an argument's record: the address of its dtype; its rank; the addresses of the sizes, and of the strides in
bytes or 0 where the flags imply them; the flags that must be set; the range of bytes that it covers from its data
on."""

_FUNCTIONS = (
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyObject_Vectorcall",
    "Py_IncRef",
    "Py_DecRef",
    "PyList_Size",
    "PyList_GetItem",
    "PyList_SetSlice",
    "PyList_Append",
)
SAVE_THREAD, RESTORE_THREAD, VECTORCALL, INCREF, DECREF, LIST_SIZE, LIST_ITEM, LIST_SET_SLICE, LIST_APPEND = range(9)
ARRAY_TYPE, NONE = 9, 10
"""Words of the interface: the interpreter's functions, the class of arrays, None."""

SYMBOL = "tilewright_call"
"""The call entry's name in libraries."""

_FASTCALL, _KEYWORDS = 0x80, 0x02


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def callable_of(call: CtypesCall) -> Callable[..., Any] | None:
    """Return the native callable of the function; None where its calls have to be checked in Python."""
    executable = call.executable
    if executable.call_entry is None or executable.checks is not None or not _is_plain(call.signature):
        return None
    if not is_known() or interface() is None:
        return None
    table, kept = _table(call)
    bound = (table, call, call.arenas.free, _allocator(call.signature), *kept)
    return _new_function(_method(executable.call_entry), bound)


@cache
def interface() -> Array | None:
    """Return the addresses that the entry needs of the interpreter, in the order of the words above; None where one is
    missing."""
    try:
        functions = [_address(getattr(ctypes.pythonapi, name)) for name in _FUNCTIONS]
        _address(ctypes.pythonapi.PyCFunction_NewEx)
    except AttributeError:
        return None
    return np.array([*functions, id(np.ndarray), id(None)], np.int64)


def _is_plain(signature: Signature) -> bool:
    """Return whether all shapes and strides are numbers that fit a word, no two elements of an output share memory, and
    inputs may have any value."""
    arguments = signature.arguments
    if (
        len(arguments) > MAX_ARGUMENTS
        or signature.sizes
        or signature.by_value
        or signature.results != signature.outputs
    ):
        return False
    if any(not isinstance(d, int) for a in arguments for d in a.shape):
        return False
    if any(s is None for a in arguments for s in a.strides or ()):
        return False
    if any(prod(_shape(a)) * a.dtype.itemsize > _LARGEST for a in arguments):
        return False
    return all(a.strides is None or is_one_to_one(_sample(a)) for a in signature.outputs)


def _sample(argument: Argument) -> Array:
    """Return an array with the argument's shape and strides and without storage for its elements, which must not be
    accessed."""
    assert argument.strides is not None
    steps = [s * argument.dtype.itemsize for s in argument.strides if s is not None]
    return np.lib.stride_tricks.as_strided(np.empty(1, argument.dtype), _shape(argument), steps, writeable=False)


def _shape(argument: Argument) -> tuple[int, ...]:
    return tuple(size for size in argument.shape if isinstance(size, int))


def _table(call: CtypesCall) -> tuple[Array, tuple[object, ...]]:
    """Return the table of a function, and the objects that have to live as long."""
    signature, words = call.signature, interface()
    assert words is not None
    arguments = signature.arguments
    table = np.zeros(RECORDS + RECORD_WORDS * len(arguments), np.int64)
    kept: list[object] = [words, call.executable.keep_alive, call.thread_limit]
    table[ENTRY] = call.executable.address
    table[CONSTANTS] = ctypes.addressof(call.constant_table)
    table[INTERFACE] = address_of(words)
    table[THREADS] = call.threads
    table[LIMIT] = ctypes.addressof(call.thread_limit)
    table[INPUTS] = len(signature.inputs)
    table[ARGUMENTS] = len(arguments)
    table[HAS_ARENA] = call.arenas.size > 0
    order = [p for p in signature.order if isinstance(p, int)] or [*range(len(arguments))]
    table[ALL_ORDER : ALL_ORDER + len(order)] = order
    inputs = [p for p in order if p < len(signature.inputs)]
    table[INPUT_ORDER : INPUT_ORDER + len(inputs)] = inputs
    for number, argument in enumerate(arguments):
        record = table[RECORDS + RECORD_WORDS * number :][:RECORD_WORDS]
        kept += _write_record(record, argument, is_output=number >= len(signature.inputs))
    return table, tuple(kept)


def _write_record(record: Array, argument: Argument, *, is_output: bool) -> list[object]:
    """Write the record that the entry compares an array with. Return the objects that the record points to."""
    shape, size = _shape(argument), argument.dtype.itemsize
    flags = ALIGNED | (WRITEABLE if is_output else 0)
    if argument.strides is None:
        flags |= C_CONTIGUOUS
        steps = [size * inner for inner in accumulate((1, *shape[:0:-1]), lambda a, b: a * b)][::-1]
    else:
        steps = [size * s for s in argument.strides if s is not None]
    ends = [(n - 1) * step for n, step in zip(shape, steps)] if 0 not in shape else []
    sizes, strides = np.array(shape, np.int64), np.array(steps, np.int64)
    record[DTYPE], record[RANK], record[FLAGS] = id(argument.dtype), len(shape), flags
    record[SHAPE] = address_of(sizes)
    record[STRIDES] = 0 if argument.strides is None else address_of(strides)
    record[LOW] = sum(min(end, 0) for end in ends)
    record[HIGH] = 0 if 0 in shape else size + sum(max(end, 0) for end in ends)
    return [argument.dtype, sizes, strides]


def _allocator(signature: Signature) -> Callable[[], tuple[Array, ...]]:
    """Return the function that allocates fresh outputs."""
    makers = [(_shape(a), a.dtype) for a in signature.outputs]

    def allocate() -> tuple[Array, ...]:
        try:
            return tuple([aligned_empty(shape, dtype) for shape, dtype in makers])
        except (MemoryError, OverflowError, ValueError):
            return tuple(signature.allocate({}))  # which raises the error

    return allocate


@cache
def _method(address: int) -> _MethodDefinition:
    """Return the definition of the method at `address`. Functions that are made of it may outlive this module, so it
    lives as long as the process."""
    flags = _FASTCALL | _KEYWORDS
    definition = _MethodDefinition(b"call", address, flags, b"Run a compiled function on numpy arrays.")
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(definition))
    return definition


def _new_function(method: _MethodDefinition, bound: tuple[object, ...]) -> Callable[..., Any]:
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    make = prototype(("PyCFunction_NewEx", ctypes.pythonapi))
    return make(ctypes.addressof(method), bound, None)


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address
