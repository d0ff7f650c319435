"""What is checked before any kernel is launched: what a GPU would refuse, or quietly do wrong."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import fail
from ...dialects.loop import BarrierOp
from ...dialects.target import TARGET_ATTRIBUTE, CudaTargetAttr
from ...traversal import operations
from ..kernels import HostFunction, Kernel, launch_shape

_MOST_BLOCKS = (2**31 - 1, 65535, 65535)
_MOST_THREADS = (1024, 1024, 64)
"""Along x, y and z (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")."""
TOO_MANY_THREADS, TOO_MUCH_SHARED, DIVERGENT_BARRIER, BAD_LAUNCH = "TW0636", "TW0637", "TW0638", "TW0639"


def target_of(module: ModuleOp) -> CudaTargetAttr:
    """The GPU that a module is for."""
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
    """Check what is known of a function's kernels without its sizes. `shared` are the bytes of each.

    Raises TW0636, TW0637 and TW0639 as `check_launch` does.
    """
    for kernel, size in zip(host.kernels, shared, strict=True):
        if size > target.shared:
            _refuse_shared(kernel, size, target)
        constant = {tag: extent for tag, extent in kernel.extents.items() if extent.is_constant}
        check_launch(kernel, *launch_shape(constant, {}), target)


def check_launch(kernel: Kernel, blocks: Sequence[int], threads: Sequence[int], target: CudaTargetAttr) -> None:
    """Raise TW0636 for more threads in a block than the target has, TW0639 for more along one axis than there are."""
    count = prod(threads)
    if count > target.max_threads:
        fail(
            TOO_MANY_THREADS,
            f"expected at most {target.max_threads} threads in a block of kernel {kernel.name}, but got {count}: "
            f"threadIdx of {_along(threads)}",
            op=kernel.nest,
            help="split the loop and bind the outer one to blockIdx",
        )
    for space, numbers, most in (("blockIdx", blocks, _MOST_BLOCKS), ("threadIdx", threads, _MOST_THREADS)):
        for axis, number, limit in zip("xyz", numbers, most, strict=True):
            if number > limit:
                fail(
                    BAD_LAUNCH,
                    f"expected at most {limit} along {space}.{axis} of kernel {kernel.name}, but got {number}",
                    op=kernel.nest,
                    help="bind the longest loop to blockIdx.x" if space == "blockIdx" else "bind it to threadIdx.x",
                )


def _along(numbers: Sequence[int]) -> str:
    return " x ".join(map(str, numbers))


def _refuse_shared(kernel: Kernel, size: int, target: CudaTargetAttr) -> None:
    fail(
        TOO_MUCH_SHARED,
        f"expected at most {target.shared} bytes of shared memory in kernel {kernel.name}, but its buffers take {size}",
        op=kernel.nest,
        help="compute the shared stage at an inner loop, or make its tile smaller; blocks of newer GPUs may have more: "
        f'target="cuda -arch={target.arch} -shared=N"',
    )
