"""Run as a program with the names of examples: how many final operations of what they compile have locations.

It writes a line for each program: the example, the operations with a location of their own, and all of them.
"""

from __future__ import annotations

import io
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tilewright.diagnostics.locations import known_locations
from tilewright.passes import manager

FOLDER = Path(__file__).resolve().parents[2] / "examples"
NEEDS_MORE = {"resnet50"}  # that one is of the light models
LAST_PHASE = 3


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in NEEDS_MORE)


def stays_in_process(name: str) -> bool:
    """Whether an example makes passes or intrinsics known, which others would meet in the same process."""
    return "register" in (FOLDER / f"{name}.py").read_text()


def main(examples: list[str]) -> None:
    found: list[str] = []
    run: Any = manager.PassManager.run
    # What the manager fills in would hide what passes leave out.
    manager.settle_locations = lambda root: None

    def counting(self: Any, ctx: Any, module: Any) -> None:
        run(self, ctx, module)
        if self.passes and getattr(self.passes[-1], "phase", 0) == LAST_PHASE:
            known, total = known_locations(module)
            found.append(f"{example} {known} {total}")

    manager.PassManager.run = counting
    for example in examples:
        with redirect_stdout(io.StringIO()):
            runpy.run_path(str(FOLDER / f"{example}.py"), run_name="__main__")
    sys.stdout.writelines(f"{line}\n" for line in found)


if __name__ == "__main__":
    main(sys.argv[1:])
