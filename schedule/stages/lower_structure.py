"""Replay of the calls that create stages, on fresh nests with one loop for each axis of a block.

Dependent calls are executed in the order in which they were made, independent calls in the order of the stages that
they create, so that the program does not depend on the order of independent calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from ..handles import LoopRV
from .axes import Fuse, IterVar, Relation, Reorder, Singleton, Split
from .log import CacheRead, CacheWrite, RFactor, Structural
from .stage import Stage
from .staged_program import StagedProgram


def in_fixed_order(records: Sequence[Structural], stages: Sequence[Stage]) -> list[Structural]:
    """Return the records, each after the earlier ones that concern it, otherwise by the stages that they make."""
    positions = {stage: position for position, stage in enumerate(stages)}
    touching: dict[Stage, list[int]] = {}
    later: list[list[int]] = [[] for _ in records]
    waits_for = [0] * len(records)
    for number, record in enumerate(records):
        earlier = {k for stage in record.touched for k in touching.get(stage, ()) if _concern(records[k], record)}
        waits_for[number] = len(earlier)
        for k in earlier:
            later[k].append(number)
        for stage in record.touched:
            touching.setdefault(stage, []).append(number)
    free = [(positions[record.made], number) for number, record in enumerate(records) if not waits_for[number]]
    heapify(free)
    ordered: list[Structural] = []
    while free:
        _, chosen = heappop(free)
        ordered.append(records[chosen])
        for number in later[chosen]:
            waits_for[number] -= 1
            if not waits_for[number]:
                heappush(free, (positions[records[number].made], number))
    return ordered


def _concern(first: Structural, second: Structural) -> bool:
    """Return whether the order of two records matters: they share a stage, other than one that both give a copy to
    read."""
    if isinstance(first, CacheRead) and isinstance(second, CacheRead):
        return first.made in second.touched or second.made in first.touched
    return not set(first.touched).isdisjoint(second.touched)


def carry_out(record: Structural, program: StagedProgram) -> None:
    """Make the blocks of the stage that the call made; do nothing where the function lacks the stages of the call."""
    with program.blaming(record.location):
        match record:
            case CacheRead():
                _cache_read(record, program)
            case CacheWrite():
                _cache_write(record, program)
            case RFactor():
                _rfactor(record, program)


def _cache_read(record: CacheRead, program: StagedProgram) -> None:
    readers = [program.blocks[reader] for reader in record.readers if reader in program.blocks]
    if not readers:
        return
    buffer = program.buffer(record.source, record.tensor.value_index)
    # The definition of a tensor writes all of it, before any loop is changed: nothing remains to be proved.
    copying = program.engine.cache_read(readers[0], buffer, record.scope, readers[1:], assert_legal=True)
    program.blocks[record.cache] = copying
    program.rename(record.cache, program.free_label(record.cache.name))


def _cache_write(record: CacheWrite, program: StagedProgram) -> None:
    if record.stage not in program.blocks:
        return
    computing = program.blocks[record.stage]
    label = program.engine.block(computing).label
    copying = program.engine.cache_write(computing, program.buffer(record.stage), record.scope)
    program.blocks[record.cache], program.blocks[record.stage] = computing, copying
    program.rename(record.cache, program.free_label(record.cache.name))
    program.rename(record.stage, label)


def _rfactor(record: RFactor, program: StagedProgram) -> None:
    if record.stage not in program.blocks:
        return
    engine = program.engine
    block = program.blocks[record.stage]
    nest = engine.get_loops(block)
    loops = dict(zip(record.reduction, nest[len(nest) - len(record.reduction) :], strict=True))
    for relation in record.baked:
        apply_relation(relation, loops, program)
    program.blocks[record.factored] = engine.rfactor(loops[record.axis], record.position)
    spatial = nest[: len(nest) - len(record.reduction)]
    engine.reorder(loops[record.axis], *spatial, *(loops[axis] for axis in record.remaining))
    program.rename(record.factored, program.free_label(record.factored.name))


def apply_relation(relation: Relation, loops: dict[IterVar, LoopRV], program: StagedProgram) -> None:
    """Split, fuse or reorder loops; new loops are added to `loops`."""
    engine = program.engine
    with program.blaming(relation.location):
        match relation:
            case Split():
                loop = loops.pop(relation.parent)
                parts = engine.split(loop, _factors(relation), disable_predication=relation.is_exact)
                loops.update(zip(relation.results, parts, strict=True))
            case Fuse():
                loops[relation.fused] = engine.fuse(*(loops.pop(part) for part in relation.parts))
            case Singleton():
                loops[relation.axis] = engine.add_unit_loop(program.blocks[relation.axis.stage])
            case Reorder():
                engine.reorder(*(loops[axis] for axis in relation.order))


def _factors(split: Split) -> Sequence[int | None]:
    return [None, split.factor] if split.factor is not None else [split.nparts, None]
