"""Run as a program with a file and an example: runs the example and notes how many final operations have locations.

A line for each program that the example compiles goes to the file: the operations whose location passes gave them, and
all of them.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from tilewright.diagnostics.locations import count_located
from tilewright.passes.framework import manager
from xdsl.dialects.builtin import ModuleOp


def main(notes: Path, example: str) -> None:
    complete = manager.complete_locations

    def count(module: ModuleOp) -> None:
        known, total = count_located(module)
        with notes.open("a") as file:
            file.write(f"{known} {total}\n")
        complete(module)

    manager.complete_locations = count
    runpy.run_path(example, run_name="__main__")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
