"""The modules of the lit files compute after their passes what they computed before."""

from __future__ import annotations

import pytest

from .lit_modules import LitModule, lit_modules


@pytest.mark.full
@pytest.mark.each("module", list(lit_modules()), ids=str, shards=4)
def test_values_are_kept(module: LitModule) -> None:
    finding = module.changed_value()
    assert finding is None, f"@{finding.function}: {finding.problem}"
