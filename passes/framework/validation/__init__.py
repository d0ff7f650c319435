"""Validation of passes: comparison of functions before and after each pass, by execution or by proof.

`instrument` compares by execution (`execution`, `track`, `shrink`), `symbolic` by proof
(`above_blocks`, `kernels`). `findings` has the failures that both report.
"""

from __future__ import annotations

from .findings import Finding as Finding
from .instrument import DEFAULT_TRIALS as DEFAULT_TRIALS
from .instrument import MODES as MODES
from .instrument import Mode as Mode
from .instrument import Validation as Validation
from .symbolic import Proofs as Proofs
from .track import Track as Track

__all__ = ["DEFAULT_TRIALS", "MODES", "Finding", "Mode", "Proofs", "Track", "Validation"]
