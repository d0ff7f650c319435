"""Output bits of compiled random modules on a stated target."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
from fuzz.compiled import is_compilable
from fuzz.trial import draw_module
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver import compile as compile_module
from tilewright.passes.framework.validation.execution import draw_inputs, functions_of
from tilewright.semantics.calls import prepare_call

SEED = 2311
COUNT = 300


def bits(number: int, target: str) -> str | None:
    """Return one line for a module: `number | kind | digest of each output`, for two calls; a call that fails has its
    code.

    None where there is no machine code for a module: it calls functions of the interpreter's, has threads of a card, or
    is refused.
    """
    _, kind, _, module = draw_module(SEED, number)
    if not is_compilable(module):
        return None
    edited = module.clone()
    edited.attributes.pop(TARGET_ATTRIBUTE, None)
    (main,) = (op for op in functions_of(edited) if op.sym_name.data == "main")
    try:
        program = compile_module(edited.clone(), target=target)
    except TilewrightError:
        return None
    found: list[str] = []
    for trial in range(2):
        call = prepare_call(main, draw_inputs(edited, "main", trial), trial)
        try:
            results = program(*call.values)
        except TilewrightError as error:
            found.append(error.code)
            continue
        listed: list[Any] = list(results) if isinstance(results, (list, tuple)) else [results] * (results is not None)
        values = call.outcome([np.asarray(result) for result in listed]).values
        found.append(" ".join(_digest(np.asarray(value)) for value in values))
    return f"{number} | {kind} | {' ; '.join(found)}"


def _digest(value: np.ndarray) -> str:
    """Return the type, the shape, and a digest of the bytes, all NaNs alike: which one an operation makes is not
    said."""
    plain = np.ascontiguousarray(value)
    if plain.dtype.kind in "fV" and np.isnan(as_float := plain.astype(np.float64)).any():
        plain = np.where(np.isnan(as_float), plain.dtype.type(np.nan), plain).astype(plain.dtype)
    shape = "x".join(map(str, value.shape)) or "scalar"
    return f"{value.dtype.name}:{shape}:{sha256(plain.tobytes()).hexdigest()[:16]}"
