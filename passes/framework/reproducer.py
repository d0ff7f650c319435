"""Reproducers: a file with the IR before a failed pass, and all that is needed to repeat the failure.

The header is a comment, so the file is valid IR. The IR is the last valid module: a fault of the twentieth pass is
reproduced without the nineteen passes before it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...diagnostics import TilewrightError, fail
from ...diagnostics.attribution import of_user
from ...diagnostics.files import fail_writing, written_whole
from ...dialects.resource import save_resources, walk_resources
from .instruments import Instrument, print_ir
from .options import spec_of
from .validation import Validation

_MARK = "// tilewright reproducer "


@dataclass(frozen=True)
class Recipe:
    """The pipeline to run on the IR of a reproducer, and its failure."""

    pipeline: str
    failure: str
    options: dict[str, Any] = field(default_factory=dict)
    """The options of opt-tool, and the settings of the context."""
    versions: dict[str, str] = field(default_factory=dict)


class Reproducer(Instrument):
    """An instrument that writes `path` when a pass raises, leaves invalid IR, or changes the results of a function."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        options: Mapping[str, Any] | None = None,
        validation: Validation | None = None,
    ) -> None:
        self.path = Path(path)
        self.is_written = False
        self._options = dict(options or {})
        self._validation = validation
        self._before: dict[ModuleOp, ModuleOp] = {}
        """Each module on which passes run, those inside of passes included, as it was before its last pass."""

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._before[module] = module.clone()

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        if self.is_written or module not in self._before:
            return
        small = self._validation.failed_small if self._validation is not None else None
        self.is_written = True
        write(
            self.path,
            small if small is not None else self._before[module],
            recipe_of(spec_of(pass_), error, self._options),
        )


def recipe_of(pipeline: str, error: Exception, options: Mapping[str, Any]) -> Recipe:
    """Return the recipe of a failure of `pipeline`; an empty pipeline means the machine code."""
    versions = {"tilewright": version("tilewright"), "python": python_version(), "xdsl": version("xdsl")}
    if isinstance(error, TilewrightError):
        return Recipe(pipeline, f"{error.code}: {error.message}", dict(options), versions)
    return Recipe(pipeline, f"{type(error).__name__}: {error}", dict(options), versions)


def write(path: Path, module: ModuleOp, recipe: Recipe) -> None:
    """Write a reproducer atomically, with its constants in a file beside it. Raises TilewrightError TW0204."""
    if any(True for _ in walk_resources(module)):
        try:
            save_resources(module, path.with_suffix(".safetensors"))
        except TilewrightError as error:  # weights that were not there for the pass either
            if error.code != "TW0705":
                raise
    fields = {
        "pipeline": recipe.pipeline,
        "failure": recipe.failure,
        "options": recipe.options,
        "versions": recipe.versions,
    }
    header = "".join(f"{_MARK}{name}: {json.dumps(value)}\n" for name, value in fields.items())
    try:
        with written_whole(path) as temporary:
            temporary.write_text(f"{header}\n{print_ir(module)}", encoding="utf-8")
    except OSError as error:
        fail_writing(path, error)


def write_failure(module: ModuleOp, passes: Sequence[ModulePass], error: Exception, options: Mapping[str, Any]) -> None:
    """Write a reproducer to the directory of temporary files, if `error` is a fault of the compiler.

    `module` is the module before `passes` ran. A note of the error names the file."""
    if isinstance(error, TilewrightError) or of_user(error) is not None:
        return
    try:
        handle, path = tempfile.mkstemp(prefix="tilewright-", suffix=".mlir")
        os.close(handle)
        write(Path(path), module, recipe_of(",".join(spec_of(pass_) for pass_ in passes), error, options))
    except (OSError, TilewrightError):  # the error itself says more than this one
        return
    error.add_note(f"'opt-tool --run-reproducer {path}' shows it again")


def read(text: str, name: str) -> Recipe:
    """Return the recipe in the header of a reproducer. Raises TilewrightError TW0553."""
    fields: dict[str, Any] = {}
    for line in text.splitlines():
        if not line.startswith(_MARK):
            break
        key, _, value = line.removeprefix(_MARK).partition(": ")
        try:
            fields[key] = json.loads(value)
        except ValueError:
            fail("TW0553", f"'{name}' is no reproducer: its header has an unreadable '{key}'")
    if not isinstance(fields.get("pipeline"), str):
        fail("TW0553", f"'{name}' is no reproducer: it has no header with a pipeline")
    known: dict[str, Any] = {k: v for k, v in fields.items() if k in Recipe.__dataclass_fields__}
    complete: dict[str, Any] = {"failure": "", **known}
    return Recipe(**complete)
