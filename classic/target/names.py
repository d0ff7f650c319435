"""Constructors of targets: `tvm.target.cuda()`, `tvm.target.arm_cpu("rasp4b64")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ...diagnostics.expectations import expect_type
from ...driver.targets import Target

Options: TypeAlias = "str | Sequence[str] | None"


def _words(options: Options) -> list[str]:
    if options is None:
        return []
    expect_type("options", options, str, list, tuple)
    words = options.split() if isinstance(options, str) else list(options)
    for word in words:
        expect_type("options", word, str)
    return words


def _made(kind: str, options: Options, **labels: str | None) -> Target:
    named = [f"-{name}={value}" for name, value in labels.items() if value is not None]
    return Target(" ".join([kind, *named, *_words(options)]))


def cuda(model: str = "unknown", arch: str | None = None, options: Options = None) -> Target:
    """Return the target of a GPU of NVIDIA, of that architecture ("sm_80")."""
    return _made("cuda", options, model=model, arch=arch)


def mali(model: str = "unknown", options: Options = None) -> Target:
    """Return the target of a GPU of ARM, through OpenCL."""
    return _made("opencl", options, device="mali", model=model)


def bifrost(model: str = "unknown", options: Options = None) -> Target:
    """Return the target of a GPU of ARM's Bifrost kind, through OpenCL."""
    return _made("opencl", options, device="bifrost", model=model)


def intel_graphics(model: str = "unknown", options: Options = None) -> Target:
    """Return the target of a GPU of Intel, through OpenCL."""
    return _made("opencl", options, device="intel_graphics", model=model)


def arm_cpu(model: str = "unknown", options: Options = None) -> Target:
    """Return the target of a CPU of 64-bit ARM, unless the options name a triple.

    `model` is a label. TVM's models of 32 bits are no machines of this compiler; give the options of one of 64.
    """
    given = _words(options)
    if not any(word.startswith("-mtriple=") for word in given):
        given.insert(0, "-mtriple=aarch64-linux-gnu")
    return _made("llvm", given, keys="arm_cpu,cpu", device="arm_cpu", model=model)


def riscv_cpu(model: str = "unknown", options: Options = None) -> Target:
    """Return the target of a CPU of 64-bit RISC-V that runs Linux, unless the options name a triple; `model` is a
    label."""
    given = _words(options)
    if not any(word.startswith("-mtriple=") for word in given):
        given.insert(0, "-mtriple=riscv64-linux-gnu")
    return _made("llvm", given, keys="arm_cpu,cpu", device="arm_cpu", model=model)


def rocm(model: str = "unknown", options: Options = None) -> Target:
    """Refuse with TW0602, as GPUs of AMD are no target."""
    return _made("rocm", options, model=model)


def hexagon(cpu_ver: str = "v66", **options: object) -> Target:
    """Refuse with TW0602, as Hexagon is no target."""
    return _made("hexagon", None)


def vta(model: str = "unknown", options: Options = None) -> Target:
    """Refuse with TW0602, as there is no accelerator of that kind."""
    return _made("vta", options, model=model)


rasp = arm_cpu


def create(target: str) -> Target:
    """Return the target of that text."""
    return Target(target)
