"""Tasks of a product between transforms: the numbers of parts and groups into which the work is divided.

The intermediate data between the transforms has several times as many elements as the image, and should stay in the
second cache, which favours many parts. But every part reads all weights again, a part of too few tiles does not hide
these reads, and every thread should have several tasks. The model counts the cycles of all threads for each division.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf, prod

from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from .block_structure import Operand, element_bits
from .coefficients import PLACEMENT_FILL, TASK_EXPOSED, TASK_FAR_PART, TASK_FIRST_LEVEL, TASK_NEAR_PART
from .packed_rows import PackedRowsPlan, Reach, best_tile, decided_tile, image_bytes
from .tiles import RegisterTile, divisors, unstreamed_bandwidth

LEAST_A_THREAD, MOST_A_THREAD = 2, 16
"""Tasks for each thread, so that none waits long for the slowest; more groups do not speed up the transform of a
part."""


@dataclass(frozen=True)
class Tasks:
    """A division of the work, and its predicted time."""

    parts: int
    """The number of parts of the lines of tiles."""
    groups: int
    """The number of groups of the rows of results."""
    inside: bool
    """True where each task transforms one part of the image; otherwise the whole image is transformed before."""
    tile: RegisterTile
    """The tile of the product that fits a task."""
    cycles: float
    """The cycles of the tile for a vector of multiply-adds."""
    time: float
    """Cycles until all threads are done."""


def plan_tasks(product: PackedRowsPlan, still: Sequence[Operand], lines: int, target: CpuTargetAttr) -> Tasks:
    """Return the fastest way to cut a product whose image `still` has so many lines of tiles."""
    cuts = _cuts(product, lines, target)
    if target.threads > 1:
        counts = {cut: cut[0] * cut[1] * _batch(product) / target.threads for cut in cuts}
        least = min(LEAST_A_THREAD, max(counts.values()))
        cuts = [cut for cut in cuts if least <= counts[cut] and (cut[2] or counts[cut] <= MOST_A_THREAD)]
    return min((_tasks(*cut, product, still, target) for cut in cuts), key=lambda tasks: tasks.time)


def decided_tasks(
    tasks: Tasks, product: PackedRowsPlan, still: Sequence[Operand], lines: int, target: CpuTargetAttr
) -> Tasks:
    """Return the decided way to cut, and its tile."""
    block, planned = product.shape.block, (tasks.parts, tasks.groups, tasks.inside)
    cut = decide("transformed_product.cut", _cuts(product, lines, target), planned, block=block)
    if cut != planned:
        tasks = _tasks(*cut, product, still, target)
    rows = 1 if product.steps is None else product.steps.extent // tasks.groups
    extents = (product.rows.extent // tasks.parts, rows, product.vector.extent)
    return replace(tasks, tile=decided_tile("transformed_product.tile", tasks.tile, *extents, block, target))


def _cuts(product: PackedRowsPlan, lines: int, target: CpuTargetAttr) -> list[tuple[int, int, bool]]:
    """Return possible divisions: parts, groups, and whether each task transforms one part of the image."""
    cuts = [(parts, 1, True) for parts in divisors(lines)]
    if target.threads > 1:
        rows = 1 if product.steps is None else product.steps.extent
        cuts += [(parts, groups, False) for parts in divisors(lines) for groups in divisors(rows)]
    return cuts


def _batch(product: PackedRowsPlan) -> int:
    """Return the number of images."""
    return prod(axis.extent for axis in product.pixels if axis is not product.rows)


def _tasks(
    parts: int, groups: int, inside: bool, product: PackedRowsPlan, still: Sequence[Operand], target: CpuTargetAttr
) -> Tasks:
    """Return the tasks for given numbers of parts and groups, with their predicted time.

    A task computes a part's products for a group. Its weights are read while it computes; the elements between the
    transforms are written and read in the nearest cache with room for them.
    """
    shape = product.shape
    rows = 1 if product.steps is None else product.steps.extent // groups
    lanes = min(target.lanes(element_bits(shape.block)), product.vector.extent)
    reach = partial(_reach, product, target=target)
    tile, cycles = best_tile(product.rows.extent // parts, rows, product.vector.extent, lanes, target, reach)
    count = parts * groups * _batch(product)
    compute = shape.points / lanes / count * cycles
    weights = sum(o.bytes for o in shape.operands if o not in still) / groups
    image, results = image_bytes(still) / (count / groups), _bytes_of_results(product) / count
    far = TASK_FAR_PART * target.bandwidths[1]
    between, per_task, before = image / far, results, image_bytes(still) / far / target.threads
    if inside:
        between, per_task, before = 0.0, image + results, 0.0
    between += 2 * per_task / _bytes_a_cycle(per_task, target)
    stream = weights / _bytes_a_cycle(weights + per_task, target)
    task = max(compute, stream) + TASK_EXPOSED * stream + between
    return Tasks(parts, groups, inside, tile, cycles, ceil(count / target.threads) * task + before)


def _reach(product: PackedRowsPlan, tile: RegisterTile, *, target: CpuTargetAttr) -> Reach:
    terms = prod(a.extent for a in product.shape.reduce)
    weights = terms * tile.steps * product.vector.extent * element_bits(product.shape.block) // 8
    return Reach(inf if weights <= target.caches[0] * TASK_FIRST_LEVEL else unstreamed_bandwidth(target), terms)


def _bytes_of_results(product: PackedRowsPlan) -> int:
    return prod(a.extent for a in product.shape.spatial) * element_bits(product.shape.block) // 8


def _bytes_a_cycle(size: float, target: CpuTargetAttr) -> float:
    """Return the bytes a cycle at which `size` bytes that are read again and again arrive."""
    second, third, _ = target.bandwidths
    return TASK_NEAR_PART * second if size <= target.caches[1] * PLACEMENT_FILL else TASK_FAR_PART * third
