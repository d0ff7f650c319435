"""What `xdsl-opt` sees of tilewright, through the entry point `xdsl.universe`.

Passes get the prefix `tw-`: a name that another package has too stops `xdsl-opt`, and `cse` is such a name.
"""

from __future__ import annotations

from xdsl.universe import Universe

from . import dialects

UNIVERSE = Universe(all_dialects={name: dialects.factory(name) for name in dialects.DIALECTS})
