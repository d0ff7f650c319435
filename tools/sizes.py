"""The options that fix dynamic sizes and input values of a model: `--shape NAME=1,3,224,224`, `--size NAME=N`,
`--specialise NAME=0,1`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..diagnostics import fail


@dataclass(frozen=True)
class GivenSizes:
    """The sizes on the command line: whole shapes by input, symbolic sizes by name, values of inputs for each
    version."""

    shapes: dict[str, list[int | str]]
    sizes: dict[str, int]
    versions: list[dict[str, list[int | float]]] = field(default_factory=list[dict[str, list[int | float]]])

    @staticmethod
    def of(args: Namespace) -> GivenSizes:
        """Read the options. Raises TilewrightError TW0209."""
        versions: list[dict[str, list[int | float]]] = []
        for name, value in map(_value, args.specialise):
            if not versions or name in versions[-1]:
                versions.append({})
            versions[-1][name] = value
        return GivenSizes(dict(map(_shape, args.shape)), dict(map(_size, args.size)), versions)


def check_names(given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TilewrightError TW0209 for a size that the model does not have."""
    names = sorted(set(known))
    for name in given:
        if name not in names:
            fail(
                "TW0209",
                f"a value was given for size '{name}', which the model does not have",
                help=f"its symbolic sizes are {', '.join(names) or 'none'}",
            )


def _size(text: str) -> tuple[str, int]:
    name, _, value = text.rpartition("=")
    if not name or not _is_number(value):
        fail("TW0209", f"expected --size NAME=N, but got '{text}'")
    return name, _checked(int(value), text)


def _shape(text: str) -> tuple[str, list[int | str]]:
    name, _, value = text.rpartition("=")
    dims = [dim.strip() for dim in value.split(",")] if value else []
    if not name or not all(_is_number(dim) or dim.isidentifier() for dim in dims):
        fail("TW0209", f"expected --shape NAME=1,3,224,224, but got '{text}'")
    return name, [_checked(int(dim), text) if _is_number(dim) else dim for dim in dims]


def _checked(size: int, text: str) -> int:
    """Return a size that indices of 64 bits reach. Raises TilewrightError TW0209 for another."""
    if size >= 1 << 63:
        fail("TW0209", f"expected sizes below 2^63, but got '{text}'")
    return size


def _value(text: str) -> tuple[str, list[int | float]]:
    name, _, value = text.rpartition("=")
    try:
        numbers = [_number(each.strip()) for each in value.split(",")] if value else []
    except ValueError:
        name, numbers = "", []
    if not name:
        fail("TW0209", f"expected --specialise NAME=0,1, but got '{text}'")
    return name, numbers


def _number(text: str) -> int | float:
    if text in ("false", "true"):
        return int(text == "true")
    try:
        return int(text)
    except ValueError:
        return float(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()
