"""Names that met, rules that were never asked, scopes that were replaced in silence, results stored without need."""

from __future__ import annotations

from .fault import Fault

_NAMES = "tests/c_backend/test_names.py"
_RULES = ("tests/intrinsics/test_defined_functions.py",)
_SCOPES = ("tests/cuda_backend/backend/test_replaced_scopes.py",)

FAULTS = (
    Fault(
        "variables hide functions of the C library and macros",
        "backends/written/c_names.py",
        "RESERVED = Reserved(KEYWORDS | C_WORDS | _PREDEFINED | _WRITTEN, _FAMILIES)\n",
        "RESERVED = Reserved(KEYWORDS | _WRITTEN, _FAMILIES)\n",
        (f"{_NAMES}::test_names_in_c",),
    ),
    Fault(
        "variables hide helpers of the C backend",
        "backends/written/c_names.py",
        '_FAMILIES = ("GOMP_", "TW_", "omp_", "tilewright_", "tw_")\n',
        '_FAMILIES = ("GOMP_", "omp_", "tilewright_")\n',
        (f"{_NAMES}::test_names_in_c",),
    ),
    Fault(
        "variables hide the functions of the program",
        "backends/c/program.py",
        "in_bodies = self.reserved.and_also(interface.name for interface in self.interfaces.values())\n",
        "in_bodies = self.reserved\n",
        (f"{_NAMES}::test_names_in_c",),
    ),
    Fault(
        "variables hide what foreign code declares",
        "backends/c/program.py",
        "    reserved = reserved.and_also(foreign_words(functions))\n",
        "",
        (f"{_NAMES}::test_names_of_entries_and_foreign_code",),
    ),
    Fault(
        "two entries have one symbol",
        "backends/c/program.py",
        'symbols.fresh(f"tw_entry_{name_text(name)}"), f"constants',
        'f"tw_entry_{name_text(name)}", f"constants',
        (f"{_NAMES}::test_names_of_entries_and_foreign_code",),
    ),
    Fault(
        "variables of kernels are called as vector types of OpenCL C are",
        "backends/c/kernels.py",
        "        self._reserved = OPENCL_RESERVED.and_also(foreign_words(functions))\n",
        "        self._reserved = RESERVED.and_also(foreign_words(functions))\n",
        (f"{_NAMES}::test_names_in_opencl",),
    ),
    Fault(
        "arguments in headers are keywords of C++",
        "backends/written/c_names.py",
        "HEADER_RESERVED = Reserved(RESERVED.words | CPLUSPLUS_KEYWORDS, RESERVED.prefixes)\n",
        "HEADER_RESERVED = RESERVED\n",
        (f"{_NAMES}::test_names_in_headers",),
    ),
    Fault(
        "a user's rule for sigmoid is never asked",
        "te/body.py",
        "        if called := _called(expr):\n",
        "        if (called := _called(expr)) and False:\n",
        _RULES,
    ),
    Fault(
        "calls that a target has no rule for are left by lower-te",
        "passes/phase0/lower_te.py",
        "        expand_definitions(op, target_of(op))\n",
        "",
        _RULES,
    ),
    Fault(
        "a rule for a function without a name in the IR is registered in silence",
        "passes/framework/intrinsics.py",
        "    _expect_asked(name)\n\n",
        "",
        _RULES,
    ),
    Fault(
        "shared memory becomes that of threads in silence",
        "passes/phase1/privatize_shared_memory.py",
        '    remark_replaced_scope(alloc, "becomes memory of each thread", "no two threads access '
        'one of its elements")\n',
        "",
        _SCOPES,
    ),
    Fault(
        "one thread fills shared memory in silence",
        "passes/shared/barriers/thread_nests.py",
        "            _remark_filled_alone(op, missing)\n",
        "",
        _SCOPES,
    ),
    Fault(
        "memory of a thread becomes global in silence",
        "passes/phase1/privatize_global_memory.py",
        '                remark_replaced_scope(alloc, "becomes global memory", reason)\n',
        "                pass\n",
        _SCOPES,
    ),
    Fault(
        "a product is stored that a fused group passes on",
        "schedule/rules/inner_reduction.py",
        "    if epilogue is None or not sch.get_loops(epilogue):\n",
        "    if True:\n",
        ("tests/c_backend/test_fused_groups.py",),
    ),
)
