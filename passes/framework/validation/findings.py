"""The failures that validation reports."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....diagnostics import TilewrightError


@dataclass(frozen=True)
class Finding:
    """A function whose results differ, or whose execution fails, after a pass."""

    function: str
    problem: str
    trial: int
    inputs: tuple[Any, ...]

    def error(self, pass_: str, directory: Path | None = None, *, saves: bool = True) -> TilewrightError:
        """Return error TW0550, which names the pass; the inputs are saved in `directory`, by default that of temporary
        files, unless `saves` is off."""
        notes = [f"in pass '{pass_}'", *([self.saved(directory)] if saves else [])]
        return TilewrightError(
            "TW0550", f"pass '{pass_}' changed what @{self.function} computes: {self.problem}", notes=notes
        )

    def saved(self, directory: Path | None = None) -> str:
        """Save the inputs in `directory`, by default that of temporary files, and say where they are."""
        try:
            return f"the inputs are in '{self.save(directory or Path(tempfile.gettempdir()))}'"
        except OSError as error:
            return f"the inputs could not be saved: {error.strerror}"

    def save(self, directory: Path) -> Path:
        """Write the inputs to an .npz file: `input0`, `input1`, …"""
        import numpy as np

        prefix = re.sub(r"[^\w.-]", "_", self.function)  # a function may have a path's name
        handle, temporary = tempfile.mkstemp(dir=directory, prefix=f"{prefix[:64]}-", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            arrays: dict[str, Any] = {f"input{index}": np.asarray(value) for index, value in enumerate(self.inputs)}
            np.savez(file, **arrays)
        target = Path(temporary).with_suffix(".npz")
        os.replace(temporary, target)
        return target
