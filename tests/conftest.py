"""Settings of all tests: nothing that hypothesis draws or runs is timed, so that a loaded machine fails no test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
