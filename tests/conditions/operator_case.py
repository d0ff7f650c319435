"""An operator on operands, and the module that computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tilewright.dialects.dtypes import element_type
from tilewright.dialects.graph import make_type
from tilewright.operators import get_operator
from xdsl.builder import Builder
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint


@dataclass(frozen=True)
class Case:
    """An operator, the shapes and dtype of its operands, its properties."""

    operator: str
    shapes: tuple[tuple[int, ...], ...]
    values: dict[str, Any] = field(default_factory=dict)
    dtype: str = "float32"
    dtypes: tuple[str, ...] = ()
    positive: bool = False
    small: bool = False
    offset: float = 0.0
    given: Callable[[], list[np.ndarray]] | None = None
    """Makes the operands where not any will do; the shapes then only name the case."""

    def __str__(self) -> str:
        shapes = "_".join("x".join(map(str, shape)) or "scalar" for shape in self.shapes)
        values = "_".join(f"{k}{v}".replace(" ", "") for k, v in self.values.items())
        return "-".join(filter(None, (self.operator, shapes, values, self.dtype)))

    def arrays(self) -> list[np.ndarray]:
        if self.given is not None:
            return self.given()
        rng = np.random.default_rng(len(str(self)))
        dtypes = self.dtypes or (self.dtype,) * len(self.shapes)
        arrays = [_draw(rng, shape, dtype, self.positive) for shape, dtype in zip(self.shapes, dtypes, strict=True)]
        if self.small:
            return [np.tanh(array) for array in arrays]
        return [array + array.dtype.type(self.offset) for array in arrays] if self.offset else arrays


def _draw(rng: np.random.Generator, shape: tuple[int, ...], dtype: str, positive: bool) -> np.ndarray:
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.startswith(("int", "uint")):
        low = 1 if positive else 0 if dtype.startswith("uint") else -6
        numbers = rng.integers(low, 7, shape)
        return np.asarray(numbers).astype(dtype)
    numbers = rng.uniform(0.1, 2.0, shape) if positive else rng.standard_normal(shape)
    return np.asarray(numbers).astype(dtype)


def build(case: Case) -> ModuleOp:
    """Return a module whose main takes the case's operands and returns the operator's results."""
    return module_of(case.operator, case.arrays(), case.values)


def module_of(operator: str, arrays: Sequence[np.ndarray], values: Mapping[str, Any]) -> ModuleOp:
    """Return a module whose main takes these operands and returns the operator's results."""
    block = Block(arg_types=[make_type(a.shape, element_type(a.dtype.name)) for a in arrays])
    builder = Builder(InsertPoint.at_end(block))
    operation = get_operator(operator).operation
    assert operation is not None
    op = builder.insert(operation.of(*block.args, **values))
    builder.insert(ReturnOp(*op.results))
    function = FuncOp(
        "main",
        (block.arg_types, op.result_types),
        Region(block),
        arg_attrs=_names("x", len(arrays)),
        res_attrs=_names("y", len(op.results)),
    )
    return ModuleOp([function])


def _names(prefix: str, count: int) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr({"tw.name": StringAttr(f"{prefix}{k}")}) for k in range(count)])
