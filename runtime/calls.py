"""Coded errors for calls of public functions whose arguments do not match the parameters, instead of plain TypeErrors.

`coded` wraps a function so that an unknown keyword, a missing argument or an excess argument raises TW0725 with the
nearest name. The error is a TypeError, like Python's. Only a call that fails costs more than without the wrapper.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, TypeVar, cast

from .errors import TilewrightError, fail
from .expectations import WRONG_TYPE
from .text import did_you_mean

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)


def coded(function: F) -> F:
    """Return the function wrapped so that calls with arguments that do not fit raise TilewrightError TW0725."""

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError as error:
            if isinstance(error, TilewrightError) or _is_from_within(function, error):
                raise
            _refuse(function, arguments, named, error)

    return cast("F", call)


def _is_from_within(function: Any, error: TypeError) -> bool:
    """Return whether an error was raised inside a function: its traceback has a frame after those of the call and the
    decorators."""
    decorators: list[Any] = []
    while hasattr(function, "__wrapped__"):
        decorators.append(getattr(function, "__code__", None))
        function = function.__wrapped__
    frame = None if error.__traceback__ is None else error.__traceback__.tb_next
    while frame is not None and frame.tb_frame.f_code in decorators:
        frame = frame.tb_next
    return frame is not None


def coded_methods(cls: C) -> C:
    """Wrap the public methods of a class by `coded`, and return the class."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, FunctionType) and not name.startswith("_"):
            setattr(cls, name, coded(member))
    return cls


def coded_names(namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Wrap the functions among the names of a module, which hands them out, by `coded`."""
    for name in names:
        if name in namespace:
            namespace[name] = public(namespace[name])


def public(value: Any) -> Any:
    """Return a function as `coded` wraps it, always the same for one function; return all else as it is."""
    if not isinstance(value, FunctionType) or value.__code__.co_filename == __file__:
        return value
    return _wrapped(value)


@functools.cache
def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    return coded(function)


def _refuse(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: Mapping[str, Any], error: TypeError
) -> None:
    """Raise TW0725 for arguments that do not fit; `error` is Python's error for them."""
    from inspect import Parameter, signature

    try:
        shape = signature(function)
    except (TypeError, ValueError):
        raise error from None
    name, parameters = function.__name__, list(shape.parameters.values())
    if parameters and parameters[0].name in ("self", "cls"):
        del parameters[0]
        if name == "__init__":
            name = type(arguments[0]).__name__
    known = [each.name for each in parameters if each.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)]
    takes_any = any(each.kind is Parameter.VAR_KEYWORD for each in parameters)
    unknown = [] if takes_any else [each for each in named if each not in known]
    help = f"{name} takes {', '.join(known) or 'no arguments'}"
    if unknown:
        fail(WRONG_TYPE, f"{name} has no parameter '{unknown[0]}'{did_you_mean(unknown[0], known)}", help=help)
    try:
        shape.bind(*arguments, **named)
    except TypeError as reason:
        fail(WRONG_TYPE, f"{name}: {reason}", help=help)
    raise error
