"""Makers of branches and loops between operators: their regions keep the type of the initial value."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects import graph
from tilewright.dialects.dtypes import is_float
from tilewright.dialects.graph import make_type
from tilewright.dialects.graph.control_flow import collected_type, repeat_body
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Region, SSAValue

from .graph_makers import makes
from .graph_modules import GraphWriter, Value

_ON_ONE = (graph.TanhOp, graph.NegOp, graph.ReluOp)
_ON_TWO = (graph.AddOp, graph.SubOp, graph.MaximumOp)
_MOST = 3
"""The largest number of iterations of a loop and of operators in a region."""


def _operators(writer: GraphWriter, block: Block, start: SSAValue, others: Sequence[SSAValue]) -> SSAValue:
    """Add some operators on `start` and on values of its type, and return the result of the last."""
    value = start
    for _ in range(writer.draw.between(0, _MOST)):
        on_two = writer.draw.chance(0.5)
        op = writer.draw.one_of(_ON_TWO if on_two else _ON_ONE)
        made = op.of(value, writer.draw.one_of(others)) if on_two else op.of(value)
        block.add_op(made)
        value = made.results[0]
    return value


@makes("if")
def _if(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    del op
    x = writer.need(is_float)
    condition = writer.argument(make_type((), i1))
    regions: list[Region] = []
    for _ in range(2):
        block = Block()
        block.add_op(graph.YieldOp(_operators(writer, block, x.ssa, [x.ssa])))
        regions.append(Region(block))
    made = graph.IfOp(condition.ssa, [x.ssa.type], *regions)
    writer.block.add_op(made)
    writer.values.append(Value(made.results[0], x.bound * 2.0**_MOST + 1.0, False))


@makes("loop")
def _loop(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit a number of iterations, or one for each part of a value, that hand a value on and may collect it."""
    del op
    draw = writer.draw
    x = writer.need(is_float)
    trips = draw.between(0, _MOST)
    scanned = [writer.constant(x.element, trips, *x.static)] if x.static is not None and draw.chance(0.5) else []
    body = repeat_body([x.ssa], [v.ssa for v in scanned])
    last = _operators(writer, body, body.args[1], [x.ssa, *body.args[1:]])
    collects = draw.chance(0.5)
    body.add_op(graph.YieldOp(*[last] * (1 + collects)))
    types = [x.ssa.type, *([collected_type(x.ssa.type, trips)] if collects else [])]
    made = graph.LoopOp([x.ssa], [v.ssa for v in scanned], types, Region(body), trips=None if scanned else trips)
    writer.block.add_op(made)
    writer.ends.extend(made.results)
