"""Instruments, which observe the passes of a manager: printing, dumping, timing and counting, and output formats.

`base` defines the interface. Each other module has one instrument, or the format of its output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....lazy import exports
from .base import Instrument as Instrument

if TYPE_CHECKING:
    from .dumping import DumpIR as DumpIR
    from .printing import PrintIR as PrintIR
    from .printing import print_ir as print_ir
    from .statistics import Statistics as Statistics
    from .statistics import statistic as statistic
    from .timing import Timing as Timing

_EXPORTS: dict[str, str] = {
    "DumpIR": "dumping:DumpIR",
    "PrintIR": "printing:PrintIR",
    "Statistics": "statistics:Statistics",
    "Timing": "timing:Timing",
    "print_ir": "printing:print_ir",
    "statistic": "statistics:statistic",
}

__getattr__, __dir__ = exports(__name__, _EXPORTS)
