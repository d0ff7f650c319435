"""NVIDIA's compiler nvcc, if it is installed, and the features of compute capabilities."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...diagnostics import fail
from ...driver.targets import Target
from .cc import missing, run

_HELP = "build with target='cuda': its kernels need no nvcc"


def find_cuda_path() -> str:
    """Return the folder of the CUDA toolkit. Raises TilewrightError TW0613 where there is none."""
    named = os.environ.get("CUDA_PATH") or os.environ.get("CUDA_HOME")
    compiler = shutil.which("nvcc")
    found = named or (str(Path(compiler).resolve().parents[1]) if compiler else None)
    if found is None:
        fail("TW0613", "expected the CUDA toolkit, but neither CUDA_PATH nor nvcc is there", help=_HELP)
    return found


def get_cuda_version(cuda_path: str | None = None) -> tuple[int, int]:
    """Return the version of the toolkit's compiler. Raises TW0613 where there is none."""
    folder = cuda_path or find_cuda_path()
    said = run([str(Path(folder) / "bin" / "nvcc"), "--version"], "print its version")
    version = re.search(r"release (\d+)\.(\d+)", said)
    return (int(version[1]), int(version[2])) if version else missing("nvcc")


def compile_cuda(
    code: str,
    target_format: str = "ptx",
    arch: str | Sequence[str] | None = None,
    options: str | Sequence[str] | None = None,
    path_target: str | None = None,
) -> bytearray:
    """Compile CUDA source to PTX, a cubin or a fatbin. Raises TilewrightError TW0613 where nvcc is missing or fails,
    TW0208 for another format."""
    if target_format not in ("ptx", "cubin", "fatbin"):
        fail("TW0208", f"expected target_format to be ptx, cubin or fatbin, but got {target_format!r}")
    compiler = shutil.which("nvcc")
    if compiler is None:
        fail("TW0613", "expected nvcc for CUDA source, but it cannot be found", help=_HELP)
    words = [options] if isinstance(options, str) else [*(options or ())]
    archs = [f"-arch={arch}"] if isinstance(arch, str) else [*(arch or ())]
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        source, result = Path(folder) / "kernel.cu", Path(path_target or Path(folder) / f"kernel.{target_format}")
        source.write_text(code, encoding="utf-8")
        run([compiler, f"--{target_format}", "-O3", *archs, *words, str(source), "-o", str(result)], "compile")
        return bytearray(result.read_bytes())


def get_target_compute_version(target: Target | str | None = None) -> str:
    """Return the compute capability of a target for CUDA, of the current one unless given: "8.0"."""
    chosen = Target.of(target)
    arch = str(chosen.attrs.get("arch", "")) or getattr(chosen.attribute(), "arch", "")
    match = re.fullmatch(r"sm_(\d+)(\d)a?", arch)
    if match is None:
        fail("TW0612", f"expected a target for CUDA with an -arch=, but got '{chosen}'")
    return f"{match[1]}.{match[2]}"


def parse_compute_version(compute_version: str) -> tuple[int, int]:
    """Return the numbers of a compute capability: (8, 0) for "8.0". Raises TW0208 for other text."""
    match = re.fullmatch(r"(\d+)\.(\d+)", compute_version)
    if match is None:
        fail("TW0208", f"expected a compute capability as 8.0, but got {compute_version!r}")
    return int(match[1]), int(match[2])


def have_fp16(compute_version: str) -> bool:
    """Return whether kernels compute on float16."""
    version = parse_compute_version(compute_version)
    return version == (5, 3) or version >= (6, 0)


def have_int8(compute_version: str) -> bool:
    """Return whether kernels have products of four int8."""
    return parse_compute_version(compute_version) >= (6, 1)


def have_tensorcore(compute_version: str | None = None, target: Target | str | None = None) -> bool:
    """Return whether a GPU has tensor cores.

    The GPU is one of the given compute capability; without it, the GPU of `target`, of the current target, or of CUDA.
    """
    if compute_version is None:
        chosen = Target.of(target or Target.current() or "cuda")
        if chosen.kind.name != "cuda":
            return False
        compute_version = get_target_compute_version(chosen)
    return parse_compute_version(compute_version) >= (7, 0)


def have_bf16(compute_version: str) -> bool:
    """Return whether kernels compute on bfloat16."""
    return parse_compute_version(compute_version) >= (8, 0)
