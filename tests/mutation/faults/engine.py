"""Schedules that were accepted and gave wrong numbers."""

from __future__ import annotations

from .fault import Fault

_SCRATCH = ("tests/schedule/test_scratch.py",)
_FUSED = ("tests/schedule/test_fused_sizes.py",)
_ONCE = "    check_written_once(_NAME, block, stores[0])\n"

FAULTS = (
    Fault(
        "compute_root of scratch that each iteration fills again",
        "schedule/primitives/compute_root.py",
        _ONCE,
        "",
        _SCRATCH,
    ),
    Fault(
        "compute_at of scratch that each iteration fills again",
        "schedule/primitives/compute_at.py",
        '    check_written_once("compute_at", block, stores[0])\n',
        "",
        _SCRATCH,
    ),
    Fault(
        "cache_write of a reduction that reads other elements of its result",
        "schedule/primitives/cache.py",
        '    check_own_reads("cache_write", block, stores)\n',
        "",
        _SCRATCH,
    ),
    Fault(
        "reverse_compute_at of a block that reads what its other instances wrote",
        "schedule/primitives/reverse_compute_at.py",
        "    check_own_reads(_NAME, block, stores)\n",
        "",
        _SCRATCH,
    ),
    Fault(
        "an init that reads the element before",
        "schedule/forms.py",
        "if block.init is None or access.is_init:",
        "if block.init is None:",
        _SCRATCH,
    ),
    Fault(
        "padding filled over an element that another instance stores",
        "schedule/primitives/decompose_padding.py",
        "    check_elements_of_its_own(_NAME, block, store)\n",
        "",
        _SCRATCH,
    ),
    Fault(
        "a sum whose partial results are read under a condition counts as a plain one",
        "analysis/reduction.py",
        "for op in top.walk() if store.buffer in op.operands",
        "for op in (top,) if store.buffer in op.operands",
        _SCRATCH,
    ),
    Fault(
        "the parts of a split fused loop count as all of its values",
        "analysis/instances.py",
        """    free = with_free_parts(domain, taken, around)
    if free is None:
        return FUSED
""",
        "    free = domain\n",
        _FUSED,
    ),
    Fault(
        "a fused loop need not run over the product of its sizes",
        "analysis/fused_loops.py",
        "    if covers(taken, target, outside) != PROVED:\n        return None\n",
        "",
        _FUSED,
    ),
    Fault(
        "two negative extents are fused to a positive one",
        "schedule/primitives/fuse.py",
        "        if n in negative[1:]:\n",
        "        if n in negative[len(negative) :]:\n",
        _FUSED,
    ),
)
