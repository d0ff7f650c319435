"""lower-cross-thread-reduction of unsigned numbers: partial results start from an identity of their type."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import te
from tilewright.dialects import context
from tilewright.driver.programs import as_module
from tilewright.passes.framework.base import level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import default_pipeline
from tilewright.semantics.program import Program


@pytest.mark.parametrize("dtype", ["uint8", "uint32"])
def test_least_of_rows(dtype: str) -> None:
    a, k = te.placeholder((6, 37), dtype, name="A"), te.reduce_axis((0, 37), name="k")
    b = te.compute((6,), lambda i: te.min(a[i, k], axis=k), name="B")
    s = te.create_schedule(b.op)
    _, inner = s[b].split(b.op.reduce_axis[0], factor=8)
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].bind(inner, te.thread_axis("threadIdx.x"))
    module = as_module(s, [a, b], "main")
    PassManager(default_pipeline(level_of(module), 3), verify_each=True).run(context(), module)
    x = np.random.default_rng(0).integers(100, np.iinfo(dtype).max, (6, 37), dtype=dtype)
    np.testing.assert_array_equal(Program(module).evaluate("main", x)[0], x.min(1))
