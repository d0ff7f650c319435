"""Models, packages and results of `tvmc`."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...diagnostics.expectations import coded_methods, expect_type
from ...diagnostics.files import write_file
from ...dialects.ir_module import IRModule
from ...dialects.resource import save_resources
from ...driver import compile, load_model
from ...passes.framework.instruments import print_ir
from ...runtime.buffers import Array
from ...runtime.graph_executor import graph_of
from ...runtime.library import load_module
from ...runtime.module import Module
from ...runtime.profile import Profile
from ...runtime.timing import Timing
from ..nd import NDArray


@coded_methods
class TVMCModel:
    """A model to compile: a module of the graph dialect, and values of its parameters by name."""

    def __init__(self, mod: Any, params: Mapping[str, Any] | None = None, name: str = "default") -> None:
        expect_type("mod", mod, IRModule, ModuleOp)
        expect_type("params", params, Mapping, type(None))
        expect_type("name", name, str)
        self.params: dict[str, Any] = dict(params or {})
        self.name = name
        self._given = mod
        self._shapes: Mapping[str, Sequence[int | str]] | None = None

    @classmethod
    def of_file(cls, path: str | Path, shapes: Mapping[str, Sequence[int | str]] | None) -> TVMCModel:
        """Return the model of a file, which is read on first use of the module."""
        model = cls(IRModule())
        model._given, model._shapes = path, shapes
        return model

    @cached_property
    def mod(self) -> IRModule:
        """The module. Raises NeedsValues or NeedsHost for a file whose programs depend on values of inputs."""
        if isinstance(self._given, (IRModule, ModuleOp)):
            return self._given if isinstance(self._given, IRModule) else IRModule(self._given)
        return IRModule(load_model(self._given, shapes=self._shapes))

    @property
    def source(self) -> tuple[Any, dict[str, Any]]:
        """The model as `tilewright.compile` and `extract_tasks` take it, and the options of its shapes."""
        if self.params:
            from ..relay.build_module import bind_params_by_name

            return IRModule({"main": bind_params_by_name(self.mod["main"], self.params).op}), {}
        if isinstance(self._given, (str, Path)):
            return self._given, {"shapes": self._shapes}
        return self.mod, {}

    def compiled(self, target: Any, **options: Any) -> Module:
        """Return the model compiled for a target; `options` are those of `tilewright.compile`."""
        model, shapes = self.source
        return compile(model, target, **shapes, **options)

    def summary(self, file: TextIO | None = None) -> None:
        """Print the module."""
        print(self.mod.script(), file=file or sys.stdout)
        if self.params:
            print(f"params: {[*self.params]}", file=file or sys.stdout)

    def save(self, model_path: str | Path) -> None:
        """Write the module to a file that ends in .mlir, its weights beside it, for `tvmc.load`."""
        expect_type("model_path", model_path, str, Path)
        path, module = Path(model_path), self.mod.op.clone()
        if path.suffix != ".mlir":
            fail("TW0209", f"expected a file name that ends in .mlir, but got '{path}'", help="rename it")
        save_resources(module, path.with_suffix(".safetensors"))
        write_file(path, print_ir(module).encode())


@coded_methods
class TVMCPackage:
    """A compiled model, from a file `.tar` or `.so` that `tvmc.compile` or `Module.save` wrote."""

    def __init__(self, package_path: str | Path) -> None:
        expect_type("package_path", package_path, str, Path)
        self.package_path: str | None = str(package_path)
        self.lib_name = "default"
        self.module = load_module(package_path)

    @classmethod
    def of_module(cls, module: Module, name: str, path: str | Path | None) -> TVMCPackage:
        """Return the package that a compiled module is, with the file that it was written to."""
        package = cls.__new__(cls)
        package.package_path = None if path is None else str(path)
        package.lib_name, package.module = name, module
        return package

    @property
    def graph(self) -> str:
        """The graph as text. Raises TW0781 for a program that a graph cannot state."""
        return graph_of(self.module, self.lib_name)[0].to_json()

    @property
    def params(self) -> dict[str, NDArray]:
        """The parameters of the graph by name. Raises TW0781 for a program that a graph cannot state."""
        return {name: array.view(NDArray) for name, array in graph_of(self.module, self.lib_name)[1].items()}

    @property
    def executor_type(self) -> str:
        """The kind of executor, "graph"."""
        return "graph"

    def __repr__(self) -> str:
        return f"<package of {self.module!r}>"


@coded_methods
class TVMCResult:
    """The results of a run by name, `output_0` and so on, and its times; printed, the times and the names."""

    def __init__(
        self, outputs: Mapping[str, Array], times: Timing, drawn: str = "", profile: Profile | None = None
    ) -> None:
        self.outputs = {name: np.asarray(array) for name, array in outputs.items()}
        self.times = times
        self.drawn = drawn
        """A sentence about inputs that nobody gave; empty where all were given."""
        self.profile = profile

    def get_output(self, name: str) -> Array:
        """Return a result by its name. Raises TW0702 where there is none of that name."""
        expect_type("name", name, str)
        if name not in self.outputs:
            fail("TW0702", f"expected one of the outputs {', '.join(self.outputs)}, but got '{name}'")
        return self.outputs[name]

    def format_times(self) -> str:
        """Return a table of the times of a run in milliseconds."""
        times = self.times
        figures = {"mean": times.mean, "median": times.median, "max": times.max, "min": times.min, "std": times.std}
        heads = "".join(f"{f'{name} (ms)':>14}" for name in figures)
        row = "".join(f"{1e3 * seconds:>14.4f}" for seconds in figures.values())
        return f"Execution time summary:\n{heads}\n{row}"

    def save(self, output_path: str | Path) -> None:
        """Write the results to an .npz file."""
        expect_type("output_path", output_path, str, Path)
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **self.outputs)
        write_file(Path(output_path), content.getvalue())

    def __str__(self) -> str:
        parts = [self.format_times(), f"Output Names:\n{[*self.outputs]}"]
        return "\n\n".join([*parts, *filter(None, (self.drawn, "" if self.profile is None else str(self.profile)))])
