"""
Operators on whole tensors: numpy's, and in `topi.nn` and `topi.image` those of neural networks.

    B = topi.sum(A, axis=1)
    C = topi.nn.relu(A * 2 + B)

Each function checks its arguments and calls the tensor expression of an operator's record, the same that the operators
of the graph dialect are lowered to; the result is an ordinary tensor that can be scheduled.
"""

from .broadcast import (
    add,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    broadcast_add,
    broadcast_div,
    broadcast_divide,
    broadcast_maximum,
    broadcast_minimum,
    broadcast_mod,
    broadcast_mul,
    broadcast_multiply,
    broadcast_power,
    broadcast_sub,
    broadcast_subtract,
    divide,
    equal,
    floor_divide,
    floor_mod,
    greater,
    greater_equal,
    invert,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    mod,
    multiply,
    not_equal,
    power,
    subtract,
    where,
)
