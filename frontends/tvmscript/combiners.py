"""`T.tw.combine`: reductions by a combiner, which is a function in the script."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xdsl.ir import Block, Region, SSAValue

from ...dialects import loop
from ...dialects.names import script_name
from . import arithmetic, expressions, rows
from .literals import Attr, attribute_of
from .state import BAD_ARGUMENT, State
from .values import Helper, Value, kind_of


def combine(s: State, node: ast.Call) -> Value:
    """`r = T.tw.combine(f, [accumulated…], [added…], identities)`, where f returns the combined values."""
    names = rows.required("function", "accumulated", "added", "identities")
    attrs = next((k.value for k in node.keywords if k.arg == rows.ATTRS), None)
    keywords = {k.arg: k.value for k in node.keywords if k.arg != rows.ATTRS}
    given = rows.bound(s, node, names, "T.tw.combine", keywords)
    function = expressions.evaluate(s, given["function"])
    if not isinstance(function, Helper):
        s.fail(BAD_ARGUMENT, f"expected a function, but got {kind_of(function)}", given["function"])
    accumulated, added = _values(s, given["accumulated"]), _values(s, given["added"])
    identities = expressions.evaluate(s, given["identities"])
    with s.at(node):
        attribute = identities.attribute if isinstance(identities, Attr) else attribute_of(identities)
        region = _region(s, function, [*accumulated, *added], node)
        op = loop.CombineOp(accumulated, added, attribute, region)
        op.verify()
        s.add(op)
    rows.set_attributes(s, op, attrs)
    return rows.result_of(op)


def _values(s: State, node: ast.expr) -> list[SSAValue]:
    if not isinstance(node, (ast.List, ast.Tuple)):
        s.fail(BAD_ARGUMENT, "expected a list of values", node)
    return [rows.value(s, part) for part in node.elts]


def _region(s: State, function: Helper, operands: Sequence[SSAValue], node: ast.Call) -> Region:
    block = Block(arg_types=[v.type for v in operands])
    with s.inside(block):
        result = s.run_helper(s, function, [rows.result_of_value(a) for a in block.args], node)
        results = result if isinstance(result, tuple) else (result,)
        with s.at(node):
            s.add(loop.YieldOp(*[arithmetic.typed(s, r) for r in results]))
    parameters = function.node.args.args
    for argument, parameter in zip(block.args, parameters, strict=False):
        argument.name_hint = script_name(parameter.arg)
    return Region(block)
