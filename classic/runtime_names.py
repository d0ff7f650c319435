"""Names of `tvm.runtime` beside those of compiled programs: values for programs, and which targets can run here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from shutil import which
from typing import Any

from ..diagnostics import TilewrightError
from ..driver.targets import Target
from ..runtime.devices import Device
from ..te.expr import const as const
from .nd import NDArray as NDArray


def convert(value: Any) -> Any:
    """Return numbers as constants of te, in lists, tuples and dictionaries too; all else as it is, functions among
    it."""
    if isinstance(value, (bool, int, float)):
        return const(value)
    if isinstance(value, (list, tuple)):
        return [convert(each) for each in value]
    if isinstance(value, Mapping):
        return {key: convert(each) for key, each in value.items()}
    return value


def enabled(target: str) -> bool:
    """Return whether programs for a target can be built and run in this process."""
    try:
        backend = Target(target).backend
    except TilewrightError:
        return False
    match backend.name:
        case "c":
            return which((os.environ.get("CC", "").split() or ["cc"])[0]) is not None
        case "cuda":
            return Device("cuda").exist
        case "opencl":
            return find_spec("pyopencl") is not None
        case _:
            return True
