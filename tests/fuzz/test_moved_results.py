"""Random convolutions and transposes read at indices that no loop runs over: compiled code against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.graph import element_of, static_shape
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Region

from .draw import Draw
from .graph_modules import GraphWriter
from .graph_operators import moved_result


@pytest.mark.parametrize("number", range(16))
def test_values(number: int) -> None:
    writer = GraphWriter(Draw(7, number), np.random.default_rng(number))
    moved_result(writer)
    (argument,), result = writer.block.args, writer.values[-1].ssa
    writer.block.add_op(ReturnOp(result))
    function = FuncOp("main", ([argument.type], [result.type]), Region(writer.block))
    module, element, shape = ModuleOp([function]), element_of(argument), static_shape(argument)
    assert shape is not None
    x = np.random.default_rng(number).standard_normal(shape).astype(numpy_dtype(element))
    found, want = (tilewright.compile(module.clone(), target=t)(x) for t in ("cpu", "interpreter"))
    loose = 1e-3 if element == f32 or x.itemsize > 4 else 0.1
    np.testing.assert_allclose(found.astype(float), want.astype(float), rtol=loose, atol=loose)
