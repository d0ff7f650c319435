"""`tvmc.run`: runs compiled models on arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.expectations import expect_type
from ...diagnostics.text import did_you_mean
from ...driver.model_inputs import FILL_MODES, drawn_inputs
from ...runtime.devices import Device
from ...runtime.devices import device as device_of
from ...runtime.module import Module
from ...runtime.timing import Evaluator
from .model import TVMCPackage, TVMCResult


def run_module(
    tvmc_package: TVMCPackage,
    device: str | Device,
    hostname: str | None = None,
    port: int | str = 9090,
    rpc_key: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    fill_mode: str = "random",
    print_time: bool = False,
    repeat: int = 10,
    number: int = 10,
    profile: bool = False,
    end_to_end: bool = False,
    options: Mapping[str, Any] | None = None,
) -> TVMCResult:
    """Run a package on a device; the outputs are `output_0` and so on.

    `inputs` are arrays by name; those that are missing are drawn as `fill_mode` says (random, zeros, ones), and the
    result says so. The times are those of `repeat` times `number` runs, printed, with
    `print_time`, and else of the one run that gives the outputs; `end_to_end` changes nothing, as arrays of the host
    are arguments. `profile` adds the time of each kernel.

    Raises TilewrightError TW0702 for an unknown input, TW0209 for a missing one of open sizes, TW0251 for a run on
    another machine, and what calls of the program raise.
    """
    expect_type("tvmc_package", tvmc_package, TVMCPackage)
    if hostname is not None or rpc_key is not None:
        raise UnknownNameError(
            "TW0251",
            "runs on other machines are not part of this package: programs run in the process that loads them",
            help="copy the package there and run it: `tilewright run x.tar`",
        )
    if options:
        fail("TW0209", f"expected no option '{next(iter(options))}' of an executor", help="leave it out")
    module = tvmc_package.module
    _expect_device(module, device)
    given, drawn = _inputs(module, inputs, fill_mode)
    found: list[dict[str, Any]] = []
    call = _Call(module, given, found)
    times = Evaluator(call, number, repeat)() if print_time else Evaluator(call, 1, 1)()
    outputs = {f"output_{k}": np.asarray(array) for k, array in enumerate(found[-1].values())}
    result = TVMCResult(outputs, times, drawn, module.profile(given) if profile else None)
    if print_time:
        print(result.format_times())
    return result


class _Call:
    """A call of a module on fixed inputs, for a time evaluator; the results of the last call are kept."""

    def __init__(self, module: Module, inputs: Mapping[str, Any], found: list[dict[str, Any]]) -> None:
        self._module, self._inputs, self._found = module, inputs, found

    def __call__(self, *arguments: Any, **keywords: Any) -> None:
        self._found[:] = [self._module.run(self._inputs)]

    def synchronize(self) -> None:
        """Wait until the last run is done."""
        self._module.entry.synchronize()


def _expect_device(module: Module, given: str | Device) -> None:
    """Raise TW0725 for a device that the module does not run on."""
    where = device_of(given) if isinstance(given, str) else given
    expect_type("device", where, str, Device)
    kinds = module.entry.device_kinds or ("cpu", "opencl")
    if where.kind not in kinds:
        fail(
            "TW0725",
            f"expected argument 'device' to be {' or '.join(kinds)}, but got {where}",
            help="name the device of the target that the package was compiled for",
        )


def _inputs(module: Module, inputs: Mapping[str, Any] | None, mode: str) -> tuple[dict[str, Any], str]:
    """Return the inputs of a run, and a sentence about those that were drawn."""
    expect_type("inputs", inputs, Mapping, type(None))
    expect_type("fill_mode", mode, str)
    if mode not in FILL_MODES:
        fail(
            "TW0209",
            f"expected fill_mode to be {', '.join(FILL_MODES)}, but got '{mode}'{did_you_mean(mode, FILL_MODES)}",
        )
    given = dict(inputs or {})
    signature = module.signature
    known = [a.name for a in (*signature.inputs, *signature.defaults)]
    if unknown := next((name for name in given if name not in known), None):
        fail("TW0702", f"expected inputs of {', '.join(known)}, but got '{unknown}'{did_you_mean(unknown, known)}")
    missing = [argument for argument in signature.inputs if argument.name not in given]
    for argument in missing:
        if any(not isinstance(size, int) for size in argument.shape):
            fail(
                "TW0209",
                f"expected input '{argument}', whose size is open, among the inputs",
                help="pass it, or fix its size with shape_dict when the model is loaded",
            )
    drawn = drawn_inputs(missing, {}, mode)
    return given | drawn, f"Inputs filled by '{mode}': {[*drawn]}" if drawn else ""
