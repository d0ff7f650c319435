"""Pass `contract-fma`: contracts a product and a sum into one operation that rounds once."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...diagnostics.locations import fused_location
from ...diagnostics.remarks import remark, remarks_wanted
from ...dialects.target import target_of
from ...ir import editor as edit
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.rewriting import rewrite


@dataclass(frozen=True)
class ContractFmaPass(Pass):
    """Fuse a product that is used once, and the sum or difference that uses it, into `math.fma`.

    ```mlir
    %p = arith.mulf %a, %b : vector<16xf32>
    %s = arith.addf %acc, %p : vector<16xf32>
    // becomes
    %s = math.fma %a, %b, %acc : vector<16xf32>
    ```
    c - a * b becomes fma(-a, b, c), and a * b - c becomes fma(a, b, -c). Both operations must be of one block, so that
    no work moves into a loop. No other pass contracts, and no fast-math flag lets LLVM contract more.

    Needs: loop level, and a target with fused multiply-add; without one nothing changes.
    Grants: nothing that later passes rely on.
    """

    name = "contract-fma"
    phase = 2
    levels = (Level.LOOP,)
    opt_level = 2
    asks_target = True
    contracts = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        has_fma = target is not None and target.has_fma
        if has_fma:
            rewrite(op, [_ContractSum(), _ContractDifference()], recursive=False)
        if remarks_wanted():
            _remark_missed(op, has_fma=has_fma)


class _ContractSum(RewritePattern):
    """a * b + c == fma(a, b, c)"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, arith.AddfOp):
            return
        for value, addend in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if (product := _product(value, op)) is not None:
                _contract(op, product, product.lhs, addend, rewriter)
                return


class _ContractDifference(RewritePattern):
    """c - a * b == fma(-a, b, c), a * b - c == fma(a, b, -c)"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, arith.SubfOp):
            return
        if (product := _product(op.rhs, op)) is not None:
            _contract(op, product, _negated(product.lhs, rewriter), op.lhs, rewriter)
        elif (product := _product(op.lhs, op)) is not None:
            _contract(op, product, product.lhs, _negated(op.rhs, rewriter), rewriter)


def _product(value: SSAValue, user: Operation) -> arith.MulfOp | None:
    """Return the product that `value` is, if only `user` uses it, once."""
    op = value.owner
    if isinstance(op, arith.MulfOp) and op.parent is user.parent and value.has_one_use() and _is_fusible(value.type):
        return op
    return None


def _remark_missed(module: ModuleOp, *, has_fma: bool) -> None:
    """Say which sums of products are left, and why."""
    for op in operations(module):
        if isinstance(op, (arith.AddfOp, arith.SubfOp)):
            products = [v.owner for v in op.operands if isinstance(v.owner, arith.MulfOp) and _is_fusible(v.type)]
            reason = _obstacle(op, products[0], has_fma=has_fma) if products else None
            if reason is not None:
                remark("TW0221", f"{op.name} of a product is not fused with it: {reason}", op=op)


def _obstacle(op: Operation, product: arith.MulfOp, *, has_fma: bool) -> str | None:
    if not has_fma:
        return "the target has no fused multiply-add"
    if not product.result.has_one_use():
        return "the product has other uses"
    return None if product.parent is op.parent else "the product stands in another block"


def _is_fusible(type: Attribute) -> bool:
    return isinstance(type.element_type if isinstance(type, VectorType) else type, (Float32Type, Float64Type))


def _negated(value: SSAValue, rewriter: PatternRewriter) -> SSAValue:
    op = arith.NegfOp(value)
    rewriter.insert(op)
    return op.result


def _contract(
    op: Operation, product: arith.MulfOp, factor: SSAValue, addend: SSAValue, rewriter: PatternRewriter
) -> None:
    fused = math.FmaOp(factor, product.rhs, addend)
    edit.rename(fused.result, op.results[0].name_hint)
    fused.location = fused_location(op.location, product.location)
    remark("TW0220", lambda: f"{product.name} and {op.name} are one operation", op=op, kind="passed")
    rewriter.replace(op, fused)
    rewriter.erase(product)
