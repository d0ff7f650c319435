"""The scheduling engine: legal loop transformations, one primitive at a time."""

from .handles import BlockRV, LoopRV
from .primitive_declaration import register_primitive, unregister_primitive
from .schedule import Schedule
from .trace import Instruction, Trace

__all__ = ["BlockRV", "Instruction", "LoopRV", "Schedule", "Trace", "register_primitive", "unregister_primitive"]
