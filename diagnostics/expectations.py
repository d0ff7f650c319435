"""Checks of the arguments of public functions: their types, and calls that do not match the signature.

The runtime implements the checks.
"""

from __future__ import annotations

from ..runtime.calls import coded as coded
from ..runtime.calls import coded_methods as coded_methods
from ..runtime.calls import coded_names as coded_names
from ..runtime.calls import public as public
from ..runtime.expectations import WRONG_TYPE as WRONG_TYPE
from ..runtime.expectations import expect_serial as expect_serial
from ..runtime.expectations import expect_threads as expect_threads
from ..runtime.expectations import expect_type as expect_type
