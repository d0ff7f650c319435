"""Targets in files: the text of a target on any number of lines, with comments.

    # this machine
    llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=4
    -loads=2@measured       # 1/cycle: vectors that are loaded from the first cache in a cycle

A file's name ends in `.target`; it stands for its text wherever the text of a target does, and options may follow it:
`machine.target -threads=1`. `tilewright target --measure -o machine.target` writes one.
"""

from __future__ import annotations

from pathlib import Path

from ..diagnostics import fail
from ..diagnostics.files import read_text
from .target import CpuTargetAttr
from .target_facts import option_name, option_text
from .target_text import machine_words, stated

SUFFIX = ".target"


def with_file(target: str) -> str:
    """Return the text of a target whose first word may be a file's name: with the file's text in its stead.

    Raises TilewrightError TW0204 for a file that cannot be read, TW0860 for one that holds no target.
    """
    text = target.strip()
    path, _, options = (text, "", "") if text.endswith(SUFFIX) and Path(text).exists() else text.partition(" ")
    if not path.endswith(SUFFIX):
        return target
    words = [word for line in read_text(path).splitlines() for word in line.partition("#")[0].split()]
    if not words or words[0].startswith("-") or words[0].endswith(SUFFIX):
        got = f"'{words[0]}'" if words else "no text"
        fail("TW0860", f"expected '{path}' to begin with the kind of a target, but got {got}")
    return " ".join([*words, *options.split()])


def file_text(machine: CpuTargetAttr, title: str) -> str:
    """Return the text of the file that stands for a target, a fact a line.

    Where no text says which instruction sets the machine has, they are those of the machine that reads the file.
    """
    first = [] if stated(machine) else ["# instruction sets are those of the machine that reads this file"]
    facts = {f"-{option_name(fact.fact)}={option_text(fact)}": machine.fact_kinds[fact.fact] for fact in machine.facts}
    commented = [f"{option:44} # {kind.unit}: {kind.meaning}" for option, kind in facts.items()]
    return "\n".join([f"# {title}", *first, without_facts(machine), *commented, ""])


def without_facts(machine: CpuTargetAttr) -> str:
    """Return the text of a target up to its facts; for instruction sets that no text says, `llvm` alone."""
    words = (stated(machine) or " ".join(["llvm", *machine_words(machine)])).split()
    return " ".join(words[: len(words) - len(machine.facts)])
