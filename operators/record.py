"""Records of operators and their table: the semantics, lowering and fusion of each operator.

A record has two definitions of the same function. `reference` computes it on numpy arrays and defines the semantics;
`te` is its lowering to tensor expressions, which are compiled. Both take the operands in order and the op's properties
as keyword arguments with their names in the IR, so that a test can compare them.

An operator that combines many elements, or computes in several steps, names the type of these steps: its `accumulator`.
Its `te` then takes one more keyword argument, `sums`, casts its operands to that type and returns a tensor of it; the
record rounds the result once. Its `reference` gets narrow floats as float64, and the record rounds its result too.

The table has each operator by its name; the files of this package and `register_operator` fill it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from importlib import import_module
from pkgutil import iter_modules
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from xdsl.ir import Attribute, SSAValue

    from ..dialects.graph import ConstantOp, Elements, GraphOp
    from ..te import Expr, Tensor


class FusionKind(IntEnum):
    """The dependence of an operator's outputs on its inputs, which decides fusion; greater is more opaque."""

    ELEMENTWISE = 0
    """Each element from the same element of operands of the same shape."""
    BROADCAST = 1
    """Each element from one element of each operand, operands stretched."""
    INJECTIVE = 2
    """Each element from one element of an operand, found by index arithmetic."""
    REDUCTION = 3
    """Elements combined along axes."""
    OUT_ELEMENTWISE = 4
    """A larger computation whose output elementwise work can join."""
    TUPLE = 7
    """Several values passed on together."""
    OPAQUE = 8
    """Fuses with nothing."""


class Blocks(Protocol):
    """The blocked layout NCHW[c] of the images around an operator that may be converted to this layout."""

    def size_for(self, channels: int, element: Attribute) -> int | None:
        """Return the number of channels in a block, for an image of `channels` channels; None where they do not
        divide."""
        ...

    def lanes(self, element: Attribute) -> int:
        """Return the number of elements in a vector."""
        ...

    def summed_bytes(self) -> str | None:
        """Return the type of bytes whose products with int8 the target sums fastest; None where either is as fast."""
        ...

    def sums_bytes(self) -> bool:
        """Return whether the target has instructions for sums of products of bytes in words."""
        ...

    def size_of(self, value: SSAValue, filled: bool = False) -> int | None:
        """Return the size of the blocks that the channels of `value` are known in; None where they are in none yet.

        The last block may be filled up with channels that do not count, where the caller says that it does not mind.
        """
        ...

    def image(self, value: SSAValue, size: int) -> SSAValue:
        """Return the NCHW image `value` with its channels in blocks of `size`."""
        ...

    def insert(self, op: GraphOp) -> SSAValue:
        """Insert a new operator before the current one and return its first result."""
        ...

    def constant(self, array: np.ndarray, source: ConstantOp) -> SSAValue:
        """Put the elements of a constant in another order, or in words, as a constant that is named after it."""
        ...


InBlocks: TypeAlias = "Callable[[GraphOp, Blocks], GraphOp | str]"
"""Gives an operator on NCHW images as one on images in blocks, or says why it stays as it is."""


@dataclass(frozen=True)
class Accumulator:
    """
    The type in which an operator combines elements: narrow floats in float32, everything else in the result's type.

    That is `out_dtype`, where the operator has one; else the common type of all operands if `promotes`, or that of the
    first one.
    """

    promotes: bool = False

    def of(self, dtype: str) -> str:
        return "float32" if dtype in ("float16", "bfloat16") else dtype

    def result(self, operands: Sequence[str], properties: Mapping[str, Any]) -> str:
        """Return the type of the result."""
        from ..te.dtypes import promote

        asked: str | None = properties.get("out_dtype")
        return asked or (reduce(promote, operands) if self.promotes else operands[0])


def in_type(out_dtype: str | None, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return factors in the type in which a reference multiplies and sums them."""
    from ..dialects.dtypes import numpy_dtype

    return arrays if out_dtype is None else tuple(x.astype(numpy_dtype(WIDE.of(out_dtype))) for x in arrays)


WIDE = Accumulator()
PROMOTED = Accumulator(promotes=True)


@dataclass(frozen=True)
class Operator:
    """An operator: its name in the graph dialect, its fusion kind, its reference and its lowering to te."""

    name: str
    kind: FusionKind
    reference: Callable[..., np.ndarray | Sequence[np.ndarray]]
    te: Callable[..., Tensor | Sequence[Tensor]]
    in_blocks: InBlocks | None = None
    """The form of the operator on images in blocked layout; None without one."""
    accumulator: Accumulator | None = None
    """The type of its sums, products and other steps; None where each element is rounded at most once anyway."""
    operation: type[GraphOp] | None = None
    """Its operation in the graph dialect; None where it serves topi alone."""
    elements: Elements | None = None
    """The element types that it takes, where its operation adds nothing to a family (`graph.UnaryOp` and its like) but
    name and element types, so that one test serves the whole family."""
    scalar: Callable[..., Expr] | None = None
    """The same of single elements; None where it is not on each element alone."""
    doc: str = ""
    """A description, for an operator without an operation that has one."""
    onnx: str = ""
    """The operator of ONNX's standard domain that has the same operands, attributes and meaning, where it was declared
    with one."""
    te_on_cpu: Callable[..., Tensor | Sequence[Tensor]] | None = None
    """`te` for CPUs, where steps one after the other are less work; None where `te` is for all targets."""

    def is_plain(self, *families: type[GraphOp]) -> bool:
        """Return whether its operation adds only a name and element types to one of these families."""
        return self.elements is not None and self.operation is not None and issubclass(self.operation, families)

    @property
    def meaning(self) -> str:
        """A description of the result, in a sentence or a few lines."""
        text = self.doc or (self.operation.__doc__ if self.operation is not None else None) or ""
        return " ".join(text.strip().partition("\n\n")[0].split())

    def evaluate(self, op: GraphOp, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the results of `op` on these operands, rounded to the element types of its results."""
        return self.compute(*arrays, **op.values)

    def fold(self, op: GraphOp, *arrays: np.ndarray) -> tuple[np.ndarray, ...] | None:
        """Return the results of `op` on constants, the same bits on every host; None where those depend on it."""
        import numpy as np

        from ..semantics.host_independent import NotPortable, independent

        try:
            results = self.evaluate(op, *map(independent, arrays))
        except NotPortable:
            return None
        return tuple(np.asarray(result) for result in results)

    def compute(self, *arrays: np.ndarray, **properties: Any) -> tuple[np.ndarray, ...]:
        """Compute the results on arrays, by `reference`, rounded once to the type of the result."""
        import numpy as np

        from ..dialects.dtypes import numpy_dtype

        wide = [_in_float64(array, self.accumulator) for array in arrays]
        with np.errstate(all="ignore"):
            results = _as_tuple(self.reference(*wide, **properties))
            # numpy gives scalars for operands of rank 0.
            if self.accumulator is None:
                return tuple(np.asarray(result) for result in results)
            dtype = numpy_dtype(self.accumulator.result([array.dtype.name for array in arrays], properties))
            return tuple(np.asarray(result).astype(dtype) for result in results)

    def trace(self, op: GraphOp, *tensors: Tensor) -> tuple[Tensor, ...]:
        """Return the results of `op` as tensor expressions over these tensors, for the target of its module."""
        from ..dialects.target import CpuTargetAttr, target_of

        if self.te_on_cpu is not None and isinstance(target_of(op), CpuTargetAttr):
            return _as_tuple(self.te_on_cpu(*tensors, **op.values))
        return self.express(*tensors, **op.values)

    def express(self, *operands: Any, **properties: Any) -> tuple[Tensor, ...]:
        """Return the results as tensor expressions: `te`, given the accumulator's type and rounded where that is
        wider."""
        if self.accumulator is None:
            return _as_tuple(self.te(*operands, **properties))
        dtype = self.accumulator.result([operand.dtype for operand in operands if operand is not None], properties)
        results = _as_tuple(self.te(*operands, sums=self.accumulator.of(dtype), **properties))
        return tuple(_rounded(result, dtype) for result in results)


def _rounded(tensor: Tensor, dtype: str) -> Tensor:
    """Return a tensor converted to the requested type, if it was computed in a wider one."""
    from .. import te

    if tensor.dtype == dtype:
        return tensor
    return te.compute(tensor.shape, lambda *i: tensor(*i).astype(dtype), name=f"{tensor.name}_rounded")


def _in_float64(array: np.ndarray, accumulator: Accumulator | None) -> np.ndarray:
    """Widen an array whose elements are too narrow to be accumulated in; return any other array as it is."""
    import numpy as np

    name = array.dtype.name
    return array if accumulator is None or accumulator.of(name) == name else array.astype(np.float64)


def _as_tuple(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


OPERATORS: dict[str, Operator] = {}
"""
Name of the operator -> its record. A record with an operation defines `graph.<name>`; records without one are used by
topi alone. `load_operators` returns the table with all builtin operators.
"""

_lock = RLock()
_loaded: list[str] = []


def load_operators() -> dict[str, Operator]:
    """Return the table, after every file of this package has been imported once; no list names the files."""
    if not _loaded:
        with _lock:
            names = [module.name for module in iter_modules(import_module(__package__ or "").__path__)]
            for name in names:
                import_module(f"{__package__}.{name}")
            _loaded[:] = names
    return OPERATORS


def get_operator(name: str) -> Operator:
    """Return the record of the operator `graph.<name>`. Raises KeyError where there is none."""
    return load_operators()[name]
