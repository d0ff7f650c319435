"""A script with a fault, which `read-invalid.mlir` reads."""

from tilewright.script import ir as I
from tilewright.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            B[i] = T.exq(A[i])
