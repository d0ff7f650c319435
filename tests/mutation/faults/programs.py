"""Faults of what programs write: reducers, names of loops, classic calls of schedules."""

from __future__ import annotations

from .fault import Fault

_LAWS = "tests/te/test_reducer_laws.py"
_NAMES = "tests/tvmscript/test_names.py"

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
    Fault(
        "names of a script's loops are renumbered",
        "dialects/names.py",
        '    return _COUNTED.sub(r".\\1", name)\n',
        '    return _COUNTED.sub("", name) or "v"\n',
        (f"{_NAMES}::test_names_come_back",),
    ),
    Fault(
        "errors say a loop's name with a dot",
        "diagnostics/locations.py",
        '    return hint.replace(".", "_") if hint is not None and isinstance(value.type, IndexType) else hint\n',
        "    return hint\n",
        (f"{_NAMES}::test_errors_say_the_names",),
    ),
    Fault(
        "a numbered name of a script is another one of the program",
        "frontends/tvmscript/printer.py",
        "    while name in taken or name in _RESERVED or (count and name in given):\n",
        "    while name in taken or name in _RESERVED:\n",
        (f"{_NAMES}::test_a_name_that_is_numbered_is_no_other_of_the_program",),
    ),
    Fault(
        "a numbered name of C is another one of the program",
        "backends/written/fresh_names.py",
        " or (count and name in self._given)",
        "",
        (f"{_NAMES}::test_a_name_that_is_numbered_is_no_other_of_the_program",),
    ),
    Fault(
        "loop_partition takes factors to be points",
        "schedule/primitives/loop_partition.py",
        "        points = _points_of(op, factors, lower, upper)\n",
        "        points = [n for n in factors if n is not None]\n",
        ("tests/schedule/test_loops_more.py::test_partition_by_factors",),
    ),
    Fault(
        "a keyword of the classic get_child_blocks is unknown",
        "classic/schedule/interactive.py",
        '    "get_child_blocks": {"block_or_loop": "parent"},\n',
        "",
        ("tests/classic/test_schedule_signatures.py::test_each_method_and_keyword_is_taken_or_refused",),
    ),
    Fault(
        "results of widened operators are not rounded",
        "passes/phase0/widen_narrow_floats.py",
        "        return exact if _selects(source) else _cast(_cast(exact, _element_name(value)), _WIDE)\n",
        "        return exact\n",
        ("tests/passes/test_widen_narrow_floats.py::test_each_result_is_a_number_of_the_type",),
    ),
    Fault(
        "rows of a gate that fill no block are read as the next gate's",
        "operators/recurrent.py",
        "    count = -(-hidden // size)\n    shape =",
        "    count = hidden // size\n    shape =",
        ("tests/cpu/test_recurrences.py::test_constant_weights_serve_any_batch",),
    ),
)
