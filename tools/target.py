"""`tilewright target`: prints a target with the facts about its machine, or measures the facts of this machine."""

from __future__ import annotations

from collections.abc import Iterator

from .. import __version__
from ..diagnostics import fail
from ..diagnostics.files import write_file
from ..dialects.target import CpuTargetAttr, TargetAttr
from ..dialects.target_facts import shown
from ..dialects.target_text import SUFFIX, file_text, stated, without_facts
from ..driver.targets import Target
from .terminal import aligned

HEADER = ("fact", "value", "unit", "source", "of default", "meaning")


def target_command(text: str | None, output: str | None, *, measures: bool) -> None:
    """Print a target and its facts, and write it to a file.

    Raises TilewrightError TW0209 for another machine than this one that is to be measured, for a file's name that no
    target is read from, and for a target that is no CPU that is to be written to one.
    """
    if output is not None and not output.endswith(SUFFIX):
        fail("TW0209", f"expected a file that ends in {SUFFIX}, but got '{output}'", help=f"-o machine{SUFFIX}")
    if measures and text is not None:
        fail("TW0209", f"expected no target with --measure, but got '{text}'", help="measure on the machine itself")
    machine = _measured() if measures else Target("llvm" if text is None else text).attribute()
    if output is not None:
        if not isinstance(machine, CpuTargetAttr):
            fail("TW0209", f"expected a CPU to write to '{output}', but got '{text}'", help="leave out -o")
        write_file(output, file_text(machine, _title(measures)).encode())
    print("\n".join(report(machine)))


def report(machine: TargetAttr) -> Iterator[str]:
    """Yield lines with the target, and its facts in columns; a measured fact is also given in parts of the default."""
    yield without_facts(machine) if isinstance(machine, CpuTargetAttr) and stated(machine) is not None else str(machine)
    if machine.fact_kinds:
        yield from aligned([HEADER, *_rows(machine)])


def _rows(machine: TargetAttr) -> Iterator[tuple[str, ...]]:
    for name, kind in machine.fact_kinds.items():
        numbers = machine.numbers_of(name)
        parts = [f"{number / usual:.2f}" for number, usual in zip(numbers, kind.default, strict=True)]
        ratio = "" if numbers == kind.default else ", ".join(parts)
        yield name, ", ".join(map(shown, numbers)), kind.unit, machine.source_of(name), ratio, kind.meaning


def _measured() -> CpuTargetAttr:
    from ..tune.machine.sampling import measured_machine

    return measured_machine()


def _title(measures: bool) -> str:
    how = "measured by" if measures else "written by"
    return f"{how} tilewright {__version__}: `tilewright compile --target FILE` plans for this machine"
