"""Schedules that were accepted and gave wrong numbers."""

from __future__ import annotations

from .fault import Fault

_SCRATCH = ("tests/schedule/test_scratch.py",)
_FUSED = ("tests/schedule/test_fused_sizes.py",)
_NEVER = ("tests/schedule/test_never_runs.py",)
_EMPTY = "tests/schedule/test_empty_reductions.py"
_BLOCKS = "tests/schedule/test_blocks.py"
_REDUCTIONS = "tests/schedule/test_reductions.py"
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
    Fault(
        "an init that must stay at the first term does not run where there is none",
        "passes/phase1/lower_blocks.py",
        "        if (nest := init_if_empty(block, facts)) is not None:\n",
        "        if False and (nest := init_if_empty(block, facts)) is not None:\n",
        (f"{_EMPTY}::test_one_of_two_extents_is_none",),
    ),
    Fault(
        "the interpreter runs no init where there are no terms",
        "semantics/emit/control.py",
        "    for block in emitter.reductions_begun_at(op):\n",
        "    for block in ():\n",
        (f"{_EMPTY}::test_one_of_two_extents_is_none",),
    ),
    Fault(
        "of two extents the first alone says whether there are terms",
        "analysis/init_nests.py",
        "    for n in reversed(extents):\n",
        "    for n in extents[:1]:\n",
        (f"{_EMPTY}::test_either_of_two_extents_is_none",),
    ),
    Fault(
        "results in the loop of their terms take its values, of which there are none",
        "schedule/primitives/decompose.py",
        "    _check_shared_loops(block, target, copied)\n",
        "",
        (f"{_EMPTY}::test_a_loop_of_results_and_terms_is_not_copied_for_the_init",),
    ),
    Fault(
        "a part of the results is fused with the terms",
        "schedule/primitives/fuse.py",
        "    _check_inits(loops)\n",
        "",
        (f"{_EMPTY}::test_a_part_of_the_results_is_not_fused_with_the_terms",),
    ),
    Fault(
        "a guard on the first term stops the init of no terms",
        "schedule/primitives/domain_guard.py",
        "    of_init = _at_first_term(block, guard)\n",
        "    of_init = guard\n",
        (f"{_EMPTY}::test_the_result_is_the_init",),
    ),
    Fault(
        "what an init reads is computed in the loops of the terms",
        "schedule/primitives/compute_at.py",
        '        check_before_terms("compute_at", access, target)\n',
        "",
        (f"{_EMPTY}::test_what_an_init_reads_is_there_before_the_terms",),
    ),
    Fault(
        "an init overtakes what it reads",
        "schedule/primitives/decompose.py",
        "    _check_inputs_of_init(block, target)\n",
        "",
        (f"{_EMPTY}::test_what_an_init_reads_is_there_before_the_terms",),
    ),
    Fault(
        "a part of a reduction that never runs begins it",
        "analysis/instances.py",
        "    target = with_facts(_without(domain, others, top).equating(spatial)",
        "    target = with_facts(domain.equating(spatial)",
        (f"{_EMPTY}::test_a_part_that_runs_no_term_begins_no_result",),
    ),
    Fault(
        "loops that no variable is bound to count as run",
        "analysis/instances.py",
        "    if idle and not or_idle:\n",
        "    if False:\n",
        _NEVER,
    ),
    Fault(
        "a block without variables counts as run wherever it is put",
        "schedule/primitives/reverse_compute_at.py",
        "    return runs_all_of(block, spatial or [(Index.of(0), Index.of(0), Index.of(1))], None)\n",
        "    return runs_all_of(block, spatial, None) if spatial else PROVED\n",
        _NEVER,
    ),
    Fault(
        "a store under a condition counts as one of all elements",
        "schedule/primitives/cache.py",
        "    at = None if always_stores(block, store) else store\n",
        "    at = None\n",
        _NEVER,
    ),
    Fault(
        "a read under a condition counts as one of all elements",
        "schedule/primitives/compute_at.py",
        "    if access.op.parent is not access.block.body.block:\n        return False\n",
        "",
        _NEVER,
    ),
    Fault(
        "terms are added to a loop that was parallel as it had one",
        "schedule/primitives/pad_einsum.py",
        "loops[variable].kind not in (loop.SERIAL, loop.UNROLLED)",
        "loops[variable].kind is None",
        _NEVER,
    ),
    Fault(
        "what an earlier iteration left counts as computed in this one",
        "schedule/primitives/reverse_inline.py",
        "    _check_iterations(block, producer, values)\n",
        "",
        _NEVER,
    ),
    Fault(
        "the init of no terms leaves the results that there are",
        "analysis/init_nests.py",
        "    guard += [c for c in domain if c not in guard and not facts.proves(c)]\n",
        "",
        (f"{_EMPTY}::test_a_part_that_never_runs_has_the_results_that_there_are",),
    ),
    Fault(
        "parts of a fused index are not bounded by their sizes in a cover",
        "analysis/instances.py",
        "    cover = [with_facts(free.equating(pairs))]\n",
        "    cover = [free.equating(pairs)]\n",
        _FUSED,
    ),
    Fault(
        "results that have their init alone are not copied",
        "schedule/primitives/cache.py",
        "        writes = [a for a in accesses_in(block) if a.is_write and a.buffer is store.buffer]  # the init too\n",
        "        writes = [a for a in accesses_in(block) if a.op is store]\n",
        _NEVER,
    ),
    Fault(
        "a copy for a block reads where tests in the block keep it from reading",
        "schedule/primitives/reindex.py",
        "    guard_instances(copy, [e.substitute(dict(renamed)) for e in tests])\n",
        "",
        _NEVER,
    ),
    Fault(
        "tiles before the domain are instances",
        "schedule/primitives/blockize.py",
        "for e in (t.tile, t.tiles - t.tile - 1) if",
        "for e in (t.tiles - t.tile - 1,) if",
        _NEVER,
    ),
    Fault(
        "results of an iteration are computed in a later one from what is there by then",
        "schedule/consumer_order.py",
        "    if conflict is not None:\n        return conflict\n    known",
        "    known",
        _SCRATCH,
    ),
    Fault(
        "an inlined consumer overtakes what runs in its own loops",
        "schedule/primitives/reverse_inline.py",
        "if place is start or between or (place is end and _runs_before(access, block, end)):",
        "if place is start or between:",
        _SCRATCH,
    ),
    Fault(
        "a copy of what a guarded block reads has no guard",
        "schedule/primitives/reindex.py",
        "        where=guard_around(block, top),\n",
        "        where=guard_around(block, top) if is_write else (),\n",
        _FUSED,
    ),
    Fault(
        "terms whose order matters are put into that of their variables",
        "schedule/forms.py",
        "    if reduction_of(block) is None:\n",
        "    if False:\n",
        _SCRATCH,
    ),
    Fault(
        "partial results use the loops around their block",
        "schedule/primitives/rfactor.py",
        "        if single or op in plan.reduce_loops:\n",
        "        if op in plan.reduce_loops:\n",
        (_REDUCTIONS,),
    ),
    Fault(
        "a copy of a block of blocks is numbered by the variables of an inner one",
        "schedule/primitives/cache.py",
        '        check_own_index("cache_write", block, result, store.index)\n',
        "        pass\n",
        (_BLOCKS,),
    ),
    Fault(
        "a consumer is put into a block",
        "schedule/primitives/reverse_compute_at.py",
        "    check_target(_NAME, block, target)\n",
        "",
        (_BLOCKS,),
    ),
    Fault(
        "what an init reads is copied in the loops of the terms",
        "schedule/primitives/cache.py",
        '        check_before_terms("cache_read", access, top)\n',
        "        pass\n",
        (f"{_EMPTY}::test_what_an_init_reads_is_not_copied_among_the_terms",),
    ),
    Fault(
        "the inits of a tile overtake what reads the results before them",
        "schedule/primitives/blockize.py",
        '        check_init_order("blockize", nest.block, top, nest.loops)\n',
        "        pass\n",
        (f"{_SCRATCH[0]}::test_the_inits_of_a_tile_do_not_overtake_what_reads_other_results",),
    ),
)
