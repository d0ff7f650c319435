"""Programs of models that depend on the values of inputs: the table of versions, and files that hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import fail
from ..diagnostics.remarks import remark
from ..dialects.dtypes import element_type, numpy_dtype
from ..frontends.by_value import NeedsValues, OpenInput
from ..passes.context import PassContext
from ..runtime.arguments import Argument
from ..runtime.extent import Extent
from ..runtime.function import Function
from ..runtime.module import Module
from ..runtime.openmp import available_threads
from ..runtime.versions import MOST_VERSIONS, VERSION_NAME, MissingValues, Values, Version, VersionedCall, Versions
from .programs import as_module

Load = Callable[[Mapping[str, Any]], ModuleOp]
"""The module of a model for values of its inputs; raises NeedsValues where it depends on more of them."""
Make = Callable[[ModuleOp], Module]
"""The program of a module."""


def compile_versions(
    needs: NeedsValues, load: Load, make: Make, specialise: Sequence[Mapping[str, Any]], threads: int | None
) -> Module:
    """The program of a model that `needs` values of inputs: a version for each value that calls bring.

    Versions are compiled under the `PassContext` of this call; those of `specialise` at once.
    """
    context = PassContext.current()

    def compile(values: Values) -> Function:
        try:
            module = load(values)
        except NeedsValues as error:
            raise MissingValues(error.names) from error
        with context:
            return make(module).entry

    listed = ", ".join(f"'{name}'" for name in needs.names)
    limit = f"a version is compiled for each value that calls bring, up to {MOST_VERSIONS}"
    remark("TW0308", f"the program depends on the values of {listed}: {limit}", kind="analysis")
    ready = [Version.of(make(load(values)).entry) for values in specialise]
    versions = Versions([each.name for each in needs.inputs], needs.names, ready, compile)
    call = VersionedCall([*map(_argument, needs.inputs)], needs.outputs, versions, threads or available_threads())
    return Module({"main": Function(call)}, VersionedCode(versions, load, make))


def merged_versions(modules: Sequence[ModuleOp]) -> ModuleOp:
    """One module of the versions of a program: `@main`, or `@main_1`, `@main_2` and so on."""
    if len(modules) == 1:
        return modules[0]
    return as_module({f"{VERSION_NAME}{number}": module for number, module in enumerate(modules, start=1)})


def _argument(given: OpenInput) -> Argument:
    names = (f"{given.name}_dim{axis}" if dim is None else dim for axis, dim in enumerate(given.shape))
    shape = tuple(dim if isinstance(dim, int) else Extent.symbol(dim) for dim in names)
    return Argument(given.name, numpy_dtype(element_type(given.dtype)), shape)


@dataclass(frozen=True)
class VersionedCode:
    """The versions that a program has when it is asked: their texts, and files of them."""

    type_key: ClassVar[str] = "llvm"

    versions: Versions
    load: Load
    make: Make

    def source(self, kind: str) -> str:
        """The text of all versions as one module."""
        return self._program().get_source(kind)

    def save(self, path: Path) -> None:
        """Write all versions to one file."""
        self._program().save(path)

    def _program(self) -> Module:
        """The versions as one program. Raises TW0614 where there are none."""
        found = reversed(self.versions.compiled)
        modules = [self.load({argument.name: argument.array for _, argument in each.values}) for each in found]
        if not modules:
            fail(
                "TW0614",
                "expected a program with a version for some value of its inputs, but none was compiled",
                help='`specialise={"axes": [0, 1]}` compiles one; so does a call',
            )
        return self.make(merged_versions(modules))
