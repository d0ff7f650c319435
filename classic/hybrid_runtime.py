"""`te.hybrid.runtime`: the names of the script language, as functions of numbers and arrays."""

from ..frontends.hybrid.emulation import EMULATED as HYBRID_GLOBALS

__all__ = ["HYBRID_GLOBALS"]
