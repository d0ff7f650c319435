"""A pytest plugin that takes instruction sets away from this machine, as the code that the tests build sees it.

`TILEWRIGHT_LEVEL=x86-64 python -m pytest -p restricted ...` with this folder on PYTHONPATH: whatever is built for this
machine is built for that level, so any suite of values becomes one for a lesser machine.
"""

from __future__ import annotations

import os

from llvmlite import binding
from tilewright.dialects.target import X86_64
from tilewright.driver.target_features import LEVELS

LEVEL_VARIABLE = "TILEWRIGHT_LEVEL"


def pytest_configure() -> None:
    present = binding.get_host_cpu_features()
    kept = LEVELS[X86_64][os.environ[LEVEL_VARIABLE]]
    restricted = type(present)({name: on and name in kept for name, on in present.items()})
    binding.get_host_cpu_features = lambda: restricted
