"""The machine of the measurements: processor, caches, system, versions, the state of the checkout."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import tilewright

from .cores import physical_cores

ROOT = Path(__file__).resolve().parents[2]
CPU = Path("/sys/devices/system/cpu")
SYSTEMS = ("numpy", "scipy", "torch", "onnxruntime", "numba", "llvmlite", "xdsl", "onnx", "intel-openmp")
FEATURES = ("sse2", "avx", "avx2", "fma", "avx_vnni", "avx512", "amx", "asimd", "sve", "f16c")
"""The prefixes of relevant names of instruction sets."""


def describe() -> dict[str, object]:
    """Return the description that stands with every table."""
    return {
        "processor": processor(),
        "features": features(),
        "cores": len(physical_cores()),
        "processors": len(os.sched_getaffinity(0)),
        "caches": caches(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "kernel": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "versions": versions(),
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "load": round(os.getloadavg()[0], 2),
    }


def processor() -> str:
    """Return the processor's name, as the system gives it."""
    return _cpuinfo("model name") or platform.processor() or platform.machine()


def features() -> str:
    """Return the processor's instruction sets that generated code may use."""
    flags = (_cpuinfo("flags") or _cpuinfo("Features")).split()
    return " ".join(flag for flag in flags if flag.startswith(FEATURES))


def caches() -> str:
    """Return the sizes of the data caches of one core, as the system writes them."""
    found = {}
    for index in sorted((CPU / "cpu0" / "cache").glob("index*")):
        if _read(index / "type") != "Instruction":
            found[_read(index / "level")] = _read(index / "size")
    return ", ".join(f"L{level} {size}" for level, size in found.items())


def versions() -> dict[str, str]:
    """Return the versions of this checkout and of the peers that are installed."""
    found = {"tilewright": tilewright.__version__}
    for name in SYSTEMS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "absent"
    return found


def commit() -> str:
    """Return the commit of the checkout, and whether files differ from it; empty where there is no git."""
    try:
        hash_ = _git("rev-parse", "--short=12", "HEAD")
        return f"{hash_} with changes" if _git("status", "--porcelain", "--untracked-files=no") else hash_
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _cpuinfo(key: str) -> str:
    for line in (_read(Path("/proc/cpuinfo"))).splitlines():
        if line.startswith(key):
            return line.split(":", 1)[1].strip()
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
