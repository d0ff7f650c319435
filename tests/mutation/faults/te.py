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
    Fault(
        "quotients rounded up overflow near the end of a type",
        "te/functions.py",
        '    return binary("ceildiv", x, y)\n',
        '    return binary("floordiv", binary("sub", binary("add", x, y), 1), y)\n',
        ("tests/te/test_functions.py::test_quotients_rounded_up_at_the_ends_of_every_type",),
    ),
    Fault(
        "an alignment refuses the offset that schedules of tensor cores give",
        "dialects/loop/storage.py",
        "        return cls(axis, factor, offset % factor)\n",
        "        return cls(axis, factor, min(offset, factor - 1))\n",
        ("tests/classic/test_tir_schedule.py::test_offsets_of_alignments_are_taken_modulo_the_factor",),
    ),
)
