"""Programs of the compiler under each Python that the runtime supports, with the oldest numpy for it.

    python tests/runtime_wheel/run.py WHEEL

Pythons are those of the path, `python3.9` to `python3.13`, and those of TILEWRIGHT_PYTHONS, separated by colons. Each
gets an environment below build/runtime_wheel with the wheel, and numpy from the index. Fails where a program gives
other bits than in this process, where another module is imported, and where there is no Python at all.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "runtime_wheel"
NUMPY = {"3.9": "1.22.*", "3.10": "1.22.*", "3.11": "1.23.*", "3.12": "1.26.*", "3.13": "2.1.*"}
"""Versions of Python -> the oldest numpy that has wheels for it and that the runtime supports."""


def pythons() -> dict[str, str]:
    """Return the programs of the Pythons at hand, by version."""
    named = os.environ.get("TILEWRIGHT_PYTHONS", "").split(":")
    found: dict[str, str] = {}
    for path in (*filter(None, named), *filter(None, (shutil.which(f"python{version}") for version in NUMPY))):
        probe = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        asked = subprocess.run(probe, capture_output=True, text=True)
        if asked.returncode == 0 and asked.stdout.strip() in NUMPY:  # a shim may stand for a version that is not there
            found.setdefault(asked.stdout.strip(), path)
    return found


def outcome(version: str, python: str, wheel: Path, saved: Path) -> dict[str, Any]:
    """Return the outcomes of bare.py under a Python."""
    environment = BUILD / f"python{version}"
    inside = environment / "bin" / "python"
    if not inside.exists():
        subprocess.run([python, "-m", "venv", environment], check=True)
    install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"numpy=={NUMPY[version]}"]
    subprocess.run([*install, "--force-reinstall", wheel], check=True)
    command = [inside, "-E", "-W", "error", Path(__file__).with_name("bare.py"), saved]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=saved).stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args().wheel.resolve()
    sys.path.append(str(ROOT / "tests" / "conditions"))
    from tilewright.tests.runtime_wheel.programs import write_all

    found = pythons()
    if not found:
        print("no Python of 3.9 to 3.13 is at hand", file=sys.stderr)
        return 1
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        write_all(Path(folder))
        expected = json.loads((Path(folder) / "mistakes.json").read_text())
        for version, python in sorted(found.items(), key=lambda item: int(item[0].partition(".")[2])):
            report = outcome(version, python, wheel, Path(folder))
            others = {name: text for name, text in report["programs"].items() if text}
            codes = [name for name, (_, text) in expected.items() if report["mistakes"][name][:40] not in text]
            is_right = not others and not codes and not report["foreign"]
            wrong += not is_right
            print(
                f"Python {report['python']}, numpy {report['numpy']}: {len(report['programs'])} programs, "
                + ("the same bits" if is_right else f"{others} {codes} {report['foreign']}")
            )
    missing = sorted(NUMPY.keys() - found.keys())
    if missing:
        print(f"not at hand: Python {', '.join(missing)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
