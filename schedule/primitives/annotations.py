"""annotate, unannotate and pragma: attributes of blocks and loops, for passes and for users."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, UnitAttr, f64, i1, i64
from xdsl.ir import Attribute

from ...diagnostics import fail
from ...diagnostics.remarks import remark
from ...diagnostics.text import did_you_mean
from ...dialects import loop
from ...dialects.loop.pragmas import PRAGMAS
from ...ir import editor as edit
from ...lazy import Slot
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitive_declaration import NOTES, register_primitive
from ..refusal import BAD_ARGUMENT, NO_ANNOTATION, UNKNOWN_PRAGMA, loop_name
from .import_foreign import FOREIGN_PRAGMAS, add_foreign

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")
_RESERVED_PREFIX = "tw."


@register_primitive(NOTES)
def annotate(sch: Engine, block_or_loop: BlockRV | LoopRV, key: str, value: Any = None) -> None:
    """Attach an attribute to a block or a loop. Primitives ignore it; the printed IR shows it.

    The value is a number, a text, a truth value, a list of these, or None. Keys that begin with `tw.` are reserved for
    the compiler.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `annotate(i, "stage", 2)`:
    ```mlir
    loop.for %i = 0 to 64 attributes {stage = 2 : i64} {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    _annotate(sch.block_or_loop(block_or_loop), key, value)


def _annotate(op: loop.BlockOp | loop.ForOp, key: str, value: Any = None) -> None:
    if not _KEY.fullmatch(key) or key.startswith(_RESERVED_PREFIX):
        fail(
            BAD_ARGUMENT,
            f"annotate: expected a name that does not begin with {_RESERVED_PREFIX!r} as key, but got {key!r}",
            op=op,
        )
    edit.change(op).attributes[key] = _attribute(op, key, value)


@register_primitive(NOTES)
def unannotate(sch: Engine, block_or_loop: BlockRV | LoopRV, key: str) -> None:
    """Remove an attribute of `annotate` or `pragma` from a block or a loop.

    before:
    ```mlir
    loop.for %i = 0 to 64 attributes {stage = 2 : i64} {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `unannotate(i, "stage")`:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    _unannotate(sch.block_or_loop(block_or_loop), key)


def _unannotate(op: loop.BlockOp | loop.ForOp, key: str) -> None:
    found = next((k for k in (key, f"pragma.{key}") if k in op.attributes and not k.startswith(_RESERVED_PREFIX)), None)
    if found is None:
        have = ", ".join(k for k in op.attributes if not k.startswith(_RESERVED_PREFIX)) or "none"
        name = f"block {op.label!r}" if isinstance(op, loop.BlockOp) else f"loop {loop_name(op)}"
        fail(NO_ANNOTATION, f"unannotate: {name} has no annotation {key!r}; it has {have}", op=op)
    del edit.change(op).attributes[found]


OTHER_PRAGMAS: Slot[Mapping[str, str]] = Slot("schedule.primitives.annotations:OTHER_PRAGMAS")
"""Pragmas of other stacks that change nothing here, with the reason."""


def _is_foreign(arguments: Mapping[str, Any]) -> bool:
    return arguments["key"] in FOREIGN_PRAGMAS


@register_primitive(NOTES, brings_foreign_code=_is_foreign)
def pragma(sch: Engine, loop: LoopRV, key: str, value: Any = None) -> None:
    """Tell later passes how to lower a loop.

    `auto_unroll_max_step` unrolls the loops of constant trip count inside, if their iterations together are at most the
    value. `unroll_explicit` unrolls the unrolled loops inside in the IR instead of in code emission. `streaming_stores`
    writes vectors that are stored to arguments of the function past the caches. `software_pipeline_stage` and
    `software_pipeline_order`, lists with one entry for each statement of the body, pipeline the loop; `num_stages`
    pipelines a loop that fills buffers and then reads them. "import_c" and "import_llvm" attach foreign code to the
    function, as `import_foreign` does. Keys on how threads share a loop change nothing (remark TW0260).

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 4) { … }
      }
    }
    ```
    after `pragma(i, "auto_unroll_max_step", 16)`:
    ```mlir
    loop.for %i = 0 to 64 attributes {pragma.auto_unroll_max_step = 16 : i64} {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 4) { … }
      }
    }
    ```
    """
    op = sch.loop(loop)
    if key in PRAGMAS:
        _pragma(op, key, value)
    elif key in FOREIGN_PRAGMAS:
        add_foreign(sch.func, FOREIGN_PRAGMAS[key], value)
    elif key in OTHER_PRAGMAS.value:
        remark("TW0260", f"pragma '{key}' changes nothing: {OTHER_PRAGMAS.value[key]}", op=op, kind="analysis")
    else:
        _pragma(op, key, value)


def _pragma(op: loop.ForOp, key: str, value: Any = None) -> None:
    if key not in PRAGMAS:
        known = [*PRAGMAS, *FOREIGN_PRAGMAS]
        fail(
            UNKNOWN_PRAGMA,
            f"pragma: expected one of {', '.join(known)}, but got {key!r}{did_you_mean(key, known)}",
            op=op,
            help="a remark that no pass reads is put on a loop with annotate",
        )
    if not _fits(value, PRAGMAS[key]):
        wanted = {bool: "a truth value", list: "a list of numbers of at least 0"}.get(
            PRAGMAS[key], "a number of at least 0"
        )
        fail(BAD_ARGUMENT, f"pragma: expected {wanted} for {key}, but got {value!r}", op=op)
    edit.change(op).attributes[f"pragma.{key}"] = _attribute(op, key, value)


def _fits(value: Any, type: type) -> bool:
    if type is list:
        return isinstance(value, (list, tuple)) and all(_fits(v, int) for v in value)  # pyright: ignore[reportUnknownVariableType]
    return isinstance(value, type) and value >= 0


def _attribute(op: loop.BlockOp | loop.ForOp, key: str, value: Any) -> Attribute:
    match value:
        case None:
            return UnitAttr()
        case bool():
            return IntegerAttr(int(value), i1)
        case int():
            return IntegerAttr(value, i64)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case list() | tuple():
            return ArrayAttr(_attribute(op, key, v) for v in value)  # pyright: ignore[reportUnknownVariableType]
        case _:
            message = f"annotate: expected a number, a text or a list of these for {key!r}, but got {value!r}"
            fail(BAD_ARGUMENT, message, op=op)
