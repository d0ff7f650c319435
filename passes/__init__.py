"""Passes, which lower a module from graph IR to executable loop IR, and the framework that runs them.

Read in this order:

- `pipeline`: the order of the default pipeline, with a reason for the position of each pass.
- `phase0` to `phase3`: the passes. A module has the name of its pass, with `_` for `-`; its docstring shows IR before
  and after. A pass with helpers is a package.
- `shared`: rewriting that passes of several modules use. `upstream`: the common parts of the conversions of upstream
  MLIR. `te_functions`: functions of te that run passes.
- `framework`: the base class of passes, registry, manager, contexts, instruments and validation.

The names below are the interface for authors of passes (docs/extend.md). A name is imported at its first use.

    from tilewright.passes import Level, Pass, may_rewrite, rewrite
    from tilewright.passes import editor as edit
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
    from ..ir import editor as editor
    from ..ir.rewrites import count_rewrites as count_rewrites
    from ..ir.rewrites import may_rewrite as may_rewrite
    from .framework.base import Level as Level
    from .framework.base import Pass as Pass
    from .framework.base import level_of as level_of
    from .framework.context import PassContext as PassContext
    from .framework.custom import pattern_pass as pattern_pass
    from .framework.instruments import Instrument as Instrument
    from .framework.instruments import PrintIR as PrintIR
    from .framework.instruments import Statistics as Statistics
    from .framework.instruments import Timing as Timing
    from .framework.instruments import print_ir as print_ir
    from .framework.instruments import statistic as statistic
    from .framework.manager import PassManager as PassManager
    from .framework.registry import parse_pipeline as parse_pipeline
    from .framework.registry import pass_names as pass_names
    from .framework.registry import register_pass as register_pass
    from .framework.registry import unregister_pass as unregister_pass
    from .framework.rewriting import rewrite as rewrite
    from .pipeline import default_pipeline as default_pipeline

_EXPORTS: dict[str, str] = {
    "Accesses": "dialects.declared_accesses:Accesses",
    "Instrument": "passes.framework.instruments:Instrument",
    "Level": "passes.framework.base:Level",
    "Pass": "passes.framework.base:Pass",
    "PassContext": "passes.framework.context:PassContext",
    "PassManager": "passes.framework.manager:PassManager",
    "PrintIR": "passes.framework.instruments:PrintIR",
    "Statistics": "passes.framework.instruments:Statistics",
    "TilewrightError": "diagnostics:TilewrightError",
    "Timing": "passes.framework.instruments:Timing",
    "collect_remarks": "diagnostics.remarks:collect_remarks",
    "count_rewrites": "ir.rewrites:count_rewrites",
    "default_pipeline": "passes.pipeline:default_pipeline",
    "editor": "ir.editor",
    "fail": "diagnostics:fail",
    "fused_location": "diagnostics.locations:fused_location",
    "level_of": "passes.framework.base:level_of",
    "location_of": "diagnostics.locations:location_of",
    "may_rewrite": "ir.rewrites:may_rewrite",
    "parse_pipeline": "passes.framework.registry:parse_pipeline",
    "pass_names": "passes.framework.registry:pass_names",
    "pattern_pass": "passes.framework.custom:pattern_pass",
    "print_ir": "passes.framework.instruments:print_ir",
    "register_pass": "passes.framework.registry:register_pass",
    "remark": "diagnostics.remarks:remark",
    "remarks_wanted": "diagnostics.remarks:remarks_wanted",
    "rewrite": "passes.framework.rewriting:rewrite",
    "set_missing_locations": "diagnostics.locations:set_missing_locations",
    "statistic": "passes.framework.instruments:statistic",
    "unregister_pass": "passes.framework.registry:unregister_pass",
}

__getattr__, __dir__ = exports(__name__, _EXPORTS, "tilewright")
