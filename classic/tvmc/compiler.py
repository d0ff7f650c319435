"""`tvmc.compile`: compiles models to packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.expectations import expect_type
from ...diagnostics.files import write_file
from ...driver import Target
from ...passes.framework.context import PassContext
from ..auto_scheduler.records import ApplyHistoryBest
from .model import TVMCModel, TVMCPackage

_TEXTS = {"asm": "asm", "ll": "llvm", "llvm": "llvm", "tir": "mlir", "c": "c", "ptx": "ptx", "cu": "cuda-python"}
"""Kinds of `dump_code` -> those of `Module.get_source`."""


def compile_model(
    tvmc_model: TVMCModel,
    target: Any,
    opt_level: int = 2,
    executor: Any = "graph",
    runtime: Any = "cpp",
    tuning_records: str | Path | None = None,
    package_path: str | Path | None = None,
    cross: Any = None,
    cross_options: str | None = None,
    output_format: str = "so",
    dump_code: str | Sequence[str] | None = None,
    target_host: Any = None,
    desired_layout: str | None = None,
    disabled_pass: str | Sequence[str] | None = None,
    pass_context_configs: Sequence[str] | Mapping[str, Any] | None = None,
    additional_target_options: Mapping[str, Mapping[str, Any]] | None = None,
    use_vm: bool = False,
    mod_name: str | None = "default",
    workspace_pools: None = None,
    *,
    device: str | None = None,
) -> TVMCPackage:
    """Compile a model for a target; with `package_path` the package is written there, as `.tar` or `.so`.

    `opt_level`, `disabled_pass` and `pass_context_configs` ("name=value" each) are those of the PassContext.
    `dump_code` lists texts that are written beside the package: asm, ll, tir, relay, c. `device="simulator"` is where
    kernels of the target "cuda" run. `tuning_records` is a file of `tvmc.tune`, `tilewright tune` or `auto_scheduler`,
    whose records of this machine and compiler are applied. Raises TilewrightError TW0251 for what this package lacks
    (other executors, pools of memory, layouts that a caller chooses), with an alternative.
    """
    expect_type("tvmc_model", tvmc_model, TVMCModel)
    _refuse_others(executor, runtime, output_format, use_vm, workspace_pools)
    if cross is not None or cross_options is not None:
        _missing("cross", "a target names its machine", 'take target="llvm -mtriple=aarch64-linux-gnu"')
    if desired_layout not in (None, "NCHW"):
        _missing("desired_layout", "layouts are chosen for the machine", "leave it out")
    if additional_target_options:
        _missing("additional_target_options", "options stand in the text of the target", "write them there")
    if package_path is not None and Path(package_path).suffix not in (".tar", ".so"):
        fail("TW0209", f"expected package_path to end in .tar or .so, but got '{package_path}'", help="rename it")
    chosen = Target.of(target)
    if target_host is not None:
        chosen = chosen.with_host(target_host)
    options: dict[str, Any] = {} if device is None else {"device": device}
    if device is None and "copy" in chosen.backend.call_options:
        options["copy"] = True  # runs are on arrays of the host
    with ExitStack() as stack:
        stack.enter_context(_context(opt_level, disabled_pass, pass_context_configs))
        if tuning_records is not None:
            stack.enter_context(ApplyHistoryBest(tuning_records))
        module = tvmc_model.compiled(chosen, **options)
        if package_path is not None:
            module.save(package_path)
    texts = dump_code.split(",") if isinstance(dump_code, str) else [*(dump_code or ())]
    for kind in texts:
        _write_text(tvmc_model, module, kind.strip(), package_path)
    return TVMCPackage.of_module(module, mod_name or tvmc_model.name, package_path)


def _context(
    opt_level: int, disabled: str | Sequence[str] | None, configs: Sequence[str] | Mapping[str, Any] | None
) -> PassContext:
    """Return the context that the arguments describe."""
    names = disabled.split(",") if isinstance(disabled, str) else disabled
    if not isinstance(configs, Mapping):
        configs = dict(_setting(text) for text in configs or ())
    return PassContext(opt_level, disabled_pass=names, config=configs)


def _setting(text: str) -> tuple[str, Any]:
    """Parse a setting, "name=value"; the value is a number, a truth or text."""
    name, separator, value = text.partition("=")
    if not separator:
        fail("TW0209", f"expected a setting as name=value, but got '{text}'", help="write tir.disable_vectorize=true")
    known = {"true": True, "false": False}
    try:
        return name, known[value.lower()] if value.lower() in known else int(value)
    except ValueError:
        return name, value


def _refuse_others(executor: Any, runtime: Any, output_format: str, use_vm: bool, workspace_pools: object) -> None:
    """Refuse executors, runtimes and forms that are none of this package."""
    if str(getattr(executor, "name", executor)) != "graph":
        _missing(f"executor={executor}", "one executor runs compiled models", 'save the program as x.c for C: "c"')
    if str(getattr(runtime, "name", runtime)) not in ("cpp", "crt"):
        _missing(f"runtime={runtime}", "programs have one runtime", "leave it out")
    if output_format != "so":
        _missing(f"output_format={output_format}", "packages hold a library", "run `tilewright compile MODEL -o x.c`")
    if use_vm:
        _missing("use_vm", "programs of open sizes are compiled like all others", "leave it out")
    if workspace_pools is not None:
        _missing("workspace_pools", "`plan-arena` plans one arena for a model", "leave it out")


def _missing(what: str, reason: str, help: str) -> NoReturn:
    raise UnknownNameError("TW0251", f"'{what}' is not part of this package: {reason}", help=help)


def _write_text(model: TVMCModel, module: Any, kind: str, package_path: str | Path | None) -> None:
    """Write a text of a compiled model beside its package."""
    if package_path is None:
        fail("TW0209", "expected package_path beside dump_code: texts are written beside the package")
    if kind not in (*_TEXTS, "relay"):
        fail("TW0209", f"expected dump_code to list {', '.join([*_TEXTS, 'relay'])}, but got '{kind}'")
    text = f"{model.mod.script()}\n" if kind == "relay" else module.get_source(_TEXTS[kind])
    write_file(Path(f"{package_path}.{kind}"), text.encode())
