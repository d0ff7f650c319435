"""Faults of what programs write: reducers, names of loops, classic calls of schedules."""

from __future__ import annotations

from .fault import Fault

_LAWS = "tests/te/test_reducer_laws.py"

FAULTS = (
    Fault(
        "default schedules combine the terms of a subtraction in another order",
        "analysis/block_reductions.py",
        "    return None if reduction is None or _broken_law(block, reduction) is not None else reduction\n",
        "    return reduction\n",
        (f"{_LAWS}::test_default_schedules_keep_the_order_of_a_combiner_that_breaks_a_law",),
    ),
    Fault(
        "an index among equal keys is a counter-example",
        "semantics/combiner_laws.py",
        "    selected = _selected_components(op.combiner.block)\n",
        "    selected: dict[int, frozenset[int]] = {}\n",
        (f"{_LAWS}::test_the_laws_of_combiners",),
    ),
    Fault(
        "a difference by rounding is a counter-example",
        "semantics/combiner_laws.py",
        "_ROUNDING = 1e-5\n",
        "_ROUNDING = 0.0\n",
        (f"{_LAWS}::test_the_laws_of_combiners",),
    ),
    Fault(
        "partial results of a maximum start from 0 where the reduction starts from -5",
        "analysis/block_reductions.py",
        "    is_started = block.init is None or starts_from_identity(block, reduction)\n",
        "    is_started = True\n",
        (f"{_LAWS}::test_a_custom_start_asks_for_a_neutral_identity",),
    ),
)
