"""Control flow between tensors, to which graph.if and graph.loop are lowered."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition

from ..graph.control_flow import BranchOp, RepeatOp


@irdl_op_definition
class IfOp(BranchOp):
    """Yields the values of the first region if the condition holds, else the values of the second.

    ```mlir
    %y = te.if %c -> (tensor<8xf32>) {
      %0 = func.call @relu(%x) : (tensor<8xf32>) -> tensor<8xf32>
      te.yield %0 : tensor<8xf32>
    } else {
      te.yield %x : tensor<8xf32>
    }
    ```
    The semantics is that of `graph.if`.
    """

    name = "te.if"


@irdl_op_definition
class LoopOp(RepeatOp):
    """Runs its region for the numbers from 0 on, with carried values, scanned inputs and collected results.

    ```mlir
    %last, %all = te.loop %k carry (%h = %init : tensor<4xf32>) scan (%x = %xs : tensor<9x4xf32>)
        -> (tensor<4xf32>, tensor<9x4xf32>) {
      %next = func.call @add(%h, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      te.yield %next, %next : tensor<4xf32>, tensor<4xf32>
    }
    ```
    The semantics is that of `graph.loop`.
    """

    name = "te.loop"
