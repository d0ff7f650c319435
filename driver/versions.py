"""Programs of models whose shapes depend on the values of inputs: the table of versions, and files that hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ..diagnostics import fail
from ..diagnostics.remarks import remark
from ..dialects.dtypes import element_type, numpy_dtype
from ..dialects.graph import shape_of
from ..dialects.graph.sizes import evaluate, names_of
from ..dialects.names import ASSUMED_ATTRIBUTE
from ..frontends.by_value import NeedsValues, OpenDefault, OpenInput
from ..passes.framework.context import PassContext
from ..runtime.arguments import Argument, Default
from ..runtime.extent import Extent
from ..runtime.function import Function
from ..runtime.module import Module
from ..runtime.openmp import available_threads
from ..runtime.versions import (
    MOST_VERSIONS,
    VERSION_NAME,
    Cause,
    MissingValues,
    Values,
    Version,
    VersionedCall,
    Versions,
)
from .functions import arguments_by_name
from .programs import as_module

Load = Callable[[Mapping[str, Any], Mapping[str, int]], ModuleOp]
"""The module of a model for values of its inputs and for sizes; raises NeedsValues where it depends on more of them."""
Make = Callable[[ModuleOp], Module]
"""The program of a module."""


def compile_versions(
    needs: NeedsValues, load: Load, make: Make, specialise: Sequence[Mapping[str, Any]], threads: int | None
) -> Module:
    """Compile a model that `needs` values of inputs: a version for each value that calls bring.

    Versions are compiled under the `PassContext` of this call; those of `specialise` at once.
    """
    listed = ", ".join(f"'{name}'" for name in (*needs.names, *needs.sizes))
    limit = f"a version is compiled for each value that calls bring, up to {MOST_VERSIONS}"
    remark("TW0308", f"the program depends on the values of {listed}: {limit}", kind="analysis", notes=[needs.message])
    ready = [_version(load(values, {}), make, {}) for values in specialise]
    names, causes = [each.name for each in needs.inputs], dict.fromkeys((*needs.names, *needs.sizes), _cause(needs))
    versions = Versions(names, needs.names, needs.sizes, ready, _compiler(load, make), causes)
    inputs, defaults = [*map(_argument, needs.inputs)], [*map(_default, needs.defaults)]
    call = VersionedCall(inputs, needs.outputs, versions, threads or available_threads(), defaults)
    return Module({"main": Function(call)}, VersionedCode(versions, load, make))


def _version(module: ModuleOp, make: Make, sizes: Mapping[str, int]) -> Version:
    """Return the version that a module is for, which declines calls whose sizes differ where it takes them to be
    equal."""
    assumed = assumed_sizes(module)
    return _assuming(make(module).entry, assumed, sizes)


def _assuming(function: Function, assumed: Sequence[Assumed], sizes: Mapping[str, int]) -> Version:
    names = dict.fromkeys(name for each in assumed for name in each.names)
    cause = _cause_of_assumed(assumed) if assumed else None
    return Version.of(function, sizes, lambda sizes: all(each.takes(sizes) for each in assumed), [*names], cause)


def _cause(needs: NeedsValues) -> Cause:
    """Return the cause of versions for values and sizes that a model needs."""
    values = ", ".join(f'"{name}": …' for name in needs.names)
    sizes = ", ".join(f'"{name}": …' for name in needs.sizes)
    remedies = [
        *([f"`specialise=[{{{values}}}, …]` compiles versions beforehand"] if values else []),
        *(
            [f"`sizes={{{sizes}}}` fixes the size; inputs that are padded to few sizes need few versions"]
            if sizes
            else []
        ),
    ]
    return Cause(needs.message, "; ".join(remedies))


def _cause_of_assumed(assumed: Sequence[Assumed]) -> Cause:
    """Return the cause of versions for calls in which sizes differ that a program takes to be equal."""
    pairs = ", ".join(f"{each.first} and {each.second}" for each in assumed)
    names = ", ".join(f'"{name}": …' for name in dict.fromkeys(name for each in assumed for name in each.names))
    return Cause(
        f"it takes sizes to be equal that differ in this call: {pairs}",
        f"bring inputs of equal sizes, or compile a program for these: `sizes={{{names}}}`",
    )


def _compiler(load: Load, make: Make) -> Callable[[Values, Mapping[str, int]], Version]:
    """Return the function that compiles a version, under the `PassContext` of this call."""
    context = PassContext.current()

    def compile(values: Values, sizes: Mapping[str, int]) -> Version:
        try:
            module = load(values, sizes)
        except NeedsValues as error:
            raise MissingValues(error.names, error.sizes, _cause(error)) from error
        with context:
            return _version(module, make, sizes)

    return compile


def assumed_sizes(module: ModuleOp) -> tuple[Assumed, ...]:
    """Return the sizes that `@main` takes to be equal though its model allows others."""
    main = next((op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main"), None)
    stated = None if main is None else main.attributes.get(ASSUMED_ATTRIBUTE)
    if not isinstance(stated, ArrayAttr):
        return ()
    pairs = [
        [text.data for text in pair if isinstance(text, StringAttr)] for pair in stated if isinstance(pair, ArrayAttr)
    ]
    return tuple(Assumed(_number(first), _number(second), otherwise) for first, second, otherwise in pairs)


def excluded_sizes(module: ModuleOp, shapes: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return the sizes of inputs of these shapes, where `@main` takes some to be equal that are not; else nothing."""
    assumed = assumed_sizes(module)
    names = dict.fromkeys(name for each in assumed for name in each.names)
    main = next((op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main"), None)
    if main is None or not names:
        return {}
    sizes: dict[str, int] = {}
    for name, argument in arguments_by_name(main).items():
        given, stated = shapes.get(name or "", ()), shape_of(argument)
        if len(given) == len(stated):
            sizes |= {dim: size for dim, size in zip(stated, given, strict=True) if isinstance(dim, str)}
    if not names.keys() <= sizes.keys() or all(each.takes(sizes) for each in assumed):
        return {}
    return {name: sizes[name] for name in names}


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


@dataclass(frozen=True)
class Assumed:
    """Two sizes that a program assumes to be equal, and the differing sizes that its model allows."""

    first: int | str
    second: int | str
    otherwise: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the two sizes depend on."""
        return (*names_of(self.first), *names_of(self.second))

    def takes(self, sizes: Mapping[str, int]) -> bool:
        """Return whether the program serves a call of these sizes: they are equal, or must be in the model."""
        first, second = evaluate(self.first, sizes), evaluate(self.second, sizes)
        return first == second or (self.otherwise == "stretched" and 1 not in (first, second))


def versions_beside(program: Module, assumed: Sequence[Assumed], load: Load, make: Make) -> Module:
    """Return a program, and versions of its model for calls whose sizes differ where the program takes them to be
    equal."""
    function = program.entry
    signature, whole = function.signature, _assuming(function, assumed, {})
    versions = Versions([a.name for a in signature.inputs], (), (), [whole], _compiler(load, make))
    results = [a.name for a in signature.results]
    call = VersionedCall(signature.inputs, results, versions, function.threads, signature.defaults)
    return Module({"main": Function(call)}, VersionedCode(versions, load, make))


def merged_versions(modules: Sequence[ModuleOp]) -> ModuleOp:
    """Merge the versions of a program in one module: `@main`, or `@main_1`, `@main_2` and so on."""
    if len(modules) == 1:
        return modules[0]
    return as_module({f"{VERSION_NAME}{number}": module for number, module in enumerate(modules, start=1)})


def _argument(given: OpenInput) -> Argument:
    names = (f"{given.name}_dim{axis}" if dim is None else dim for axis, dim in enumerate(given.shape))
    shape = tuple(dim if isinstance(dim, int) else Extent.symbol(dim) for dim in names)
    return Argument(given.name, numpy_dtype(element_type(given.dtype)), shape)


def _default(given: OpenDefault) -> Default:
    argument = _argument(given)
    return Default(argument.name, argument.dtype, argument.shape, digest=given.digest)


@dataclass(frozen=True)
class VersionedCode:
    """The code of all versions that a program has at the moment: their texts, and files of them."""

    type_key: ClassVar[str] = "llvm"

    versions: Versions
    load: Load
    make: Make

    def source(self, kind: str) -> str:
        """Return the text of all versions as one module."""
        return self._program().get_source(kind)

    def save(self, path: Path) -> None:
        """Write all versions to one file."""
        self._program().save(path)

    def save_library(self, path: Path, weights: str | None) -> None:
        """Write all versions to one library, its constants inside or beside it."""
        self._program().save(path, weights=weights)

    def _program(self) -> Module:
        """Return the versions as one program. Raises TW0614 where there are none."""
        found = [*reversed(self.versions.compiled)]
        whole = [each for each in found if not each.values and not each.sizes]
        found = whole or found
        modules = [self.load({a.name: a.array for _, a in each.values}, each.sizes) for each in found]
        if not modules:
            fail(
                "TW0614",
                "expected a program with a version for some value of its inputs, but none was compiled",
                help='`specialise={"axes": [0, 1]}` compiles one; so does a call',
            )
        return self.make(merged_versions(modules))
