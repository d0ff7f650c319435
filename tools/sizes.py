"""The options that fix sizes which a model leaves open: `--shape NAME=1,3,224,224` and `--size NAME=N`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass

from ..diagnostics import fail


@dataclass(frozen=True)
class GivenSizes:
    """What the command line says about sizes: whole shapes by input, symbolic sizes by name."""

    shapes: dict[str, list[int | str]]
    sizes: dict[str, int]

    @staticmethod
    def of(args: Namespace) -> GivenSizes:
        """Read the options. Raises TilewrightError TW0209."""
        return GivenSizes(dict(map(_shape, args.shape)), dict(map(_size, args.size)))


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
    return name, int(value)


def _shape(text: str) -> tuple[str, list[int | str]]:
    name, _, value = text.rpartition("=")
    dims = [dim.strip() for dim in value.split(",")] if value else []
    if not name or not all(_is_number(dim) or dim.isidentifier() for dim in dims):
        fail("TW0209", f"expected --shape NAME=1,3,224,224, but got '{text}'")
    return name, [int(dim) if _is_number(dim) else dim for dim in dims]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()
