"""LLVM text of the fastest loops a core can run: multiply-adds on registers, and passes over memory.

Each multiply-add stands in a separate chain; there are more chains than latency times ports, and fewer than
registers. `PRODUCTS` names, for a type, the instructions from the fastest down; the first that the machine has counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Product:
    """One multiply-add instruction of vectors."""

    feature: str
    """LLVM's name of the instruction set; "" is everywhere."""
    accumulator: str
    operand: str
    text: str
    """The result %r from the accumulator %a and operands %x and %y."""
    operations: int
    """Of one execution: a multiplication and an addition are two."""
    declarations: str = ""
    chains: int = 12


def _fma(feature: str, lanes: int, chains: int) -> Product:
    vector = f"<{lanes} x float>"
    name = f"@llvm.fma.v{lanes}f32"
    text = f"%r = call {vector} {name}({vector} %a, {vector} %x, {vector} %y)"
    declaration = f"declare {vector} {name}({vector}, {vector}, {vector})"
    return Product(feature, vector, vector, text, 2 * lanes, declaration, chains)


def _integer(feature: str, name: str, lanes: int, operand: str, operations: int, chains: int) -> Product:
    vector = f"<{lanes} x i32>"
    text = f"%r = call {vector} {name}({vector} %a, {operand} %x, {operand} %y)"
    declaration = f"declare {vector} {name}({vector}, {operand}, {operand})"
    return Product(feature, vector, operand, text, operations, declaration, chains)


def _pairs(feature: str, name: str, lanes: int) -> Product:
    """Return products of 16-bit numbers, added by twos and then to the accumulator. They depend on it, to stay in the
    loop."""
    vector, operand = f"<{lanes} x i32>", f"<{2 * lanes} x i16>"
    text = (
        f"%p = bitcast {vector} %a to {operand}\n"
        f"  %q = call {vector} {name}({operand} %p, {operand} %y)\n"
        f"  %r = add {vector} %a, %q"
    )
    return Product(feature, vector, operand, text, 4 * lanes, f"declare {vector} {name}({operand}, {operand})")


def _bfloat(feature: str, name: str, lanes: int, chains: int) -> Product:
    """Return two products of bfloat16 for each lane of a vector of float32."""
    vector, operand = f"<{lanes} x float>", f"<{2 * lanes} x bfloat>"
    text = f"%r = call {vector} {name}({vector} %a, {operand} %x, {operand} %y)"
    declaration = f"declare {vector} {name}({vector}, {operand}, {operand})"
    return Product(feature, vector, operand, text, 4 * lanes, declaration, chains)


_FLOAT = [
    _fma("avx512f", 16, 20),
    _fma("fma", 8, 12),
    _fma("neon", 4, 20),
    Product(
        "",
        "<4 x float>",
        "<4 x float>",
        "%p = fmul <4 x float> %a, %x\n  %r = fadd <4 x float> %p, %y",
        8,
        chains=10,
    ),
]

TILE_FEATURES = {"bfloat16": "amx-bf16", "int8": "amx-int8"}
"""Types that products of tiles compute on -> the feature that has them."""
TILE_OPERATIONS = {"bfloat16": 2 * 16 * 16 * 32, "int8": 2 * 16 * 16 * 64}
_TILE_INSTRUCTIONS = {"bfloat16": "tdpbf16ps", "int8": "tdpbssd"}

PRODUCTS: dict[str, list[Product]] = {
    "float32": _FLOAT,
    "bfloat16": [
        _bfloat("avx512bf16", "@llvm.x86.avx512bf16.dpbf16ps.512", 16, 20),
        *_FLOAT,  # widened to float32
    ],
    "int8": [
        _integer("avx512vnni", "@llvm.x86.avx512.vpdpbusd.512", 16, "<64 x i8>", 128, 20),
        _integer("avxvnni", "@llvm.x86.avx512.vpdpbusd.256", 8, "<32 x i8>", 64, 12),
        _pairs("avx512bw", "@llvm.x86.avx512.pmaddw.d.512", 16),
        _pairs("avx2", "@llvm.x86.avx2.pmadd.wd", 8),
        _pairs("sse2", "@llvm.x86.sse2.pmadd.wd", 4),
    ],
}


def product_of(dtype: str, features: Collection[str]) -> Product | None:
    """Return the fastest multiply-add of vectors of a type; None where none is known."""
    return next((p for p in PRODUCTS.get(dtype, []) if not p.feature or p.feature in features), None)


def products_text(product: Product) -> str:
    """Return the text of `work(n, sink)`: n times one product in each chain; operands are read from `sink`, results
    written there."""
    chains, vector = range(product.chains), product.accumulator
    phis = "\n".join(f"  %a{k} = phi {vector} [ zeroinitializer, %entry ], [ %r{k}, %loop ]" for k in chains)
    body = "\n".join(f"  {_numbered(product.text, k)}" for k in chains)
    stores = "\n".join(f"  store volatile {vector} %r{k}, ptr %sink, align 4" for k in chains)
    return f"""{product.declarations}
define void @work(i64 %n, ptr %sink) {{
entry:
  %x = load {product.operand}, ptr %sink, align 4
  %y = load {product.operand}, ptr %sink, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{phis}
{body}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
{stores}
  ret void
}}
"""


def tiles_text(dtype: str) -> str:
    """Return the text of `work(n, sink)`: n times four products of full tiles, each with separate sums."""
    instruction = f"@llvm.x86.{_TILE_INSTRUCTIONS[dtype]}"
    config = [1, *[0] * 15, *[64, 0] * 8, *[0] * 16, *[16] * 8, *[0] * 8]
    bytes_ = ", ".join(f"i8 {value}" for value in config)
    zeros = "\n".join(f"  call void @llvm.x86.tilezero(i8 {tile})" for tile in range(8))
    products = "\n".join(
        f"  call void {instruction}(i8 {tile}, i8 {4 + tile // 2}, i8 {6 + tile % 2})" for tile in range(4)
    )
    return f"""@config = private constant [64 x i8] [{bytes_}], align 64
declare void @llvm.x86.ldtilecfg(ptr)
declare void @llvm.x86.tilezero(i8 immarg)
declare void @llvm.x86.tilerelease()
declare void {instruction}(i8 immarg, i8 immarg, i8 immarg)
define void @work(i64 %n, ptr %sink) {{
entry:
  call void @llvm.x86.ldtilecfg(ptr @config)
{zeros}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{products}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  call void @llvm.x86.tilerelease()
  ret void
}}
"""


def _numbered(text: str, chain: int) -> str:
    """Return the text of a product for one chain."""
    return re.sub(r"%([rapq])\b", rf"%\g<1>{chain}", text)


def memory_text(width: int, *, writes: bool, streaming: bool) -> str:
    """Return the text of `pass(n, repeat, a, b, c)`: `repeat` times over arrays of n vectors, n a multiple of 4.

    With `writes` c = a + 3 b, stored past the caches if `streaming`; without, the sum of a and b.
    """
    vector = f"<{width} x float>"
    unrolled = range(4)
    hint = ", !nontemporal !0" if streaming else ""
    loads, uses, phis, ends = [], [], [], []
    for k in unrolled:
        loads.append(f"  %j{k} = add i64 %i, {k}")
        for name in "ab":
            loads.append(f"  %p{name}{k} = getelementptr {vector}, ptr %{name}, i64 %j{k}")
            loads.append(f"  %{name}{k} = load {vector}, ptr %p{name}{k}, align 64")
        if writes:
            uses.append(f"  %m{k} = fmul {vector} %b{k}, splat (float 3.0)")
            uses.append(f"  %s{k} = fadd {vector} %a{k}, %m{k}")
            uses.append(f"  %pc{k} = getelementptr {vector}, ptr %c, i64 %j{k}")
            uses.append(f"  store {vector} %s{k}, ptr %pc{k}, align 64{hint}")
        else:
            for name in "ab":
                phis.append(f"  %t{name}{k} = phi {vector} [ zeroinitializer, %again ], [ %u{name}{k}, %loop ]")
                uses.append(f"  %u{name}{k} = fadd {vector} %t{name}{k}, %{name}{k}")
                ends.append(f"  store volatile {vector} %u{name}{k}, ptr %c, align 4")
    return f"""define void @work(i64 %n, i64 %repeat, ptr noalias %a, ptr noalias %b, ptr noalias %c) {{
entry:
  br label %again
again:
  %round = phi i64 [ 0, %entry ], [ %rounds, %end ]
  br label %loop
loop:
  %i = phi i64 [ 0, %again ], [ %next, %loop ]
{chr(10).join([*phis, *loads, *uses])}
  %next = add i64 %i, {len(unrolled)}
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
{chr(10).join(ends)}
  %rounds = add i64 %round, 1
  %repeated = icmp ult i64 %rounds, %repeat
  br i1 %repeated, label %again, label %done
done:
  ret void
}}
!0 = !{{i32 1}}
"""
