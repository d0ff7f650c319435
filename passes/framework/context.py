"""`PassContext`: the choice of passes that run inside a `with`, their settings and instruments.

```python
with tilewright.PassContext(opt_level=3, disabled_pass=["unroll"], add_lower_pass=[(1, my_pass)]):
    tilewright.compile(module)
```
The context of the innermost `with` applies. Each thread has a separate stack of contexts.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypeVar, Union

from xdsl.passes import ModulePass

from ...diagnostics import fail
from ...diagnostics.expectations import coded
from ...diagnostics.remarks import remark, remarks_wanted
from ...lazy import Slot
from ...renamed import with_earlier_members
from . import config, registry

if TYPE_CHECKING:
    from ...diagnostics.files import FilePath
    from .custom import Custom
    from .instruments import Instrument
    from .table import PassEntry
    from .validation import Mode

T = TypeVar("T")

PassLike: TypeAlias = Union[ModulePass, str, "Custom"]
"""A pass, its name with options, its class, a function of the context and the module, or rewrite patterns."""

_ADD_LOWER_PASS = "tir.add_lower_pass"


class OtherSettings(NamedTuple):
    """Configuration keys beside those of `passes.framework.config`."""

    same_as: Mapping[str, str]
    """Synonyms of keys of `passes.framework.config.SETTINGS`."""
    disables: Mapping[str, str]
    """Keys that disable a pass."""
    without_meaning: Mapping[str, str]
    """Keys without an effect, with the reason."""


OTHER_SETTINGS: Slot[OtherSettings] = Slot("passes.framework.context:OTHER_SETTINGS")
"""Keys of other compilers, which programs may set."""
OTHER_INSTRUMENTS: Slot[Callable[[object], Instrument]] = Slot("passes.framework.context:OTHER_INSTRUMENTS")
"""Converts an instrument of another compiler. Raises TilewrightError TW0218 for an object that is no instrument."""
OTHER_PASSES: Slot[Callable[[str], tuple[str, ...] | None]] = Slot("passes.framework.context:OTHER_PASSES")
"""Returns the passes for a pass name of another compiler; None for an unknown name."""
_LAST_PHASE = 3
MOST_OPTIMIZED = 3
"""The highest `opt_level`."""

_stack: ContextVar[tuple[PassContext, ...]] = ContextVar("pass_contexts", default=())


@with_earlier_members
class PassContext:
    """The choice of passes that run, their settings, and the instruments that observe them.

    `opt_level`: passes with a higher `opt_level` are skipped, unless required. 0 has the passes that targets and
    schedules require; 1 adds fusion and simplifications that keep every rounding; 2, the default, adds layouts, loop
    partitioning, fused multiply-adds and narrow types; 3 lets LLVM spend more time.
    `required_pass`, `disabled_pass`: names of passes to run, or to skip, at any level. A pass in both is skipped.
    Conversions cannot be disabled.
    `instruments`: called for the context and for every pass, which they may skip (`passes.framework.instruments`). Any
    object with methods enter_pass_ctx, exit_pass_ctx, should_run, run_before_pass and run_after_pass is accepted.
    `add_lower_pass`: pairs of a phase, 0 to 3, and a pass to run at its end: an instance, a class, a name with options,
    a function of the module, or rewrite patterns. Passes of one phase keep their order; a phase beyond 3 means 3.
    `config`: settings by the keys of `passes.framework.config.SETTINGS`. Passes of its `tir.add_lower_pass` follow
    those of the argument. Keys of other compilers (`OTHER_SETTINGS`) are accepted too; remark TW0260 names the keys
    without an effect.
    `records`: a file of tuning records. Functions that were tuned for the target, on this machine and by this compiler,
    get the best schedule that was measured. The setting `records` is the same.
    `validate`: the number of sets of random inputs on which each function is executed before and after every pass that
    changes it, and compared (`passes.framework.validation`); True selects the default number. "symbolic": prove that
    functions are equal for all sizes, and execute those that no proof decides; "both": prove and execute all.

    Raises TilewrightError: TW0201 for an unknown pass, TW0207 or TW0208 for a bad setting or argument, TW0218 for an
    object that is no instrument.
    """

    @coded
    def __init__(
        self,
        opt_level: int = 2,
        *,
        required_pass: Sequence[str] | None = None,
        disabled_pass: Sequence[str] | None = None,
        instruments: Sequence[object] | None = None,
        add_lower_pass: Sequence[tuple[int, PassLike]] | None = None,
        config: Mapping[str, Any] | None = None,
        records: FilePath | None = None,
        validate: bool | int | Mode = False,
    ) -> None:
        self.opt_level = _checked_level(opt_level)
        self.required_pass = _pass_names("required_pass", required_pass)
        self.disabled_pass = _pass_names("disabled_pass", disabled_pass)
        self.instruments = (*_instruments(_listed("instruments", instruments)), *_validation(validate))
        self.config, disabled, self.unreported_keys = _checked(config)
        if records is not None:
            self.config |= with_records(records)
        self.disabled_pass |= disabled
        added = [*_listed("add_lower_pass", add_lower_pass), *self.config.get(_ADD_LOWER_PASS, ())]
        self.added_passes = tuple(_added(entry) for entry in added)

    @staticmethod
    def current() -> PassContext:
        """Return the innermost active context, or the default context."""
        stack = _stack.get()
        return stack[-1] if stack else _DEFAULT

    def __enter__(self) -> Self:
        entered: list[Instrument] = []
        try:
            for instrument in self.instruments:
                instrument.enter_context(self)
                entered.append(instrument)
        except BaseException:
            for instrument in reversed(entered):
                instrument.exit_context(self)
            raise
        _stack.set((*_stack.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _stack.set(_stack.get()[:-1])
        for instrument in reversed(self.instruments):
            instrument.exit_context(self)

    def derived(
        self,
        settings: Mapping[str, Any],
        *,
        opt_level: int | None = None,
        required: Iterable[str] = (),
        instruments: Sequence[object] | None = None,
    ) -> Self:
        """Return a copy with more settings and required passes; a given level and given instruments replace the old.

        Raises TilewrightError TW0207, TW0208 or TW0218 for a bad argument.
        """
        context = copy(self)
        more, disabled, context.unreported_keys = _checked(settings)
        context.config = {**self.config, **more}
        context.disabled_pass = self.disabled_pass | disabled
        context.opt_level = self.opt_level if opt_level is None else _checked_level(opt_level)
        context.required_pass = self.required_pass | _pass_names("required_pass", tuple(required))
        context.instruments = self.instruments if instruments is None else _instruments(instruments)
        return context

    def enabled(self, pass_: ModulePass | PassEntry) -> bool:
        """Return whether this context lets `pass_` run. Raises TilewrightError TW0213 for a disabled conversion."""
        if pass_.name in self.disabled_pass:
            if _is_conversion(pass_):
                fail("TW0213", f"pass '{pass_.name}' is a conversion and cannot be disabled")
            return False
        return pass_.name in self.required_pass or self.at_level(pass_)

    def at_level(self, pass_: ModulePass | PassEntry) -> bool:
        """Return whether the `opt_level` of `pass_` is at most that of the context."""
        return getattr(pass_, "opt_level", 0) <= self.opt_level

    def may_skip(self, pass_: ModulePass) -> bool:
        """Return whether instruments may skip `pass_`: it is neither required nor a conversion."""
        return pass_.name not in self.required_pass and not _is_conversion(pass_)

    def added(self, phase: int) -> tuple[ModulePass, ...]:
        """Return the user's passes for the end of `phase`, in the given order, then those of the environment."""
        given = self.added_passes
        if _ADD_LOWER_PASS not in self.config:
            given = (*given, *(_added(entry) for entry in config.default(_ADD_LOWER_PASS)))
        return tuple(pass_ for at, pass_ in given if at == phase)

    @property
    def is_unchecked(self) -> bool:
        """True if programs do not check indices at run time."""
        return self.value("unchecked", bool) and not self.value("check_bounds", bool)

    def report_keys(self) -> None:
        """Emit a remark for each configuration key that means nothing here; once, where remarks are collected."""
        if self.unreported_keys and remarks_wanted():
            for key in self.unreported_keys:
                reason = OTHER_SETTINGS.value.without_meaning[key]
                remark("TW0260", f"configuration key '{key}' changes nothing: {reason}", kind="analysis")
            self.unreported_keys = ()

    def value(self, key: str, type: type[T]) -> T:
        """Return the setting `key`, which has type `type`."""
        result = self.config[key] if key in self.config else config.default(key)
        assert isinstance(result, type)
        return result


@contextmanager
def more_settings(*, opt_level: int | None = None, required: Iterable[str] = (), **settings: Any) -> Generator[None]:
    """Activate the current context with another level, and with more required passes and settings; see `derived`."""
    context = PassContext.current().derived(settings, opt_level=opt_level, required=required)
    token = _stack.set((*_stack.get(), context))
    try:
        yield
    finally:
        _stack.reset(token)


def with_records(path: object) -> dict[str, Any]:
    """Return the setting of a file of tuning records. Raises TilewrightError TW0208 for a value that is no path."""
    if not isinstance(path, (str, PathLike)) or not (name := fspath(path)) or not isinstance(name, str):
        fail("TW0208", f"expected the path of a file as records, but got {path!r}")
    return {"records": name}


def as_pass(pass_: PassLike) -> ModulePass:
    """Return the pass for any form in which users give passes. Raises TilewrightError TW0201, TW0202 or TW0208."""
    if isinstance(pass_, ModulePass):
        return pass_
    if isinstance(pass_, str):
        passes = registry.parse_pipeline(pass_)
        if len(passes) != 1:
            fail("TW0208", f"expected the name of one pass, but got '{pass_}'")
        return passes[0]
    from .custom import pass_class
    from .options import instantiate_default

    return instantiate_default(pass_class(pass_))


def _added(entry: object) -> tuple[int, ModulePass]:
    """Return an entry of add_lower_pass, which is checked."""
    if not isinstance(entry, (tuple, list)) or len(entry) != 2:
        fail("TW0208", f"expected pairs of a phase and a pass in add_lower_pass, but got {entry!r}")
    phase, pass_ = entry
    return _phase(phase), as_pass(pass_)


def _is_conversion(pass_: ModulePass | PassEntry) -> bool:
    return getattr(pass_, "lowers_to", None) is not None


def _instruments(given: Sequence[object]) -> tuple[Instrument, ...]:
    if not given:
        return ()
    from .instruments import Instrument

    return tuple(each if isinstance(each, Instrument) else OTHER_INSTRUMENTS.value(each) for each in given)


def _listed(argument: str, given: Sequence[Any] | None) -> Sequence[Any]:
    """Return the list of an argument of the context; None gives an empty list."""
    if given is None:
        return ()
    if not isinstance(given, (list, tuple, set, frozenset)):
        fail("TW0208", f"expected a list as {argument}, but got {given!r}")
    return tuple(given)


def _pass_names(argument: str, given: Sequence[str] | None) -> frozenset[str]:
    """Return the passes with these names, which may be names of another compiler: "FoldConstant" is fold-constant."""
    names: list[str] = []
    for name in _listed(argument, given):
        if not isinstance(name, str):
            fail("TW0208", f"expected names of passes in {argument}, but got {name!r}")
        if name[:1].isupper() and (same := OTHER_PASSES.value(name)) is not None:
            names += same
            continue
        names.append(registry.checked_name(name))
    return frozenset(names)


def _validation(validate: bool | int | Mode) -> tuple[Instrument, ...]:
    if validate is False:
        return ()
    from .validation import DEFAULT_TRIALS, MODES, Validation

    if isinstance(validate, str) and validate in MODES:
        return (Validation(mode=validate),)
    if not isinstance(validate, int) or validate < 0:
        fail("TW0208", f"expected validate to be True, a number of trials or one of {MODES}, but got {validate!r}")
    return (Validation(DEFAULT_TRIALS if validate is True else validate),)


def _checked(settings: Mapping[str, Any] | None) -> tuple[dict[str, Any], frozenset[str], tuple[str, ...]]:
    """Return the settings of the `config` argument, the passes that they disable, and the keys without an effect."""
    if settings is None:
        return {}, frozenset(), ()
    if not isinstance(settings, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  (users')
        fail("TW0208", f"expected a dictionary as config, but got {settings!r}")
    known: dict[str, Any] = {}
    for key, value in settings.items():
        if key not in OTHER_SETTINGS.value.without_meaning and key not in OTHER_SETTINGS.value.disables:
            same = OTHER_SETTINGS.value.same_as.get(key, key)
            config.check(same, value, key)
            known[same] = value
    disabled = frozenset(name for key, name in OTHER_SETTINGS.value.disables.items() if settings.get(key))
    return known, disabled, tuple(key for key in settings if key in OTHER_SETTINGS.value.without_meaning)


def _checked_level(level: object) -> int:
    if not isinstance(level, int) or isinstance(level, bool) or not 0 <= level <= MOST_OPTIMIZED:
        fail("TW0208", f"expected an opt_level of 0 to {MOST_OPTIMIZED}, but got {level!r}")
    return level


def _phase(phase: object) -> int:
    """Return the phase at whose end a pass runs: the last phase for any larger number."""
    if not isinstance(phase, int) or isinstance(phase, bool) or phase < 0:
        fail("TW0208", f"expected a phase of 0 to 3 in add_lower_pass, but got {phase!r}")
    return min(phase, _LAST_PHASE)


_DEFAULT = PassContext()
