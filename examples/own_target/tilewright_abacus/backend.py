"""The record of the backend: the interpreter runs what the machine would run."""

from __future__ import annotations

from collections import Counter

import tilewright
from tilewright.backends import interpreter
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """A program that the interpreter runs."""
    return interpreter.build(module, threads)


def listing(module: ModuleOp) -> str:
    """How many operations of each name a program has."""
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
