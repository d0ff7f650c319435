"""Targets `abacus -lanes=N`: a machine that computes N floats at once."""

from __future__ import annotations

from tilewright.dialects.target import TargetAttr
from tilewright.dialects.target_text import Option, read_options
from xdsl.dialects.builtin import IntAttr
from xdsl.irdl import irdl_attr_definition, param_def

OPTIONS = {"lanes": Option(lambda text: text in ("1", "2", "4", "8"), "-lanes= with 1, 2, 4 or 8")}


@irdl_attr_definition
class AbacusTargetAttr(TargetAttr):
    """An abacus."""

    name = "abacus.target"

    lanes: IntAttr = param_def()

    @property
    def kind(self) -> str:
        return "abacus"

    @property
    def vector_bits(self) -> int:
        return 32 * self.lanes.data


def read_target(text: str) -> AbacusTargetAttr:
    """Return the attribute of a target's text."""
    return AbacusTargetAttr(IntAttr(int(read_options(text, OPTIONS).get("lanes", "1"))))
