"""Settings of all tests.

Nothing that hypothesis draws or runs is timed, so that a loaded machine fails no test. Models are compiled and not
taken from the cache of programs: tests are about what passes do.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

os.environ["TILEWRIGHT_PROGRAM_CACHE"] = "0"
