"""Passes in four phases, and what registers, orders and runs them.

The names below are for those who write passes. Each is imported when it is first asked for.

    from tilewright.passes import Level, Pass, may_rewrite, rewrite
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports

if TYPE_CHECKING:
    from ..diagnostics import TilewrightError as TilewrightError
    from ..diagnostics import fail as fail
    from ..diagnostics.locations import fused_location as fused_location
    from ..diagnostics.locations import location_of as location_of
    from ..diagnostics.locations import set_missing_locations as set_missing_locations
    from ..diagnostics.remarks import collect_remarks as collect_remarks
    from ..diagnostics.remarks import remark as remark
    from ..diagnostics.remarks import remarks_wanted as remarks_wanted
    from ..dialects.declared_accesses import Accesses as Accesses
    from ..ir.rewrites import may_rewrite as may_rewrite
    from .base import Level as Level
    from .base import Pass as Pass
    from .base import level_of as level_of
    from .context import PassContext as PassContext
    from .custom import pattern_pass as pattern_pass
    from .instruments import Instrument as Instrument
    from .instruments import PrintIR as PrintIR
    from .instruments import Statistics as Statistics
    from .instruments import Timing as Timing
    from .instruments import print_ir as print_ir
    from .instruments import statistic as statistic
    from .manager import PassManager as PassManager
    from .pipeline import default_pipeline as default_pipeline
    from .registry import parse_pipeline as parse_pipeline
    from .registry import pass_names as pass_names
    from .registry import register_pass as register_pass
    from .registry import unregister_pass as unregister_pass
    from .rewriting import rewrite as rewrite

_EXPORTS: dict[str, str] = {
    "Accesses": "dialects.declared_accesses:Accesses",
    "Instrument": "passes.instruments:Instrument",
    "Level": "passes.base:Level",
    "Pass": "passes.base:Pass",
    "PassContext": "passes.context:PassContext",
    "PassManager": "passes.manager:PassManager",
    "PrintIR": "passes.instruments:PrintIR",
    "Statistics": "passes.instruments:Statistics",
    "TilewrightError": "diagnostics:TilewrightError",
    "Timing": "passes.instruments:Timing",
    "collect_remarks": "diagnostics.remarks:collect_remarks",
    "default_pipeline": "passes.pipeline:default_pipeline",
    "fail": "diagnostics:fail",
    "fused_location": "diagnostics.locations:fused_location",
    "level_of": "passes.base:level_of",
    "location_of": "diagnostics.locations:location_of",
    "may_rewrite": "ir.rewrites:may_rewrite",
    "parse_pipeline": "passes.registry:parse_pipeline",
    "pass_names": "passes.registry:pass_names",
    "pattern_pass": "passes.custom:pattern_pass",
    "print_ir": "passes.instruments:print_ir",
    "register_pass": "passes.registry:register_pass",
    "remark": "diagnostics.remarks:remark",
    "remarks_wanted": "diagnostics.remarks:remarks_wanted",
    "rewrite": "passes.rewriting:rewrite",
    "set_missing_locations": "diagnostics.locations:set_missing_locations",
    "statistic": "passes.instruments:statistic",
    "unregister_pass": "passes.registry:unregister_pass",
}

__getattr__, __dir__ = exports(__name__, _EXPORTS, "tilewright")
