"""Damaged inputs of every kind: no crash, no hang, no traceback, no internal error, nothing of files of others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("mutation") / "run.py"
EACH = 28
"""Of each kind: 336 of all together."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "kinds", ["mlir,target,onnx,command,npz,safetensors", "schedule,trace,library,ptx,cache", "onnx-drawn"]
)
def test_damaged_inputs(kinds: str) -> None:
    run_campaign(kinds, EACH * len(kinds.split(",")))


def test_damaged_programs() -> None:
    """Libraries and packages, alone and with weights beside them: one error with a code, or the same bits; no file is
    written. `make damaged-packages` tries 500."""
    run_campaign("package", 60)


def run_campaign(kinds: str, count: int) -> None:
    command = [sys.executable, str(RUN), "--kinds", kinds, "--count", str(count), "--jobs", "1", "--seed", "7"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith(f"{count} inputs, 0 wrong\n")
