"""A kernel becomes Python code for one thread: a generator that yields where threads wait for one another.

Types are found by writing the kernel again and again until no variable's type or bounds change; bounds that keep
growing become those of the type. A variable has one type in the whole kernel, which takes the values of all its
assignments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, SimpleNamespace
from typing import Any

from ....hardware import GRID_AXES, WARP_MASK
from ...printing import print_line
from ..operations.reference import scalars as reference
from ..operations.table import OPERATIONS
from . import memory, scalars, warp
from .copies import Copies
from .expressions import Expressions, SharedArray, operator_of
from .faults import Poison, spreading
from .source import Kernel
from .typed_values import PREFIX, Value, cast_any, item_of
from .types import (
    FLOAT16,
    FLOAT32,
    FLOAT64,
    NOTHING,
    UNKNOWN,
    ArrayType,
    Scalar,
    TupleType,
    Type,
    Unknown,
    range_type,
    unified,
)
from .warpgroup import Products

_ROUNDS = 12
"""The largest number of times that a kernel is translated."""

_WIDEN = 3
"""After how many rounds growing bounds are given up."""

AXES = tuple(letter + axis for letter in "tbng" for axis in GRID_AXES)
"""Indices of the thread and the block, extents of the block and the grid."""


@dataclass
class Translation:
    """A kernel for arguments of certain types."""

    code: CodeType
    text: str
    positions: list[tuple[int, int]]
    """The line and column of the source for each line of the text."""
    arrays: list[str]
    """Arrays in global and shared memory, in the order of the factory's parameters."""
    shared: dict[str, SharedArray]
    written: set[str]
    """Arrays that the kernel writes."""
    yields: bool
    factory: Callable[..., Callable[..., Any]]
    """Called for a block, with its arrays' memory, scalars and indices: gives the function of a thread."""


def translated(kernel: Kernel, arguments: dict[str, Type]) -> Translation:
    """Return the kernel for parameters of these types. Raises TW0650 for what the simulator does not know."""
    key = tuple(arguments.values())
    if key not in kernel.translations:
        kernel.translations[key] = _translate(kernel, arguments)
    return kernel.translations[key]


def _translate(kernel: Kernel, arguments: dict[str, Type]) -> Translation:
    variables = {name: _unbounded(type, name) for name, type in arguments.items()}
    for name in _assigned(kernel.node):
        variables.setdefault(name, Value(UNKNOWN, name))
    for round in range(_ROUNDS):
        writer = _Statements(kernel, variables, set(arguments), widen=round >= _WIDEN)
        writer.body(kernel.node.body)
        if not writer.changed:
            return writer.finish()
    kernel.refuse(kernel.node, f"the types of the variables of '{kernel.name}' do not converge")


def _unbounded(type: Type, name: str) -> Value:
    return Value(type, name, type.low, type.high) if isinstance(type, Scalar) and type.is_integer else Value(type, name)


def _assigned(function: ast.FunctionDef) -> set[str]:
    return {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _reached(first: Value, last: Value, step: Value | None, type: Scalar) -> tuple[int, int]:
    """Return the bounds of a loop's variable."""
    if step is None or step.low > 0:
        return first.low, max(last.high - 1, first.low)
    return (min(last.low + 1, first.high), first.high) if step.high < 0 else (type.low, type.high)


class _Statements:
    """The lines of a thread's function."""

    def __init__(self, kernel: Kernel, variables: dict[str, Value], parameters: set[str], widen: bool) -> None:
        self.kernel = kernel
        self.variables = variables
        self.parameters = parameters
        self.widen = widen
        self.changed = False
        self.writer = Expressions(kernel, variables)
        self.lines: list[str] = []
        self.positions: list[tuple[int, int]] = []
        self.indent = 2
        self.temporaries = 0

    def line(self, text: str, node: ast.AST) -> None:
        self.lines.append("    " * self.indent + text)
        self.positions.append((getattr(node, "lineno", self.kernel.node.lineno), getattr(node, "col_offset", 0) + 1))

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def block(self, header: str, statements: list[ast.stmt], node: ast.AST) -> None:
        self.line(header, node)
        self.indent += 1
        self.line("pass", node)
        self.body(statements)
        self.indent -= 1

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass():
                pass
            case ast.Break() | ast.Continue():
                self.line("break" if isinstance(node, ast.Break) else "continue", node)
            case ast.Return(value=None):
                self.line("return", node)
            case ast.Expr():
                self._expression(node.value, node)
            case ast.Assign(targets=[target]):
                self._assign(target, node.value, node)
            case ast.AnnAssign(value=ast.expr() as value):
                self._assign(node.target, value, node)
            case ast.AugAssign():
                self._augment(node)
            case ast.If():
                self.block(f"if {self.writer.condition(node.test)}:", node.body, node)
                if node.orelse:
                    self.block("else:", node.orelse, node)
            case ast.While(orelse=[]):
                self.block(f"while {self.writer.condition(node.test)}:", node.body, node)
            case ast.For(orelse=[]):
                self._loop(node)
            case _:
                self.kernel.refuse(node, f"the simulator knows no {type(node).__name__} in kernels")

    def _expression(self, value: ast.expr, node: ast.stmt) -> None:
        if isinstance(value, ast.Constant):
            return
        reference = self.writer.reference(value.func) if isinstance(value, ast.Call) else None
        if isinstance(value, ast.Call) and reference and reference.path == "cuda.syncthreads":
            self.writer.yields = True
            self.line(f"{PREFIX}me = yield {node.lineno}", node)
        elif isinstance(value, ast.Call) and reference and reference.path == "cuda.syncwarp":
            self.writer.yields = True
            mask = self.writer.integer(value.args[0]).text if value.args else str(WARP_MASK)
            request = f"{PREFIX}Request('syncwarp', {node.lineno}, {mask} & {WARP_MASK})"
            self.line(f"{PREFIX}me = yield {request}", node)
        else:
            self.line(self.writer.write(value).text, node)

    def _assign(self, target: ast.expr, source: ast.expr, node: ast.stmt) -> None:
        if isinstance(target, ast.Name) and isinstance(source, ast.Call):
            reference = self.writer.reference(source.func)
            if reference and reference.path in ("cuda.shared.array", "cuda.local.array"):
                self._allocate(target.id, reference.path.split(".")[1], source, node)
                return
        self._bind(target, self.writer.write(source), node)

    def _bind(self, target: ast.expr, value: Value, node: ast.stmt) -> None:
        match target:
            case ast.Name():
                self._set(target.id, value, node)
            case ast.Subscript():
                array, index = self.writer.array(target.value), self.writer.integer(target.slice)
                if isinstance(value.type, TupleType):
                    self.kernel.refuse(node, f"expected a number, but got {value.type}")
                text = self.writer.cast(value, array.element, node).text
                self.line(self.writer.store(array, index, text, node), node)
            case ast.Tuple():
                self._unpack(target, value, node)
            case _:
                self.kernel.refuse(node, f"the simulator knows no assignment to {type(target).__name__} in kernels")

    def _unpack(self, target: ast.Tuple, value: Value, node: ast.stmt) -> None:
        whole = self._temporary()
        self.line(f"{whole} = {value.text}", node)
        if isinstance(value.type, Unknown):
            return
        if not isinstance(value.type, TupleType) or len(value.type.items) != len(target.elts):
            self.kernel.refuse(node, f"expected {len(target.elts)} values, but got {value.type}")
        for i, item in enumerate(target.elts):
            part = item_of(Value(value.type, whole), i)
            if value.items:
                part = Value(part.type, part.text, value.items[i].low, value.items[i].high)
            self._bind(item, part, node)

    def _temporary(self) -> str:
        self.temporaries += 1
        return f"{PREFIX}temporary{self.temporaries}"

    def _augment(self, node: ast.AugAssign) -> None:
        operator, operand = operator_of(node.op), self.writer.scalar(node.value)
        if isinstance(node.target, ast.Name):
            self._bind(node.target, self.writer.binary(operator, self.writer.scalar(node.target), operand, node), node)
            return
        if not isinstance(node.target, ast.Subscript):
            self.kernel.refuse(node, "expected a variable or an element")
        array, index = self.writer.array(node.target.value), self.writer.integer(node.target.slice)
        name = self._temporary()
        self.line(f"{name} = {index.text}", node)
        index = Value(index.type, name, index.low, index.high)
        old = _unbounded(array.element, self.writer.load(array, index, node))
        value = self.writer.cast(self.writer.binary(operator, old, operand, node), array.element, node)
        self.line(self.writer.store(array, index, value.text, node), node)

    def _set(self, name: str, value: Value, node: ast.AST, written: bool = True) -> None:
        """Note the type of a variable and, where `written`, assign to it."""
        known = self.variables[name]
        if isinstance(value.type, ArrayType) or isinstance(known.type, ArrayType) or value.type == NOTHING:
            self.kernel.refuse(node, f"expected '{name}' to be assigned a number, but got {value.type}")
        joined = unified(known.type, value.type)
        if joined is None:
            self.kernel.refuse(node, f"variable '{name}' is {known.type} here and {value.type} there")
        if isinstance(value.type, Unknown) or isinstance(joined, Unknown):
            self.changed |= isinstance(joined, Unknown) and self.widen is False
            self.line(f"{name} = {value.text}", node)
            return
        cast = cast_any(value, joined, self.writer.constant)
        assert cast is not None
        self._note(name, joined, cast)
        if written:
            self.line(f"{name} = {cast.text}", node)

    def _note(self, name: str, type: Type, value: Value) -> None:
        known = self.variables[name]
        low, high = value.low, value.high
        if known.type == type:
            low, high = min(low, known.low), max(high, known.high)
        if (known.type, known.low, known.high) == (type, low, high):
            return
        self.changed = True
        if self.widen and isinstance(type, Scalar) and type.is_integer:
            low, high = type.low, type.high
        self.variables[name] = Value(type, name, low, high)

    def _loop(self, node: ast.For) -> None:
        call, target = node.iter, node.target
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not isinstance(call, ast.Call) or not is_range or not isinstance(target, ast.Name):
            self.kernel.refuse(node, "expected a loop over a range")
        bounds = [self.writer.integer(argument) for argument in call.args]
        if any(isinstance(bound.type, Unknown) for bound in bounds) or not 1 <= len(bounds) <= 3:
            if not 1 <= len(bounds) <= 3:
                self.kernel.refuse(node, f"expected a range of 1 to 3 arguments, but got {len(bounds)}")
            self.block("for _ in ():", node.body, node)
            return
        type = range_type([bound.type for bound in bounds if isinstance(bound.type, Scalar)])
        bounds = [self.writer.cast(bound, type, node) for bound in bounds]
        first, last = (bounds[0], bounds[1]) if len(bounds) > 1 else (Value(type, "0"), bounds[0])
        low, high = _reached(first, last, bounds[2] if len(bounds) == 3 else None, type)
        self._set(target.id, Value(type, target.id, low, high), node, written=False)
        variable = self.variables[target.id]
        header = f"for {target.id} in range({', '.join(bound.text for bound in bounds)}):"
        if variable.type == type or (isinstance(variable.type, Scalar) and variable.type.is_integer):
            inside = not any(
                isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Store)
                for statement in node.body
                for n in ast.walk(statement)
            )
            if inside:
                self.variables[target.id] = Value(variable.type, target.id, low, high)
            self.block(header, node.body, node)
            self.variables[target.id] = variable if inside else self.variables[target.id]
        else:
            self.kernel.refuse(node, f"variable '{target.id}' is {variable.type} and a loop's variable")

    def _allocate(self, name: str, space: str, call: ast.Call, node: ast.stmt) -> None:
        given = dict(zip(("shape", "dtype", "alignment"), call.args, strict=False))
        given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        element = self.writer.reference(given["dtype"]) if "dtype" in given else None
        if "shape" not in given or element is None or element.type is None:
            self.kernel.refuse(node, f"expected cuda.{space}.array(size, type)")
        size = self.writer.known(given["shape"])
        alignment = self.writer.known(given["alignment"]) if "alignment" in given else element.type.itemsize
        if size < 0 or (size == 0 and space == "local"):
            self.kernel.refuse(node, f"expected a size above 0, but got {size}")
        if name in self.writer.shared or (name in self.parameters):
            self.kernel.refuse(node, f"'{name}' is assigned twice")
        array = ArrayType("shared" if space == "shared" else "local", element.type, name, size or None)
        known = self.variables[name].type
        if known not in (UNKNOWN, array):
            self.kernel.refuse(node, f"'{name}' is assigned twice")
        self.changed |= known != array
        self.variables[name] = Value(array, name)
        if space == "shared":
            self.writer.shared[name] = SharedArray(name, element.type, size, alignment)
        else:
            self.line(f"{name} = {PREFIX}local_array({name!r}, {size})", node)

    def finish(self) -> Translation:
        """Write the code around the lines."""
        for name, value in self.variables.items():
            if isinstance(value.type, Unknown):
                self.kernel.refuse(self.kernel.node, f"variable '{name}' is used before it is assigned")
        arrays = [
            name for name, v in self.variables.items() if isinstance(v.type, ArrayType) and v.type.space != "local"
        ]
        assigned = self.parameters & _assigned(self.kernel.node)
        scalars_ = [name for name in self.kernel.parameters if not isinstance(self.variables[name].type, ArrayType)]
        parameters = [f"{PREFIX}memory_{name}" for name in arrays]
        parameters += [PREFIX + name if name in assigned else name for name in scalars_]
        parameters += [PREFIX + axis for axis in AXES if axis[0] != "t"]
        head = [f"def {PREFIX}block({', '.join(parameters)}):"]
        for name in arrays:
            accesses = ("load", "store", "atomic")
            head += [f"    {PREFIX}{access}_{name} = {PREFIX}memory_{name}.{access}" for access in accesses]
        threads = ", ".join(PREFIX + axis for axis in ("me", "lane", *AXES[:3]))
        head += [f"    def {self.kernel.name}({threads}):"]
        head += [f"        {name} = {PREFIX}{name}" for name in sorted(assigned)]
        head += [f"        {PREFIX}copies = {PREFIX}Copies()"] if self.writer.copies else []
        head += [f"        {PREFIX}products = {PREFIX}Products()"] if self.writer.products else []
        lines = [*head, *self.lines, "        return", f"    return {self.kernel.name}", ""]
        here = (self.kernel.node.lineno, self.kernel.node.col_offset + 1)
        positions = [*[here] * len(head), *self.positions, here, here, here]
        text = "\n".join(lines)
        code = compile(text, f"<simulation of {self.kernel.file.path}>", "exec")
        names = _runtime_names() | self.writer.constants
        exec(code, names)
        return Translation(
            code,
            text,
            positions,
            arrays,
            self.writer.shared,
            self.writer.written,
            self.writer.yields,
            names[f"{PREFIX}block"],
        )


_OPERATIONS = SimpleNamespace(
    **{
        name: value if name.startswith("unpack") else spreading(value)  # which gives several values
        for name, value in vars(reference).items()
        if name in OPERATIONS
    }
)


def _runtime_names() -> dict[str, Any]:
    """Return the names that generated code may use."""
    found: dict[str, Any] = {
        "Request": warp.Request,
        "Copies": Copies,
        "Products": Products,
        "operations": _OPERATIONS,
        "print_line": print_line,
        "Poison": Poison,
        "local_array": memory.local_array,
        "local_load": memory.local_load,
        "local_store": memory.local_store,
        "local_stores": memory.local_stores,
    }
    functions: dict[str, Callable[..., Any]] = {type.name: type.dtype.type for type in (FLOAT16, FLOAT32, FLOAT64)}
    names = ("truncated", "shifted_left", "shifted_right", "integer_power", "float_minimum", "float_maximum")
    functions |= {name: getattr(scalars, name) for name in names}
    functions |= {f"math_{name}": function for name, (_, function) in scalars.FLOAT_FUNCTIONS.items()}
    functions |= {f"math_{name}": function for name, function in scalars.FLOAT_TESTS.items()}
    found |= {name: spreading(function) for name, function in functions.items()}
    found |= {name: getattr(scalars, name) for name in ("atomic_update", "compare_and_swap")}
    return {PREFIX + name: value for name, value in found.items()}
