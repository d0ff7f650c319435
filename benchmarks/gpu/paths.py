"""Makes tilewright importable where it is not installed: from this checkout, and its dependencies from wheels.

A machine with a card may reach no registry. `make gpu-wheels` collects what it lacks into build/gpu_wheels.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WHEELS = Path(os.environ.get("TILEWRIGHT_WHEELS", ROOT / "build" / "gpu_wheels"))
NEEDED = ("xdsl", "islpy", "platformdirs", "immutabledict", "ordered_set")


def prepare() -> None:
    """Put this checkout, under its name, and wheels for missing packages on the path, for child processes too."""
    added: list[str] = []
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        added += _unpacked(missing)
    if importlib.util.find_spec("tilewright") is None:
        folder = Path(tempfile.mkdtemp(prefix="tilewright-"))
        (folder / "tilewright").symlink_to(ROOT, target_is_directory=True)
        added.append(str(folder))
    if added:
        sys.path[:0] = added
        os.environ["PYTHONPATH"] = os.pathsep.join([*added, *filter(None, [os.environ.get("PYTHONPATH")])])


def _unpacked(missing: list[str]) -> list[str]:
    """Return a folder with the contents of the wheels; ends the program where there are none for a missing package."""
    wheels = sorted(WHEELS.glob("*.whl"))
    found = {wheel.name.split("-")[0].lower() for wheel in wheels}
    if absent := [name for name in missing if name not in found]:
        sys.exit(
            f"error: expected the packages {', '.join(absent)}, or wheels of them in {WHEELS}\n"
            "help: `make gpu-wheels` collects them where a registry can be reached; carry the folder along"
        )
    folder = tempfile.mkdtemp(prefix="tilewright-wheels-")
    for wheel in wheels:
        if wheel.name.split("-")[0].lower() in missing:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
    return [folder]
