"""`compiler.build` of TVM in 2018: compiles models to a graph, a library and parameters.

graph, params = tvm.frontend.from_keras(model)
graph, lib, params = tvm.compiler.build(graph, target, params)
module = tvm.runtime.create(graph, lib, tvm.cpu(0))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...diagnostics import fail
from ...diagnostics.expectations import coded_names, expect_type
from ...driver.targets import TargetLike
from ...runtime.module import Module
from ..nd import NDArray
from ..relay.build_module import build as build_model

__all__ = ["build"]


def build(
    graph: Any,
    target: Any = None,
    params: Mapping[str, Any] | None = None,
    shape: Mapping[str, Any] | None = None,
    dtype: Any = None,
    target_host: TargetLike | None = None,
    layout: str | None = None,
) -> tuple[str, Module, dict[str, NDArray]]:
    """Compile a model, a module or a function of `relay` to the graph as text, the library and the parameters.

    `params` are values of arguments by name, which become constants of the library; the parameters that are returned
    are those constants as the code reads them. Raises TilewrightError TW0209 for `shape`, `dtype` and `layout`, which
    the model states itself, and what `relay.build` raises.
    """
    expect_type("params", params, Mapping, type(None))
    for name, given in (("shape", shape), ("dtype", dtype), ("layout", layout)):
        if given is not None:
            fail("TW0209", f"expected no argument '{name}', because the model states it", help="leave it out")
    factory = build_model(graph, target, target_host, params=params)
    return factory.get_graph_json(), factory.get_lib(), factory.get_params()


coded_names(globals(), __all__)
