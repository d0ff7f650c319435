"""What watches passes, under the names by which programs import it.

timing = tilewright.instrument.PassTimingInstrument()
with tilewright.transform.PassContext(instruments=[timing]):
    tilewright.build(...)
print(timing.render())
"""

from .passes.instruments import Instrument, PrintIR
from .passes.instruments.hooks import PassInfo, PassTimingInstrument, pass_instrument

__all__ = ["Instrument", "PassInfo", "PassTimingInstrument", "PrintIR", "pass_instrument"]
