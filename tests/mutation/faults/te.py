"""Tensor expressions that were refused or gave wrong numbers."""

from __future__ import annotations

from .fault import Fault

_CONSTANTS = ("tests/te/test_storage_types.py::test_constants_near_the_largest_number_round_as_numpy_rounds",)

_BARRIERS = "tests/passes/test_shared_memory_barriers.py"

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
    Fault(
        "threads read what others have not written yet in shared memory",
        "tir/statements.py",
        "        separate_in_shared_memory(taken.held.ops)\n",
        "",
        (f"{_BARRIERS}::test_statements_of_a_builder_get_barriers",),
    ),
    Fault(
        "a barrier in shared memory where not all threads come",
        "passes/shared/barriers/shared_memory.py",
        "        separation.check_statements()\n",
        "        pass\n",
        (f"{_BARRIERS}::test_threads_that_meet_where_not_all_come_are_refused",),
    ),
    Fault(
        "an implementation of a tensor intrinsic writes beside its tile",
        "schedule/tensor_intrinsics.py",
        "            _check_inside(name, op)\n",
        "            pass\n",
        ("tests/schedule/test_tensorize_statements.py::test_text_that_leaves_its_tile_is_refused",),
    ),
    Fault(
        "calls among the statements of an intrinsic get tiles that are not packed",
        "passes/te_functions/tensor_intrin.py",
        "    calls = any(map(_passes_tiles, implementations, functions.values())) and not builder.matrices.scopes\n",
        "    calls = any(map(_calls, implementations)) and not builder.matrices.scopes\n",
        ("tests/schedule/test_tensorize_statements.py::test_calls_among_statements_count_on_packed_tiles",),
    ),
    Fault(
        "what a user's operation declares to access counts for nothing",
        "analysis/access.py",
        "        yield from _declared(op, block, domains)\n",
        "",
        ("tests/plugins/test_buffer_operations.py::test_iterations_that_only_the_copy_makes_depend_on_each_other",),
    ),
    Fault(
        "errors of calls point at the beginning of their line",
        "diagnostics/locations.py",
        "    return CodePoint(frame.f_code, frame.f_lasti).location\n",
        "    return file_location(frame.f_code.co_filename, frame.f_lineno, 1)\n",
        ("tests/te/test_error_columns.py::test_columns_are_those_of_calls",),
    ),
)
