"""Parts of the package that get faults, and the tests that are expected to notice them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Campaign:
    """Faults in some folders of the package, and the tests tried on them. None compiles whole models."""

    folders: tuple[str, ...]
    suites: tuple[str, ...]


CAMPAIGNS: dict[str, Campaign] = {
    "engine": Campaign(
        ("schedule", "analysis"),
        (
            "tests/analysis",
            "tests/cpu/test_legality.py",
            "tests/lit_files",
            "tests/passes/test_phase0_schedules.py",
            "tests/passes/test_phase2_kernels.py",
            "tests/passes_core/test_dominance.py",
            "tests/schedule",
            "tests/schedule_rules_cuda",
            "tests/schedule_stages",
            "tests/te/test_reducers.py",
            "tests/tensor_intrinsics/test_rule.py",
        ),
    ),
    "passes": Campaign(
        ("passes",),
        (
            "tests/c_backend",
            "tests/cpu",
            "tests/driver",
            "tests/fuzz",
            "tests/graph",
            "tests/intrinsics",
            "tests/lit_files",
            "tests/locations",
            "tests/passes",
            "tests/passes_core",
            "tests/proof",
            "tests/schedule/test_tensorize.py",
            "tests/schedule/test_tensorize_refusals.py",
            "tests/te",
            "tests/tools/test_opt.py",
            "tests/tools/test_watch.py",
            "tests/tracing/test_trace.py",
        ),
    ),
}
"""By name, as in `run.py --over NAME`."""
