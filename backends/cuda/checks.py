"""Checks of launches before any kernel starts: errors that a GPU would report, or silently compute wrong results
for."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import fail
from ...diagnostics.locations import location_of, source_position
from ...dialects.loop import SHARED, AllocOp, BarrierOp, scope_of
from ...dialects.target import TARGET_ATTRIBUTE, CudaTargetAttr
from ...runtime.kernels.program import check_launch
from ...traversal import operations
from ..kernels import HostFunction, Kernel, launch_shape
from ..written.types import storage_bytes

TOO_MUCH_SHARED, DIVERGENT_BARRIER = "TW0637", "TW0638"


def target_of(module: ModuleOp) -> CudaTargetAttr:
    """Return the GPU that a module is for."""
    target = module.attributes.get(TARGET_ATTRIBUTE)
    return target if isinstance(target, CudaTargetAttr) else CudaTargetAttr.get()


def check_barriers(module: ModuleOp) -> None:
    """Raise TW0638 for a barrier that some threads of a block may not reach."""
    for op in operations(module):
        if isinstance(op, BarrierOp):
            try:
                op.verify_()
            except VerifyException as error:
                fail(
                    DIVERGENT_BARRIER, str(error), op=op, help="all threads of a block wait, or the rest waits forever"
                )


def check_host(host: HostFunction, target: CudaTargetAttr, shared: Sequence[int]) -> None:
    """Check the properties of a function's kernels that do not depend on sizes. `shared` are the bytes of shared memory
    of each.

    Raises TW0636 and TW0639 as `check_launch` does, then TW0637 for too much shared memory.
    """
    for kernel, size in zip(host.kernels, shared, strict=True):
        constant = {tag: extent for tag, extent in kernel.extents.items() if extent.is_constant}
        # Threads are checked first, because the shared memory of reductions across threads grows with their number.
        check_launch(kernel.name, *launch_shape(constant, {}), target.max_threads, location_of(kernel.nest))
        if size > target.shared:
            _refuse_shared(kernel, size, target)


def _refuse_shared(kernel: Kernel, size: int, target: CudaTargetAttr) -> None:
    fail(
        TOO_MUCH_SHARED,
        f"expected at most {target.shared} bytes of shared memory in kernel {kernel.name}, but its buffers take {size}",
        op=kernel.nest,
        notes=_shared_buffers(kernel),
        help="compute the shared stage at an inner loop, or make its tile smaller; blocks of newer GPUs may have more: "
        f'target="cuda -arch={target.arch} -shared=N"',
    )


def _shared_buffers(kernel: Kernel) -> list[str]:
    """Return the shared buffers of a kernel with the bytes of each."""
    found = [op for op in kernel.nest.walk() if isinstance(op, AllocOp) and scope_of(op.res.type) == SHARED]
    sizes = [prod(op.res.type.get_shape()) * storage_bytes(op.res.type.element_type) for op in found]
    return [f"{op.res.name_hint or 'a buffer'}: {size}{_stage(op)}" for op, size in zip(found, sizes, strict=True)]


def _stage(op: AllocOp) -> str:
    """Return the stage that a buffer is for: its name, and the line that the user wrote."""
    name, position = (op.res.name_hint or "").partition("_shared")[0], source_position(op.location)
    line = "" if position is None else f" in line {position.line} of {position.file.rsplit('/', 1)[-1]}"
    return f", of stage '{name}'{line}" if name else line
