"""Effects of calls under the names by which programs import them."""

from __future__ import annotations

from enum import IntEnum


class CallEffectKind(IntEnum):
    """The effects that a call may have beside its result. Calls in expressions have none."""

    ExprAnnotation = 0
    Pure = 1
    ReadState = 2
    UpdateState = 3
    Opaque = 3
    SpecialCallArg = 4
    EmbedInfo = 5
    ControlJump = 6
