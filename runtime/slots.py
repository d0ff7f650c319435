"""Typed extension points of the runtime: the compiler installs values there, so that the runtime never imports it.

Each slot has a default for processes with the runtime alone. Nothing is imported before the value of a slot is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    import numpy as np

    from .error_codes import ErrorCode
    from .errors import TilewrightError

T = TypeVar("T")


class Slot(Generic[T]):
    """A value that another part may install; it is created when it is first read."""

    def __init__(self, default: Callable[[], T]) -> None:
        self._make = default
        self._made: list[T] = []

    def install(self, make: Callable[[], T]) -> None:
        """Let the value be the result of `make`, which is called once, when the value is asked for."""
        self._make = make
        self._made = []

    @property
    def value(self) -> T:
        """The value that is installed, else the default."""
        if not self._made:
            self._made = [self._make()]
        return self._made[0]


def _plain_renderer() -> Callable[[TilewrightError], str]:
    from .errors import render_plainly

    return render_plainly


def _refusal_of_names() -> Callable[[str, str, Iterable[str]], NoReturn]:
    from .lazy import refuse_name

    return refuse_name


def _no_reason(_: str) -> AttributeError | None:
    """Return None: no name is refused with a reason."""


def _arrays_of_numpy() -> type[np.ndarray[Any, Any]]:
    from numpy import ndarray

    return ndarray


def _launcher_in_python() -> Callable[[Any, Any, Any], int]:
    from .kernels.launcher import launch_in_python

    return launch_in_python


def _no_remark(code: str, message: str, **_: object) -> None:
    """Do nothing: nobody collects remarks."""


RENDER: Slot[Callable[[TilewrightError], str]] = Slot(_plain_renderer)
"""The text of an error."""
MORE_CODES: Slot[Mapping[str, ErrorCode]] = Slot(dict)
"""The error codes of the parts above."""
MISSING_NAME: Slot[Callable[[str, str, Iterable[str]], Any]] = Slot(_refusal_of_names)
"""The value of a name that a module lacks, from the names of the module, of the value and of its neighbours; or an
AttributeError that is raised."""
REFUSAL: Slot[Callable[[str], AttributeError | None]] = Slot(lambda: _no_reason)
"""The error for a missing name, given by its path below the package, where there is a reason to state; else None."""
REMARK: Slot[Callable[..., None]] = Slot(lambda: _no_remark)
"""Takes the code, the message and the `kind` of a remark."""
PACKED_ARRAYS: Slot[type[np.ndarray[Any, Any]]] = Slot(_arrays_of_numpy)
"""The class of the arrays that functions of Python get from compiled code."""
FUNCTIONS: Slot[Mapping[str, Callable[..., Any]]] = Slot(dict)
"""Functions by the names under which old programs look them up in `runtime.registry`."""
LAUNCHER: Slot[Callable[[Any, Any, Any], int]] = Slot(_launcher_in_python)
"""Launches many kernels at once, as `runtime.kernels.launcher` states."""
