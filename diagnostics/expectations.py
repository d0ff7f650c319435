"""Checks of what public functions are given, made by the runtime."""

from __future__ import annotations

from ..runtime.expectations import WRONG_TYPE as WRONG_TYPE
from ..runtime.expectations import expect_serial as expect_serial
from ..runtime.expectations import expect_threads as expect_threads
from ..runtime.expectations import expect_type as expect_type
