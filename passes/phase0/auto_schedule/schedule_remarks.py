"""Remarks about scheduled functions: why the cost model expects them to be slow, and what would help."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from ....analysis.cost import predict
from ....analysis.cost.reasons import ROOFLINE_SHARE, reasons
from ....diagnostics.remarks import remark
from ....dialects.target import CpuTargetAttr


def remark_on_schedule(function: FuncOp, target: CpuTargetAttr) -> None:
    """Emit a remark for each reason why a function is slow (TW0841 to TW0845), behind its share of the roofline.

    A function without such a reason gets no remark.
    """
    cost = predict(function, target)
    found = reasons(cost)
    if not found:
        return
    if cost.is_whole and cost.roofline_share < ROOFLINE_SHARE:
        remark(
            "TW0840",
            f"@{function.sym_name.data} is predicted to reach {cost.roofline_share:.0%} of the roofline",
            op=function,
            kind="analysis",
        )
    for reason in found:
        share = reason.cycles / cost.cycles
        remark(
            reason.code,
            f"{reason.message}; predicted to cost {min(share, 1):.0%} of the time",
            op=reason.op,
            notes=(f"remedy: {reason.remedy}",),
        )
