"""annotate, unannotate and pragma: remarks on blocks and loops, for passes and for users."""

from __future__ import annotations

import re
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, UnitAttr, f64, i1, i64
from xdsl.ir import Attribute

from ...diagnostics import fail
from ...diagnostics.suggestions import did_you_mean
from ...dialects import loop
from ...dialects.loop.pragmas import PRAGMAS
from ...ir import editor as edit
from ..refusal import BAD_ARGUMENT, NO_ANNOTATION, UNKNOWN_PRAGMA, loop_name

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")
_OWN = "tw."


def annotate(op: loop.BlockOp | loop.ForOp, key: str, value: Any = None) -> None:
    """Put a remark on a block or a loop: an attribute that no primitive looks at and that printing shows.

    The value is a number, a text, a truth value, a list of these, or None. Keys that begin with `tw.` belong to the
    compiler.

    before:
    ```mlir
    func.func @main(%B: memref<64xf32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64) {
          loop.store %one, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `annotate(i, "stage", 2)`:
    ```mlir
    func.func @main(%B: memref<64xf32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.for %i = 0 to 64 attributes {stage = 2 : i64} {
        loop.block "B" (%vi = spatial(%i) in 64) {
          loop.store %one, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    """
    if not _KEY.fullmatch(key) or key.startswith(_OWN):
        fail(
            BAD_ARGUMENT, f"annotate: expected a name that does not begin with {_OWN!r} as key, but got {key!r}", op=op
        )
    edit.change(op).attributes[key] = _attribute(op, key, value)


def unannotate(op: loop.BlockOp | loop.ForOp, key: str) -> None:
    """Take a remark off a block or a loop, one of `annotate` or `pragma`.

    before:
    ```mlir
    func.func @main(%B: memref<64xf32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.for %i = 0 to 64 attributes {stage = 2 : i64} {
        loop.block "B" (%vi = spatial(%i) in 64) {
          loop.store %one, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `unannotate(i, "stage")`:
    ```mlir
    func.func @main(%B: memref<64xf32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64) {
          loop.store %one, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    """
    found = next((k for k in (key, f"pragma.{key}") if k in op.attributes and not k.startswith(_OWN)), None)
    if found is None:
        have = ", ".join(k for k in op.attributes if not k.startswith(_OWN)) or "none"
        name = f"block {op.label!r}" if isinstance(op, loop.BlockOp) else f"loop {loop_name(op)}"
        fail(NO_ANNOTATION, f"unannotate: {name} has no annotation {key!r}; it has {have}", op=op)
    del edit.change(op).attributes[found]


def pragma(op: loop.ForOp, key: str, value: Any = None) -> None:
    """Say how a loop is lowered.

    `auto_unroll_max_step` marks loops of constant trip count inside to be unrolled, as long as their iterations come to
    no more than the value; `unroll_explicit` writes unrolled loops inside out in the IR rather than in code emission.
    `streaming_stores` lets vectors that are stored to the function's arguments go to memory past the caches.
    `software_pipeline_stage` and `software_pipeline_order`, lists with an entry for each statement of the loop's body,
    make a pipeline of it, and `num_stages` one of a loop that fills buffers and then works on them.

    before:
    ```mlir
    func.func @main(%B: memref<64x4xf32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.for %i = 0 to 64 {
        loop.for %j = 0 to 4 {
          loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 4) {
            loop.store %one, %B[%vi, %vj] : memref<64x4xf32>
          }
        }
      }
      func.return
    }
    ```
    after `pragma(i, "auto_unroll_max_step", 16)`:
    ```mlir
    func.func @main(%B: memref<64x4xf32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.for %i = 0 to 64 attributes {pragma.auto_unroll_max_step = 16 : i64} {
        loop.for %j = 0 to 4 {
          loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 4) {
            loop.store %one, %B[%vi, %vj] : memref<64x4xf32>
          }
        }
      }
      func.return
    }
    ```
    """
    if key not in PRAGMAS:
        fail(
            UNKNOWN_PRAGMA,
            f"pragma: expected one of {', '.join(PRAGMAS)}, but got {key!r}{did_you_mean(key, PRAGMAS)}",
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
