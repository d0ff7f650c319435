"""Instructions on vectors of words that have an LLVM intrinsic: the emitter translates their calls without a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...dialects.target import CpuTargetAttr

_WORD = 32


@dataclass(frozen=True)
class Function:
    """The LLVM intrinsic for vectors of one length."""

    name: str
    features: tuple[tuple[str, ...], ...]
    """Sets of instruction sets, each of which has the instruction."""


@dataclass(frozen=True)
class Instruction:
    """An instruction on words, with an LLVM intrinsic for each supported number of lanes."""

    bits: int
    """The bits of the parts of a word that are multiplied."""
    functions: Mapping[int, Function]
    accumulates: bool = True
    """True where the first operand is whole words."""
    result_bits: int = _WORD

    def runs_on(self, target: CpuTargetAttr, lanes: int | None) -> bool:
        """Return whether a target has the instruction for vectors of so many words; None is a scalar."""
        found = None if lanes is None else self.functions.get(lanes)
        return found is not None and any(all(map(target.has, each)) for each in found.features)

    def operand_types(self, lanes: int) -> list[str]:
        """Return LLVM's types of the operands."""
        whole = [_vector(_WORD, lanes)] if self.accumulates else []
        return [*whole, *[_vector(self.bits, lanes)] * 2]

    def result_type(self, lanes: int) -> str:
        return _vector(self.result_bits, lanes)


@dataclass(frozen=True)
class Permutation(Instruction):
    """An instruction on bytes, with an LLVM intrinsic for each supported number of bytes."""

    def operand_types(self, lanes: int) -> list[str]:
        return [self.result_type(lanes)] * 3

    def result_type(self, lanes: int) -> str:
        return f"<{lanes} x i8>"


def _vector(bits: int, lanes: int) -> str:
    return f"<{lanes * _WORD // bits} x i{bits}>"


_VNNI = (("avx512vnni", "avx512vl"), ("avxvnni",))


def _dot_product(name: str, sets: tuple[tuple[str, ...], ...], widest: tuple[str, ...] | None = None) -> Instruction:
    functions = {lanes: Function(f"llvm.x86.{name}.{lanes * _WORD}", sets) for lanes in (4, 8)}
    if widest is not None:
        functions[16] = Function(f"llvm.x86.{name}.512", (widest,))
    return Instruction(8, functions)


def _pairs(bits: int, result_bits: int, names: tuple[str, str, str], first: str) -> Instruction:
    sets = (first, "avx2", "avx512bw")
    functions = {
        4 << k: Function(f"llvm.x86.{name}", ((set_,),)) for k, (name, set_) in enumerate(zip(names, sets, strict=True))
    }
    return Instruction(bits, functions, accumulates=False, result_bits=result_bits)


def _of_arm(name: str, feature: str) -> Instruction:
    functions = {n: Function(f"llvm.aarch64.neon.{name}.v{n}i32.v{4 * n}i8", ((feature,),)) for n in (2, 4)}
    return Instruction(8, functions)


INSTRUCTIONS: dict[str, Instruction] = {
    "x86.pmaddubsw": _pairs(8, 16, ("ssse3.pmadd.ub.sw.128", "avx2.pmadd.ub.sw", "avx512.pmaddubs.w.512"), "ssse3"),
    "x86.pmaddwd": _pairs(16, 32, ("sse2.pmadd.wd", "avx2.pmadd.wd", "avx512.pmaddw.d.512"), "sse2"),
    "x86.vpdpbssd": _dot_product("avx2.vpdpbssd", (("avxvnniint8",),)),
    "x86.vpdpbusd": _dot_product("avx512.vpdpbusd", _VNNI, ("avx512vnni",)),
    "x86.vpdpbuud": _dot_product("avx2.vpdpbuud", (("avxvnniint8",),)),
    "x86.vpermi2b": Permutation(8, {64: Function("llvm.x86.avx512.vpermi2var.qi.512", (("avx512vbmi",),))}),
    "aarch64.sdot": _of_arm("sdot", "dotprod"),
    "aarch64.udot": _of_arm("udot", "dotprod"),
    "aarch64.usdot": _of_arm("usdot", "i8mm"),
}
"""The instructions of `semantics.byte_products` by name."""
