"""The driver that calls a function of a file on given bytes: upstream MLIR text that is appended to the file's module.

The driver reads one block of bytes for each call from standard input and writes it to standard output after the call,
so that numbers keep all their bits and no text is parsed. Arguments and results are views of the block. Memory that the
function allocates comes from an allocator of the driver, which fills it with a byte that the caller chooses: two runs
with different bytes reveal reads of uninitialised memory. Guards of the same byte separate the buffers of the block, so
that writes out of bounds are detected.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr, TensorType

from .function import Layout, Original, Slot

ENTRY = "tw_judge"

LOWERING = ",".join(
    (
        "convert-elementwise-to-linalg",  # arithmetic on whole tensors, which no bufferization takes
        # copy-before-write, which would need no analysis, crashes on calls in LLVM 22.
        "one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true"
        " function-boundary-type-conversion=identity-layout-map}",
        "convert-linalg-to-loops",
        "scf-forall-to-for",
        "lower-affine",
        "convert-vector-to-scf{full-unroll=true}",
        "convert-scf-to-cf",  # parallel loops run in order
        "memref-expand",
        "expand-strided-metadata",
        "lower-affine",  # once more: the two passes before compute addresses with affine.apply
        "arith-expand",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-vector-to-llvm",
        "convert-ub-to-llvm",
        "finalize-memref-to-llvm{use-generic-functions=true}",  # allocations go to the driver's allocator
        "convert-index-to-llvm",
        "convert-arith-to-llvm",
        "convert-cf-to-llvm",
        "convert-func-to-llvm",
        "reconcile-unrealized-casts",
    )
)
"""The passes of `mlir-opt` that take a file with a driver to the LLVM dialect, in order."""

_ALLOCATOR = """
llvm.func @fread(!llvm.ptr, i64, i64, !llvm.ptr) -> i64
llvm.func @fwrite(!llvm.ptr, i64, i64, !llvm.ptr) -> i64
llvm.func @fdopen(i32, !llvm.ptr) -> !llvm.ptr
llvm.func @fflush(!llvm.ptr) -> i32
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @memset(!llvm.ptr, i32, i64) -> !llvm.ptr
llvm.mlir.global internal @tw_read("r\\00")
llvm.mlir.global internal @tw_write("w\\00")
llvm.mlir.global internal @tw_fill(0 : i32) : i32
llvm.func @_mlir_memref_to_llvm_free(%pointer: !llvm.ptr) {
  llvm.return
}
llvm.func @_mlir_memref_to_llvm_alloc(%size: i64) -> !llvm.ptr {
  %guard = llvm.mlir.constant(4096 : i64) : i64
  %guards = llvm.mlir.constant(8192 : i64) : i64
  %whole = llvm.add %size, %guards : i64
  %begin = llvm.call @malloc(%whole) : (i64) -> !llvm.ptr
  %at = llvm.mlir.addressof @tw_fill : !llvm.ptr
  %fill = llvm.load %at : !llvm.ptr -> i32
  %filled = llvm.call @memset(%begin, %fill, %whole) : (!llvm.ptr, i32, i64) -> !llvm.ptr
  %buffer = llvm.getelementptr %begin[%guard] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.return %buffer : !llvm.ptr
}
llvm.func @_mlir_memref_to_llvm_aligned_alloc(%alignment: i64, %size: i64) -> !llvm.ptr {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %whole = llvm.add %size, %alignment : i64
  %begin = llvm.call @_mlir_memref_to_llvm_alloc(%whole) : (i64) -> !llvm.ptr
  %address = llvm.ptrtoint %begin : !llvm.ptr to i64
  %less = llvm.sub %alignment, %one : i64
  %sum = llvm.add %address, %less : i64
  %mask = llvm.sub %zero, %alignment : i64
  %aligned = llvm.and %sum, %mask : i64
  %buffer = llvm.inttoptr %aligned : i64 to !llvm.ptr
  llvm.return %buffer : !llvm.ptr
}
"""


def with_driver(module: str, function: Original, layout: Layout) -> str:
    """Return the text of a module as `mlir-opt` prints it, with the driver for a function of it at its end."""
    head, brace, tail = _split(module)
    return f"{head}{_ALLOCATOR}{_driver(function, layout)}{brace}{tail}"


def _split(module: str) -> tuple[str, str, str]:
    """Return the text before the brace that closes the module, the brace, and resources behind it."""
    end = module.find("\n{-#")
    end = len(module) if end < 0 else end
    at = module.rindex("}", 0, end)
    return module[:at], "}", module[at + 1 :]


def _driver(function: Original, layout: Layout) -> str:
    lines: list[str] = []
    values = [_argument(slot, number, layout, lines) for number, slot in enumerate(layout.inputs)]
    results = [f"%r{number}" for number in range(len(layout.results))]
    types = ", ".join(map(str, function.inputs))
    to = ", ".join(map(str, function.results))
    made = f"{', '.join(results)} = " if results else ""
    lines.append(f'{made}func.call @"{function.name}"({", ".join(values)}) : ({types}) -> ({to})')
    lines += _checks(results, layout.results)
    lines.append("scf.if %suits {")
    for number, (value, slot) in enumerate(zip(results, layout.results, strict=True)):
        _result(value, slot, len(values) + number, layout, lines)
    lines.append("}")
    body = "\n".join(f"      {line}" for line in lines)
    return _ENTRY.format(entry=ENTRY, size=layout.size, body=body)


_ENTRY = """
func.func @{entry}() attributes {{llvm.emit_c_interface}} {{
  %block = memref.alloc() {{alignment = 64 : i64}} : memref<{size}xi8>
  %place = memref.extract_aligned_pointer_as_index %block : memref<{size}xi8> -> index
  %address = arith.index_cast %place : index to i64
  %bytes = llvm.inttoptr %address : i64 to !llvm.ptr
  %first = arith.constant 0 : i32
  %second = arith.constant 1 : i32
  %read = llvm.mlir.addressof @tw_read : !llvm.ptr
  %write = llvm.mlir.addressof @tw_write : !llvm.ptr
  %in = llvm.call @fdopen(%first, %read) : (i32, !llvm.ptr) -> !llvm.ptr
  %out = llvm.call @fdopen(%second, %write) : (i32, !llvm.ptr) -> !llvm.ptr
  %size = arith.constant {size} : i64
  %one = arith.constant 1 : i64
  %word = arith.constant 4 : i64
  %fill = llvm.mlir.addressof @tw_fill : !llvm.ptr
  scf.while : () -> () {{
    %head = llvm.call @fread(%fill, %one, %word, %in) : (!llvm.ptr, i64, i64, !llvm.ptr) -> i64
    %got = llvm.call @fread(%bytes, %one, %size, %in) : (!llvm.ptr, i64, i64, !llvm.ptr) -> i64
    %more = arith.cmpi eq, %got, %size : i64
    scf.condition(%more)
  }} do {{
{body}
      %status_at = arith.constant 0 : index
      %status_view = memref.view %block[%status_at][] : memref<{size}xi8> to memref<i64>
      %status = arith.extui %suits : i1 to i64
      memref.store %status, %status_view[] : memref<i64>
      %sent = llvm.call @fwrite(%bytes, %one, %size, %out) : (!llvm.ptr, i64, i64, !llvm.ptr) -> i64
      %flushed = llvm.call @fflush(%out) : (!llvm.ptr) -> i32
    scf.yield
  }}
  return
}}
"""


def _view(slot: Slot, number: int, layout: Layout, lines: list[str]) -> tuple[str, str]:
    """Emit a view of the bytes of an argument or result and return its name and its type."""
    lines.append(f"%at{number} = arith.constant {slot.offset} : index")
    extents: list[str] = []
    for dimension, extent in enumerate(slot.dynamic):
        extents.append(f"%n{number}_{dimension}")
        lines.append(f"%n{number}_{dimension} = arith.constant {extent} : index")
    type_ = _view_type(slot)
    source = f"memref<{layout.size}xi8>"
    lines.append(f"%v{number} = memref.view %block[%at{number}][{', '.join(extents)}] : {source} to {type_}")
    return f"%v{number}", type_


def _view_type(slot: Slot) -> str:
    if isinstance(slot.type, (MemRefType, TensorType)):
        extents = "".join("?x" if n == DYNAMIC_INDEX else f"{n}x" for n in slot.type.get_shape())
        return f"memref<{extents}{slot.type.element_type}>"
    return f"memref<{slot.type}>"


def _argument(slot: Slot, number: int, layout: Layout, lines: list[str]) -> str:
    view, type_ = _view(slot, number, layout, lines)
    if isinstance(slot.type, MemRefType):
        return _cast(view, type_, slot.type, f"%a{number}", lines)
    if isinstance(slot.type, TensorType):
        lines.append(f"%a{number} = bufferization.to_tensor {view} restrict : {type_} to {slot.type}")
    else:
        lines.append(f"%a{number} = memref.load {view}[] : {type_}")
    return f"%a{number}"


def _cast(view: str, plain: str, type_: MemRefType, name: str, lines: list[str]) -> str:
    """Write a view as a memref of the type of an argument, whose strides are those of rows one after another."""
    if not isinstance(type_.memory_space, NoneAttr):
        spaced = MemRefType(type_.element_type, type_.get_shape(), memory_space=type_.memory_space)
        lines.append(f"{name}_space = memref.memory_space_cast {view} : {plain} to {spaced}")
        view, plain = f"{name}_space", str(spaced)
    if isinstance(type_.layout, NoneAttr):
        return view
    lines.append(f"{name} = memref.cast {view} : {plain} to {type_}")
    return name


def _checks(results: Sequence[str], slots: Sequence[Slot]) -> list[str]:
    """Compute `%suits`, that the results have the extents that there is room for."""
    lines = ["%yes = arith.constant true"]
    last = "%yes"
    for number, (value, slot) in enumerate(zip(results, slots, strict=True)):
        if not isinstance(slot.type, (MemRefType, TensorType)):
            continue
        dialect = "memref" if isinstance(slot.type, MemRefType) else "tensor"
        for dimension, (stated, extent) in enumerate(zip(slot.type.get_shape(), slot.shape, strict=True)):
            if stated != DYNAMIC_INDEX:
                continue
            name = f"{number}_{dimension}"
            lines += [
                f"%d{name} = arith.constant {dimension} : index",
                f"%x{name} = {dialect}.dim {value}, %d{name} : {slot.type}",
                f"%m{name} = arith.constant {extent} : index",
                f"%e{name} = arith.cmpi eq, %x{name}, %m{name} : index",
                f"%s{name} = arith.andi {last}, %e{name} : i1",
            ]
            last = f"%s{name}"
    return [*lines, f"%suits = arith.andi {last}, %yes : i1"]


def _result(value: str, slot: Slot, number: int, layout: Layout, lines: list[str]) -> None:
    view, type_ = _view(slot, number, layout, lines)
    if isinstance(slot.type, MemRefType):
        if not isinstance(slot.type.memory_space, NoneAttr):
            plain = MemRefType(slot.type.element_type, slot.type.get_shape(), slot.type.layout)
            lines.append(f"%p{number} = memref.memory_space_cast {value} : {slot.type} to {plain}")
            lines.append(f"memref.copy %p{number}, {view} : {plain} to {type_}")
            return
        lines.append(f"memref.copy {value}, {view} : {slot.type} to {type_}")
    elif isinstance(slot.type, TensorType):
        into = f"({slot.type}, {type_}) -> ()"
        lines.append(f"bufferization.materialize_in_destination {value} in restrict writable {view} : {into}")
    else:
        lines.append(f"memref.store {value}, {view}[] : {type_}")
