"""Names of `tvm.ir`, `tvm.runtime` and `tvm` itself: functions, dtypes, device types, constants, enabled targets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING, Any, NoReturn

from ..diagnostics import TilewrightError
from ..driver.targets import Target
from ..lazy import missing_field
from ..runtime.devices import Device, device
from ..te.dtypes import dtype_info
from ..te.expr import const as const

Array = list
Map = dict
ShapeTuple = tuple
String = str

cl = opencl = partial(device, "opencl")
ext_dev = partial(device, "ext_dev")
hexagon = partial(device, "hexagon")
metal = mtl = partial(device, "metal")
rocm = partial(device, "rocm")
vpi = partial(device, "vpi")
vulkan = partial(device, "vulkan")


class GlobalVar(str):
    """The name of a function of a module: `mod[tilewright.ir.GlobalVar("main")]`."""

    __slots__ = ()

    @property
    def name_hint(self) -> str:
        """The name."""
        return str(self)


class DataType(str):
    """A dtype by its name, such as "float32x4": the bits of an element, and the lanes of a value."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a dtype", name)

    @property
    def dtype(self) -> str:
        """The name."""
        return str(self)

    @property
    def lanes(self) -> int:
        """The number of elements of a value."""
        _, x, lanes = self.rpartition("x")
        return int(lanes) if x and lanes.isdecimal() else 1

    @property
    def bits(self) -> int:
        """The number of bits of an element."""
        return dtype_info(self.removesuffix(f"x{self.lanes}")).bits


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
