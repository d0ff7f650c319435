"""`tilewright doctor`: lists installed and missing components, with the features that need them."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import sys
from collections.abc import Iterator
from platform import platform, python_version

from .. import __version__
from ..diagnostics import TilewrightError

_NAME = re.compile(r"[\w.-]+")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")
_CONDITION = re.compile(r"""sys_platform\s*==\s*["'](\w+)["']""")

PURPOSES = {
    "onnx": "reading ONNX models",
    "cuda": "compiling kernels for a GPU",
    "sass": "showing kernels of a GPU as instructions",
    "opencl": "running kernels of OpenCL C",
    "keras": "models of Keras and graphs of TensorFlow, through ONNX",
    "distributed": "tuning on the workers of a dask cluster, and the example that runs a program on several processes",
    "tune": "searches of more than 500 trials, whose model is lightgbm",
    "upstream": "executing what `tilewright prove` refutes of upstream MLIR by mlir-runner",
    "lit": "lit files of a project: pytest, lit, tilewright update-checks",
    "test": "the tests of tilewright",
    "bench": "the benchmarks of tilewright",
    "mutation": "the tests of tilewright's tests",
    "docs": "the documentation site",
    "lint": "checking tilewright's sources",
}
"""The purpose of each extra."""

_PROGRAMS = {
    "cc": "the target c, and kernels of the target opencl on the host",
    "perf": "profiles of compiled code by lines",
}


def doctor() -> int:
    """Print the installed components and return the exit status, 1 where a required one is missing."""
    missing = [name for name in requirements() if installed(name) is None]
    print("\n".join(_report(missing)))
    return int(bool(missing))


def requirements(extra: str = "") -> list[str]:
    """Return the packages that tilewright needs on this system, or that one of its extras brings."""
    found: list[str] = []
    for text in importlib.metadata.requires("tilewright") or []:
        named, condition = _EXTRA.search(text), _CONDITION.search(text)
        if (named[1] if named else "") != extra or (condition and condition[1] != sys.platform):
            continue
        if (match := _NAME.match(text)) is not None:
            found.append(match[0])
    return found


def extras() -> list[str]:
    """Return the names of the extras."""
    texts = importlib.metadata.requires("tilewright") or []
    return list(dict.fromkeys(match[1] for text in texts if (match := _EXTRA.search(text))))


def installed(package: str) -> str | None:
    """Return the version of a package, None where it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def versions() -> str:
    """Return the versions of all parts, a line each: tilewright, Python, its dependencies, and installed
    extras."""
    names = dict.fromkeys(
        [*requirements(), *(name for extra in ("onnx", "cuda", "opencl", "lit") for name in requirements(extra))]
    )
    found = [(name, version) for name in names if (version := installed(name)) is not None]
    width = max((len(name) for name, _ in found), default=0)
    return "\n".join(f"  {name:{width}}  {version}" for name, version in found)


def _report(missing: list[str]) -> Iterator[str]:
    yield f"tilewright {__version__}, Python {python_version()} on {platform()}"
    yield from (f"  {name}  {installed(name) or 'MISSING'}" for name in requirements())
    if missing:
        yield f"  missing: pip install {' '.join(missing)}"
    yield f"target: {_target()}"
    yield "caches:"
    yield from (f"  {line}" for line in _caches())
    yield "extras:"
    for extra in extras():
        lacking = [name for name in requirements(extra) if installed(name) is None]
        state = "installed" if not lacking else f"missing {', '.join(lacking)}"
        yield f"  {extra}, for {PURPOSES.get(extra, 'nothing that is known')}: {state}"
    yield "programs:"
    for program, purpose in _PROGRAMS.items():
        yield f"  {program}, for {purpose}: {shutil.which(program) or 'missing'}"
    yield "plugins:"
    yield from (f"  {line}" for line in _plugins())


def _target() -> str:
    from ..backends.cpu.host import host_target

    try:
        return str(host_target())
    except TilewrightError as error:
        return f"{error.code}: {error.message}"


def _caches() -> Iterator[str]:
    from .cache import information

    return information()


def _plugins() -> Iterator[str]:
    import warnings

    from ..plugins import GROUP, UNIVERSE_GROUP, load_plugins, plugin_failures

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        load_plugins()
    points = [*importlib.metadata.entry_points(group=GROUP), *importlib.metadata.entry_points(group=UNIVERSE_GROUP)]
    names = sorted(f"{point.name} ({point.group}: {point.value})" for point in points)
    yield from (name for name in names if not name.startswith(("tilewright (", "xdsl (")))
    yield from plugin_failures()
