"""A user's function in tensor expressions, and its lowering for each target.

An intrinsic is a name that expressions call. Rules define it: for each target a rule gives the expression, or the
operations, that replace it. Rules of a higher level come first, so that those of the compiler, which have level 10, can
be replaced too.

    python examples/custom_intrinsic.py
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tilewright as tvm
from tilewright import te, tir
from xdsl.dialects import arith
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

X = np.linspace(0.1, 4, 1000, dtype=np.float32)


def applied(function: Callable[[te.Expr], te.Expr], target: str = "llvm") -> np.ndarray:
    """Return the function of every element of X, computed eight at a time."""
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: function(a[i]), name="B")
    schedule = te.create_schedule(b.op)
    _, inner = schedule[b].split(b.op.axis[0], factor=8)
    schedule[b].vectorize(inner)
    return tvm.build(schedule, [a, b], target)(X)


def mylog(x: te.Expr) -> te.Expr:
    return tir.call_intrin(x.dtype, "tir.mylog", x)


def library_log(op: te.Expr) -> te.Expr:
    """Return the C library's function; for other types the rule declines."""
    return tir.call_pure_extern("float32", "logf", op.args[0]) if op.dtype == "float32" else op


def doubled(op: Operation, rewriter: PatternRewriter) -> bool:
    """Emit operations directly, as a rule may, for scalars and vectors alike."""
    rewriter.replace(op, arith.AddfOp(op.operands[0], op.operands[0]))
    return True


def fast_exp(op: te.Expr) -> te.Expr:
    """Return (1 + x / 256)^256 by squaring: a few digits, and quick."""
    power = 1 + op.args[0] / 256
    for _ in range(8):
        power = power * power
    return power


def main() -> None:
    # Known by its effect, or with what the interpreter needs: a function of numpy arrays.
    tvm.ir.register_op_attr("tir.mylog", "TCallEffectKind", tir.CallEffectKind.Pure)
    tvm.register_intrinsic("mylog", reference=np.log)
    try:
        applied(mylog)
    except tvm.TilewrightError as error:
        print(error.message)
    tvm.ir.register_intrin_lowering("tir.mylog", target="cpu", f=library_log, level=99)
    for target in ("llvm", "interpreter"):
        np.testing.assert_allclose(applied(mylog, target), np.log(X), rtol=1e-5, atol=1e-6)
    print("mylog is the C library's logf")

    tvm.register_intrinsic("twice", arity=1, dtypes=["float32"])
    tvm.register_lowering("twice", target="cpu")(doubled)
    np.testing.assert_array_equal(applied(lambda x: te.call_intrin("float32", "twice", x)), X + X)
    print("twice is an addition")

    exact = applied(te.exp)
    tvm.register_lowering("tir.exp", target="cpu", level=11)(fast_exp)
    worst = np.max(np.abs(applied(te.exp) / exact - 1))
    assert 1e-4 < worst < 0.05
    print(f"exp has an error of {worst:.3f} with a user's rule")


if __name__ == "__main__":
    main()
