"""The te dialect: tensors defined by an index space and a scalar body.

All values are of type `tensor`: a compute states neither memory nor an order of evaluation, so rewrites only substitute
index expressions. A body reads tensors by index expressions over the compute's axes, which run over [0, extent), and
combines the elements with arith and math. Conditions for the existence of an element are the guard of the read. If the
guard fails, the read yields its `else` value; padding is expressed in this way.

Invariants, each checked by a verifier:

- a compute has one body block with one `index` argument for each axis, the spatial ones first;
- its body holds scalar operations only, and ends in `te.reduce` where there are reduce axes, else in `te.yield`;
- a combiner that is a region takes two values of each type, gives one, and uses nothing from outside;
- the initial value of a reduction does not depend on a reduce axis;
- it has one result for each value that the body ends with, of its type, with one dimension for each spatial axis;
- a static dimension of a result has a constant extent of that size;
- a scan's body holds computes over the same steps and yields each state; its inits differ in their first size only;
- the body of an extern has a buffer for each tensor read and each result, and an extent for each dimension of those;
- a read has one index for each dimension, and an `else` value exactly where it has a guard.

A quotient or a remainder of integers by zero is 0, and the least number divided by -1 is itself and leaves 0, as in the
loop dialect.

Undefined are a read outside of the tensor whose guard holds, a read in a scan of a state's step that is not computed
yet, and an element of a result that an extern's statement does not write. A reduction combines values in any order; a
combiner that is a region is assumed to be associative and commutative.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from .body_values import ApplyOp, BindOp, ConstantOp, DimOp, MatchOp, PrefixOp, ReadOp, ReshapeOp, TestOp
from .compute import COMBINERS as COMBINERS
from .compute import ComputeOp, ReduceOp, YieldOp
from .compute import start_operations as start_operations
from .extern import ExternOp
from .extern import extern_body as extern_body
from .regions import IfOp, LoopOp
from .scan import ScanOp
from .scan import scan_body as scan_body

__all__ = [
    "ApplyOp",
    "BindOp",
    "COMBINERS",
    "ComputeOp",
    "ConstantOp",
    "DimOp",
    "ExternOp",
    "IfOp",
    "LoopOp",
    "MatchOp",
    "PrefixOp",
    "ReadOp",
    "ReduceOp",
    "ReshapeOp",
    "ScanOp",
    "TE",
    "TestOp",
    "YieldOp",
    "extern_body",
    "scan_body",
    "start_operations",
]

TE = Dialect(
    "te",
    [
        ApplyOp,
        BindOp,
        ComputeOp,
        ConstantOp,
        DimOp,
        ExternOp,
        IfOp,
        LoopOp,
        MatchOp,
        PrefixOp,
        ReadOp,
        ReduceOp,
        ReshapeOp,
        ScanOp,
        TestOp,
        YieldOp,
    ],
    [],
)
