"""Instruments that watch passes: printing, dumping, timing and counting, and the formats of their figures."""

from .base import Instrument as Instrument
from .dumping import DumpIR as DumpIR
from .printing import PrintIR as PrintIR
from .printing import print_ir as print_ir
from .statistics import Statistics as Statistics
from .statistics import statistic as statistic
from .timing import Timing as Timing
