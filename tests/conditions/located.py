"""Coverage by locations: operations that have one after each pass, and the nodes of a model that a location names."""

from __future__ import annotations

from tilewright.diagnostics.locations import count_located
from tilewright.passes import Instrument
from xdsl.dialects.builtin import FusedLoc, ModuleOp, NameLoc
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

_WANTED = 0.95


class Coverage(Instrument):
    """Counts, after every pass, the operations with a location of their own, and all of them."""

    def __init__(self) -> None:
        self.counts: list[tuple[str, int, int]] = []

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.counts.append((pass_.name, *count_located(module)))

    def check(self) -> None:
        """Fail where after a pass of the default pipeline too few operations have a location."""
        assert len(self.counts) > 10
        assert not [count for count in self.counts if count[1] < _WANTED * count[2]]


def node_names(location: Attribute | None) -> set[str]:
    """Return the nodes of a model that a location names."""
    if isinstance(location, FusedLoc):
        return {name for part in location.locations for name in node_names(part)}
    return {location.name} if isinstance(location, NameLoc) else set()
