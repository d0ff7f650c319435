"""Names of `tvm.ir` and of `tvm` itself that programs make objects with: functions, dtypes, kinds of devices."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NoReturn

from ..lazy import missing_field
from ..runtime.devices import device
from ..te.dtypes import dtype_info

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
    """A dtype by its name, "float32x4" among them: how many bits an element has, and how many elements a value."""

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
