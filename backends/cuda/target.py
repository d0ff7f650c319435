"""The target texts of NVIDIA GPUs, such as `cuda -arch=sm_80 -max-threads=512 -shared=98304`, and their attributes."""

from __future__ import annotations

from collections.abc import Mapping

from ...diagnostics import fail
from ...dialects.target import CudaTargetAttr, capability_of
from ...dialects.target_facts import CUDA_FACTS
from ...dialects.target_text import NATIVE, Option, fact_options, is_number, read_options, stated_facts
from ...hardware import MOST_BLOCK_THREADS, SHARED_BYTES_OF_ARCH

OPTIONS: Mapping[str, Option] = {
    "arch": Option(
        lambda v: v == NATIVE or v in SHARED_BYTES_OF_ARCH,
        f"-arch={NATIVE} or -arch= with one of {', '.join(SHARED_BYTES_OF_ARCH)}",
    ),
    "max-threads": Option(
        lambda v: is_number(v, 1, MOST_BLOCK_THREADS), f"-max-threads= with a number from 1 to {MOST_BLOCK_THREADS}"
    ),
    "shared": Option(lambda v: is_number(v, 0, 999_999_999), "-shared= with a number of bytes"),
    **fact_options(CUDA_FACTS),
}


def read_target(text: str) -> CudaTargetAttr:
    """Return the GPU that the text of a target names; `-arch=native` is the GPU of this machine.

    Raises TilewrightError TW0634 for `native` without a GPU, TW0612 for more shared memory than blocks may have.
    """
    default, options = CudaTargetAttr.get(), read_options(text, OPTIONS)
    arch, shared = options.get("arch", default.arch), default.shared
    is_one_kind = arch == NATIVE or arch.endswith("a")
    if arch == NATIVE:
        arch = _arch_of_this_gpu()
        _check_shared(text, arch, options)
    if is_one_kind:
        shared = SHARED_BYTES_OF_ARCH[arch]
    return CudaTargetAttr.get(
        arch,
        int(options.get("max-threads", default.max_threads)),
        int(options.get("shared", shared)),
        facts=stated_facts(options, CUDA_FACTS),
    )


def check_target(text: str) -> None:
    """Raise TilewrightError TW0612 for more shared memory than blocks may have on that kind of GPU."""
    options = read_options(text, OPTIONS)
    _check_shared(text, options.get("arch", CudaTargetAttr.get().arch), options)


def _check_shared(text: str, arch: str, options: Mapping[str, str]) -> None:
    most = SHARED_BYTES_OF_ARCH.get(arch)  # the limit of this machine's GPU is checked when the target is used
    if most is not None and int(options.get("shared", "0")) > most:
        got = f"'-shared={options['shared']}' in target '{text}'"
        fail("TW0612", f"expected at most {most} bytes of shared memory on {arch}, but got {got}")


def _arch_of_this_gpu() -> str:
    """Return the latest kind of GPU whose code the first one here and later ones run. Raises TW0634 where there is
    none, TW0612 for one that is older than all kinds."""
    from ...runtime.kernels.driver import cuda_driver

    capability = cuda_driver().capability(0)
    fitting = [a for a in SHARED_BYTES_OF_ARCH if not a.endswith("a") and capability_of(a) <= capability]
    if not fitting:
        oldest = next(iter(SHARED_BYTES_OF_ARCH))
        fail(
            "TW0612",
            f"expected a GPU of {oldest} or later, but the first one here is sm_{capability[0]}{capability[1]}",
        )
    return fitting[-1]
