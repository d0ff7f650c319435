"""tensor: xDSL's dialect, with `tensor.parallel_insert_slice`."""

from __future__ import annotations

from xdsl.dialects import tensor
from xdsl.ir import Dialect

from .forall import ParallelInsertSliceOp

Tensor = Dialect("tensor", [*tensor.Tensor.operations, ParallelInsertSliceOp], [*tensor.Tensor.attributes])
