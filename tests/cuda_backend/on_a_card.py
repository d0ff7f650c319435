"""Runs tests whose kernels run in the simulator on a card instead: `device="simulator"` is read as the GPU.

    python tests/cuda_backend/on_a_card.py [--jobs 8] [files and arguments for pytest]

Without files it takes all those that build for the simulator and look at values. What a machine with a card lacks comes
from wheels, as for benchmarks/gpu.py. The exit status is pytest's, 2 without a card. The file is also the plugin that
pytest loads.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TESTS, ROOT = HERE.parent, HERE.parents[1]
ABOUT_THE_SIMULATOR = (
    "cuda_backend/simulator",
    "cuda_backend/random_schedules",
    "cuda_backend/operations",
    "robustness",
    "test_index_records.py",
    "test_checks.py",
    "test_index_checks.py",
    "test_numba_simulator.py",
    "test_driver.py",
    "test_saved.py",
    "test_on_a_card.py",
    "test_source.py",
    "test_device_memory.py",
    "test_copies.py",
    "test_packaging.py",
    "fuzz",
)
"""Folders and files that ask what the simulator finds, or stand in for the driver."""
BY_A_HELPER = TESTS / "schedule_rules_cuda"
"""Builds for the simulator in a module that its tests share."""
ONLY_IN_THE_SIMULATOR = "not test_kernels_print_in_the_simulator_and_not_on_a_gpu"


def pytest_configure() -> None:
    """Let programs of the simulator run on the card, and copy arguments there and back."""
    for name in ("tilewright", "tilewright.driver.building"):
        module = importlib.import_module(name)
        setattr(module, "build", _on_the_card(module.build))  # noqa: B010 (an attribute of modules, not of a type)


def _on_the_card(build: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(build)
    def wrapped(*args: Any, **options: Any) -> Any:
        if options.get("device") == "simulator":
            options |= {"device": "gpu", "copy": True}
        return build(*args, **options)

    return wrapped


def files() -> list[str]:
    """Return the tests that build for the simulator."""
    found = [str(BY_A_HELPER)]
    for path in sorted(set(TESTS.rglob("test_*.py")) - set(BY_A_HELPER.rglob("*.py"))):
        name = path.relative_to(TESTS).as_posix()
        if not any(part in name for part in ABOUT_THE_SIMULATOR) and 'device="simulator"' in path.read_text("utf-8"):
            found.append(str(path))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=8, metavar="N", help="how many processes (default: 8)")
    arguments, rest = parser.parse_known_args()
    sys.path.insert(0, str(ROOT / "benchmarks"))
    prepare: Callable[[], None] = importlib.import_module("gpu.paths").prepare
    prepare()
    driver = importlib.import_module("tilewright.runtime.kernels.driver")
    errors = importlib.import_module("tilewright.diagnostics")
    try:
        driver.cuda_driver()
    except errors.TilewrightError as error:
        print(f"error: {error.message}", file=sys.stderr)
        return 2
    path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:benchmark", "-p", "on_a_card", "-n", str(arguments.jobs)]
    command += ["-c", str(ROOT / "pyproject.toml"), "-k", ONLY_IN_THE_SIMULATOR]
    command += ["-W", "ignore::DeprecationWarning"]  # numba's, beside a newer numpy
    chosen = [] if any(not argument.startswith("-") for argument in rest) else files()
    return subprocess.run([*command, *chosen, *rest], env=os.environ | {"PYTHONPATH": path}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
