"""The kinds of entries in the cache, each kept in a separate folder."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of entries."""

    folder: str
    """Its name below the cache's."""
    suffixes: tuple[str, ...]
    """Of its files, that of new ones first. Nothing else in the folder is ever deleted."""
    what: str
    """A noun for an entry, for messages."""


OBJECTS = Kind("objects", (".o",), "object file")
PROGRAMS = Kind("programs", (".program",), "program")
PTX = Kind("ptx", (".ptx",), "PTX of kernels")
KERNELS = Kind("cuda", (".py", ".ptx"), "source of kernels")
DEBUG = Kind("debug", (".mlir", ".so"), "file for debuggers")

KINDS = (OBJECTS, PROGRAMS, PTX, KERNELS, DEBUG)
