"""Divisors that machines trap at: chosen in the IR, stated to be safe, checked by the interpreter."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.backends.cpu.module import llvm_text
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop.divisors import DIVISIONS, SAFE_DIVISOR, state_safe_divisor
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import legalize
from tilewright.driver.targets import Target
from tilewright.semantics import evaluate
from tilewright.traversal import operations
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

DTYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
N = 64


def quotients(name: str, type_: str, lanes: int | None) -> ModuleOp:
    vector = type_ if lanes is None else f"vector<{lanes}x{type_}>"
    index = "%i" if lanes is None else f"%i * {lanes} + lane"
    loaded, stored = ("", "") if lanes is None else (f", {vector}", f"{vector}, ")
    buffer = f"memref<{N}x{type_}>"
    return parse(
        context(),
        f"""
        func.func @main(%x: {buffer}, %y: {buffer}, %z: {buffer} {{tw.output}}) {{
          loop.for %i = 0 to {N // (lanes or 1)} {{
            %a = loop.load %x[{index}] : {buffer}{loaded}
            %b = loop.load %y[{index}] : {buffer}{loaded}
            %c = {name} %a, %b : {vector}
            loop.store %c, %z[{index}] : {stored}{buffer}
          }}
          func.return
        }}""",
        "quotients.mlir",
    )


def legal(module: ModuleOp) -> ModuleOp:
    module.attributes[TARGET_ATTRIBUTE] = Target("llvm").attribute()
    return legalize(module)


def numbers(type_: str, seed: int) -> np.ndarray:
    """Return numbers for which division traps, and others."""
    rng = np.random.default_rng(seed)
    if type_ == "i1":
        return rng.integers(0, 2, N).astype(bool)
    limits = np.iinfo(DTYPES[type_])
    return rng.choice(np.array([limits.min, limits.max, 0, 1, -1, 5, -7], DTYPES[type_]), N)


@pytest.mark.parametrize("lanes", [None, 4])
@pytest.mark.each("type_", DTYPES)
@pytest.mark.parametrize("name", DIVISIONS)
def test_quotients_are_those_of_the_reference(name: str, type_: str, lanes: int | None) -> None:
    module = quotients(name, type_, lanes)
    x, y = numbers(type_, 0), numbers(type_, 1)
    (expected,) = evaluate(module, x, y)
    lowered = legal(module.clone())
    found = [op for op in operations(lowered) if op.name in DIVISIONS]
    assert len(found) == 1 and SAFE_DIVISOR in found[0].attributes
    np.testing.assert_array_equal(evaluate(lowered, x, y)[0], expected)
    np.testing.assert_array_equal(tilewright.compile(module, threads=1)(x, y), expected)


@pytest.mark.parametrize(("divisor", "safe"), [(0, False), (-1, False), (3, True)])
def test_a_wrong_promise_is_found(divisor: int, safe: bool) -> None:
    module = quotients("arith.divsi", "i32", None)
    (division,) = (op for op in operations(module) if op.name in DIVISIONS)
    state_safe_divisor(division)
    x, y = numbers("i32", 0), np.full(N, divisor, np.int32)
    if safe:
        evaluate(module, x, y)
        return
    with pytest.raises(TilewrightError) as error:
        evaluate(module, x, y)
    assert error.value.code == "TW0732" and f"got {divisor}" in error.value.message


def test_the_emitter_wants_a_safe_divisor() -> None:
    module = legal(quotients("arith.remui", "i32", None))
    (division,) = (op for op in operations(module) if op.name in DIVISIONS)
    assert llvm_text(module).count("urem i32") == 1
    del division.attributes[SAFE_DIVISOR]
    with pytest.raises(TilewrightError) as error:
        llvm_text(module)
    assert error.value.code == "TW0601" and "safe" in error.value.message


class DivideInstead(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.MuliOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, arith.DivSIOp(op.lhs, op.rhs))


def test_quotients_of_passes_of_users_have_safe_divisors() -> None:
    """Passes that a user adds to the last phase come before those that legalize the module."""
    a, b = (te.placeholder((8,), "int32", name=name) for name in "AB")
    c = te.compute((8,), lambda i: a[i] * b[i], name="C")
    added = [(3, tilewright.passes.pattern_pass("divide-instead", [DivideInstead]))]
    x, y = np.arange(-40, 40, 10, dtype=np.int32), np.array([1, 2, 3, 4, 0, -1, 7, 8], np.int32)
    for target in ("llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=1", "c"):
        with tilewright.PassContext(add_lower_pass=added):
            program = tilewright.build(te.create_schedule(c.op), [a, b, c], target=target)
        np.testing.assert_array_equal(program(x, y), [-40, -15, -6, -2, 0, -10, 2, 3])
