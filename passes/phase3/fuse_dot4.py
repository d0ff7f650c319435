"""Pass `fuse-dot4`: fuses a sum of four products of bytes and the addition that uses it into one intrinsic."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...diagnostics.locations import fused_location
from ...diagnostics.remarks import remark, remarks_wanted
from ...dialects.loop import CallIntrinOp
from ...dialects.loop.byte_products import ADDED
from ...ir import editor as edit
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.rewriting import rewrite


@dataclass(frozen=True)
class FuseDot4Pass(Pass):
    """Fuse a sum of products of bytes that is used once, and the addition that uses it.

    ```mlir
    %d = loop.call_intrin "dot4_u8s8"(%a, %b) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
    %s = arith.addi %acc, %d : vector<16xi32>
    // becomes
    %s = loop.call_intrin "dot4_u8s8_add"(%acc, %a, %b) : (vector<16xi32>, …) -> vector<16xi32>
    ```
    Instructions such as `vpdpbusd` add to an accumulator. Both operations must be of one block, so that no work moves
    into a loop. Additions of integers wrap around in either form: no bit changes.

    Needs: loop level.
    Grants: nothing that later passes rely on.
    """

    name = "fuse-dot4"
    phase = 3
    levels = (Level.LOOP,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(isinstance(n, CallIntrinOp) and n.symbol in ADDED for n in operations(op)):
            return
        rewrite(op, [_Fuse()], recursive=False)
        if remarks_wanted():
            _report_missed(op)


class _Fuse(RewritePattern):
    """acc + dot4(a, b) == dot4_add(acc, a, b)"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, arith.AddiOp):
            return
        for value, addend in ((op.rhs, op.lhs), (op.lhs, op.rhs)):
            if (dot := _dot4(value)) is None or _obstacle(op, dot) is not None:
                continue
            fused = CallIntrinOp(ADDED[dot.symbol], [addend, *dot.values], op.result.type)
            edit.rename(fused.res, op.result.name_hint)
            fused.location = fused_location(op.location, dot.location)
            remark("TW0220", lambda dot=dot: f"{dot.symbol} and {op.name} are one operation", op=op, kind="passed")
            rewriter.replace(op, fused)
            rewriter.erase(dot)
            return


def _dot4(value: SSAValue) -> CallIntrinOp | None:
    op = value.owner
    return op if isinstance(op, CallIntrinOp) and op.symbol in ADDED else None


def _report_missed(module: ModuleOp) -> None:
    """Emit a remark for each addition of a sum of products that is left."""
    for op in operations(module):
        if isinstance(op, arith.AddiOp):
            dots = [dot for value in op.operands if (dot := _dot4(value)) is not None]
            reason = next((found for dot in dots if (found := _obstacle(op, dot)) is not None), None)
            if reason is not None:
                remark("TW0221", f"{op.name} of {dots[0].symbol} is not fused with it: {reason}", op=op)


def _obstacle(op: arith.AddiOp, dot: CallIntrinOp) -> str | None:
    if not dot.res.has_one_use():
        return "the sum of products has other uses"
    return None if dot.parent is op.parent else "the sum of products stands in another block"
