"""Comparisons of runs that agreed by construction: values that validation took for computed."""

from __future__ import annotations

from .fault import Fault

_STREAMS = "semantics/random_streams.py"
_STORES = ("tests/proof/test_planted_stores.py",)
_CODE = ("tests/proof/test_machine_code.py::test_code_without_stores_is_wrong_for_a_copy",)
_MASK = ("tests/semantics/test_confirmation.py",)

FAULTS = (
    Fault(
        "validation fills the first output with the values of the first input",
        "semantics/calls.py",
        "generator(Purpose.OUTPUTS, trial, number)",
        "generator(Purpose.INPUTS, trial, *((number,) if number else ()))",
        _STORES,
    ),
    Fault(
        "machine code that stores nothing agrees on a copy, whose output held the input",
        "semantics/calls.py",
        "generator(Purpose.OUTPUTS, trial, number)",
        "generator(Purpose.INPUTS, trial, *((number,) if number else ()))",
        _CODE,
    ),
    Fault(
        "zeros behind the numbers of a stream do not count",
        _STREAMS,
        'np.random.default_rng(int.from_bytes(blake2b(text.encode(), digest_size=16).digest(), "little"))',
        "np.random.default_rng(numbers)",
        (*_STORES, "tests/semantics/test_random_streams.py"),
    ),
    Fault(
        "optimised code writes into memory in which its results may stand from the call before",
        "driver/oracle.py",
        "outputs = [initial_contents(value, trial, number) for number, value in enumerate(expected)]",
        "outputs = [value.copy() for value in expected]",
        _STORES,
    ),
    Fault(
        "special values replace the least elements of the first input",
        "semantics/confirmation.py",
        "generator(Purpose.SPECIAL_VALUES, trial)",
        "generator(Purpose.INPUTS_AT_SIZES, trial)",
        _MASK,
    ),
    Fault(
        "narrow floats and scalars never become special",
        "semantics/confirmation.py",
        "    if not isinstance(value, (np.ndarray, np.generic)) or not default_tolerance(value.dtype):\n",
        '    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":\n',
        _MASK,
    ),
)
