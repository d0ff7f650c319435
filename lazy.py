"""Objects named by `"module:Name"` strings, imported when they are first asked for.

Every registry (dialects, passes, operators, the front door) is a table of such strings: naming a thing costs
nothing, and `opt-tool --help` starts without importing a single pass.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(spec: str, package: str) -> Any:
    """Import the object that `spec` names, its module taken relative to `package`.

    `load("te:TE", "tilewright.dialects")` is `tilewright.dialects.te.TE`.
    """
    module, _, name = spec.partition(":")
    return getattr(import_module(f"{package}.{module}"), name)
