"""`contrib.graph_executor`, earlier `contrib.graph_runtime`: executors of graphs."""

from __future__ import annotations

from typing import Any

from ...diagnostics.expectations import coded_methods, coded_names, expect_type
from ...runtime.devices import Device
from ...runtime.graph_executor import GraphExecutor, create_executor
from .factory import GraphExecutorFactoryModule

__all__ = ["GraphModule", "create"]


@coded_methods
class GraphModule(GraphExecutor):
    """The executor that `create` and `lib["default"](device)` return; the methods are those of `GraphExecutor`."""

    def __init__(self, module: GraphExecutor) -> None:
        expect_type("module", module, GraphExecutor)
        super().__init__(module.execution)
        self.module = module


def create(
    graph_json_str: str, libmod: Any, device: Device | list[Device] | None = None, *, ctx: Device | None = None
) -> GraphModule:
    """Return the executor of a graph on a device; `ctx` is an older name of `device`.

    Parameters begin as the constants of the library; `set_input(**params)` and `load_params` replace them. Raises
    TilewrightError TW0779 for a graph that is malformed or whose functions the library does not have.
    """
    library = libmod.get_lib() if isinstance(libmod, GraphExecutorFactoryModule) else libmod
    return GraphModule(create_executor(graph_json_str, library, ctx if device is None else device))


coded_names(globals(), __all__)
