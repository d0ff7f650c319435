"""Collective operations of a warp: shuffles, votes, loads and products of matrices.

A thread yields a `Request` and continues with the value that is sent to it. `resolve` gets the requests of all lanes in
the mask, after all of them have arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....hardware import WARP_THREADS
from ..operations.reference import matrix
from ..operations.table import WARPGROUP_PRODUCTS
from . import warpgroup
from .faults import Fault
from .memory import Memory

Lanes = dict[int, Any]
"""A value for each lane that takes part."""


class Request(NamedTuple):
    """The operands of a lane for a collective operation; the lane waits for the other lanes."""

    operation: str
    line: int
    mask: int
    operands: tuple[Any, ...] = ()


def resolve(operation: str, requests: dict[int, Request], stamps: dict[int, int]) -> Lanes:
    """Return the value that each lane receives."""
    return _RESOLVERS[operation](requests, stamps)


def _undefined(value: Any) -> Any:
    """Return the value that a lane gets from one that does not take part: NaN, or a conspicuous integer."""
    return type(value)(np.nan) if isinstance(value, np.floating) else 0x7FBADBAD


def _shuffle(source: Callable[[int, int], int]) -> Callable[[dict[int, Request], dict[int, int]], Lanes]:
    def exchange(requests: dict[int, Request], stamps: dict[int, int]) -> Lanes:
        received: Lanes = {}
        for lane, request in requests.items():
            held, argument = request.operands
            other = source(lane, argument)
            if not 0 <= other < WARP_THREADS:
                received[lane] = held
            elif other in requests:
                received[lane] = requests[other].operands[0]
            else:
                received[lane] = _undefined(held)
        return received

    return exchange


def _vote(outcome: Callable[[dict[int, bool]], Any]) -> Callable[[dict[int, Request], dict[int, int]], Lanes]:
    def collect(requests: dict[int, Request], stamps: dict[int, int]) -> Lanes:
        result = outcome({lane: bool(request.operands[0]) for lane, request in requests.items()})
        return dict.fromkeys(requests, result)

    return collect


def _registers(requests: dict[int, Request], operand: int, dtype: str) -> np.ndarray:
    return np.array([requests[lane].operands[operand] for lane in range(WARP_THREADS)], dtype)


def _product(multiply: Callable[..., np.ndarray], *kind: str) -> Callable[[dict[int, Request], dict[int, int]], Lanes]:
    def compute(requests: dict[int, Request], stamps: dict[int, int]) -> Lanes:
        a, b, c = (_registers(requests, i, dtype) for i, dtype in enumerate(("uint32", "uint32", "float32")))
        return dict(enumerate(matrix.unpacked(multiply(a, b, c, *kind))))

    return compute


def _load_matrix(count: int, transposed: bool) -> Callable[[dict[int, Request], dict[int, int]], Lanes]:
    def gather(requests: dict[int, Request], stamps: dict[int, int]) -> Lanes:
        rows: list[Sequence[Any]] = []
        for lane in range(8 * count):
            memory, index = requests[lane].operands
            try:
                rows.append(_row(memory, index, stamps[lane], requests[lane].line))
            except Fault as fault:
                fault.thread = lane
                raise
        registers = matrix.ldmatrix(np.array(rows, np.uint16), transposed)
        if count == 1:
            return dict(enumerate(registers[:, 0].tolist()))
        return dict(enumerate(matrix.unpacked(registers)))

    return gather


def _row(memory: Memory, index: int, stamp: int, line: int) -> Sequence[Any]:
    """Return the 16 bytes at an address, as 8 elements of 16 bits."""
    memory.aligned(index, 16, line)
    values = [memory.load(i, stamp, line) for i in range(index, index + 16 // memory.element.itemsize)]
    return np.array(values, memory.element.dtype).view(np.uint16).tolist()


def _begin_product(requests: dict[int, Request], stamps: dict[int, int]) -> Lanes:
    request = requests[0]
    operands = warpgroup.Operands(request.operation, *request.operands)
    if any(other.operands != request.operands for other in requests.values()):
        raise Fault("TW0656", f"{request.operation} on operands that differ between lanes", line=request.line)
    values = warpgroup.product(operands, stamps[0], request.line)
    return {lane: (list(values[lane]), operands) for lane in requests}


def _end_products(requests: dict[int, Request], stamps: dict[int, int]) -> Lanes:
    """Record that operands were read until now."""
    for operands in requests[0].operands:
        warpgroup.product(operands, stamps[0], requests[0].line)
    return dict.fromkeys(requests)


_RESOLVERS: dict[str, Callable[[dict[int, Request], dict[int, int]], Lanes]] = {
    "syncwarp": lambda requests, stamps: dict.fromkeys(requests),
    "shfl_sync": _shuffle(lambda lane, source: source % WARP_THREADS),
    "shfl_up_sync": _shuffle(lambda lane, delta: lane - delta),
    "shfl_down_sync": _shuffle(lambda lane, delta: lane + delta),
    "shfl_xor_sync": _shuffle(lambda lane, mask: lane ^ mask),
    "all_sync": _vote(lambda votes: all(votes.values())),
    "any_sync": _vote(lambda votes: any(votes.values())),
    "eq_sync": _vote(lambda votes: len(set(votes.values())) == 1),
    "ballot_sync": _vote(lambda votes: sum(1 << lane for lane, vote in votes.items() if vote)),
    "mma_m16n8k16_f16": _product(matrix.mma_m16n8k16, "f16"),
    "mma_m16n8k16_bf16": _product(matrix.mma_m16n8k16, "bf16"),
    "mma_m16n8k8_tf32": _product(matrix.mma_m16n8k8_tf32),
    **{f"ldmatrix_x{count}": _load_matrix(count, False) for count in (1, 2, 4)},
    **{f"ldmatrix_x{count}_trans": _load_matrix(count, True) for count in (1, 2, 4)},
    **dict.fromkeys(WARPGROUP_PRODUCTS, _begin_product),
    "wgmma_wait": _end_products,
}
