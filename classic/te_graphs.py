"""`te.schedule`'s graph of definitions: the tensors that each reads, their order, and the steps of scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..diagnostics.expectations import expect_type
from ..schedule.stages import IterVar, LazySchedule
from ..schedule.stages.log import At
from ..te.definition_order import each_after_what_it_needs
from ..te.expr import Axis, Expr, Read, const, walk
from ..te.recurrence import Scan
from ..te.tensor import Computation, Definition, Tensor

__all__ = ["CreateAttachPath", "CreateReadGraph", "PostDFSOrder", "ScanFixPointAnalysis", "ScanGetBody"]

Graph = Mapping[Definition, Sequence[Tensor]]


def CreateReadGraph(ops: Sequence[Definition]) -> dict[Definition, list[Tensor]]:
    """Map each definition that `ops` depend on, themselves included, to the tensors that it reads.

    A scan reads the inits of its states and the results of its steps.
    """
    graph: dict[Definition, list[Tensor]] = {}
    waiting = list(ops)
    while waiting:
        op = waiting.pop(0)
        expect_type("ops", op, Definition)
        if op not in graph:
            graph[op] = list((*op.init, *op.update) if isinstance(op, Scan) else op.inputs)
            waiting += [tensor.op for tensor in graph[op]]
    return graph


def PostDFSOrder(roots: Sequence[Definition], g: Graph) -> list[Definition]:
    """Return the definitions of a graph that `roots` depend on, each after those that it reads."""
    return each_after_what_it_needs(roots, lambda op: [tensor.op for tensor in g.get(op, ())])


def CreateAttachPath(sch: LazySchedule) -> dict[Definition, list[Axis | IterVar]]:
    """Map each definition to the loops of other stages around it, innermost first; steps of a scan stand in its
    loop."""
    scans = {op: stage.op for stage in sch.stages if isinstance(stage.op, Scan) for op in stage.op.body}
    paths: dict[Definition, list[Axis | IterVar]] = {}
    for start in sch.stages:
        path: list[Axis | IterVar] = []
        stage, attachment = start, start.attachment
        while isinstance(attachment, At):
            stage = attachment.axis.stage
            leaves = list(stage.leaf_iter_vars)
            position = leaves.index(attachment.axis) if attachment.axis in leaves else len(leaves) - 1
            path += [_axis_of(axis) for axis in reversed(leaves[: position + 1])]
            attachment = stage.attachment
        scan = scans.get(stage.origin_op) if isinstance(stage.origin_op, Computation) else None
        paths[start.op] = path if scan is None else [*path, scan.scan_axis]
    return paths


def _axis_of(loop: IterVar) -> Axis | IterVar:
    """Return the axis of a definition that a loop is; the loop itself where splits and fuses made it."""
    axes = loop.stage.op.axis
    return next((axis for axis in axes if loop.stage.root_of(axis) is loop), loop)


def ScanGetBody(scan_op: Scan) -> list[Definition]:
    """Return the computes that make a step of a scan, and the scan."""
    expect_type("scan_op", scan_op, Scan)
    return [*scan_op.body, scan_op]


def ScanFixPointAnalysis(scan_op: Scan) -> dict[Axis, Expr]:
    """Map each axis of `scan_op.spatial_axis_` to 1 if every step reads states only at the index of the axis, in the
    dimension of the axis; to 0 if a step reads elsewhere, or if the analysis cannot decide it."""
    expect_type("scan_op", scan_op, Scan)
    moving = _moving_dimensions(scan_op)
    axes = iter(scan_op.spatial_axis_)
    found: dict[Axis, Expr] = {}
    for update in scan_op.update:
        for dimension in range(1, update.ndim):
            found[next(axes)] = const(int(dimension not in moving), "int32")
    return found


def _moving_dimensions(scan: Scan) -> set[int]:
    """Return the dimensions along which some step reads a state elsewhere than where its result is, and those whose
    index it takes for another dimension of a state."""
    results = {update.op for update in scan.update}
    stands: dict[Axis, set[int]] = {}
    """By axis of a step's compute: the dimensions of the results that it is; empty where it is something else."""
    moving: set[int] = set()
    for op in reversed(scan.body):
        if op in results:
            for dimension, axis in enumerate(op.axis):
                stands.setdefault(axis, set()).add(dimension)
        for read in (node for body in op.bodies for node in walk(body) if isinstance(node, Read)):
            for dimension, index in enumerate(read.indices):
                here = stands.get(index, set()) if isinstance(index, Axis) else set[int]()
                if read.tensor in scan.state and dimension and here != {dimension}:
                    moving.update(here - {-1}, {dimension})
                elif read.tensor.op in scan.body:
                    stands.setdefault(read.tensor.op.axis[dimension], set()).update(here or {-1})
    return moving
