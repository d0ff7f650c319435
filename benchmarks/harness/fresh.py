"""A function of a module, run in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
PROGRAM = "import importlib, json, sys; print(json.dumps(getattr(importlib.import_module(sys.argv[1]), sys.argv[2])()))"


def in_fresh_process(function: Callable[[], float], environment: Mapping[str, str]) -> float:
    """Return the result of the function; a fresh process finds the function by its module and name."""
    command = [sys.executable, "-c", PROGRAM, function.__module__, function.__name__]
    paths = [str(FOLDER), environment.get("PYTHONPATH", "")]
    # The interpreter looks for modules in the working directory first, so that it has to be this folder.
    done = subprocess.run(
        command,
        env={**environment, "PYTHONPATH": ":".join(filter(None, paths))},
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{function.__name__} failed: {done.stderr.strip()[-600:]}")
    return float(json.loads(done.stdout.splitlines()[-1]))
