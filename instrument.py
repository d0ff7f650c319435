"""What watches passes, under the names by which programs import it.

timing = tilewright.instrument.PassTimingInstrument()
with tilewright.transform.PassContext(instruments=[timing]):
    tilewright.build(...)
print(timing.render())
"""

from .passes.instruments import Instrument, PrintIR
from .passes.instruments.hooks import PassInfo, PassTimingInstrument, pass_instrument
from .passes.tracing import Trace

__all__ = ["Instrument", "PassInfo", "PassTimingInstrument", "PrintIR", "Trace", "pass_instrument"]
