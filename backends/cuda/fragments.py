"""Fragments: the distribution of a matrix tile over the registers of a warp's lanes, and the scopes of such buffers.

A buffer of scope `warp.<name>`, where a fragment is registered under that name, is kept in registers. Its last two
dimensions are divided into tiles; each lane holds the same number of elements of every tile, consecutively in its
registers. Plain loads and stores access elements that the lane holds. Operations of all lanes together, such as loads
of matrices and products, are calls (`device_calls.py`).

```python
register_fragment(Fragment(
    "accumulator", (16, 8), "f32",
    lane=lambda i, j: i % 8 * 4 + j // 2,
    position=lambda i, j: i // 8 * 2 + j % 2,
))
s.cache_write(C, "warp.accumulator")
```
Elements of 16 bits lie in pairs in registers of 32 bits, the one of the even position in the lower half.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Attribute

from ...diagnostics import fail
from ...diagnostics.text import did_you_mean
from ...dialects.loop import LANES, WARP, scope_of

KINDS = {"f32": 1, "tf32": 1, "i32": 1, "f16": 2, "bf16": 2}
"""The element kinds of fragments, and the number of such elements in a register. tf32 elements are rounded f32."""
MALFORMED = "TW0660"

Coordinate = Callable[[Any, Any], Any]
"""A function of a row and a column within a tile; of integers, of arrays of them and of index expressions alike, made
of sums, products with constants, `//` and `%`."""


@dataclass(frozen=True)
class Fragment:
    """The layout of a tile in a warp: the lane that holds the element in row i and column j, and its position there."""

    name: str
    shape: tuple[int, int]
    kinds: tuple[str, ...]
    """The kinds of elements; buffers of f32 are of kind "tf32" where "f32" is not among them."""
    lane: Coordinate
    position: Coordinate

    @property
    def scope(self) -> str:
        """The scope of buffers with this layout."""
        return f"{WARP}.{self.name}"

    @property
    def elements(self) -> int:
        """The number of elements of a tile that each lane holds."""
        return self.shape[0] * self.shape[1] // LANES

    @property
    def transposed(self) -> Fragment:
        """The fragment for buffers that store the matrix in column-major order."""
        rows, columns = self.shape
        lane, position = self.lane, self.position
        return Fragment(
            f"{self.name}_t", (columns, rows), self.kinds, lambda i, j: lane(j, i), lambda i, j: position(j, i)
        )


_HALF = ("f16", "bf16")

_A = Fragment(
    "mma_a", (16, 16), _HALF, lambda i, j: i % 8 * 4 + j % 8 // 2, lambda i, j: j // 8 * 4 + i // 8 * 2 + j % 2
)
_B = Fragment("mma_b", (16, 8), _HALF, lambda i, j: j * 4 + i % 8 // 2, lambda i, j: i // 8 * 2 + i % 2)
_C = Fragment("mma_c", (16, 8), ("f32",), lambda i, j: i % 8 * 4 + j // 2, lambda i, j: i // 8 * 2 + j % 2)
_A_TF32 = Fragment("mma_a_tf32", (16, 8), ("tf32",), lambda i, j: i % 8 * 4 + j % 4, lambda i, j: j // 4 * 2 + i // 8)
_B_TF32 = Fragment("mma_b_tf32", (8, 8), ("tf32",), lambda i, j: j * 4 + i % 4, lambda i, j: i // 4)

FRAGMENTS = (_A, _A.transposed, _B, _B.transposed, _C, _A_TF32, _A_TF32.transposed, _B_TF32, _B_TF32.transposed)
"""The fragments of `mma.sync` (PTX ISA, "Matrix Fragments for mma.m16n8k16", "... for mma.m16n8k8").

Buffers of scope `warp.mma_a` have rows along m and columns along k, buffers of scope `warp.mma_b` rows along k and
columns along n; with `_t` the other way round. The accumulators of all shapes are `warp.mma_c`, rows along m, columns
along n.
"""
_registered: dict[str, Fragment] = {}


def register_fragment(fragment: Fragment) -> Fragment:
    """Make a scope known. Raises TilewrightError TW0660 where the lanes would not share the tile evenly."""
    rows, columns = fragment.shape
    elements = {(fragment.lane(i, j), fragment.position(i, j)) for i in range(rows) for j in range(columns)}
    wanted = {(lane, position) for lane in range(LANES) for position in range(fragment.elements)}
    if elements != wanted or rows * columns % LANES or not fragment.kinds or not set(fragment.kinds) <= KINDS.keys():
        fail(
            MALFORMED,
            f"expected each of the {LANES} lanes of fragment {fragment.name!r} to have {fragment.elements} elements of "
            f"a tile of {rows} x {columns}, of kinds {', '.join(KINDS)}",
        )
    _registered[fragment.scope] = fragment
    return fragment


def fragments() -> dict[str, Fragment]:
    """Return every fragment by its scope."""
    return {f.scope: f for f in FRAGMENTS} | _registered


def fragment_of(type: Attribute) -> Fragment:
    """Return the fragment of a buffer type. Raises TilewrightError TW0660 for a scope that is none."""
    scope, known = scope_of(type), fragments()
    if scope not in known:
        fail(
            MALFORMED,
            f"expected the scope of a fragment, but got {scope!r}{did_you_mean(scope, known)}",
            help="register_fragment says how the lanes of a warp hold a tile",
        )
    return known[scope]
