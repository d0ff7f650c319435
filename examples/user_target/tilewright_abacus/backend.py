"""The record of the backend: the interpreter runs programs in place of the machine."""

from __future__ import annotations

from collections import Counter

import tilewright
from tilewright.backends import interpreter
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """Return a program that the interpreter runs."""
    return interpreter.build(module, threads)


def listing(module: ModuleOp) -> str:
    """Return the number of operations of each name in a program, as text."""
    counts = Counter(op.name for op in module.walk() if op.name.startswith(("arith.", "math.", "loop.")))
    return "".join(f"{count:4} {name}\n" for name, count in sorted(counts.items()))


ABACUS = tilewright.Backend(
    name="abacus",
    kinds=("abacus",),
    build=build,
    target="target:read_target",
    options="target:OPTIONS",
    legalization=("expand-operations", "split-fma", "note-aliases"),
    texts={"abacus": listing},
    lowerings={"math.exp": "rules:lower_exp"},
    package="tilewright_abacus",
)
