"""What watches passes run: timing, printing, and what else wants to know."""

from .base import Instrument as Instrument
from .printing import PrintIR as PrintIR
from .printing import print_ir as print_ir
from .timing import Timing as Timing
