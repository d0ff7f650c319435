"""Targets in files: the text of a target on any number of lines, with comments.

    # this machine
    llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=4
    -loads=2@measured       # 1/cycle: vectors that are loaded from the first cache in a cycle

A file's name ends in `.target`; it stands for its text wherever the text of a target does, and options may follow it:
`machine.target -threads=1`. `tilewright target --measure -o machine.target` writes one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..diagnostics import fail
from ..diagnostics.files import read_text
from .target import CpuTargetAttr
from .target_facts import option_name, option_text
from .target_text import stated

SUFFIX = ".target"


def with_file(target: str) -> str:
    """The text of a target whose first word may be a file's name: with the file's text in its stead.

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


def file_text(machine: CpuTargetAttr, title: str) -> str | None:
    """The file that stands for a target, a fact a line; None for a target that text cannot say."""
    text = stated(machine)
    if text is None:
        return None
    facts = [(f"-{option_name(fact.fact)}={option_text(fact)}", fact.fact) for fact in machine.facts]
    rest = [word for word in text.split() if word not in {option for option, _ in facts}]
    return "\n".join([f"# {title}", " ".join(rest), *_commented(machine, facts), ""])


def _commented(machine: CpuTargetAttr, facts: Iterable[tuple[str, str]]) -> Iterable[str]:
    for option, name in facts:
        kind = machine.fact_kinds[name]
        yield f"{option:44} # {kind.unit}: {kind.meaning}"
