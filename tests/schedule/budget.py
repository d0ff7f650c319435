"""The number of examples of a random test: a few in the test run, many in `make fuzz`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("TILEWRIGHT_FUZZ", "1"))
"""The factor by which `make fuzz` multiplies the number of examples."""


def draws(examples: int) -> Any:
    """Return settings for a random test of so many examples."""
    return settings(max_examples=examples * FACTOR, deadline=None, suppress_health_check=list(HealthCheck))
