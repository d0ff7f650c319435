"""Instruments of passes, under the names by which programs import them.

timing = tilewright.instrument.PassTimingInstrument()
with tilewright.transform.PassContext(instruments=[timing]):
    tilewright.build(...)
print(timing.render())
"""

from ..passes.framework.instruments import DumpIR, Instrument, PrintIR, Statistics, Timing
from ..passes.framework.instruments.hooks import PassInfo, PassTimingInstrument, pass_instrument
from ..passes.framework.tracing import Trace

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
