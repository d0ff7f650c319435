"""Classic modules that this package does not have. They can be imported; each name of theirs is refused with a reason.

from tilewright import relay      # old programs import more than they use
relay.var("x")                    # TW0251 with the reason
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NoReturn

from ..diagnostics.errors import UnknownNameError

_TUNING = ("there is no search over schedules", "default schedules need no search: build tensors without a schedule")
_REMOTE = ("programs run in the process that loads them", "save the program, and load it with load_module over there")
_PRODUCT = (
    "products of matrices are compiled like everything else",
    "write topi.matmul or te.compute, or call the library with te.extern and tir.call_extern",
)
_MODELS = ("models are read from ONNX and MLIR files", "compile the file: tilewright.compile('model.onnx')")

REASONS: dict[str, tuple[str, str]] = {
    "auto_scheduler": _TUNING,
    "contrib.cblas": _PRODUCT,
    "contrib.cublas": _PRODUCT,
    "contrib.cublaslt": _PRODUCT,
    "contrib.cudnn": (
        "convolutions are compiled like everything else",
        "write topi.nn.conv2d, or call the library with te.extern and tir.call_extern",
    ),
    "contrib.dnnl": _PRODUCT,
    "contrib.graph_executor": _MODELS,
    "contrib.graph_runtime": _MODELS,
    "contrib.mkl": _PRODUCT,
    "contrib.rocblas": _PRODUCT,
    "driver.tvmc": ("models are compiled with this package's own command", "run `tilewright compile --help`"),
    "meta_schedule": _TUNING,
    "micro": ("microcontrollers are no target", 'write C for them: build with target="c", and save to x.c'),
    "relax": _MODELS,
    "relay": _MODELS,
    "rpc": _REMOTE,
}
"""Why a module is missing, and what to do instead."""


class RefusedModule(ModuleType):
    """A module of which every name raises TilewrightError TW0251, which is an AttributeError too."""

    def __init__(self, name: str) -> None:
        super().__init__(name, f"Not part of this package: {REASONS[name][0]}.")
        self.__path__ = []  # `import tilewright.relay.testing` comes here
        self.short_name = name

    def __getattr__(self, name: str) -> NoReturn:
        refused(self.short_name, self.short_name, name)


def refused(module: str, key: str, name: str) -> NoReturn:
    """Refuse a name of a module for the reason that the table has under `key`."""
    if name.startswith("__"):
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    reason, help = REASONS[key]
    raise UnknownNameError("TW0251", f"'{module}.{name}' is not part of this package: {reason}", help=help)


def __getattr__(name: str) -> Any:
    """The refused module of that name, dots written as underscores."""
    known = next((each for each in REASONS if each.replace(".", "_") == name), None)
    if known is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = globals()[name] = RefusedModule(known)
    return module
