"""Execution of functions of upstream files as upstream's tools execute them, with none of this project's conversions.

`prove` reads both files by the conversions of phase 0. A fault there could make a right pass look wrong, so each
refutation of upstream files is executed on the files themselves: by `mlir-runner` (`runner.py`), or by xDSL's
interpreters where it is missing (`interpreters.py`). `judge.py` compares the two runs.
"""

from .function import Original, original
from .judge import Finding, Shown, judge

__all__ = ["Finding", "Original", "Shown", "judge", "original"]
