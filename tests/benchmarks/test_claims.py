"""The programs behind the documents' claims of speed compute what numpy does; what they take is no matter here."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def claims(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import claims

    return claims


def test_a_row_of_each_kind_is_right(claims: ModuleType) -> None:
    for name in ("packing", "fused-operators"):
        assert len(claims.calls(claims.CLAIMS[name], 64, threads=1)) == 2
        assert claims.measured(name, 64, pairs=1).startswith(name)


def test_verdicts(claims: ModuleType) -> None:
    helps, twice, no_use = (claims.CLAIMS[name] for name in ("blocking", "packing", "cache-read"))
    assert [helps.holds(ratio) for ratio in (0.9, 1.05, 1.2, 3.0)] == [False, False, True, True]
    assert [twice.holds(ratio) for ratio in (1.2, 1.7, 2.5)] == [False, True, True]
    assert [no_use.holds(ratio) for ratio in (0.5, 1.0, 1.3)] == [True, True, False]
