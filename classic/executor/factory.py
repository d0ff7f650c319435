"""The result of building a model: its graph, its library and its parameters in one object."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from ...diagnostics import fail
from ...diagnostics.expectations import coded_methods
from ...runtime.devices import Device, device
from ...runtime.graph_executor import ExecutorFactory, graph_of
from ...runtime.graph_json import Graph
from ...runtime.module import Module
from ..nd import NDArray


def factory_of(
    module: Module, name: str = "default", *, ir_mod: Any = None, target: Any = None
) -> GraphExecutorFactoryModule:
    """Return the factory of a compiled model, which is called `name` in its graph; `ir_mod` and `target` are the
    module and the target of the build."""
    return GraphExecutorFactoryModule(module, name, ir_mod, target)


@coded_methods
class GraphExecutorFactoryModule:
    """A compiled model: `factory["default"](device)` returns an executor.

    Iteration yields the graph, the library and the parameters, with a warning.

    A program that the graph format cannot represent has neither graph nor executor (TW0781), but a library.
    """

    def __init__(self, module: Module, name: str, ir_mod: Any, target: Any) -> None:
        self.lib = module
        self.module = module
        self.libmod_name = name
        self.ir_mod = ir_mod
        self.target = target

    @property
    def graph_json_str(self) -> str:
        """The graph as text."""
        return self._stated[0].to_json()

    graph_json = graph_json_str

    @property
    def params(self) -> dict[str, NDArray]:
        """The parameters by name, as the code reads them; they are not to be written to."""
        return {name: array.view(NDArray) for name, array in self._stated[1].items()}

    @cached_property
    def _stated(self) -> tuple[Graph, dict[str, Any]]:
        return graph_of(self.module, self.libmod_name)

    def get_graph_json(self) -> str:
        """Return the graph as text."""
        return self.graph_json_str

    get_json = get_graph_json

    def get_executor_config(self) -> str:
        """Return the graph as text: it is all that the executor has to know."""
        return self.graph_json_str

    def get_params(self) -> dict[str, NDArray]:
        """Return the parameters by name, as the code reads them; they are not to be written to."""
        return self.params

    def get_lib(self) -> Module:
        """Return the library."""
        return self.lib

    def get_devices(self) -> list[Device]:
        """Return the device that the library is for."""
        kinds = self.module.entry.device_kinds
        return [device(kinds[0] if kinds else "cpu")]

    def export_library(self, file_name: str | Path, *arguments: Any, **options: Any) -> None:
        """Write the model to a file, as the method of the library does. The file includes the parameters."""
        self.module.export_library(file_name, *arguments, **options)

    def __getitem__(self, item: str) -> Any:
        """Return the maker of executors, under the model's name and as "default"; else a function of the library."""
        factory = ExecutorFactory(self.module, self.libmod_name)
        makers = {"default": factory, self.libmod_name: factory, "debug_create": factory.create}
        return self.module[item] if item in self.module.functions else makers.get(item) or self.module[item]

    def __iter__(self) -> Iterator[Any]:
        warnings.warn(
            "a factory gives its parts by get_graph_json(), get_lib() and get_params(), "
            'and an executor by factory["default"](device)',
            DeprecationWarning,
            stacklevel=2,
        )
        return iter((self.graph_json_str, self.lib, self.params))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Refuse with TW0209: a factory makes executors, and its library has functions."""
        fail(
            "TW0209",
            "expected a function to call, but got a factory of executors",
            help='call factory["default"](device) for an executor, or factory.get_lib()(*arrays)',
        )

    def __repr__(self) -> str:
        return f"<executor factory '{self.libmod_name}' of {self.module!r}>"
