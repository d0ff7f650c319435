"""
`#tw.resource<"name">`: constant data that lives beside the text.

The attribute holds the data object itself, not a handle into a table of the parser or the module. A module is therefore
self-contained: cloning, moving or merging functions never loses a weight, and passes read the data from the attribute.
The text contains only the name; the module attribute `tw.weights` names the safetensors file with the data.

A freshly parsed resource is *unresolved*: it has a name and no data. `resolve_resources` binds every resource to the
weights file and checks name, dtype and shape there. The data stays on disk until `Resource.array` is read.
"""

from __future__ import annotations

import difflib
import os
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Data, Dialect, Operation
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..diagnostics import fail
from ..diagnostics.files import fail_writing, path_inside, reason, shown, written_whole
from .dtypes import dtype_name, has_dtype

if TYPE_CHECKING:
    import numpy as np

    from .weights_file import StoredArray

WEIGHTS_ATTRIBUTE = "tw.weights"
"""The module attribute that names the weights file, relative to the file that the module was read from."""

KEPT_BYTES = 1 << 16
"""Data of fewer bytes stays in memory once it was read."""


class Resource:
    """
    A named constant array: in memory, in a weights file and loaded on first use, or unresolved.

    Two resources are equal when their names are equal and their data is the same: the same memory, the same tensor of
    the same file, or none in both. Contents are never compared nor printed.
    """

    __slots__ = ("_array", "_loaded", "_stored", "is_moved", "name")

    def __init__(self, name: str, array: np.ndarray | None = None, stored: StoredArray | None = None) -> None:
        self.name = name
        self._array = None if array is None else _read_only(array)
        self._stored = stored
        self._loaded: weakref.ref[np.ndarray] | None = None
        self.is_moved = False
        """Return if `move_to` was called."""

    @property
    def is_resolved(self) -> bool:
        return self._array is not None or self._stored is not None

    @property
    def is_in_memory(self) -> bool:
        """True if no file holds the data, because a program or a pass made it."""
        return self._array is not None and self._stored is None

    @property
    def dtype(self) -> str | None:
        """numpy's name of the dtype; None while unresolved."""
        if self._stored is not None:
            return self._stored.dtype
        return None if self._array is None else self._array.dtype.name

    @property
    def shape(self) -> tuple[int, ...] | None:
        if self._stored is not None:
            return self._stored.shape
        return None if self._array is None else self._array.shape

    @property
    def array(self) -> np.ndarray:
        """The data, read-only; the data of a file is kept as long as it is used. Raises TW0705 while unresolved,
        and where the file cannot be read."""
        array = self._array if self._array is not None or self._loaded is None else self._loaded()
        if array is None:
            if self._stored is None:
                fail(
                    "TW0705",
                    f"the data of resource '{self.name}' is not loaded",
                    help=f"set the module attribute `{WEIGHTS_ATTRIBUTE}` and keep the weights file beside the module",
                )
            array = _read_only(self._stored.load())
            self._loaded = weakref.ref(array)
            if array.nbytes < KEPT_BYTES:
                self._array = array
        return array

    def parts(self) -> Iterator[np.ndarray]:
        """Yield the data cut along its first dimension, each part until the next one is asked for: of a file as much as
        is read at once."""
        if self._stored is None or self._array is not None:
            yield self.array
        else:
            yield from self._stored.parts()

    def map_file(self) -> bool:
        """Keep the data in the pages of a file that has weights alone, which are read when they are used; return if
        there is one. Raises OSError where it cannot be mapped."""
        if self._stored is None or not self._stored.may_stay:
            return False
        self._array, self.is_moved = _read_only(self._stored.mapped()), True
        return True

    def move_to(self, array: np.ndarray) -> None:
        """Copy the data into an array of the same shape and type, and keep it there from now on."""
        if self._stored is not None and self._array is None:
            self._stored.load_into(array)
        else:
            array[...] = self.array
        self._array, self.is_moved = _read_only(array), True

    def _identity(self) -> object:
        if self._stored is not None or self._array is None:
            return self._stored
        return (self._array.ctypes.data, self._array.dtype, self._array.shape, self._array.strides)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resource) and self.name == other.name and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        state = f"{self.dtype}{list(self.shape or ())}" if self.is_resolved else "unresolved"
        return f"Resource({self.name!r}, {state})"


@irdl_attr_definition
class ResourceAttr(Data[Resource]):
    """
    Data kept outside the text.

    ```mlir
    %w = graph.constant resource<"conv1.weight"> : tensor<64x3x7x7xf32>
    ```
    """

    name = "tw.resource"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Resource:
        with parser.in_angle_brackets():
            return Resource(parser.parse_str_literal(" as the name of a resource"))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data.name)

    def check_type(self, type_: Attribute) -> str | None:
        """Return the reason why this resource cannot have the shaped type `type_`, or None. An unresolved resource fits
        any."""
        if not isinstance(type_, (TensorType, MemRefType)):
            return f"expected a tensor or memref type for resource '{self.data.name}', but got {type_}"
        element = cast(Attribute, type_.element_type)
        if not has_dtype(element):
            return f"expected an element type with data, but got {element}"
        if not self.data.is_resolved:
            return None
        expected = (dtype_name(element), type_.get_shape())
        found = (self.data.dtype, self.data.shape)
        if expected == found:
            return None
        return (
            f"expected resource '{self.data.name}' to hold {expected[0]}{list(expected[1])}, "
            f"but got {found[0]}{list(found[1] or ())}"
        )


TW = Dialect("tw", [], [ResourceAttr])


def resource_attr(name: str, array: np.ndarray) -> ResourceAttr:
    """Return a resource that holds `array` (not copied: the caller does not change it afterwards)."""
    return ResourceAttr(Resource(name, array))


def walk_resources(module: Operation) -> Iterator[tuple[Operation, str, ResourceAttr]]:
    """Yield every (operation, property or attribute name, resource) below `module`."""
    for op in module.walk():
        for table in (op.properties, op.attributes):
            for key, value in table.items():
                if isinstance(value, ResourceAttr):
                    yield op, key, value


def has_weights(module: ModuleOp) -> bool:
    """Return whether a module has resources, and the data of each is known."""
    resources = [attr.data for _, _, attr in walk_resources(module)]
    return bool(resources) and all(resource.is_resolved for resource in resources)


def resolve_resources(module: ModuleOp, directory: str | os.PathLike[str], *, anywhere: bool = False) -> None:
    """Point every unresolved resource of `module` at its tensor in the weights file, relative to `directory`.

    Only the file's header is read. Unless it may be anywhere, the file is in `directory` or below. Raises TW0709 (it is
    not), TW0705 (no weights file named, not there, damaged, or without a tensor of
    that name) and TW0710 (a tensor's dtype or shape differs from the op's type).
    """
    pending = [(op, key, attr) for op, key, attr in walk_resources(module) if not attr.data.is_resolved]
    if not pending:
        return
    path = _weights_path(module, pending, Path(directory), anywhere)
    header = read_header(path)
    for op, key, attr in pending:
        name = attr.data.name
        if name not in header:
            near = difflib.get_close_matches(name, header, n=3)
            fail(
                "TW0705",
                f"weights file '{path}' has no tensor '{name}'",
                op=op,
                help=f"nearest names: {', '.join(near)}" if near else None,
            )
        resolved = ResourceAttr(Resource(name, stored=header[name]))
        if op.results and (problem := resolved.check_type(op.results[0].type)):
            fail("TW0710", f"{problem} in '{path}'", op=op)
        table = op.properties if op.properties.get(key) is attr else op.attributes
        table[key] = resolved


def _weights_path(
    module: ModuleOp, pending: list[tuple[Operation, str, ResourceAttr]], directory: Path, anywhere: bool
) -> str:
    named = module.attributes.get(WEIGHTS_ATTRIBUTE)
    if not isinstance(named, StringAttr):
        op, _, attr = pending[0]
        fail(
            "TW0705",
            f"resource '{attr.data.name}' has no data: the module names no weights file",
            op=op,
            help=f'add `attributes {{{WEIGHTS_ATTRIBUTE} = "file.safetensors"}}` to the module',
        )
    return str(path_inside(directory, named.data, "the weights file", anywhere=anywhere))


def read_header(path: str) -> dict[str, StoredArray]:
    """Read the tensors of a safetensors file by name, without their bytes."""
    from ..runtime.tensor_files import DamagedTensorFile, arrays_of
    from .weights_file import StoredArray, WeightsFile

    try:
        file = WeightsFile(path)
        content = file.mapped()
        found = arrays_of(content.data)
    except FileNotFoundError:
        fail("TW0705", f"weights file '{path}' does not exist", help="keep it beside the .mlir file that names it")
    except (OSError, DamagedTensorFile) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        fail("TW0705", f"weights file '{shown(path)}' is not a readable safetensors file: {why}")
    start = content.ctypes.data
    return {n: StoredArray(file, a.ctypes.data - start, a.dtype.name, a.shape) for n, a in found.items()}


def save_resources(module: ModuleOp, path: str | os.PathLike[str]) -> None:
    """Write the data of every resource of `module` to the safetensors file `path` and name it in the module; without
    resources nothing is written.

    The file appears whole or not at all (written beside the final path, then renamed), so that a module may be saved
    over the file from which its weights come. Raises TW0710 where one name stands for two different arrays, TW0204
    where the file cannot be written.
    """
    import numpy as np
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    chosen: dict[str, Resource] = {}
    for op, _, attr in walk_resources(module):
        previous = chosen.setdefault(attr.data.name, attr.data)
        if previous != attr.data and not np.array_equal(previous.array, attr.data.array):
            fail("TW0710", f"two different arrays are both named '{attr.data.name}'", op=op)
    arrays = {name: np.require(resource.array, requirements="C") for name, resource in chosen.items()}
    target = Path(path)
    if not arrays:
        return
    try:
        with written_whole(target) as temporary:
            save_file(arrays, temporary)
    except (OSError, SafetensorError) as error:
        fail_writing(target, error)
    module.attributes[WEIGHTS_ATTRIBUTE] = StringAttr(target.name)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
