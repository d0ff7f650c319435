"""The modules of the lit files as programs: what they compute has to survive the passes that the files name.

They reach nearly every rewrite, on purpose and a few lines at a time, so that they also serve to find out whether
faults planted in passes are found (tests/mutation/attribution.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.base import level_of
from tilewright.passes.framework.manager import PassManager, verify_module
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.validation.findings import Finding
from tilewright.passes.framework.validation.track import Track
from tilewright.passes.pipeline import default_pipeline, with_conversions
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

LIT = Path(__file__).resolve().parents[2] / "lit"
FOLDERS = ("phase0", "phase1", "phase2", "phase3", "cpu", "te", "graph", "loop")
TRIALS = 2
_FAULTS = ("TW0107", "TW0206")
"""Invalid IR left by a pass, and rewriting without end."""
_PASSES = re.compile(r"RUN: opt-tool --pass (\"[^\"]*\"|\S+)")


@dataclass(frozen=True)
class LitModule:
    """One part of a lit file and the passes to run on it: those of a RUN line, or the default pipeline."""

    path: Path
    part: int
    text: str
    pipeline: str | None

    def __str__(self) -> str:
        return f"{self.path.relative_to(LIT)}:{self.part} {self.pipeline or 'default'}"

    def parsed(self) -> ModuleOp:
        """Return the module. Raises TilewrightError where it is not valid: some files are about that."""
        module = parse(context(), self.text, self.path.name)
        verify_module(module)
        return module

    def passes(self, module: ModuleOp) -> list[ModulePass]:
        level = level_of(module)
        if self.pipeline is None:
            return default_pipeline(level)
        return with_conversions(parse_pipeline(self.pipeline), level)

    def changed_value(self) -> Finding | None:
        """Return the first value that the passes change; None if they change none or one refuses the module.

        Values are compared within the tolerance of their dtype, once, at the end. Raises TilewrightError where a pass
        is at fault rather than the module.
        """
        try:
            module = self.parsed()
            passes = self.passes(module)
            track = Track(module, TRIALS)
            track.observe()
            PassManager(passes).run(context(), module)
        except TilewrightError as error:
            if error.code in _FAULTS:
                raise
            return None
        return track.check("the passes of the file", exact=False)


def lit_modules() -> Iterator[LitModule]:
    """Yield every part of the lit files with every pipeline that they name, and the default one."""
    for folder in FOLDERS:
        for path in sorted((LIT / folder).glob("*.mlir")):
            text = path.read_text(encoding="utf-8")
            pipelines = dict.fromkeys(found.strip('"') for found in _PASSES.findall(text))
            for number, part in enumerate(re.split(r"^// -----.*$", text, flags=re.M)):
                if "expected-error" in part:
                    continue
                for pipeline in (*pipelines, None):
                    yield LitModule(path, number, part, pipeline)
