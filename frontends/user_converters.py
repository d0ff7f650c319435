"""Registry of user converters, which import ONNX operators of domains other than the standard one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ..diagnostics import fail
from ..diagnostics.locations import caller_location
from ..plugins import load_plugins, origin

if TYPE_CHECKING:
    from .onnx.node import Node, Value

Converter = Callable[["Node"], "Value | Sequence[Value]"]
ConverterT = TypeVar("ConverterT", bound=Converter)

BAD_CONVERTER = "TW0238"
STANDARD_DOMAINS = ("", "ai.onnx")

_converters: dict[str, Converter] = {}


def register_onnx_converter(operator: str, *, domain: str) -> Callable[[ConverterT], ConverterT]:
    """Return a decorator that registers a function as the converter of an ONNX operator outside the standard domain.

    ```python
    @tilewright.register_onnx_converter("SoftCap", domain="com.example")
    def soft_cap(node):
        return node.emit(SoftCapOp, node.input(0), cap=node.attr("cap", 30.0))
    ```
    The function reads the node's inputs and attributes, emits operations of the graph dialect, and returns the values
    of the node's outputs. An attribute that the function does not read is an error (TW0306), because onnx has no
    definition of the operator. An operator of the standard domain is declared by `register_operator(onnx=...)`.

    Raises TilewrightError TW0238 for the standard domain, for an object that is no function, and for an operator that
    has another converter. The same function of a reloaded module may be registered again.
    """
    name = f"{domain}.{operator}"

    def decorate(converter: ConverterT) -> ConverterT:
        if not callable(converter):
            _refuse(f"expected the converter of {name} to be a function, but got {converter!r}")
        known = _converters.get(name)
        if known is not None and origin(known) != origin(converter):
            _refuse(f"a converter of {name} is registered already, by {getattr(known, '__module__', '?')}")
        _converters[name] = converter
        return converter

    if domain in STANDARD_DOMAINS:
        _refuse(f"expected a user domain for ONNX operator {operator}, but got '{domain}'")
    return decorate


def unregister_onnx_converter(operator: str, *, domain: str) -> None:
    """Forget a converter. Raises TilewrightError TW0238 where there is none for that operator."""
    if _converters.pop(f"{domain}.{operator}", None) is None:
        _refuse(f"expected an operator with a registered converter, but {domain}.{operator} has none")


def user_converters() -> dict[str, Converter]:
    """Return the converters that users and plugins registered, by operator as "domain.name"."""
    load_plugins()
    return _converters


def _refuse(message: str) -> None:
    fail(BAD_CONVERTER, message, location=caller_location())
