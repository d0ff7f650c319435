"""Loads and stores of several elements in one instruction, and of halves as float32."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ..table import Operation
from .building import I16, I32, element_pointer, make_intrinsic, numba_types
from .scalars import narrow_from_float, narrow_to_float


def make(name: str, operation: Operation) -> Any:
    """Return the intrinsic of a load or store."""
    if operation.width == 1:
        kind = name.split("_")[1]
        return make_intrinsic(name, _narrow_load(kind) if operation.kind == "load" else _narrow_store(kind))
    if name.startswith("put"):
        return make_intrinsic(name, _put(operation.width))
    return make_intrinsic(name, _load(operation.width) if operation.kind == "load" else _store(operation.width))


def _vector_type(context: Any, element: Any, width: int) -> tuple[Any, Any, int]:
    """Return the vector of elements, the vector that is moved, and its alignment in bytes.

    Narrow elements are moved as words of 32 bits: NVVM takes four bytes or halves at a time otherwise.
    """
    data = context.get_data_type(element)
    bits = element.bitwidth if hasattr(element, "bitwidth") else 8  # a boolean is a byte in memory
    total = bits * width
    vector = ir.VectorType(data, width)
    alignment = min(total // 8, 16)
    if bits >= 32:
        return vector, vector, alignment
    return vector, ir.VectorType(I32, total // 32) if total > 32 else ir.IntType(total), alignment


def _load(width: int) -> Any:
    types = numba_types()

    def typed(typing: Any, array: Any, index: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_type = signature.args[0]
            element = array_type.dtype
            vector, moved, alignment = _vector_type(context, element, width)
            pointer = element_pointer(context, builder, array_type, *arguments)
            value = builder.load(builder.bitcast(pointer, moved.as_pointer()))
            value.align = alignment
            value = builder.bitcast(value, vector)
            model = context.data_model_manager[element]
            items = [
                model.from_data(builder, builder.extract_element(value, ir.Constant(I32, i))) for i in range(width)
            ]
            return context.make_tuple(builder, signature.return_type, items)

        return types.UniTuple(array.dtype, width)(array, types.intp), code

    return typed


def _store(width: int) -> Any:
    types = numba_types()

    def typed(typing: Any, array: Any, index: Any, values: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_type = signature.args[0]
            element = array_type.dtype
            vector, moved, alignment = _vector_type(context, element, width)
            pointer = element_pointer(context, builder, array_type, *arguments[:2])
            model = context.data_model_manager[element]
            value = ir.Constant(vector, ir.Undefined)
            for i in range(width):
                item = model.as_data(builder, builder.extract_value(arguments[2], i))
                value = builder.insert_element(value, item, ir.Constant(I32, i))
            store = builder.store(builder.bitcast(value, moved), builder.bitcast(pointer, moved.as_pointer()))
            store.align = alignment
            return context.get_dummy_value()

        return types.none(array, types.intp, types.UniTuple(array.dtype, width)), code

    return typed


def _put(width: int) -> Any:
    """Store elements one by one, at any alignment: elements of a thread's private array, which the compiler then keeps
    in registers."""
    types = numba_types()

    def typed(typing: Any, array: Any, index: Any, values: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_type = signature.args[0]
            model = context.data_model_manager[array_type.dtype]
            first = element_pointer(context, builder, array_type, *arguments[:2])
            for i in range(width):
                item = model.as_data(builder, builder.extract_value(arguments[2], i))
                builder.store(item, builder.gep(first, [ir.Constant(I32, i)], inbounds=True))
            return context.get_dummy_value()

        return types.none(array, types.intp, types.UniTuple(array.dtype, width)), code

    return typed


def _narrow_load(kind: str) -> Any:
    types = numba_types()

    def typed(typing: Any, array: Any, index: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = element_pointer(context, builder, signature.args[0], *arguments)
            return narrow_to_float(builder, kind, builder.load(builder.bitcast(pointer, I16.as_pointer())))

        return types.float32(array, types.intp), code

    return typed


def _narrow_store(kind: str) -> Any:
    types = numba_types()

    def typed(typing: Any, array: Any, index: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = element_pointer(context, builder, signature.args[0], *arguments[:2])
            bits = narrow_from_float(builder, kind, arguments[2])
            builder.store(bits, builder.bitcast(pointer, I16.as_pointer()))
            return context.get_dummy_value()

        return types.none(array, types.intp, types.float32), code

    return typed
