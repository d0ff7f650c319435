"""Operators by the default schedules for GPUs, in the simulator against numpy."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics.remarks import collect_remarks

from .networks import NETWORKS
from .table import ELEMENTWISE, LINEAR, MOVEMENT, REDUCTIONS, Row

ROWS = [*ELEMENTWISE[::4], *REDUCTIONS[::2], *MOVEMENT[::2], *LINEAR[::2], *NETWORKS[::2]]


@pytest.mark.sampled(4)
@pytest.mark.each("row", ROWS, ids=str, shards=4)
def test_agrees_with_numpy(row: Row) -> None:
    operands = row.placeholders()
    result = row.call(*operands)
    with collect_remarks() as remarks:
        program = tilewright.compile(te.to_module([*operands, result]), "cuda", device="simulator")
    assert not [str(r) for r in remarks if r.code == "TW0409"], "refused by the engine"
    for call in range(row.calls):
        arrays = row.arrays(call)
        with np.errstate(all="ignore"):
            expected = np.asarray(row.expected(*arrays))
            actual = np.asarray(program(*arrays))
        assert (actual.dtype, actual.shape) == (result.dtype, expected.shape)
        np.testing.assert_allclose(actual, expected, rtol=row.tolerance, atol=row.tolerance)
