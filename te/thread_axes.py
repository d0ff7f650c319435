"""Thread axes, to which loops of a schedule are bound. They do not change the results of a program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .. import hardware
from ..diagnostics.expectations import expect_type
from .expr import Var
from .shapes import as_size
from .te_errors import te_error

THREAD_TAGS = (
    *hardware.THREAD_TAGS,
    "vthread",
    *(f"vthread.{axis}" for axis in hardware.GRID_AXES),
)
"""The names of thread axes."""


@dataclass(frozen=True, eq=False, repr=False)
class ThreadAxis(Var):
    """An axis of the GPU's grid, or a virtual one. Without an extent it takes the extent of the loop bound to it.

    In statements that a `tir.ir_builder` collects, it is an expression: the index of the thread.
    """

    thread_tag: str = field(default="", kw_only=True)
    extent: int | None = field(default=None, kw_only=True)

    @property
    def var(self) -> ThreadAxis:
        """The axis as a scalar, which it is itself."""
        return self

    def __str__(self) -> str:
        label = "" if self.name == self.thread_tag else f", name {self.name}"
        return f"thread_axis({self.thread_tag}{'' if self.extent is None else f', extent {self.extent}'}{label})"


def thread_axis(dom: Any = None, tag: str | None = None, name: str = "") -> ThreadAxis:
    """Return an axis of threads: `thread_axis("threadIdx.x")`, or with its domain: `thread_axis((0, 32),
    "threadIdx.x")`.

    `name` is the name of the axis in texts; loops that are bound to it keep their names.
    Raises TW0460 for an unknown tag, and for a domain that is not (0, extent) or an extent.
    """
    if isinstance(dom, str):
        dom, tag = (tag, dom)
    if tag not in THREAD_TAGS:
        names = ", ".join(t for t in THREAD_TAGS if not t.startswith("vthread."))
        te_error("TW0460", f"expected a thread axis, but got {tag!r}", help=f"the thread axes are {names}")
    expect_type("name", name, str)
    return ThreadAxis(name or tag, thread_tag=tag, extent=None if dom is None else _extent(dom, tag))


def _extent(dom: Any, tag: str) -> int:
    low, high = dom if isinstance(dom, (tuple, list)) and len(dom) == 2 else (0, dom)
    extent = as_size(high, f"the extent of {tag}")
    if low != 0 or not isinstance(extent, int) or extent == 0:
        te_error("TW0460", f"expected a domain (0, extent) of {tag}, but got {dom!r}")
    return extent
