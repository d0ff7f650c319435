"""Programs of upstream MLIR in pairs, and what `tilewright prove` says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.tools.cli import main


class Pairs:
    """Asks the command line about two texts."""

    def __init__(self, folder: Path, captured: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.captured = captured

    def record(self, before: str, after: str, *options: str) -> dict[str, Any]:
        """Return the record of the only function of both programs, with the exit status as `status`."""
        for word, text in (("before", before), ("after", after)):
            (self.folder / f"{word}.mlir").write_text(text)
        paths = [str(self.folder / f"{word}.mlir") for word in ("before", "after")]
        self.captured.readouterr()
        try:
            status = main(["prove", *paths, "--json", *options])
        except TilewrightError:
            status = 1
        (record,) = json.loads(self.captured.readouterr().out)
        return {**record, "status": status}

    def says(self, before: str, after: str, *options: str) -> tuple[str, str | None]:
        """Return the verdict and the condition."""
        record = self.record(before, after, *options)
        assert record["status"] == {"proved": 0, "refuted": 1}.get(record["verdict"], 3), record
        return record["verdict"], record["condition"]


def function(arguments: str, body: str) -> str:
    """Return a function `@f` of `body`; its arguments as in `a: ?xf32, b: 4xi32`, and `@a` in the body is the type of
    `%a`."""
    types = {name.strip(): f"memref<{shape.strip()}>" for name, shape in (p.split(":") for p in arguments.split(","))}
    for name, type_ in types.items():
        body = body.replace(f"@{name}", type_)
    passed = ", ".join(f"%{name}: {type_}" for name, type_ in types.items())
    return f"func.func @f({passed}) {{\n{body}\nreturn\n}}\n"
