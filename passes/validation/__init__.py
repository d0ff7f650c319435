"""Whether passes keep what programs compute: functions are run before and after each pass, and compared."""

from __future__ import annotations

from .comparison import Finding as Finding
from .instrument import DEFAULT_TRIALS as DEFAULT_TRIALS
from .instrument import Validation as Validation
from .track import Track as Track

__all__ = ["DEFAULT_TRIALS", "Finding", "Track", "Validation"]
