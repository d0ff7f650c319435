"""Tensor expressions that were refused or gave wrong numbers."""

from __future__ import annotations

from .fault import Fault

_CONSTANTS = ("tests/te/test_storage_types.py::test_constants_near_the_largest_number_round_as_numpy_rounds",)

FAULTS = (
    Fault(
        "the range of a float constant is checked before it is rounded",
        "te/dtypes.py",
        "        return limit if _to_digits(number, self.digits) == limit else None\n",
        "        return None\n",
        _CONSTANTS,
    ),
)
