"""`driver.tvmc`: the Python interface of TVM's command `tvmc`, which loads, tunes, compiles and runs models.

model = tvmc.load("resnet50.onnx", shape_dict={"data": [1, 3, 224, 224]})
records = tvmc.tune(model, target="llvm", trials=200)
package = tvmc.compile(model, target="llvm", tuning_records=records, package_path="resnet50.tar")
result = tvmc.run(package, device="cpu")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports

if TYPE_CHECKING:
    from .autotuner import tune_model as tune
    from .compiler import compile_model as compile
    from .frontends import load_model as load
    from .model import TVMCModel as TVMCModel
    from .model import TVMCPackage as TVMCPackage
    from .model import TVMCResult as TVMCResult
    from .runner import run_module as run

_EXPORTS: dict[str, str] = {
    "TVMCModel": "model:TVMCModel",
    "TVMCPackage": "model:TVMCPackage",
    "TVMCResult": "model:TVMCResult",
    "compile": "compiler:compile_model",
    "load": "frontends:load_model",
    "run": "runner:run_module",
    "tune": "autotuner:tune_model",
}

__all__ = ["TVMCModel", "TVMCPackage", "TVMCResult", "compile", "load", "run", "tune"]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
