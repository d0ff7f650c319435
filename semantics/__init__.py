"""Reference semantics: an interpreter of every op, on numpy.

`run` and `evaluate` execute a function of a module of any level; `first_difference` compares results and
`random_inputs` makes arguments. The interpreter executes one op after the other and rounds every result to its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports

if TYPE_CHECKING:
    from .compare import Difference as Difference
    from .compare import default_tolerance as default_tolerance
    from .compare import first_difference as first_difference
    from .drawn_inputs import random_inputs as random_inputs
    from .foreign import register_extern as register_extern
    from .intrinsics import register_intrinsic as register_intrinsic
    from .program import Program as Program
    from .program import evaluate as evaluate
    from .program import run as run
    from .registry import register_reference as register_reference

_EXPORTS: dict[str, str] = {
    "Difference": "compare:Difference",
    "Program": "program:Program",
    "default_tolerance": "compare:default_tolerance",
    "evaluate": "program:evaluate",
    "first_difference": "compare:first_difference",
    "random_inputs": "drawn_inputs:random_inputs",
    "register_extern": "foreign:register_extern",
    "register_intrinsic": "intrinsics:register_intrinsic",
    "register_reference": "registry:register_reference",
    "run": "program:run",
}

__all__ = [
    "Difference",
    "Program",
    "default_tolerance",
    "evaluate",
    "first_difference",
    "random_inputs",
    "register_extern",
    "register_intrinsic",
    "register_reference",
    "run",
]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
