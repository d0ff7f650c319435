"""Plugins: installed distributions that extend the compiler, found by the entry-point group `tilewright.plugins`.

```toml
[project.entry-points."tilewright.plugins"]
sample = "sample_plugin"             # a module that registers passes, intrinsics and rules when it is imported
other = "other_plugin:register"      # or a function that does so when it is called
```
Plugins are loaded once, in the order of their names, at the first request that they may satisfy: the list of passes, an
unknown pass or intrinsic, lowering rules. A plugin that cannot be loaded causes a warning that names its distribution;
its registrations up to the failure are kept.

Other packages' `xdsl.universe` entry points are read too: their dialects and passes are available in this compiler.
"""

from __future__ import annotations

import sys
import warnings
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import TYPE_CHECKING, Any

from .diagnostics import TilewrightError
from .forks import held_off

if TYPE_CHECKING:
    from xdsl.universe import Universe

GROUP = "tilewright.plugins"
UNIVERSE_GROUP = "xdsl.universe"
_BUILTIN_UNIVERSES = {"tilewright", "xdsl"}
"""The packages whose universes bring nothing new."""


class PluginWarning(UserWarning):
    """A plugin that cannot be loaded (TW0216)."""


class _Loading:
    """The progress of loading, and the plugins that could not be loaded."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.has_started = False
        self.is_done = False
        self.failures: list[str] = []
        self.universes: list[Universe] = []


_loading = _Loading()


def load_plugins() -> None:
    """Load the installed plugins at the first call. A plugin may call this while it is loaded."""
    if _loading.is_done:
        return
    with held_off(), _loading.lock:
        if _loading.has_started:
            return
        _loading.has_started = True
        try:
            for plugin in sorted(entry_points(group=GROUP), key=lambda plugin: (plugin.name, plugin.value)):
                _load(plugin)
            for plugin in sorted(entry_points(group=UNIVERSE_GROUP), key=lambda plugin: plugin.name):
                if plugin.module.partition(".")[0] not in _BUILTIN_UNIVERSES:
                    _load_universe(plugin)
        finally:
            _loading.is_done = True


def universes() -> tuple[Universe, ...]:
    """Return the dialects and passes that other packages give xDSL, by name."""
    load_plugins()
    return tuple(_loading.universes)


def origin(value: Any) -> tuple[str, str]:
    """Return the file and name of a function's or a class's definition; they stay the same after a reload."""
    module = getattr(value, "__module__", None) or ""
    file = getattr(sys.modules.get(module), "__file__", None)
    return file or module, str(getattr(value, "__qualname__", id(value)))


def plugin_failures() -> tuple[str, ...]:
    """Return a sentence for each plugin that could not be loaded, with the reason."""
    return tuple(_loading.failures)


def _load(plugin: EntryPoint) -> None:
    try:
        loaded = plugin.load()
        if plugin.attr:
            loaded()
    except (Exception, SystemExit) as error:
        _note_failure(plugin, error)


def _load_universe(plugin: EntryPoint) -> None:
    from xdsl.universe import Universe

    try:
        universe = plugin.load()
        if not isinstance(universe, Universe):
            raise TypeError(f"expected a Universe, but got {type(universe).__name__}")
        _loading.universes.append(universe)
    except (Exception, SystemExit) as error:
        _note_failure(plugin, error)


def _note_failure(plugin: EntryPoint, error: BaseException) -> None:
    reason = f"{error.code}: {error.message}" if isinstance(error, TilewrightError) else _described(error)
    text = f"plugin '{plugin.name}' of {_distribution(plugin)} cannot be loaded: {reason}"
    if text in _loading.failures:  # its plugin and its universe
        return
    _loading.failures.append(text)
    warnings.warn(text, PluginWarning, stacklevel=2)


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _distribution(plugin: EntryPoint) -> str:
    return f"distribution {plugin.dist.name} {plugin.dist.version}" if plugin.dist else f"'{plugin.value}'"
