"""exp on vectors of f32.

Range reduction and polynomial are those of Cephes' `expf` (S. Moshier): x = n ln 2 + r with ln 2 in two
parts, e^r by a polynomial of degree six, scaled by 2^n in two halves so that results below the smallest
normal number come out right. Largest error 1 ULP over all floats; infinities and NaN as in IEEE 754.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import Float32Type

from .types import literal

_POLYNOMIAL = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
_LARGEST, _SMALLEST = 88.8, -104.0
"""Beyond these the result is infinite or zero; within, 2^n has n in [-150, 129]."""


def exp_f32_name(lanes: int) -> str:
    return f"@tw.exp.v{lanes}f32"


def exp_f32(lanes: int) -> str:
    """The definition of the function on vectors of `lanes` floats."""
    v, i = f"<{lanes} x float>", f"<{lanes} x i32>"
    bits = f"<{lanes} x i1>"

    def c(value: float) -> str:
        return f"splat (float {literal(value, Float32Type())})"

    def n(value: int) -> str:
        return f"splat (i32 {value})"

    fma = f"call {v} @llvm.fma.v{lanes}f32"
    lines = [
        f"define internal {v} {exp_f32_name(lanes)}({v} %x) alwaysinline nounwind {{",
        # `ordered compare ? bound : x` keeps NaN.
        f"  %above = fcmp ogt {v} %x, {c(_LARGEST)}",
        f"  %capped = select {bits} %above, {v} {c(_LARGEST)}, {v} %x",
        f"  %below = fcmp olt {v} %capped, {c(_SMALLEST)}",
        f"  %y = select {bits} %below, {v} {c(_SMALLEST)}, {v} %capped",
        f"  %scaled = fmul {v} %y, {c(1.44269504088896341)}",
        f"  %n = call {v} @llvm.roundeven.v{lanes}f32({v} %scaled)",
        f"  %r0 = {fma}({v} %n, {v} {c(-0.693359375)}, {v} %y)",
        f"  %r = {fma}({v} %n, {v} {c(2.12194440e-4)}, {v} %r0)",
        f"  %p0 = {fma}({v} %r, {v} {c(_POLYNOMIAL[0])}, {v} {c(_POLYNOMIAL[1])})",
    ]
    for step, coefficient in enumerate(_POLYNOMIAL[2:]):
        lines.append(f"  %p{step + 1} = {fma}({v} %p{step}, {v} %r, {v} {c(coefficient)})")
    lines += [
        f"  %square = fmul {v} %r, %r",
        f"  %tail = {fma}({v} %p4, {v} %square, {v} %r)",
        f"  %e = fadd {v} %tail, {c(1.0)}",
        # A NaN has no integer; freeze makes it an arbitrary one, and the product below is NaN all the same.
        f"  %raw = fptosi {v} %n to {i}",
        f"  %k = freeze {i} %raw",
        f"  %half = ashr {i} %k, {n(1)}",
        f"  %rest = sub {i} %k, %half",
        *_power_of_two("half", v, i, n),
        *_power_of_two("rest", v, i, n),
        f"  %part = fmul {v} %e, %half.power",
        f"  %result = fmul {v} %part, %rest.power",
        f"  ret {v} %result",
        "}",
    ]
    return "\n".join(lines)


def _power_of_two(exponent: str, v: str, i: str, n: Callable[[int], str]) -> list[str]:
    """2 to the power of an integer vector, from its bits."""
    return [
        f"  %{exponent}.biased = add {i} %{exponent}, {n(127)}",
        f"  %{exponent}.bits = shl {i} %{exponent}.biased, {n(23)}",
        f"  %{exponent}.power = bitcast {i} %{exponent}.bits to {v}",
    ]
