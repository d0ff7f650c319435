"""Comparisons of runs that agreed by construction: values that validation took for computed."""

from __future__ import annotations

from .fault import Fault

_STREAMS = "semantics/random_streams.py"
_STORES = ("tests/proof/test_planted_stores.py",)
_CODE = ("tests/proof/test_machine_code.py::test_code_without_stores_is_wrong_for_a_copy",)
_MASK = ("tests/semantics/test_confirmation.py",)
_CONSTANTS = ("tests/proof/test_changed_constants.py",)

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
        "outputs = [initial_contents(value, trial, number) for number, value in enumerate(returned)]",
        "outputs = [value.copy() for value in returned]",
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
        "    if not isinstance(value, (np.ndarray, np.generic)) or not default_tolerance(value.dtype):\n"
        "        return value\n    chosen",
        '    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":\n        return value\n    chosen',
        _MASK,
    ),
    Fault(
        "a refutation is run at its first sizes alone, at which a sum may have no terms",
        "semantics/proving.py",
        "enumerate(refuted.further(), start=1)",
        "enumerate((), start=1)",
        _CONSTANTS,
    ),
    Fault(
        "equal numbers of empty sums say that an axiom is missing",
        "semantics/proving.py",
        "is_enough = len(equal) >= ENOUGH or (found.numbers is Numbers.EQUAL and not refuted.has_other_sizes)",
        "is_enough = found.numbers is Numbers.EQUAL",
        _CONSTANTS,
    ),
    Fault(
        "sizes at which sums have no terms are tried first",
        "analysis/equivalence/search.py",
        "            idle.sort(key=lambda each: (each[0], sum(each[1].values())))\n",
        "            idle.sort(key=lambda each: (-each[0], sum(each[1].values())))\n",
        _CONSTANTS,
    ),
    Fault(
        "a changed bound beyond the inputs shows no difference",
        "semantics/confirmation.py",
        "enumerate(_CONSTANT_SHARES if constants and not expands else ())",
        "enumerate(())",
        _CONSTANTS,
    ),
    Fault(
        "inputs of any size are made to confirm a refutation",
        "semantics/confirmation.py",
        "if (elements := elements_at(before, refuted.sizes)) > ELEMENTS:",
        "if (elements := elements_at(before, refuted.sizes)) < 0:",
        _CONSTANTS,
    ),
)
