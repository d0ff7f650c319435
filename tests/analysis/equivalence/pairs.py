"""Pairs of functions in text, and what the prover says about them."""

from __future__ import annotations

from tilewright.analysis.equivalence import EXACT, Algebra, Refuted, Verdict, equivalent
from tilewright.dialects import context
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

REASSOCIATES = Algebra(reassociates=True)
CONTRACTS = Algebra(contracts=True)


def function(arguments: str, body: str, element: str = "f32") -> FuncOp:
    """Return a function of buffers, as `A: 8, B: ?x4`, all of one element type; `@A` in the body is the type of A.

    The first extent of `?` is `%n`; all others are stated to be the same.
    """
    types: dict[str, str] = {}
    head: list[str] = []
    for part in arguments.split(","):
        name, shape = (word.strip() for word in part.split(":"))
        types[name] = f"memref<{shape}{'x' if shape else ''}{element}>"
        if "?" in shape:
            if not head:
                head.append(f"%n = loop.dim %{name}, 0 : {types[name]}")
            head.append(_bind(name, shape, types[name]))
    for name in sorted(types, key=len, reverse=True):
        body = body.replace(f"@{name}", types[name])
    passed = ", ".join(f"%{name}: {type_}" for name, type_ in types.items())
    text = "\n".join([f"func.func @main({passed}) {{", *head, body, "func.return", "}"])
    module = Parser(context(), text).parse_module()
    module.verify()
    return next(op for op in module.walk() if isinstance(op, FuncOp))


def _bind(name: str, shape: str, type_: str) -> str:
    extents = ["%n" if extent == "?" else extent for extent in shape.split("x")]
    strides = ["1"]
    for extent in reversed(extents[1:]):
        strides.insert(0, extent if strides[0] == "1" else f"{extent} * {strides[0]}")
    return f"loop.bind %{name} shape [{', '.join(extents)}] strides [{', '.join(strides)}] : {type_}"


def decide(arguments: str, before: str, after: str, algebra: Algebra = EXACT, element: str = "f32") -> Verdict:
    """Return the prover's verdict on two bodies over the same arguments."""
    functions = (function(arguments, body, element) for body in (before, after))
    return equivalent(*functions, algebra)


def point(verdict: Verdict) -> tuple[set[int], int | None, tuple[int, ...]]:
    """Return the values of the sizes, the argument and the element of a refutation."""
    assert isinstance(verdict, Refuted), verdict
    return set(verdict.sizes.values()), verdict.output, verdict.element
