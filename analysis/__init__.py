"""Analyses of IR: integer sets, accesses, dependences, dominance. No analysis changes IR.

The names below are public: user passes build on the same analyses as builtin passes. Each is imported on first use.

    from tilewright.analysis import accesses_in, carried, proves
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports

if TYPE_CHECKING:
    from .access import Access as Access
    from .access import accesses_in as accesses_in
    from .access import accesses_of as accesses_of
    from .access import blocks_in as blocks_in
    from .access import consumers as consumers
    from .access import producers as producers
    from .access import reads as reads
    from .access import root_buffer as root_buffer
    from .access import writes as writes
    from .block_reductions import reduction_of as reduction_of
    from .bounds import extents_of as extents_of
    from .bounds import inside_conditions as inside_conditions
    from .cost import predict as predict
    from .dependence import carried as carried
    from .dependence import overlap as overlap
    from .dependence import reversed_by as reversed_by
    from .divergence import Divergence as Divergence
    from .domain import domain_of as domain_of
    from .domain import loops_around as loops_around
    from .dominance import Dominance as Dominance
    from .effects import is_pure as is_pure
    from .effects import is_speculatable as is_speculatable
    from .effects import is_unused as is_unused
    from .integer_set import Span as Span
    from .integer_set import box_hull as box_hull
    from .ranges import Facts as Facts
    from .ranges import RangeAnalysis as RangeAnalysis
    from .ranges import facts_at as facts_at
    from .ranges import proves as proves
    from .ranges import ranges_at as ranges_at

_EXPORTS: dict[str, str] = {
    "Access": "analysis.access:Access",
    "Divergence": "analysis.divergence:Divergence",
    "Dominance": "analysis.dominance:Dominance",
    "Facts": "analysis.ranges:Facts",
    "RangeAnalysis": "analysis.ranges:RangeAnalysis",
    "Span": "analysis.integer_set:Span",
    "accesses_in": "analysis.access:accesses_in",
    "accesses_of": "analysis.access:accesses_of",
    "blocks_in": "analysis.access:blocks_in",
    "box_hull": "analysis.integer_set:box_hull",
    "carried": "analysis.dependence:carried",
    "consumers": "analysis.access:consumers",
    "domain_of": "analysis.domain:domain_of",
    "extents_of": "analysis.bounds:extents_of",
    "facts_at": "analysis.ranges:facts_at",
    "inside_conditions": "analysis.bounds:inside_conditions",
    "is_pure": "analysis.effects:is_pure",
    "is_speculatable": "analysis.effects:is_speculatable",
    "is_unused": "analysis.effects:is_unused",
    "loops_around": "analysis.domain:loops_around",
    "overlap": "analysis.dependence:overlap",
    "predict": "analysis.cost:predict",
    "producers": "analysis.access:producers",
    "proves": "analysis.ranges:proves",
    "ranges_at": "analysis.ranges:ranges_at",
    "reads": "analysis.access:reads",
    "reduction_of": "analysis.block_reductions:reduction_of",
    "reversed_by": "analysis.dependence:reversed_by",
    "root_buffer": "analysis.access:root_buffer",
    "writes": "analysis.access:writes",
}

__getattr__, __dir__ = exports(__name__, _EXPORTS, "tilewright")
