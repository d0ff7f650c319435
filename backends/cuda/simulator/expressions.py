"""Translation of a kernel's expressions to Python for the simulator, with numba's types."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....hardware import (
    BLOCK_INDEX,
    GRID_AXES,
    MOST_BLOCKS_ALONG_AXES,
    MOST_THREADS_ALONG_AXES,
    THREAD_INDEX,
    WARP_THREADS,
)
from .calls import write_call
from .source import Kernel, Reference
from .typed_values import PREFIX, Value, cast, cast_any, full, integer_operation, item_of, literal
from .types import (
    BOOL,
    FLOAT64,
    INT32,
    INT64,
    SCALARS,
    SHIFTS,
    UINT64,
    UNKNOWN,
    ArrayType,
    Scalar,
    TupleType,
    Type,
    Unknown,
    binary_type,
    unified,
)

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}

_EXTENTS = {
    THREAD_INDEX: ("t", 0, max(MOST_THREADS_ALONG_AXES) - 1),
    BLOCK_INDEX: ("b", 0, max(MOST_BLOCKS_ALONG_AXES)),
    "blockDim": ("n", 1, max(MOST_THREADS_ALONG_AXES)),
    "gridDim": ("g", 1, max(MOST_BLOCKS_ALONG_AXES)),
}
"""The letter of each in generated code, its least and greatest value."""


@dataclass
class SharedArray:
    """Shared memory that a kernel declares; size 0 is the launch's dynamic memory."""

    name: str
    element: Scalar
    size: int
    alignment: int


@dataclass
class Expressions:
    """The facts about a kernel that its translation collects."""

    kernel: Kernel
    variables: dict[str, Value]
    """A value for each variable: type and bounds."""
    constants: dict[str, Any] = field(default_factory=dict[str, Any])
    shared: dict[str, SharedArray] = field(default_factory=dict[str, SharedArray])
    written: set[str] = field(default_factory=set[str])
    """Arrays that are stored to."""
    yields: bool = False
    copies: bool = False
    products: bool = False
    choices: int = 0

    def constant(self, value: Any) -> str:
        """Return the name of a float constant."""
        name = f"{PREFIX}constant{len(self.constants)}"
        for known, other in self.constants.items():
            if type(other) is type(value) and other.tobytes() == value.tobytes():
                return known
        self.constants[name] = value
        return name

    def cast(self, value: Value, type: Type, node: ast.AST) -> Value:
        """Return the value as a type, as a call of the type or a store would make it."""
        if isinstance(value.type, Unknown):
            return Value(type, value.text)
        result = cast_any(value, type, self.constant)
        if result is None:
            self.kernel.refuse(node, f"expected {type}, but got {value.type}")
        return result

    def scalar(self, node: ast.expr) -> Value:
        """Return the value of an expression that is a number, or of unknown type."""
        value = self.write(node)
        if not isinstance(value.type, Scalar | Unknown):
            self.kernel.refuse(node, f"expected a number, but got {value.type}")
        return value

    def integer(self, node: ast.expr) -> Value:
        """Return the value of an expression that is an integer, or of unknown type."""
        value = self.scalar(node)
        if isinstance(value.type, Scalar) and not value.type.is_integer:
            self.kernel.refuse(node, f"expected an integer, but got {value.type}")
        return value

    def condition(self, node: ast.expr) -> str:
        """Return the text of a condition."""
        value = self.scalar(node)
        return value.uncut if value.type == BOOL else value.text

    def array(self, node: ast.expr) -> ArrayType:
        """Return the array that a name means."""
        value = self.write(node)
        if not isinstance(value.type, ArrayType):
            self.kernel.refuse(node, f"expected an array, but got {value.type}")
        return value.type

    def known(self, node: ast.expr) -> int:
        """Return an integer constant."""
        value = self.write(node)
        if value.known is None:
            self.kernel.refuse(node, "expected an integer constant")
        return value.known

    def reference(self, node: ast.expr) -> Reference | None:
        """Return the module, function or type that an expression names; None where it is a value."""
        if isinstance(node, ast.Attribute):
            base = self.reference(node.value)
            if base is None:
                return None
            if base.path == "numba" and node.attr in SCALARS:
                return Reference("type", SCALARS[node.attr])
            return Reference("cuda" if (base.path, node.attr) == ("numba", "cuda") else f"{base.path}.{node.attr}")
        if not isinstance(node, ast.Name) or node.id in self.variables:
            return None
        found = self.kernel.file.names.get(node.id)
        return found if isinstance(found, Reference) else Reference(node.id) if found is None else None

    def write(self, node: ast.expr) -> Value:
        """Return the value of any expression."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.BinOp():
                return self.binary(operator_of(node.op), self.scalar(node.left), self.scalar(node.right), node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.BoolOp():
                return self._connection(node)
            case ast.IfExp():
                return self._choice(node)
            case ast.Subscript():
                return self.element(node)
            case ast.Tuple():
                items = tuple(self.write(item) for item in node.elts)
                text = f"({', '.join(item.text for item in items)},)"
                return Value(TupleType(tuple(item.type for item in items)), text, items=items)
            case ast.Call():
                return write_call(self, node)
            case _:
                self.kernel.refuse(node, f"the simulator knows no {type(node).__name__} in kernels")

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bool):
            return literal(int(node.value), BOOL)
        if isinstance(node.value, int):
            return literal(node.value, INT64 if node.value <= INT64.high else UINT64)
        if isinstance(node.value, float):
            number = np.float64(node.value)
            return Value(FLOAT64, self.constant(number), constant=number)
        self.kernel.refuse(node, f"expected a number, but got {node.value!r}")

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.variables:
            return self.variables[node.id]
        found = self.kernel.file.names.get(node.id)
        if isinstance(found, ast.expr):
            return self.write(found)
        self.kernel.refuse(node, f"unknown name '{node.id}'")

    def _attribute(self, node: ast.Attribute) -> Value:
        reference = self.reference(node)
        path = reference.path if reference else ""
        parts = path.split(".")
        if len(parts) == 3 and parts[0] == "cuda" and parts[1] in _EXTENTS and parts[2] in tuple(GRID_AXES):
            letter, low, high = _EXTENTS[parts[1]]
            return Value(INT32, f"{PREFIX}{letter}{parts[2]}", low, high)
        if path == "cuda.laneid":
            return Value(INT32, f"({PREFIX}lane)", 0, WARP_THREADS - 1)
        if path == "cuda.warpsize":
            return literal(32, INT32)
        if len(parts) == 2 and parts[0] == "math" and parts[1] in ("pi", "e", "tau", "inf", "nan"):
            number = np.float64(getattr(math, parts[1]))
            return Value(FLOAT64, self.constant(number), constant=number)
        self.kernel.refuse(node, f"unknown name '{ast.unparse(node)}'")

    def binary(self, operator: str, left: Value, right: Value, node: ast.AST) -> Value:
        """Return the value of `left operator right`."""
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return Value(UNKNOWN, "None")
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        type = binary_type(operator, left.type, right.type)
        if type is None or operator == "@":
            self.kernel.refuse(
                node,
                f"no operator {operator} of {left.type} and {right.type} in kernels",
                help="compute on halves in float32: float32(x)" if 16 in (left.type.bits, right.type.bits) else None,
            )
        if not type.is_integer:
            a = cast(left, type, self.constant)
            b = cast(right, type, self.constant)
            return Value(type, f"({a.text} {operator} {b.text})")
        if type == BOOL:
            return Value(BOOL, f"({left.text} {operator} {right.text})", 0, 1)
        shift = operator in SHIFTS
        a = cast(left, type, self.constant)
        b = right if shift else cast(right, type, self.constant)
        return integer_operation(operator, a, b, type)

    def _connection(self, node: ast.BoolOp) -> Value:
        """Return the value of `and` or `or`. If the operands are free of effects, both are evaluated, so that poison
        propagates."""
        values = [self.scalar(value) for value in node.values]
        is_and = isinstance(node.op, ast.And)
        if all(value.type == BOOL for value in values) and not any(map(self._has_effects, node.values)):
            word = " & " if is_and else " | "
            return Value(BOOL, f"({word.join(value.text for value in values)})", 0, 1)
        word = " and " if is_and else " or "
        return Value(BOOL, f"bool({word.join(value.uncut for value in values)})", 0, 1)

    def _has_effects(self, node: ast.AST) -> bool:
        """Return whether the evaluation of an expression may fault or wait: memory, calls except of types,
        divisions."""
        return any(
            isinstance(part, _RISKY)
            or (isinstance(part, ast.Call) and getattr(self.reference(part.func), "type", None) is None)
            for part in ast.walk(node)
        )

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            value = self.scalar(node.operand)
            text = f"({value.text} ^ True)" if value.type == BOOL else f"(not {value.text})"
            return Value(BOOL, text, 0, 1)
        value = self.scalar(node.operand)
        if isinstance(value.type, Unknown):
            return value
        assert isinstance(value.type, Scalar)
        if isinstance(node.op, ast.Invert):
            if value.type == BOOL:
                return Value(BOOL, f"({value.text} ^ True)", 0, 1)
            return self.binary(
                "^", value, literal(-1) if value.type.kind == "i" else literal(UINT64.high, UINT64), node
            )
        if value.type.is_integer:
            zero = literal(0, UINT64 if value.type.kind == "u" else INT64)
            return self.binary("-" if isinstance(node.op, ast.USub) else "+", zero, value, node)
        if isinstance(node.op, ast.UAdd):
            return value
        if value.constant is not None:
            return Value(value.type, self.constant(-value.constant), constant=-value.constant)
        return Value(value.type, f"(-{value.text})")

    def _comparison(self, node: ast.Compare) -> Value:
        values = [self.scalar(operand) for operand in (node.left, *node.comparators)]
        texts: list[str] = []
        for operator, left, right in zip(node.ops, values, values[1:], strict=False):
            if type(operator) not in _OPERATORS:
                self.kernel.refuse(node, f"the simulator knows no {type(operator).__name__} in kernels")
            if not isinstance(left.type, Scalar) or not isinstance(right.type, Scalar):
                return Value(BOOL, "None", 0, 1)
            if not (left.type.is_integer and right.type.is_integer):
                common = unified(left.type, right.type)
                assert isinstance(common, Scalar)
                left, right = cast(left, common, self.constant), cast(right, common, self.constant)
            texts.append(f"{left.text} {_OPERATORS[type(operator)]} {right.text}")
        return Value(BOOL, f"({' and '.join(texts)})", 0, 1)

    def _choice(self, node: ast.IfExp) -> Value:
        condition = self.condition(node.test)
        one, other = self.write(node.body), self.write(node.orelse)
        type = unified(one.type, other.type)
        if type is None:
            self.kernel.refuse(node, f"expected values of one type, but got {one.type} and {other.type}")
        if isinstance(type, Unknown):
            return Value(UNKNOWN, "None")
        one, other = self.cast(one, type, node), self.cast(other, type, node)
        self.choices += 1
        name = f"{PREFIX}choice{self.choices}"
        undefined = f"{name} if ({name} := {condition}).__class__ is {PREFIX}Poison else "
        text = f"({undefined}{one.text} if {name} else {other.text})"
        return Value(type, text, min(one.low, other.low), max(one.high, other.high))

    def element(self, node: ast.Subscript) -> Value:
        """Return an element of an array or of a tuple."""
        base = self.write(node.value)
        if isinstance(base.type, TupleType):
            index = self.known(node.slice)
            if not -len(base.type.items) <= index < len(base.type.items):
                self.kernel.refuse(node, f"expected an index below {len(base.type.items)}, but got {index}")
            return item_of(base, index)
        array, index = self.array(node.value), self.integer(node.slice)
        return full(array.element, self.load(array, index, node))

    def load(self, array: ArrayType, index: Value, node: ast.AST) -> str:
        """Return the text of a read."""
        line = getattr(node, "lineno", 0)
        if array.space == "local":
            if is_inside(array, index):
                return f"{array.name}[{index.text}]"
            return f"{PREFIX}local_load({array.name}, {array.name!r}, {index.text}, {line})"
        return f"{PREFIX}load_{array.name}({index.text}, {PREFIX}me, {line})"

    def store(self, array: ArrayType, index: Value, value: str, node: ast.AST) -> str:
        """Return the text of a write."""
        line = getattr(node, "lineno", 0)
        self.written.add(array.name)
        if array.space == "local":
            if is_inside(array, index):
                return f"{array.name}[{index.text}] = {value}"
            return f"{PREFIX}local_store({array.name}, {array.name!r}, {index.text}, {value}, {line})"
        return f"{PREFIX}store_{array.name}({index.text}, {value}, {PREFIX}me, {line})"


def operator_of(node: ast.operator) -> str:
    """Return the operator as it is written."""
    return _OPERATORS.get(type(node), "@")


def is_inside(array: ArrayType, index: Value) -> bool:
    """Return whether the bounds of the index prove that it is inside the array."""
    return array.size is not None and isinstance(index.type, Scalar) and index.low >= 0 and index.high < array.size


_RISKY = (ast.Subscript, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.IfExp, ast.Pow)
