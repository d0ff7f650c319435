"""Compilation of kernel source to PTX by numba, for which no GPU is needed."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from threading import Lock
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from ...diagnostics import TilewrightError, fail
from ...dialects.target import capability_of
from ...forks import held_off
from ...runtime.kernels.driver import INSTALL
from ..cache import PTX, Cache
from . import operations
from .ptx import joined
from .source import source_file

NOT_COMPILED = "TW0635"
_ONE_AT_A_TIME = Lock()
"""Held while numba's settings are overridden: it compiles one kernel at a time anyway."""
_ALIGNMENT = re.compile(r", alignment=\d+(?=\))")


@cache
def load_source(path: Path) -> ModuleType:
    """Load a file of kernels as a module that either of numba's CUDA targets compiles.

    The builtin CUDA target of numba has no option for the alignment of shared memory; `ptx.joined` states it for both
    targets.
    """
    text = path.read_text(encoding="utf-8")
    if _ALIGNMENT.search(text) and importlib.util.find_spec("numba_cuda") is None:
        return load_source(source_file(_ALIGNMENT.sub("", text)))
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)  # an import would write byte code beside the file
    # Numba learns of intrinsics before it compiles: one that is made while it does comes too late.
    for name in set(re.findall(r"\bdevice\.(\w+)", text)):
        getattr(operations, name)
    return module


def signature(types: tuple[str, ...]) -> Any:
    """Return Numba's signature of a kernel: `float32[]` is a flat array, `int64` a size."""
    from numba import types as known
    from numba import void

    parts = [
        known.Array(getattr(known, name.removesuffix("[]")), 1, "C", aligned=True)
        if name.endswith("[]")
        else getattr(known, name)
        for name in types
    ]
    return void(*parts)


@dataclass(frozen=True)
class Prototype:
    """The types of a kernel's parameters, and the bounds of its launches."""

    types: tuple[str, ...]
    """Of its parameters: `float32[]` for a flat array, `int64` for a size."""
    threads: int
    """The largest number of threads of a block."""
    blocks: int = 0
    """The number of blocks that a multiprocessor is to have registers for; 0 where the assembler may choose."""


def ptx_of(path: Path, kernels: Mapping[str, Prototype], arch: str) -> str:
    """Return the PTX of a file's kernels for an architecture, one module whose entries have the kernels' names.

    It is kept in the cache: compiling the kernels of a model takes many seconds. Raises TW0635 where numba finds no
    compiler (NVVM), or where that refuses a kernel.
    """
    cache, key = Cache.of(PTX), _key(path, kernels, arch)
    found = cache.load(key)
    if found is not None:
        return found.tobytes().decode()
    text = _compiled(path, kernels, arch)
    cache.store(key, [text.encode()])
    return text


def _key(path: Path, kernels: Mapping[str, Prototype], arch: str) -> str:
    """Return the hash of all that the PTX of a file depends on."""
    digest = hashlib.sha256(path.read_bytes())
    digest.update(repr((sorted(kernels.items()), arch, _compiler())).encode())
    return digest.hexdigest()


@cache
def _compiler() -> tuple[str, ...]:
    """Return the versions of everything that compiles kernels: packages, a toolkit, and this package's files."""
    versions = [f"{d.name} {d.version}" for d in metadata.distributions() if _is_compiler(d.name)]
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("operations/**/*.py")):
        digest.update(file.read_bytes())
    for file in ("compiler.py", "ptx.py"):
        digest.update(Path(__file__).with_name(file).read_bytes())
    return *sorted(versions), os.environ.get("CUDA_HOME", ""), digest.hexdigest()


def _is_compiler(distribution: str) -> bool:
    name = distribution.lower().replace("_", "-")
    return name in ("numba", "numba-cuda", "llvmlite") or name.startswith(("nvidia-nvvm", "nvidia-cuda-nvcc"))


def _compiled(path: Path, kernels: Mapping[str, Prototype], arch: str) -> str:
    capability = capability_of(arch)
    try:
        from numba import cuda
        from numba.cuda import dispatcher
        from numba.cuda.cudadrv import nvvm

        compile_ptx: Any = getattr(cuda, "compile_ptx")  # noqa: B009 (numba does not say that it exports it)
        with held_off(), _ONE_AT_A_TIME, _names_of_numpy(), _as_if_on(dispatcher, capability), _as_written(nvvm):
            module = load_source(path)
            texts = {
                name: compile_ptx(getattr(module, name), signature(kernel.types), cc=capability)[0]
                for name, kernel in kernels.items()
            }
    except TilewrightError:
        raise
    except Exception as error:  # numba and its parts raise many types without a common base
        not_compiled(error)
    return joined(texts, {name: (kernel.threads, kernel.blocks) for name, kernel in kernels.items()}, arch)


@contextmanager
def _names_of_numpy() -> Generator[None]:
    """Define `numpy.row_stack`, which numba-cuda reads at its first compilation and numpy 2.5 lacks."""
    if hasattr(np, "row_stack"):
        yield
        return
    setattr(np, "row_stack", np.vstack)  # noqa: B010 (numpy's types have no such name)
    try:
        yield
    finally:
        delattr(np, "row_stack")


@contextmanager
def _as_if_on(dispatcher: Any, capability: tuple[int, int]) -> Generator[None]:
    """Let numba compile the functions that a kernel calls for that compute capability instead of the current
    device's."""
    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked


@contextmanager
def _as_written(nvvm: Any) -> Generator[None]:
    """Let NVVM fuse no product with a sum: the pass `contract-fma` says where that happens. Products and sums then have
    a rounding in PTX, which keeps its assembler from fusing them."""
    compile_ir = nvvm.compile_ir
    nvvm.compile_ir = partial(compile_ir, fma=False)
    try:
        yield
    finally:
        nvvm.compile_ir = compile_ir


def not_compiled(error: Exception) -> NoReturn:
    """Raise TW0635 for an error that numba raised while it compiled a file of kernels."""
    text = str(error).strip()
    first = text.splitlines()[0] if text else type(error).__name__
    is_missing = any(
        word in text.lower() for word in ("nvvm", "libdevice", "cuda toolkit", "no such file", "cuda_home")
    )
    if is_missing:
        help_ = f"{INSTALL} brings NVVM and libdevice; or let CUDA_HOME name an installed CUDA toolkit"
        fail(NOT_COMPILED, f"expected NVVM, CUDA's compiler, but numba found none: {first}", help=help_)
    notes = [line for line in text.splitlines()[1:8] if line.strip()]
    fail(NOT_COMPILED, f"expected kernels that numba compiles for the GPU, but it refused them: {first}", notes=notes)
