"""Control flow between operators: branches and loops, which carry and collect tensors."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition

from .control_flow import BranchOp, RepeatOp


@irdl_op_definition
class IfOp(BranchOp):
    """
    The values of the first region where the condition holds, else those of the second.

    ```mlir
    %y = graph.if %c -> (tensor<8xf32>) {
      %0 = graph.relu %x : tensor<8xf32>
      graph.yield %0
    } else {
      graph.yield %x
    }
    ```
    Regions use values from outside. Both yield the same types.
    """

    name = "graph.if"


@irdl_op_definition
class LoopOp(RepeatOp):
    """
    Runs its region with the numbers from 0 on, with values that are carried to the next iteration, scanned, collected.

    ```mlir
    %last, %all = graph.loop %k carry (%h = %init : tensor<4xf32>) scan (%x = %xs : tensor<9x4xf32>)
        -> (tensor<4xf32>, tensor<9x4xf32>) {
      %next = graph.add %h, %x : tensor<4xf32>
      graph.yield %next, %next
    }
    %z = graph.loop %k to 5 carry (%h = %init : tensor<4xf32>) -> (tensor<4xf32>) {
      %next = graph.add %h, %h : tensor<4xf32>
      graph.yield %next
    }
    %w = graph.loop %k to %most while %c carry (%h = %init : tensor<4xf32>) -> (tensor<4xf32>) {
      %next = graph.add %h, %h : tensor<4xf32>
      graph.yield %go, %next
    }
    ```
    `scan` hands each iteration its part of a tensor, along the first axis, whose size is the number of iterations.
    `to` states that number otherwise: as a number, the name of a size, or a value (below 1 means none); without either
    the condition alone ends the loop. `while` gives the condition of the first iteration, and the first value that is
    yielded that of the next. Then the region yields what is carried, and what is collected into further results: one
    part for each iteration. Only a loop whose largest number of iterations is no value collects. Where its condition
    ends it earlier, zeros are behind the parts of its iterations.
    """

    name = "graph.loop"
