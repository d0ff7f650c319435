"""Execution of functions of upstream MLIR files by upstream's tools, without the conversions of this project.

`prove` reads both files by the conversions of phase 0. A fault of a conversion could make a correct pass look wrong. So
for each refutation the files themselves are executed: by `mlir-runner` (`runner.py`), or by xDSL's interpreters if
`mlir-runner` is missing (`interpreters.py`). `judge.py` compares the two runs.
"""

from .function import Original, original
from .judge import Finding, Shown, judge

__all__ = ["Finding", "Original", "Shown", "judge", "original"]
