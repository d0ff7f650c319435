"""Pass instruments, under the names that classic programs import.

timing = tilewright.instrument.PassTimingInstrument()
with tilewright.transform.PassContext(instruments=[timing]):
    tilewright.build(...)
print(timing.render())
"""

from ..passes.framework.instruments import DumpIR, Instrument, PrintIR, Statistics, Timing
from ..passes.framework.tracing import Trace
from .hooks import PassInfo, PassTimingInstrument, pass_instrument

__all__ = [
    "DumpIR",
    "Instrument",
    "PassInfo",
    "PassTimingInstrument",
    "PrintIR",
    "Statistics",
    "Timing",
    "Trace",
    "pass_instrument",
]
