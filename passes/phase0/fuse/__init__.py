"""Pass `fuse`: fuses producers and consumers into one kernel, compute or nest, at the level of the module."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...framework.base import Level, Pass, level_of
from ...framework.tuning_records import decides_by_records
from .fuse_graph import fuse_graph
from .fuse_loop import fuse_loops
from .fuse_te import fuse_te


@dataclass(frozen=True)
class FusePass(Pass):
    """Fuse producers into consumers so that intermediate tensors need not be stored.

    ```mlir
    %c = graph.conv2d %x, %w : tensor<1x64x56x56xf32>
    %r = graph.relu %c : tensor<1x64x56x56xf32>
    ```
    becomes
    ```mlir
    %r = graph.fused "conv2d_relu" (%a = %x : …, %b = %w : …) -> (tensor<1x64x56x56xf32>) {
      %0 = graph.conv2d %a, %b : tensor<1x64x56x56xf32>
      %1 = graph.relu %0 : tensor<1x64x56x56xf32>
      graph.yield %1
    }
    ```
    Elementwise and broadcasting operators fuse with their consumers, index-moving operators with each other, and both
    with the result of a convolution or a similar operator. A reduction fuses with elementwise producers, not with
    consumers. Opaque operators are not fused. Nothing is computed twice. Needs exact types (infer-types). Grants: a
    group has one operator whose results leave it.

    At te level, computes without a reduction are inlined into the computes that read them, if that saves more memory
    traffic than it repeats work.

    At loop level, adjacent loops over the same iterations are merged if they access a common buffer, no dependence is
    reversed, and independent iterations stay independent. Functions with a schedule are left alone. In the default
    pipeline the default schedules fuse loops: they compute a producer inside the loops of its consumer.
    """

    name = "fuse"
    phase = 0
    levels = (Level.GRAPH, Level.TE, Level.BLOCK, Level.LOOP)
    opt_level = 1
    default_levels = (Level.GRAPH, Level.TE)

    @decides_by_records
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        match level_of(op):
            case Level.GRAPH:
                fuse_graph(op)
            case Level.TE:
                fuse_te(op)
            case Level.BLOCK | Level.LOOP:
                fuse_loops(op)
            case Level.UPSTREAM:
                pass  # is not among `levels`
