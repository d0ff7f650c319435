"""Products of bytes and of bfloat16 by the tile registers of AMX.

A tile register has 16 rows of 64 bytes. Four of the eight tiles hold 32 x 32 results, two hold a chunk of 32 rows of
the left operand, and two a chunk of 32 columns of the right operand: four tile loads feed four multiplications. Both
operands are packed so that a tile is read from consecutive cache lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ....schedule.product_kernels import CHUNK_BYTES, ProductKernel
from ....schedule.tensor_intrinsics import TensorIntrin
from ....te.dtypes import dtype_info
from .declaration import PARAMETERS, declare
from .packing import declare_interleave

_TILE_ROWS = 16
_TILE_BYTES = _TILE_ROWS * CHUNK_BYTES
_LEFT, _RIGHT = (4, 5), (6, 7)
"""The tiles of the operands, upper and left ones first; results are in tiles 0 to 3, row by row."""

_DECLARATIONS = """\
declare void @llvm.x86.ldtilecfg(ptr)
declare void @llvm.x86.tilerelease()
declare void @llvm.x86.tilezero(i8 immarg)
declare void @llvm.x86.tileloadd64(i8 immarg, ptr, i64)
declare void @llvm.x86.tilestored64(i8 immarg, ptr, i64)
declare void @llvm.x86.{multiply}(i8 immarg, i8 immarg, i8 immarg)
"""


def amx_text(name: str, multiply: str, element_bytes: int) -> str:
    """Return the module that defines a kernel whose tiles are multiplied by the intrinsic `multiply`."""
    palette = [1, *[0] * 15, *[CHUNK_BYTES, 0] * 8, *[0] * 16, *[_TILE_ROWS] * 8, *[0] * 8]
    configuration = ", ".join(f"i8 {n}" for n in palette)
    lines = (
        _DECLARATIONS.format(multiply=multiply),
        f"@{name}.configuration = internal constant [64 x i8] [{configuration}], align 64",
        "",
        *_function(name, multiply, element_bytes),
        "",
    )
    return "\n".join(lines)


def _function(name: str, multiply: str, element_bytes: int) -> Iterator[str]:
    """Yield the loop over tiles; loading the configuration takes as long as a dozen multiplications, so it stands
    outside."""
    yield f"define void @{name}({PARAMETERS}) {{"
    yield "entry:"
    yield "  %elements = sext i32 %stride to i64"
    yield "  %row = shl i64 %elements, 2"
    yield "  %count = sext i32 %chunks to i64"
    yield "  %height = sext i32 %rows to i64"
    yield f"  %last = udiv i64 %height, {2 * _TILE_ROWS}"
    yield "  %apart = sext i32 %distance to i64"
    yield f"  %a.distance = mul i64 %apart, {element_bytes}"
    yield f"  %half = mul i64 %row, {_TILE_ROWS}"
    yield "  %c.distance = mul i64 %half, 2"
    yield "  %continues = icmp ne i32 %goes.on, 0"
    yield f"  call void @llvm.x86.ldtilecfg(ptr @{name}.configuration)"
    yield "  br label %tile"
    yield "tile:"
    yield "  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]"
    yield "  %a.offset = mul i64 %t, %a.distance"
    yield "  %a.tile = getelementptr i8, ptr %a, i64 %a.offset"
    yield "  %c.offset = mul i64 %t, %c.distance"
    yield "  %place.0 = getelementptr i8, ptr %c, i64 %c.offset"
    yield f"  %place.1 = getelementptr i8, ptr %place.0, i64 {CHUNK_BYTES}"
    yield "  %place.2 = getelementptr i8, ptr %place.0, i64 %half"
    yield f"  %place.3 = getelementptr i8, ptr %place.2, i64 {CHUNK_BYTES}"
    yield "  br i1 %continues, label %resume, label %start"
    yield "start:"
    for tile in range(4):
        yield f"  call void @llvm.x86.tilezero(i8 {tile})"
    yield "  br label %chunk"
    yield "resume:"
    for tile in range(4):
        yield f"  call void @llvm.x86.tileloadd64(i8 {tile}, ptr %place.{tile}, i64 %row)"
    yield "  br label %chunk"
    yield from _chunk(multiply)
    yield "end:"
    for tile in range(4):
        yield f"  call void @llvm.x86.tilestored64(i8 {tile}, ptr %place.{tile}, i64 %row)"
    yield "  %t.next = add i64 %t, 1"
    yield "  %again = icmp slt i64 %t.next, %last"
    yield "  br i1 %again, label %tile, label %done"
    yield "done:"
    yield "  call void @llvm.x86.tilerelease()"
    yield "  ret void"
    yield "}"


def _chunk(multiply: str) -> Iterator[str]:
    """Yield the loop over chunks: a chunk of either operand is two tiles, 2 KiB."""
    yield "chunk:"
    yield "  %n = phi i64 [ 0, %start ], [ 0, %resume ], [ %next, %chunk ]"
    yield f"  %offset = mul i64 %n, {2 * _TILE_BYTES}"
    yield "  %a.0 = getelementptr i8, ptr %a.tile, i64 %offset"
    yield f"  %a.1 = getelementptr i8, ptr %a.0, i64 {_TILE_BYTES}"
    yield "  %b.0 = getelementptr i8, ptr %b, i64 %offset"
    yield f"  %b.1 = getelementptr i8, ptr %b.0, i64 {CHUNK_BYTES}"
    yield f"  call void @llvm.x86.tileloadd64(i8 {_LEFT[0]}, ptr %a.0, i64 {CHUNK_BYTES})"
    yield f"  call void @llvm.x86.tileloadd64(i8 {_RIGHT[0]}, ptr %b.0, i64 {2 * CHUNK_BYTES})"
    yield f"  call void @llvm.x86.{multiply}(i8 0, i8 {_LEFT[0]}, i8 {_RIGHT[0]})"
    yield f"  call void @llvm.x86.tileloadd64(i8 {_RIGHT[1]}, ptr %b.1, i64 {2 * CHUNK_BYTES})"
    yield f"  call void @llvm.x86.{multiply}(i8 1, i8 {_LEFT[0]}, i8 {_RIGHT[1]})"
    yield f"  call void @llvm.x86.tileloadd64(i8 {_LEFT[1]}, ptr %a.1, i64 {CHUNK_BYTES})"
    yield f"  call void @llvm.x86.{multiply}(i8 2, i8 {_LEFT[1]}, i8 {_RIGHT[0]})"
    yield f"  call void @llvm.x86.{multiply}(i8 3, i8 {_LEFT[1]}, i8 {_RIGHT[1]})"
    yield "  %next = add i64 %n, 1"
    yield "  %more = icmp slt i64 %next, %count"
    yield "  br i1 %more, label %chunk, label %end"


def _kernel(feature: str, multiply: str, left: str, right: str, result: str, speed: float) -> ProductKernel:
    name = f"{multiply}_amx"

    @cache
    def declared(kernel: ProductKernel, rows: int, depth: int) -> TensorIntrin:
        return declare(kernel, rows, depth, amx_text(name, multiply, dtype_info(left).bits // 8))

    return ProductKernel(
        name,
        ("amx-tile", feature),
        ((left, right),),
        left,
        right,
        result,
        2 * _TILE_ROWS,
        2 * _TILE_ROWS,
        speed,
        declared,
        declare_interleave,
    )


KERNELS = (
    _kernel("amx-int8", "tdpbssd", "int8", "int8", "int32", 1024),
    _kernel("amx-int8", "tdpbsud", "int8", "uint8", "int32", 1024),
    _kernel("amx-int8", "tdpbusd", "uint8", "int8", "int32", 1024),
    _kernel("amx-int8", "tdpbuud", "uint8", "uint8", "int32", 1024),
    _kernel("amx-bf16", "tdpbf16ps", "bfloat16", "bfloat16", "float32", 512),
)
