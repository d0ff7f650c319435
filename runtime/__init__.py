"""The runtime of compiled programs: calling convention, argument checks, memory, threads. It does not import xdsl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lazy import exports

if TYPE_CHECKING:
    from .arguments import Argument as Argument
    from .arguments import Signature as Signature
    from .devices import Device as Device
    from .devices import cpu as cpu
    from .devices import cuda as cuda
    from .devices import device as device
    from .errors import TilewrightError as TilewrightError
    from .executable import Executable as Executable
    from .extent import Extent as Extent
    from .function import Function as Function
    from .library import load_module as load
    from .library import load_module as load_module
    from .module import Module as Module

if __name__ == "runtime":
    raise ImportError("no module 'runtime': import tilewright.runtime, which has the same error class as the compiler")

__version__ = "0.1.0"

_EXPORTS: dict[str, str] = {
    "Argument": "arguments:Argument",
    "Device": "devices:Device",
    "Executable": "executable:Executable",
    "Extent": "extent:Extent",
    "Function": "function:Function",
    "Module": "module:Module",
    "Signature": "arguments:Signature",
    "TilewrightError": "errors:TilewrightError",
    "cpu": "devices:cpu",
    "cuda": "devices:cuda",
    "device": "devices:device",
    "load": "library:load_module",
    "load_module": "library:load_module",
}

__all__ = [
    "Argument",
    "Device",
    "Executable",
    "Extent",
    "Function",
    "Module",
    "Signature",
    "TilewrightError",
    "cpu",
    "cuda",
    "device",
    "load",
    "load_module",
    "__version__",
]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
