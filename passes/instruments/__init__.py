"""Instruments under the public path `tilewright.passes.instruments`; the framework of passes defines them."""

from ..framework.instruments import DumpIR as DumpIR
from ..framework.instruments import Instrument as Instrument
from ..framework.instruments import PrintIR as PrintIR
from ..framework.instruments import Statistics as Statistics
from ..framework.instruments import Timing as Timing
from ..framework.instruments import print_ir as print_ir
from ..framework.instruments import statistic as statistic
