"""The arguments and results of a compiled program, and the checks between a caller's arrays and the native code.

Native code trusts its caller, so everything that it relies on is checked here: count, names, dtypes, shapes, agreement
of symbolic sizes, memory order, alignment to the element, overlap. Inputs that are not C-contiguous are copied; outputs
that are not are refused. An input that shares memory with an output is copied too; outputs that share memory with one
another are refused.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NoReturn

import numpy as np

from .buffers import Array, aligned_empty
from .errors import fail
from .expectations import expect_type
from .extent import Dimension, Extent
from .memory import contiguous_copy, expect_memory
from .text import did_you_mean


@dataclass(frozen=True)
class Argument:
    """An input or output of a program. A fixed size is an int, a symbolic one an `Extent`."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[Dimension, ...]
    strides: tuple[int | None, ...] | None = None
    """In elements, None for any; None as a whole is dense in row-major order."""
    value: bytes | None = None
    """The elements of the one value of an input that the program was compiled for; None for any value."""
    shape_of: str | None = None
    """The output whose shape this output holds; callers get that one in its shape, and not this one."""

    def __str__(self) -> str:
        text = f"{self.name}: {self.dtype.name}[{', '.join(map(str, self.shape))}]"
        return text if self.value is None else f"{text} = {shown_value(self.array)}"

    @property
    def array(self) -> Array:
        """The value that the program was compiled for."""
        assert self.value is not None
        shape = [size for size in self.shape if isinstance(size, int)]
        return np.frombuffer(self.value, self.dtype).reshape(shape)

    def has_value(self, array: Array) -> bool:
        """Return whether an array, of any shape, has the value that the program was compiled for; True if it may be any
        value."""
        return self.value is None or (array.shape == self.shape and array.tobytes() == self.value)


@dataclass(frozen=True)
class Default(Argument):
    """An input that callers may leave out: the program was compiled for one value, of which it keeps a digest."""

    digest: str = ""

    def __str__(self) -> str:
        return f"{super().__str__()} by default"

    def read(self, value: object) -> Array:
        """Return a value that a caller brings. Raises TW0703, TW0704 and TW0707 for one that the input cannot have."""
        array = _input_array(self, value)
        fixed = [size for size in self.shape if isinstance(size, int)]
        given = [size for size, stated in zip(array.shape, self.shape) if isinstance(stated, int)]
        if array.ndim != len(self.shape) or given != fixed:
            _wrong_shape(self, array)
        return array

    def is_default(self, array: Array) -> bool:
        """Compare an array with the value that the program was compiled for."""
        return digest_of(array) == self.digest


def digest_of(array: Array) -> str:
    """Return a digest of an array's shape and of its elements in row-major order."""
    state = blake2b(str(array.shape).encode(), digest_size=16)
    state.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return state.hexdigest()


_SHOWN_DEFAULTS = 4
"""The most defaults that the text of a signature lists."""


@dataclass(frozen=True)
class Signature:
    """The inputs and outputs of a program, in the order of the native code's arguments."""

    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    order: tuple[int | str, ...] = ()
    """The positional arguments of a call: the number of each argument, inputs before outputs, and the names of sizes.
    Empty: the arguments in that order."""
    defaults: tuple[Default, ...] = ()
    """Inputs that are no arguments of the native code, which is for one value of each. By position they come after all
    other inputs and before outputs."""

    def __post_init__(self) -> None:
        self._check_shapes()
        bound = {d.name for a in self.arguments for d in a.shape if isinstance(d, Extent)}
        for argument in self.arguments:
            for dimension in argument.shape:
                if isinstance(dimension, Extent) and (unbound := dimension.symbols() - bound):
                    raise ValueError(
                        f"expected size {min(unbound)} of argument '{argument.name}' to be a dimension of an argument"
                    )

    def _check_shapes(self) -> None:
        """Raise ValueError for a shape of no output, and for what is no shape."""
        names = [output.name for output in self.outputs]
        for output in self.outputs:
            if output.shape_of is not None and (
                output.shape_of not in names or output.dtype != np.int64 or len(output.shape) != 1
            ):
                raise ValueError(f"expected '{output.name}' to be the shape of an output, but got '{output.shape_of}'")

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Inputs, then outputs."""
        return (*self.inputs, *self.outputs)

    @cached_property
    def results(self) -> tuple[Argument, ...]:
        """The outputs that callers get: all but the shapes of others."""
        return tuple(output for output in self.outputs if output.shape_of is None)

    @cached_property
    def _shapes(self) -> dict[int, int]:
        """The number of each output whose shape is found by the program, and that of the output that holds it."""
        names = [output.name for output in self.outputs]
        return {names.index(o.shape_of): k for k, o in enumerate(self.outputs) if o.shape_of is not None}

    def results_of(self, arrays: Sequence[Array]) -> list[Array]:
        """Return the results of a call out of the arrays that it has written: an output whose shape the program
        computes is a view of the array that was allocated for it."""
        if not self._shapes:
            return [*arrays]
        found: list[Array] = []
        for number, (output, array) in enumerate(zip(self.outputs, arrays)):
            if number in self._shapes:
                shape = [*map(int, arrays[self._shapes[number]])]
                array = array.reshape(-1)[: math.prod(shape)].reshape(shape)
            if output.shape_of is None:
                found.append(array)
        return found

    def __str__(self) -> str:
        outputs = {output: str(output) for output in self.results}
        for number, shape in self._shapes.items():
            output, sizes = self.outputs[number], self.outputs[shape].shape
            room = " * ".join(map(str, output.shape))
            outputs[output] = f"{output.name}: {output.dtype.name} of rank {sizes[0]}, at most {room} elements"
        inputs = [*map(str, self.inputs), *map(str, self.defaults[:_SHOWN_DEFAULTS])]
        if (more := len(self.defaults) - _SHOWN_DEFAULTS) > 0:
            inputs.append(f"{more} more by default")
        return f"({', '.join(inputs)}) -> ({', '.join(outputs.values())})"

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The symbolic sizes that a caller passes beside the arrays."""
        return tuple(each for each in self.order if isinstance(each, str))

    @cached_property
    def by_value(self) -> tuple[int, ...]:
        """The inputs that must have one value, by number."""
        return tuple(number for number, a in enumerate(self.inputs) if a.value is not None)

    @cached_property
    def _is_in_order(self) -> bool:
        """True if callers pass inputs before outputs, and no sizes."""
        return not self.order or self.order == tuple(range(len(self.arguments)))

    def split(self, given: Sequence[object]) -> tuple[Sequence[object], Sequence[object] | None, dict[str, object]]:
        """Split positional arguments into inputs, outputs (None where there are only inputs) and sizes."""
        count = len(self.inputs)
        if self._shapes:
            self._expect_no_outputs(len(given) > count)
        if self._is_in_order and len(given) == len(self.arguments):
            return given[:count], given[count:], {}
        if not self.order:
            return given, None, {}
        has_outputs = len(given) == len(self.order)
        passed = [p for p in self.order if has_outputs or isinstance(p, str) or p < count]
        if len(given) != len(passed):
            names = [p if isinstance(p, str) else self.arguments[p].name for p in self.order]
            fail("TW0701", f"expected {len(names)} arguments ({_listing(names)}), but got {len(given)}")
        values = dict(zip(passed, given))
        inputs = [values[k] for k in range(count)]
        outputs = [values[count + k] for k in range(len(self.outputs))] if has_outputs else None
        return inputs, outputs, {name: values[name] for name in self.sizes}

    def _expect_no_outputs(self, are_given: bool) -> None:
        if are_given and self._shapes:
            name = self.outputs[next(iter(self._shapes))].name
            fail(
                "TW0715",
                f"expected no arrays for outputs, because the program finds the shape of '{name}'",
                help="take the results that the call returns",
            )

    def check_sizes(self, stated: Mapping[str, object], sizes: Mapping[str, int]) -> None:
        """Raise TW0704 where a size that the caller states is not what the arrays have."""
        for name, value in stated.items():
            if name in sizes and value != sizes[name]:
                having = next(a.name for a in self.arguments if any(_is_size(d, name) for d in a.shape))
                fail("TW0704", f"expected {name} to be {sizes[name]} as in argument '{having}', but got {value}")

    def collect(self, positional: Sequence[object], named: Mapping[str, object]) -> list[Array]:
        """Return the inputs in order, from positional and keyword arguments; each checked for its dtype and made
        contiguous.

        Raises TW0701 for a wrong count, TW0702 for an unknown or doubled name, TW0703 for a dtype, TW0707 for
        what is no array, TW0714 for another value than the program was compiled for.
        """
        values = positional if not named and len(positional) == len(self.inputs) else self._by_name(positional, named)
        arrays = [_input_array(a, v) for a, v in zip(self.inputs, values)]
        for position in self.by_value:
            _check_value(self.inputs[position], arrays[position])
        return arrays

    def _by_name(self, positional: Sequence[object], named: Mapping[str, object]) -> list[object]:
        names = [a.name for a in self.inputs]
        unknown = next((n for n in named if n not in names), None)
        if unknown is not None:
            near = did_you_mean(unknown, [*names, "out", "threads"])
            fail("TW0702", f"expected inputs {_listing(names)}, but got one named '{unknown}'{near}")
        doubled = next((n for n in names[: len(positional)] if n in named), None)
        if doubled is not None:
            fail("TW0702", f"expected input '{doubled}' once, but got it by position and by name")
        missing = [n for n in names[len(positional) :] if n not in named]
        if missing or len(positional) > len(names):
            notes = [f"missing: {_listing(missing)}"] if missing else []
            outputs = _listing([a.name for a in self.outputs])
            fail(
                "TW0701",
                f"expected {len(names)} inputs ({_listing(names)}), but got {len(positional) + len(named)}",
                notes=notes,
                help=f"outputs that are to be written in place ({outputs}) come after all inputs"
                if not missing
                else None,
            )
        return [*positional, *(named[n] for n in names[len(positional) :])]

    def bind(self, arrays: Sequence[Any]) -> dict[str, int]:
        """Return the values of the symbolic sizes, from the inputs or from all arguments; whatever has a shape will do.

        Raises TW0704 where a shape does not fit or two disagree.
        """
        sizes: dict[str, int] = {}
        origins: dict[str, str] = {}
        computed: list[tuple[Argument, Array]] = []
        for argument, array in zip(self.arguments, arrays):
            if array.shape == argument.shape:
                continue
            if array.ndim != len(argument.shape):
                _wrong_shape(argument, array)
            for dimension, size in zip(argument.shape, array.shape):
                if isinstance(dimension, int):
                    if size != dimension:
                        _wrong_shape(argument, array)
                elif (name := dimension.name) is None:
                    computed.append((argument, array))
                elif (known := sizes.setdefault(name, size)) != size:
                    fail(
                        "TW0704",
                        f"expected size {name} of argument '{argument.name}' to be {known} "
                        f"as in argument '{origins[name]}', but got {size}",
                    )
                else:
                    origins.setdefault(name, argument.name)
        for argument, array in computed:
            _check_computed_sizes(argument, array, sizes, origins)
        return sizes

    def allocate(self, sizes: Mapping[str, int]) -> list[Array]:
        """Return fresh output arrays. Raises TW0708 where there is no memory for them, TW0712 where no input says their
        sizes."""
        return [_allocate(a, _output_shape(a, sizes)) for a in self.outputs]

    def collect_outputs(self, given: Sequence[object] | Mapping[str, object] | Array) -> list[Array]:
        """Return the caller's output arrays in order: the one array, a sequence, or a mapping by name.

        Raises TW0701 to TW0703 as for inputs, TW0706 where two outputs overlap, TW0707 where an array cannot
        be written to in place.
        """
        self._expect_no_outputs(True)
        arrays = [_output_array(a, v) for a, v in zip(self.outputs, self.ordered_outputs(given))]
        for position, array in enumerate(arrays):
            for other in range(position):
                if np.may_share_memory(array, arrays[other]):
                    first, second = self.outputs[other].name, self.outputs[position].name
                    fail(
                        "TW0706",
                        f"expected outputs '{first}' and '{second}' to be disjoint, but they share memory",
                    )
        return arrays

    def ordered_outputs(self, given: Sequence[object] | Mapping[str, object] | Array) -> list[object]:
        """Return the caller's outputs in order. Raises TW0701 and TW0702 for a wrong number of them and for unknown
        names."""
        names = [a.name for a in self.outputs]
        if isinstance(given, Mapping):
            unknown = next((n for n in given if n not in names), None)
            if unknown is not None:
                fail("TW0702", f"expected outputs {_listing(names)}, but got one named '{unknown}'")
            values = [given[n] for n in names if n in given]
        else:
            expect_type("out", given, np.ndarray, Sequence, Mapping)
            values = list[object]([given] if isinstance(given, np.ndarray) else given)
        if len(values) != len(names):
            fail("TW0701", f"expected {len(names)} outputs ({_listing(names)}), but got {len(values)}")
        return values


def fits(argument: Argument, array: Array) -> bool:
    """Return whether an array has the strides that an argument states, in whole elements."""
    wanted = argument.strides
    assert wanted is not None
    size = array.itemsize
    if not array.flags.aligned or len(wanted) != array.ndim:
        return False
    for stride, want, extent in zip(array.strides, wanted, array.shape):
        if extent > 1 and (stride % size or want not in (None, stride // size)):
            return False
    return True


def is_one_to_one(array: Array) -> bool:
    """Return whether no two elements share memory, as far as the strides prove it: each spans the dimensions inside
    it."""
    span = array.itemsize
    for stride, extent in sorted((abs(s), n) for s, n in zip(array.strides, array.shape) if n > 1):
        if stride < span:
            return False
        span = stride * extent
    return True


def separate(inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    """Return the inputs, those that may share memory with an output copied."""
    return [i.copy() if any(np.may_share_memory(i, o) for o in outputs) else i for i in inputs]


def _input_array(argument: Argument, value: object) -> Array:
    if isinstance(value, np.generic):
        value = np.asarray(value)
    elif isinstance(value, (bool, int, float)) and argument.shape == ():
        value = _from_number(argument, value)
    elif not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        value = _from_dlpack(argument, value)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "UT" and argument.dtype.kind == "O":
        value = value.astype(object)
    array = _checked_array(argument, value)
    if argument.strides is not None:
        if fits(argument, array):
            return array
        copy = _copied(argument, array)
        if not fits(argument, copy):
            _wrong_strides(argument, array)
        return copy
    if array.flags.c_contiguous and array.flags.aligned:
        return array
    return _copied(argument, array)


def _copied(argument: Argument, array: Array) -> Array:
    """Return a C-contiguous copy. Raises TW0704 where constant sizes do not fit, TW0708 where there is no memory for
    it."""
    if len(argument.shape) != array.ndim or any(
        isinstance(want, int) and want != size for want, size in zip(argument.shape, array.shape)
    ):
        _wrong_shape(argument, array)
    return contiguous_copy(array, f"argument '{argument.name}'")


def _from_number(argument: Argument, value: float) -> Array:
    """Return a number of Python as an array without dimensions. Raises TW0703 where the argument's type does not hold
    it."""
    kinds = {"b": bool, "i": int, "u": int}
    wanted = kinds.get(argument.dtype.kind, (int, float))
    try:
        fits = isinstance(value, wanted)  # pyright: ignore[reportUnnecessaryIsInstance]
        if fits and (argument.dtype.kind == "b" or not isinstance(value, bool)):
            return np.array(value, dtype=argument.dtype)
    except OverflowError:
        pass
    fail("TW0703", f"expected a number of type {argument.dtype} for argument '{argument.name}', but got {value!r}")


def shown_value(array: Array) -> str:
    """Return a value in a message: all of it, or its beginning."""
    return np.array2string(array, separator=", ", threshold=16, edgeitems=8, max_line_width=1 << 16)


def _check_value(argument: Argument, array: Array) -> None:
    if not argument.has_value(array):
        fail(
            "TW0714",
            f"expected argument '{argument.name}' to be {shown_value(argument.array)}, for which the program was "
            f"compiled, but got {shown_value(array)}",
        )


def _from_dlpack(argument: Argument, value: Any) -> Array:
    """Return the memory of another library's array. Raises TW0707 with what that library says against it."""
    try:
        return np.from_dlpack(value)
    except Exception as error:  # libraries have words of their own: gradients, sparse layouts, other devices
        fail(
            "TW0707",
            f"expected argument '{argument.name}' to give numpy its memory, but {type(value).__name__} says: {error}",
            help="pass a dense array of the host without a gradient, as in tensor.detach().cpu().numpy()",
        )


def _allocate(argument: Argument, shape: tuple[int, ...]) -> Array:
    expect_memory(shape, argument.dtype, f"output '{argument.name}'")
    try:
        return aligned_empty(shape, argument.dtype)
    except (MemoryError, OverflowError, ValueError) as error:  # numpy has three words for it
        fail("TW0708", f"expected enough memory for output '{argument.name}' of shape {[*shape]}: {error}")


def _output_array(argument: Argument, value: object) -> Array:
    array = _checked_array(argument, value)
    flags = array.flags
    if argument.strides is not None:
        if not (fits(argument, array) and flags.writeable and is_one_to_one(array)):
            _wrong_strides(argument, array)
    elif not flags.carray:
        fail(
            "TW0707",
            f"expected output '{argument.name}' to be a writable, C-contiguous, aligned array, "
            f"but got strides {[*array.strides]}, writable {flags.writeable}, aligned {flags.aligned}",
        )
    return array


def _wrong_strides(argument: Argument, array: Array) -> NoReturn:
    wanted = ", ".join("any" if s is None else str(s * argument.dtype.itemsize) for s in argument.strides or ())
    fail(
        "TW0707",
        f"expected argument '{argument.name}' to have strides of [{wanted}] bytes in whole elements, aligned, and "
        f"as an output to be writable and without overlap, but got strides {[*array.strides]}, "
        f"writable {array.flags.writeable}, aligned {array.flags.aligned}",
    )


def _checked_array(argument: Argument, value: object) -> Array:
    if not isinstance(value, np.ndarray):
        fail(
            "TW0707",
            f"expected argument '{argument.name}' to be a numpy array, but got {type(value).__name__}",
            help=f"np.asarray(value, dtype='{argument.dtype.name}') makes one",
        )
    if "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray):
        fail(
            "TW0707",
            f"expected argument '{argument.name}' to be an array without a mask, which would be lost",
            help="value.filled(x) puts a number where the mask is; value.data ignores it",
        )
    if value.dtype != argument.dtype:
        fail(
            "TW0703",
            f"expected argument '{argument.name}' to have dtype {argument.dtype}, but got {value.dtype}",
        )
    return value


def _output_shape(argument: Argument, sizes: Mapping[str, int]) -> tuple[int, ...]:
    unknown = {name for d in argument.shape if isinstance(d, Extent) for name in d.symbols() if name not in sizes}
    if unknown:
        fail(
            "TW0712",
            f"expected output '{argument.name}' as an argument: no input has size {min(unknown)}",
            help="pass all arguments; outputs are written in place",
        )
    shape = tuple(d if isinstance(d, int) else d.evaluate(sizes) for d in argument.shape)
    if min(shape, default=0) < 0:
        given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        fail(
            "TW0704",
            f"expected output '{argument.name}' to have no negative size, but got {[*shape]} for {given}",
        )
    return shape


def _is_size(dimension: Dimension, name: str) -> bool:
    return isinstance(dimension, Extent) and dimension.name == name


def _check_computed_sizes(
    argument: Argument, array: Array, sizes: Mapping[str, int], origins: Mapping[str, str]
) -> None:
    for dimension, size in zip(argument.shape, array.shape):
        if isinstance(dimension, Extent) and dimension.symbols() <= sizes.keys() and dimension.evaluate(sizes) != size:
            fail(
                "TW0704",
                f"expected size {dimension} of argument '{argument.name}' to be {dimension.evaluate(sizes)}, "
                f"but got {size}",
                notes=[
                    f"{name} is {sizes[name]} as in argument '{origins[name]}'"
                    for name in sorted(dimension.symbols())
                    if name in origins
                ],
            )


def _wrong_shape(argument: Argument, array: Array) -> None:
    expected = f"[{', '.join(map(str, argument.shape))}]"
    fail("TW0704", f"expected argument '{argument.name}' to have shape {expected}, but got {[*array.shape]}")


def _listing(names: Sequence[str]) -> str:
    return ", ".join(f"'{n}'" for n in names) or "none"
