"""Each operator against numpy: in the interpreter, and compiled by the default pipeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import te

from .networks import NETWORKS
from .table import ELEMENTWISE, LINEAR, MOVEMENT, REDUCTIONS, Row

ROWS = [*ELEMENTWISE, *REDUCTIONS, *MOVEMENT, *LINEAR, *NETWORKS]


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


@pytest.mark.sampled(3)
@pytest.mark.each("row", ROWS, ids=str, shards=3)
def test_agrees_with_numpy(row: Row) -> None:
    operands = row.placeholders()
    result = row.call(*operands)
    module = te.to_module([*operands, result])
    for target in ("interpreter", "cpu"):
        program = tilewright.compile(module, target)
        for call in range(row.calls):
            arrays = row.arrays(call)
            with np.errstate(all="ignore"):
                expected = np.asarray(row.expected(*arrays))
            actual = np.asarray(program(*arrays))
            assert actual.dtype == result.dtype
            assert actual.shape == expected.shape, target
            np.testing.assert_allclose(actual, expected, rtol=row.tolerance, atol=row.tolerance, err_msg=target)
