"""A compiled function, callable on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import ref

from .buffers import Array
from .calls import coded_methods
from .checked_call import CheckedCall, Outputs
from .defaults import DefaultedCall
from .executable import CtypesCall, Executable
from .native_call import callable_of
from .pickling import Origin, reduced_function


class Entered:
    """An object whose calls are forwarded to a callable in its slot `__call__`, without a Python frame.

    The interpreter looks `__call__` up in the class, finds the slot's descriptor, and calls the object that the slot
    holds.
    """

    if not TYPE_CHECKING:  # type checkers take slots for values, which bind no self
        __slots__ = ("__call__",)

    if TYPE_CHECKING:

        def __call__(
            self, *arrays: object, out: Outputs | None = None, threads: int | None = None, **named: object
        ) -> Array | tuple[Array, ...] | None: ...

    def enter_by(self, call: Callable[..., Array | tuple[Array, ...] | None]) -> None:
        """Let calls of this object be calls of `call`."""
        object.__setattr__(self, "__call__", call)


@coded_methods
class Function(Entered):
    """A compiled function.

    Call it with the inputs as numpy arrays, by position or by name: `f(x)` or `f(input=x)`. It returns the output
    array, or a tuple where there are several. Called with inputs and outputs, `f(x, y)`, it writes the outputs in place
    and returns None; arguments then come in the order in which the function was defined. Inputs that a model has
    defaults of may be left out; by position they come behind all other inputs, and outputs behind them. `out` receives
    the results in place too: an array, or a sequence or mapping of arrays. `threads` is how many threads parallel loops
    use. Safe to call from several threads at once.

    Raises TilewrightError TW0701 to TW0708 for arguments that do not fit; see `tilewright.runtime.arguments`; TW0730
    where a check of the program fails, after which outputs that the caller gave may be partly written; TW0725 for
    several threads where the host runs no loops.
    """

    def __init__(self, call: CheckedCall) -> None:
        self.signature = call.signature
        self._program = call
        self._call = DefaultedCall(call) if call.signature.defaults else call
        self._entered: list[ref[Entered]] = [ref(self)]
        native = callable_of(self._call) if isinstance(self._call, CtypesCall) else None
        self.is_native = native is not None
        """True if calls with arrays that fit run no Python code."""
        self.call: Callable[..., Any] = native or self._call
        """The callable behind this function: the native entry if there is one."""
        self.origin: tuple[Origin, str] | None = None
        """The origin of its module, and its name in it; None for a function of no module."""
        if native is not None and not self.executable.is_checked:
            self.call = self._first_call(native)
        self.enter_by(self.call)

    def _first_call(self, native: Callable[..., Any]) -> Callable[..., Any]:
        """Return the callable for calls until constants have been compared with their digests."""
        call, function = self._call, ref(self)
        assert isinstance(call, CtypesCall)

        def checked(*arrays: object, **named: object) -> Any:
            call.check_constants()
            if (found := function()) is not None and found.call is checked:
                found.call = native
                for each in found._entered:
                    if (entered := each()) is not None:
                        entered.enter_by(native)
            return native(*arrays, **named)

        return checked

    def let_enter(self, other: Entered) -> None:
        """Let calls of `other` be calls of this function."""
        self._entered.append(ref(other))
        other.enter_by(self.call)

    @staticmethod
    def of(executable: Executable, threads: int | None = None) -> Function:
        """Return the function that native code is; `threads` is how many threads its parallel loops use unless a call
        says otherwise, None for all that the process has."""
        return Function(CtypesCall(executable, threads))

    def enter_checked(self) -> None:
        """Let all calls go through Python code."""
        self.is_native, self.call = False, self._call
        self.enter_by(self.call)

    @property
    def threads(self) -> int:
        """Threads of a parallel loop, unless the call says otherwise."""
        return self._call.threads

    @property
    def device_kinds(self) -> tuple[str, ...]:
        """The kinds of devices that the function runs on, as of `runtime.devices.Device`."""
        return self._program.device_kinds

    @property
    def executable(self) -> Executable:
        """The native code. Raises AttributeError for a function that has none."""
        if not isinstance(self._program, CtypesCall):
            raise AttributeError(f"{self!r} has no native code")
        return self._program.executable

    @property
    def constants(self) -> tuple[Array, ...]:
        """The constants that native code reads from memory, not to be written to; none for other functions."""
        return self._program.executable.constants if isinstance(self._program, CtypesCall) else ()

    def with_constants(self, constants: Sequence[Array]) -> Function:
        """Return the same code with other arrays for `constants`, of the same types and shapes, which it reads in place
        where they are aligned to 64 bytes."""
        known = [(c.dtype, c.shape) for c in self.constants]
        if known != [(c.dtype, c.shape) for c in constants]:
            raise ValueError(f"expected constants of {known}")
        return Function.of(replace(self.executable, constants=tuple(constants)), self.threads)

    def compile_others(self, compile: Callable[[Sequence[str]], Function]) -> None:
        """Let calls bring other values of inputs with defaults: `compile` returns the function that takes the named
        inputs."""
        assert isinstance(self._call, DefaultedCall)
        self._call.compile_others(compile)

    def run(
        self, inputs: Mapping[str, object], out: Outputs | None = None, threads: int | None = None
    ) -> dict[str, Array]:
        """Run the function on inputs by name, which need be no identifiers of Python; the outputs by name."""
        return self._call.run(inputs, out, threads)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickle the module that the function belongs to, and its name. Raises TilewrightError TW0614 for a function
        that cannot be saved."""
        return reduced_function(self, protocol)

    def synchronize(self) -> None:
        """Wait until the last call is done: calls on a GPU return before that."""
        self._call.synchronize()

    def __repr__(self) -> str:
        return f"<tilewright function {self.signature}>"
