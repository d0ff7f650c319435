"""Keys of operators in decisions of phase 0: the operators, their types, and further properties."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr

from ...dialects import graph


def operator_key(*ops: graph.GraphOp) -> str:
    """Return the operators by name, with the types that they take and their attributes, in the order of `ops`.

    Operators with equal keys do equal work, anywhere in a model. It holds no values of constants.
    """
    return "; ".join(_one(op, ops) for op in ops)


def _one(op: graph.GraphOp, ops: Sequence[graph.GraphOp]) -> str:
    numbers = {each: number for number, each in enumerate(ops)}
    read = [f"%{numbers[v.owner]}" if v.owner in numbers else _type(v.type) for v in op.operands]  # pyright: ignore
    given = {**op.properties, **op.attributes}
    if given.get("words") == StringAttr(""):  # it says nothing
        del given["words"]
    attributes = [f"{name}={value}" for name, value in sorted(given.items())]
    return f"{op.name.removeprefix('graph.')}({', '.join([*read, *attributes])})"


def _type(type: object) -> str:
    return str(type).removeprefix("tensor<").removesuffix(">")
