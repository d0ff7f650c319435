"""Objects named by `"module:Name"` strings, imported when they are first asked for.

Every registry (dialects, passes, operators, the front door) is a table of such strings, so that naming a thing costs
nothing: `opt-tool --help` lists every pass without importing one of them.
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
