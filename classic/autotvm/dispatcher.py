"""Contexts that select the configuration of a template: `with autotvm.apply_history_best("matmul.log"):`.

A context is queried with the target and the workload, which is the template's name and its arguments. A context without
a configuration for it queries the context around it. If none has one, the template gets its fallback configuration, and
remark TW0875 names the workload.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeAlias

from ...diagnostics.remarks import remark
from ...driver.targets import Target
from .configs import ConfigEntity, ConfigSpace, FallbackConfigEntity

Workload: TypeAlias = "tuple[Any, ...]"
"""The name of a template and its arguments, as `args_to_workload` makes it."""

_entered: ContextVar[tuple[DispatchContext, ...]] = ContextVar("configurations", default=())


class DispatchContext:
    """A context that selects configurations for the templates inside its `with` statement."""

    silent = False

    def __init__(self) -> None:
        self.memory: dict[tuple[str, Workload], ConfigSpace] = {}
        """Configurations that were set, by target and workload."""

    def query(self, target: Target | None, workload: Workload) -> ConfigSpace:
        """Return the configuration for a workload: of this context, of those around it, or the fallback."""
        for context in reversed(_until(self)):
            if (found := context.found(target, workload)) is not None:
                return found
        if not self.silent:
            remark("TW0875", f"no record for {workload[0]}{workload[1:]} and the target '{_text(target)}'")
        return FallbackConfigEntity()

    def found(self, target: Target | None, workload: Workload) -> ConfigSpace | None:
        """Return the configuration that this context has for a workload, if it has one."""
        return self.memory.get((_text(target), workload))

    def update(self, target: Any, workload: Workload, cfg: ConfigSpace) -> None:
        """Set the configuration for a workload."""
        self.memory[_text(Target.of(target)), workload] = cfg

    def contains(self, target: Any, workload: Workload) -> bool:
        """Return True where this context has a configuration for a workload."""
        return self.found(Target.of(target), workload) is not None

    def __enter__(self) -> DispatchContext:
        _entered.set((*_entered.get(), self))
        return self

    def __exit__(self, *error: object) -> None:
        _entered.set(_entered.get()[:-1])


def _until(context: DispatchContext) -> tuple[DispatchContext, ...]:
    """Return the contexts that were entered, up to `context`, which is the last one even if it was not entered."""
    entered = _entered.get()
    return entered[: entered.index(context) + 1] if context in entered else (*entered, context)


def _text(target: Target | None) -> str:
    return "" if target is None else target.target


def current_context() -> DispatchContext:
    """Return the innermost context, or one without answers."""
    entered = _entered.get()
    return entered[-1] if entered else FallbackContext()


class FallbackContext(DispatchContext):
    """A context without records: templates get the configuration that `update` has set, or their fallback."""


class ApplyConfig(DispatchContext):
    """The context in which every template gets one configuration."""

    def __init__(self, config: ConfigSpace) -> None:
        super().__init__()
        self._config = config

    def found(self, target: Target | None, workload: Workload) -> ConfigSpace:
        """Return the configuration."""
        return self._config


class ApplyFixedConfig(DispatchContext):
    """The context in which every template of some names gets one configuration, from a list of tasks' names."""

    def __init__(self, tasks: Iterable[str], config: ConfigSpace) -> None:
        super().__init__()
        self._names, self._config = set(tasks), config

    def found(self, target: Target | None, workload: Workload) -> ConfigSpace | None:
        """Return the configuration for templates of these names."""
        return self._config if workload[0] in self._names else None


class ApplyHistoryBest(DispatchContext):
    """The context in which each template gets the fastest configuration that records have for its workload.

    `records` is the path of a file of record lines, several paths, or pairs of inputs and results. Records of another
    target are not applied. Kernels of models that are compiled inside get the schedules of their records, if these are
    of this machine and compiler. Raises TilewrightError TW0873 for a file that holds no record line.
    """

    def __init__(self, records: Any = None) -> None:
        super().__init__()
        self._records: list[Any] = []
        self._fastest: dict[tuple[str, Workload], Any] = {}
        self._kept: list[ExitStack] = []
        """For each enclosing `with`: the context in which compilations use the records of kernels."""
        self.best_by_targetkey: dict[tuple[str, Workload], ConfigEntity] = {}
        """The fastest configurations by target and workload."""
        if records is not None:
            self.load(records)

    def load(self, records: Any) -> None:
        """Take the records of a file, of several files, or of pairs, too."""
        from .record import fastest, read_records

        for each in [records] if isinstance(records, (str, Path)) else records:
            self._records += read_records(each) if isinstance(each, (str, Path)) else [each]
        self._fastest = fastest(self._records)
        self.best_by_targetkey = {key: inp.config for key, (inp, _) in self._fastest.items()}

    def __enter__(self) -> ApplyHistoryBest:
        from ...passes.framework.tuning_records import records_kept
        from .kernels import tuned_kernels

        tuned, kept = tuned_kernels(self._fastest.values()), ExitStack()
        if tuned is not None:
            kept.enter_context(records_kept(tuned))
        self._kept.append(kept)
        super().__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._kept.pop().close()

    def found(self, target: Target | None, workload: Workload) -> ConfigSpace | None:
        """Return the fastest configuration for a workload."""
        return self.best_by_targetkey.get((_text(target), workload)) or super().found(target, workload)


class ApplyGraphBest(ApplyHistoryBest):
    """The context of the records of a network, among which TVM's graph tuner selected."""
