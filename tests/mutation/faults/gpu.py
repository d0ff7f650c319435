"""Kernels that computed wrong numbers, raced, or were refused without need."""

from __future__ import annotations

from .fault import Fault

_ROWS = ("tests/cuda_backend/scratch/test_rows.py",)
_NAMES = ("tests/written_operations/test_names_in_blocks.py",)
_BARRIERS = ("tests/lit_files/test_lit.py::test_lit[phase2/insert-barriers-invalid.mlir]",)
_SIMULATOR = ("tests/cuda_backend/simulator/test_faults.py",)

FAULTS = (
    Fault(
        "a name given in a block that may not run is used after it",
        "backends/written/function.py",
        "        self._values |= self._unnamed\n",
        "",
        _NAMES,
    ),
    Fault(
        "a read waits through a branch that is always taken",
        "backends/cuda/emit/control.py",
        """    writer.materialize_reads()
    if isinstance(holds, bool):
""",
        "    if isinstance(holds, bool):\n",
        _NAMES,
    ),
    Fault(
        "scratch that a loop over threads allocates is one buffer for all of them",
        "passes/phase1/privatize_global_memory.py",
        "    rows = [op for op in around if op.kind.tag.data not in again]\n",
        "    rows = [op for op in around if not loop.is_over_threads(op)]\n",
        _ROWS,
    ),
    Fault(
        "scratch that a loop over blocks allocates is one buffer for all of them",
        "passes/phase1/privatize_global_memory.py",
        "    rows = [op for op in around if op.kind.tag.data not in again]\n",
        "    rows = [op for op in around if loop.is_over_threads(op)]\n",
        _ROWS,
    ),
    Fault(
        "barriers stand for the order of a loop's iterations",
        "passes/phase2/insert_barriers/__init__.py",
        "                check_iterations(kernel)\n",
        "                pass\n",
        (*_BARRIERS, *_ROWS),
    ),
    Fault(
        "one thread reads what each of them wrote to memory of its own",
        "passes/shared/barriers/thread_nests.py",
        "    for each in handovers:\n",
        "    for each in handovers[:0]:\n",
        _BARRIERS,
    ),
    Fault(
        "threads of an inner loop read what iterations of the outer one have each",
        "passes/shared/barriers/thread_nests.py",
        "    _check_private(inner, outer)\n",
        "",
        _BARRIERS,
    ),
    Fault(
        "statements beside a loop over no threads do not run",
        "passes/shared/barriers/thread_nests.py",
        "        if op.kind.tag.data in alone:\n",
        "        if op.kind.tag.data in ():\n",
        _ROWS,
    ),
    Fault(
        "a grid of a product of sizes is refused",
        "backends/cuda/emit/control.py",
        "([size_of(e, writer.index) for e in side]",
        "([writer.index.resolve(e) for e in side]",
        _ROWS,
    ),
    Fault(
        "lanes under a condition on their number count as all lanes",
        "passes/phase3/select_shuffles.py",
        "                    if set(e.variables) == {variable}:\n",
        "                    if not e.variables:\n",
        ("tests/cuda_backend/backend/test_shuffles.py",),
    ),
    Fault(
        "the simulator lets a barrier order what two threads do to scratch of one",
        "backends/cuda/simulator/memory.py",
        'epoch, begin = new_begin if shadow.owner == "thread" else new_epoch, new_begin',
        "epoch, begin = new_epoch, new_begin",
        _SIMULATOR,
    ),
    Fault(
        "the simulator takes scratch for written that nobody wrote",
        "backends/cuda/simulator/launch.py",
        'Shadow(name, "global", array.size, initialised=False, owner=owner)',
        'Shadow(name, "global", array.size, initialised=True, owner=owner)',
        _SIMULATOR,
    ),
    Fault(
        "the simulator does not know that numpy takes no poison",
        "backends/cuda/simulator/faults.py",
        "        except (TypeError, AttributeError):  # numpy's functions take no poison\n",
        "        except ZeroDivisionError:\n",
        ("tests/cuda_backend/simulator/test_launch.py",),
    ),
    Fault(
        "parts of a fused loop are not known to drive the reduction that threads share",
        "passes/phase1/lower_cross_thread_reduction.py",
        "    return frozenset[loop.ForOp]().union(*map(loops_behind, index))\n",
        "    return frozenset(op for e in index for op in loops_behind(e) if op.induction_variable in e.values())\n",
        ("tests/passes/test_cross_thread_reduction.py",),
    ),
)
