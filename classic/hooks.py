"""Pass instruments as classes with the methods `run_before_pass(module, info)` and others.

```python
@tilewright.instrument.pass_instrument
class CountOps:
    def run_before_pass(self, module, info):
        print(info.name, sum(1 for _ in module.walk()))
```
The methods enter_pass_ctx(), exit_pass_ctx(), should_run(module, info), run_before_pass(module, info) and
run_after_pass(module, info) are optional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..diagnostics import fail
from ..passes.framework.instruments import Instrument, Timing

if TYPE_CHECKING:
    from ..passes.framework.context import PassContext

_HOOKS = ("enter_pass_ctx", "exit_pass_ctx", "should_run", "run_before_pass", "run_after_pass")

ClassT = TypeVar("ClassT", bound=type)


class PassInfo(NamedTuple):
    """The description of a pass that is passed to hooks."""

    name: str
    opt_level: int


class HookInstrument(Instrument):
    """Calls the hooks of an object."""

    def __init__(self, watcher: object) -> None:
        self.watcher = watcher

    def enter_context(self, context: PassContext) -> None:
        self._call("enter_pass_ctx")

    def exit_context(self, context: PassContext) -> None:
        self._call("exit_pass_ctx")

    def should_run(self, pass_: ModulePass, module: ModuleOp) -> bool:
        return self._call("should_run", module, info_of(pass_)) is not False

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._call("run_before_pass", module, info_of(pass_))

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._call("run_after_pass", module, info_of(pass_))

    def _call(self, hook: str, *args: object) -> object:
        function = getattr(self.watcher, hook, None)
        return None if function is None else function(*args)


class PassTimingInstrument(Timing):
    """Measures passes; `render()` is the table."""

    def render(self) -> str:
        """Return the times of the passes that ran."""
        return self.report()


def info_of(pass_: ModulePass) -> PassInfo:
    """Return the description of `pass_` that hooks get."""
    return PassInfo(pass_.name, getattr(pass_, "opt_level", 0))


def pass_instrument(cls: ClassT) -> ClassT:
    """Check, as a class decorator, that instances of `cls` can be instruments. Raises TilewrightError TW0218."""
    if not issubclass(cls, Instrument) and not any(hasattr(cls, hook) for hook in _HOOKS):
        fail("TW0218", f"expected a class with one of the methods {', '.join(_HOOKS)}, but got {cls.__qualname__}")
    return cls


def as_instrument(given: object) -> Instrument:
    """Return `given` as an instrument. Raises TilewrightError TW0218."""
    if isinstance(given, Instrument):
        return given
    if isinstance(given, type) or not any(hasattr(given, hook) for hook in _HOOKS):
        kind = f"the class {given.__qualname__}" if isinstance(given, type) else repr(given)
        fail("TW0218", f"expected an instrument, but got {kind}", help=f"its methods are {', '.join(_HOOKS)}")
    return HookInstrument(given)
