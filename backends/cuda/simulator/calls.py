"""Translation of calls in kernels: types, functions of Python and of math, numba's cuda, and device operations."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NoReturn

from ....hardware import GRID_AXES, WARP_MASK
from ..operations.table import OPERATIONS, WARPGROUP_PRODUCTS, Operation
from .scalars import ATOMICS, FLOAT_FUNCTIONS, FLOAT_TESTS
from .typed_values import PREFIX, Value, full, literal
from .types import (
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    NOTHING,
    UINT16,
    UINT32,
    UINT64,
    UNKNOWN,
    ArrayType,
    Scalar,
    TupleType,
    Type,
    Unknown,
    promoted_to_float,
    unified,
)

if TYPE_CHECKING:
    from .expressions import Expressions

_TYPES: dict[str, Scalar] = {
    "f": FLOAT32,
    "f32": FLOAT32,
    "f64": FLOAT64,
    "u16": UINT16,
    "u32": UINT32,
    "u64": UINT64,
    "bool": BOOL,
}
_FENCES = ("threadfence", "threadfence_block", "threadfence_system")
_SHUFFLES = ("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync")
_VOTES = {"all_sync": BOOL, "any_sync": BOOL, "eq_sync": BOOL, "ballot_sync": UINT32}


def write_call(writer: Expressions, node: ast.Call) -> Value:
    """Return the value of a call."""
    reference = writer.reference(node.func)
    if reference is None:
        writer.kernel.refuse(node, f"call of '{ast.unparse(node.func)}', which is no function of kernels")
    if node.keywords and reference.path not in ("cuda.shared.array", "cuda.local.array"):
        writer.kernel.refuse(node, "expected arguments without names")
    if reference.type is not None:
        _expect(writer, node, 1)
        return writer.cast(writer.scalar(node.args[0]), reference.type, node)
    module, _, name = reference.path.rpartition(".")
    match module:
        case "":
            return _builtin(writer, name, node)
        case "math":
            return _math(writer, name, node)
        case "cuda":
            return _cuda(writer, name, node)
        case "cuda.atomic":
            return _atomic(writer, name, node)
        case "device":
            return _operation(writer, name, node)
        case _:
            _unknown(writer, node)


def _unknown(writer: Expressions, node: ast.Call) -> NoReturn:
    writer.kernel.refuse(node, f"unknown function '{ast.unparse(node.func)}'")


def _expect(writer: Expressions, node: ast.Call, count: int) -> None:
    if len(node.args) != count:
        writer.kernel.refuse(node, f"expected {count} arguments, but got {len(node.args)}")


def _numbers(writer: Expressions, node: ast.Call) -> list[Value] | None:
    """Return the arguments; None while the type of one is unknown."""
    values = [writer.scalar(argument) for argument in node.args]
    return None if any(isinstance(value.type, Unknown) for value in values) else values


def _common(values: list[Value]) -> Scalar:
    common: Type = UNKNOWN
    for value in values:
        common = unified(common, value.type) or UNKNOWN
    assert isinstance(common, Scalar)
    return common


def _builtin(writer: Expressions, name: str, node: ast.Call) -> Value:
    if name == "len" and len(node.args) == 1:
        array = writer.array(node.args[0])
        return literal(array.size) if array.size else full(INT64, f"{PREFIX}memory_{array.name}.size")
    if name not in ("min", "max", "abs", "int", "float", "bool", "round"):
        _unknown(writer, node)
    values = _numbers(writer, node)
    if values is None:
        return Value(UNKNOWN, "None")
    if name in ("min", "max"):
        return _extreme(writer, name, values, node)
    _expect(writer, node, 1)
    type = values[0].type
    assert isinstance(type, Scalar)
    match name:
        case "abs" if type.kind == "u":
            return values[0]
        case "abs":
            largest = max(abs(values[0].low), abs(values[0].high))
            return Value(type, f"abs({values[0].text})", 0, min(largest, type.high) if type.is_integer else 0)
        case "round" if not type.is_integer:
            return writer.cast(Value(FLOAT64, f"{PREFIX}operations.rint({values[0].text})"), INT64, node)
        case "int" | "round":
            return values[0] if type.is_integer and type != BOOL else writer.cast(values[0], INT64, node)
        case "float":
            return writer.cast(values[0], FLOAT64 if type.is_integer else type, node)
        case _:
            return writer.cast(values[0], BOOL, node)


def _extreme(writer: Expressions, name: str, values: list[Value], node: ast.Call) -> Value:
    if len(values) < 2:
        writer.kernel.refuse(node, f"expected two arguments, but got {len(values)}")
    type = _common(values)
    values = [writer.cast(value, type, node) for value in values]
    choose = min if name == "min" else max
    if type.is_integer:
        low, high = choose(v.low for v in values), choose(v.high for v in values)
        return Value(type, f"{name}({', '.join(v.text for v in values)})", low, high)
    text = values[0].text
    for value in values[1:]:
        text = f"{PREFIX}float_{name}imum({text}, {value.text})"
    return Value(type, text)


def _math(writer: Expressions, name: str, node: ast.Call) -> Value:
    arity = FLOAT_FUNCTIONS[name][0] if name in FLOAT_FUNCTIONS else 1 if name in FLOAT_TESTS else None
    if arity is None:
        _unknown(writer, node)
    _expect(writer, node, arity)
    values = _numbers(writer, node)
    if values is None:
        return Value(UNKNOWN, "None")
    types = [promoted_to_float(value.type) for value in values if isinstance(value.type, Scalar)]
    type = max(types, key=lambda t: t.bits)
    if type == FLOAT16:
        writer.kernel.refuse(node, f"no {name} of float16 in kernels", help="compute on halves in float32: float32(x)")
    texts = ", ".join(writer.cast(value, type, node).text for value in values)
    text = f"{PREFIX}math_{name}({texts})"
    return Value(BOOL, text, 0, 1) if name in FLOAT_TESTS else Value(type, text)


def _cuda(writer: Expressions, name: str, node: ast.Call) -> Value:
    if name in _FENCES:
        return Value(NOTHING, "None")
    if name in _SHUFFLES:
        return _shuffle(writer, name, node)
    if name in _VOTES:
        _expect(writer, node, 2)
        mask, vote = writer.integer(node.args[0]), writer.condition(node.args[1])
        return _request(writer, name, node, _VOTES[name], f"({vote},)", mask)
    if name in ("grid", "gridsize"):
        return _grid(writer, name, node)
    if name == "fma":
        return _operation(writer, "fma", node)
    if name in ("syncthreads", "syncwarp"):
        writer.kernel.refuse(node, f"expected cuda.{name} to be a statement")
    _unknown(writer, node)


def _shuffle(writer: Expressions, name: str, node: ast.Call) -> Value:
    _expect(writer, node, 3)
    mask, value, argument = writer.integer(node.args[0]), writer.scalar(node.args[1]), writer.integer(node.args[2])
    if isinstance(value.type, Unknown):
        writer.yields = True
        return Value(UNKNOWN, "None")
    assert isinstance(value.type, Scalar)
    if value.type.bits < 32:
        writer.kernel.refuse(node, f"expected a value of 32 or 64 bits, but got {value.type}")
    return _request(writer, name, node, value.type, f"({value.text}, {argument.text})", mask)


def _request(
    writer: Expressions, name: str, node: ast.Call, type: Type, operands: str, mask: Value | None = None
) -> Value:
    writer.yields = True
    if mask is None:
        lanes = str(WARP_MASK)
    else:
        lanes = f"{mask.text} & {WARP_MASK}" if mask.known is None else str(mask.known & WARP_MASK)
    text = f"(yield {PREFIX}Request({name!r}, {node.lineno}, {lanes}, {operands}))"
    return full(type, text) if isinstance(type, Scalar) else Value(type, text)


def _grid(writer: Expressions, name: str, node: ast.Call) -> Value:
    _expect(writer, node, 1)
    axes = GRID_AXES[: writer.known(node.args[0])]
    grid = {"grid": "{p}b{a} * {p}n{a} + {p}t{a}", "gridsize": "{p}g{a} * {p}n{a}"}[name]
    values = [full(INT64 if name == "grid" else INT32, f"({grid.format(p=PREFIX, a=axis)})") for axis in axes]
    if len(values) == 1:
        return values[0]
    return Value(
        TupleType(tuple(v.type for v in values)), f"({', '.join(v.text for v in values)})", items=tuple(values)
    )


def _atomic(writer: Expressions, name: str, node: ast.Call) -> Value:
    if name not in (*ATOMICS, "cas"):
        _unknown(writer, node)
    _expect(writer, node, 4 if name == "cas" else 3)
    array, index = writer.array(node.args[0]), writer.integer(node.args[1])
    if array.space == "local":
        writer.kernel.refuse(node, "expected an array in global or shared memory")
    values = [writer.scalar(argument) for argument in node.args[2:]]
    texts = [writer.cast(value, array.element, node).text for value in values]
    if name == "cas":
        update = f"{PREFIX}compare_and_swap({', '.join(texts)})"
    else:
        wrapped = writer.cast(full(INT64, "value"), array.element, node).text if array.element.is_integer else "value"
        update = f"{PREFIX}atomic_update({name!r}, {texts[0]}, lambda value: {wrapped})"
    writer.written.add(array.name)
    return full(array.element, f"{PREFIX}atomic_{array.name}({index.text}, {update}, {PREFIX}me, {node.lineno})")


def _operation(writer: Expressions, name: str, node: ast.Call) -> Value:
    operation = OPERATIONS.get(name)
    if operation is None:
        _unknown(writer, node)
    if operation.kind == "print":
        return _print(writer, node)
    _expect(writer, node, len(operation.parameters))
    match operation.kind:
        case "load":
            return _load(writer, name, operation, node)
        case "store":
            return _store(writer, name, operation, node)
        case "scalar":
            return _scalar(writer, name, operation, node)
        case "collective":
            return _collective(writer, name, operation, node)
        case "warpgroup":
            return _warpgroup(writer, name, operation, node)
        case "copy":
            return _copy(writer, operation, node)
        case _:
            return _wait(writer, name, node)


def _vector_operand(writer: Expressions, node: ast.Call) -> tuple[ArrayType, Value]:
    return writer.array(node.args[0]), writer.integer(node.args[1])


def _narrow(writer: Expressions, name: str, array: ArrayType, node: ast.Call) -> str:
    """Return "f16" or "bf16", whose bits the array must hold."""
    kind = name.split("_")[1]
    if array.element != UINT16 and (kind, array.element) != ("f16", FLOAT16):
        writer.kernel.refuse(node, f"expected an array of {kind} or of their bits (uint16), but got {array.element}")
    return kind


def _load(writer: Expressions, name: str, operation: Operation, node: ast.Call) -> Value:
    array, index = _vector_operand(writer, node)
    if operation.width == 1:
        kind = _narrow(writer, name, array, node)
        text = writer.load(array, index, node)
        if array.element == FLOAT16:
            return writer.cast(full(FLOAT16, text), FLOAT32, node)
        return Value(FLOAT32, f"{PREFIX}operations.{kind}_value({text})")
    type = TupleType((array.element,) * operation.width)
    if array.space == "local":
        items = [
            f"{PREFIX}local_load({array.name}, {array.name!r}, {index.text} + {i}, {node.lineno})"
            for i in range(operation.width)
        ]
        return Value(type, f"({', '.join(items)})")
    return Value(type, f"{PREFIX}memory_{array.name}.loads({index.text}, {operation.width}, {PREFIX}me, {node.lineno})")


def _store(writer: Expressions, name: str, operation: Operation, node: ast.Call) -> Value:
    array, index = _vector_operand(writer, node)
    writer.written.add(array.name)
    if operation.width == 1:
        kind = _narrow(writer, name, array, node)
        value = writer.cast(writer.scalar(node.args[2]), FLOAT32, node)
        if array.element == FLOAT16:
            text = writer.cast(value, FLOAT16, node).text
        else:
            text = f"{PREFIX}operations.{kind}_bits({value.text})"
        return Value(NOTHING, writer.store(array, index, text, node))
    value = writer.write(node.args[2])
    if not isinstance(value.type, Unknown):
        value = writer.cast(value, TupleType((array.element,) * operation.width), node)
    if array.space == "local":
        text = f"{PREFIX}local_stores({array.name}, {array.name!r}, {index.text}, {value.text}, {node.lineno})"
        return Value(NOTHING, text)
    return Value(NOTHING, f"{PREFIX}memory_{array.name}.stores({index.text}, {value.text}, {PREFIX}me, {node.lineno})")


def _scalar(writer: Expressions, name: str, operation: Operation, node: ast.Call) -> Value:
    values = _numbers(writer, node)
    if values is None:
        return Value(UNKNOWN, "None")
    common = _common(values) if "f" in operation.parameters else FLOAT32
    if "f" in operation.parameters and common not in (FLOAT32, FLOAT64):
        writer.kernel.refuse(node, f"expected float32 or float64, but got {common}")
    types = [common if p == "f" else _TYPES[p] for p in operation.parameters]
    texts = ", ".join(writer.cast(value, type, node).text for value, type in zip(values, types, strict=True))
    result = common if operation.result == "f" else type_of(operation.result or "")
    text = f"{PREFIX}operations.{name}({texts})"
    return full(result, text) if isinstance(result, Scalar) else Value(result, text)


def type_of(written: str) -> Type:
    """Return a type of the table of operations: `f32`, `u32x4`."""
    element, _, count = written.partition("x")
    return TupleType((_TYPES[element],) * int(count)) if count else _TYPES[element]


def _collective(writer: Expressions, name: str, operation: Operation, node: ast.Call) -> Value:
    assert operation.result is not None
    if operation.parameters[0] == "array":
        array, index = _vector_operand(writer, node)
        if array.space != "shared":
            writer.kernel.refuse(node, f"expected an array in shared memory, but got a {array}")
        operands = f"({PREFIX}memory_{array.name}, {index.text})"
    else:
        values = [writer.write(argument) for argument in node.args]
        types = map(type_of, operation.parameters)
        casts = [writer.cast(value, type, node) for value, type in zip(values, types, strict=True)]
        operands = f"({', '.join(value.text for value in casts)})"
    return _request(writer, name, node, type_of(operation.result), operands)


def _warpgroup(writer: Expressions, name: str, operation: Operation, node: ast.Call) -> Value:
    """Start a product, or wait for all that were started; sums are private to a lane."""
    sums, first = _vector_operand(writer, node)
    if sums.space != "local" or sums.element != FLOAT32:
        writer.kernel.refuse(node, f"expected sums in a local array of float32, but got a {sums}")
    writer.products = True
    if name not in WARPGROUP_PRODUCTS:
        ask = _request(writer, "wgmma_wait", node, UNKNOWN, f"{PREFIX}products.operands")
        return Value(NOTHING, f"({ask.text}, {PREFIX}products.end())")
    starts = [(writer.array(node.args[n]), writer.integer(node.args[n + 1])) for n in (2, 4)]
    operands = ", ".join(f"{PREFIX}memory_{array.name}, {index.text}" for array, index in starts)
    answer = _request(writer, name, node, UNKNOWN, f"({operands})")
    return Value(NOTHING, f"{PREFIX}products.begin({sums.name}, {first.text}, {answer.text})")


def _copy(writer: Expressions, operation: Operation, node: ast.Call) -> Value:
    target, source = writer.array(node.args[0]), writer.array(node.args[2])
    first, second = writer.integer(node.args[1]), writer.integer(node.args[3])
    if (target.space, source.space, target.element) != ("shared", "global", source.element):
        writer.kernel.refuse(
            node, f"expected a copy from global to shared memory of one type, but got a {source} and a {target}"
        )
    writer.copies = True
    addresses = f"{PREFIX}memory_{target.name}, {first.text}, {PREFIX}memory_{source.name}, {second.text}"
    real = f", {writer.condition(node.args[4])}" if len(node.args) == 5 else ""
    return Value(NOTHING, f"{PREFIX}copies.begin({addresses}, {operation.width}, {PREFIX}me, {node.lineno}{real})")


def _print(writer: Expressions, node: ast.Call) -> Value:
    message, digits, *_ = node.args
    if not isinstance(message, ast.Constant) or not isinstance(message.value, str):
        writer.kernel.refuse(node, "expected the text of a line")
    values = [writer.scalar(argument) for argument in node.args[2:]]
    if any(isinstance(value.type, Unknown) for value in values):
        return Value(NOTHING, "None")
    texts = ", ".join(value.text for value in values)
    return Value(NOTHING, f"{PREFIX}print_line({message.value!r}, {writer.known(digits)}, {texts})")


def _wait(writer: Expressions, name: str, node: ast.Call) -> Value:
    if name == "fence_async":
        return Value(NOTHING, "None")
    writer.copies = True
    match name:
        case "cp_async_commit":
            return Value(NOTHING, f"{PREFIX}copies.commit()")
        case "cp_async_wait_all":
            return Value(NOTHING, f"{PREFIX}copies.wait_all({PREFIX}me)")
        case _:
            return Value(NOTHING, f"{PREFIX}copies.wait({writer.known(node.args[0])}, {PREFIX}me)")
