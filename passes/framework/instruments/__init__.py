"""What watches passes run: printing, dumping, timing and counting, and what their figures are written as."""

from .base import Instrument as Instrument
from .dumping import DumpIR as DumpIR
from .printing import PrintIR as PrintIR
from .printing import print_ir as print_ir
from .statistics import Statistics as Statistics
from .statistics import statistic as statistic
from .timing import Timing as Timing
