"""`PassContext`: what a caller wants of the passes that run inside it.

```python
with tilewright.PassContext(opt_level=3, disabled_pass=["unroll"], add_lower_pass=[(1, my_pass)]):
    tilewright.compile(module)
```
The context of the innermost `with` counts; each thread has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..diagnostics import fail
from . import config, registry

if TYPE_CHECKING:
    from .instruments import Instrument

T = TypeVar("T")

PassLike: TypeAlias = ModulePass | type[ModulePass] | str | Callable[[Context, ModuleOp], object]
"""A pass, its class, its name with options, or a function of the context and the module."""

_LAST_PHASE = 3

_stack: ContextVar[tuple[PassContext, ...]] = ContextVar("pass_contexts", default=())


@dataclass(frozen=True)
class FunctionPass(ModulePass):
    """A plain function as a pass."""

    name = "function"
    function: Callable[[Context, ModuleOp], object]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.function(ctx, op)


class PassContext:
    """Which passes run, with which settings, and who watches.

    `opt_level`: passes with a higher `opt_level` are skipped, unless required.
    `required_pass`, `disabled_pass`: names of passes to run, or to skip, whatever their level. Conversions cannot be
    skipped.
    `instruments`: called before and after every pass.
    `add_lower_pass`: pairs of a phase, 0 to 3, and a pass to run at its end. Passes of one phase keep their order; a
    phase beyond 3 means 3.
    `config`: settings by the keys of `passes.config.SETTINGS`.
    `validate`: run each function before and after every pass that changes it, on that many sets of random inputs, and
    compare (`passes.validation`); True chooses how many.

    Raises TilewrightError: TW0201 for an unknown pass, TW0207 or TW0208 for a bad setting or argument, TW0213 for a
    pass both required and disabled.
    """

    def __init__(
        self,
        opt_level: int = 2,
        *,
        required_pass: Sequence[str] = (),
        disabled_pass: Sequence[str] = (),
        instruments: Sequence[Instrument] = (),
        add_lower_pass: Sequence[tuple[int, PassLike]] = (),
        config: Mapping[str, Any] | None = None,
        validate: bool | int = False,
    ) -> None:
        if not 0 <= opt_level <= 3:
            fail("TW0208", f"expected an opt_level of 0 to 3, but got {opt_level!r}")
        self.opt_level = opt_level
        self.required_pass = _pass_names(required_pass)
        self.disabled_pass = _pass_names(disabled_pass)
        if both := sorted(self.required_pass & self.disabled_pass):
            fail("TW0213", f"pass '{both[0]}' is both required and disabled")
        self.instruments = (*instruments, *_validation(validate))
        self.config = dict(config or {})
        _check_config(self.config)
        added = [*add_lower_pass, *self.config.get("tir.add_lower_pass", ())]
        self.added_passes = tuple((_phase(phase), as_pass(pass_)) for phase, pass_ in added)

    @staticmethod
    def current() -> PassContext:
        """The innermost active context, or one of defaults."""
        stack = _stack.get()
        return stack[-1] if stack else _DEFAULT

    def __enter__(self) -> Self:
        _stack.set((*_stack.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        _stack.set(_stack.get()[:-1])

    def enabled(self, pass_: ModulePass) -> bool:
        """Whether this context lets `pass_` run. Raises TilewrightError TW0213 for a disabled conversion."""
        if pass_.name in self.disabled_pass:
            if getattr(pass_, "lowers_to", None) is not None:
                fail("TW0213", f"pass '{pass_.name}' is a conversion and cannot be disabled")
            return False
        return pass_.name in self.required_pass or getattr(pass_, "opt_level", 0) <= self.opt_level

    def added(self, phase: int) -> tuple[ModulePass, ...]:
        """The user's passes for the end of `phase`, in the order given."""
        return tuple(pass_ for at, pass_ in self.added_passes if at == phase)

    def value(self, key: str, type: type[T]) -> T:
        """The setting `key`, which has type `type`."""
        result = self.config[key] if key in self.config else config.default(key)
        assert isinstance(result, type)
        return result


def as_pass(pass_: PassLike) -> ModulePass:
    """The pass that the user means."""
    match pass_:
        case ModulePass():
            return pass_
        case str():
            (parsed,) = registry.parse_pipeline(pass_)
            return parsed
        case type():
            return pass_()
        case _ if callable(pass_):
            return FunctionPass(pass_)
        case _:
            fail("TW0208", f"expected a pass, its name or a function of (context, module), but got {pass_!r}")


def _pass_names(names: Sequence[str]) -> frozenset[str]:
    if isinstance(names, str):
        fail("TW0208", f"expected a list of pass names, but got the string {names!r}")
    for name in names:
        registry.check_name(name)
    return frozenset(names)


def _validation(validate: bool | int) -> tuple[Instrument, ...]:
    if not validate:
        return ()
    if validate < 0:
        fail("TW0208", f"expected validate to be True or a number of trials, but got {validate!r}")
    from .validation import DEFAULT_TRIALS, Validation

    return (Validation(DEFAULT_TRIALS if validate is True else validate),)


def _check_config(settings: Mapping[str, Any]) -> None:
    for key, value in settings.items():
        config.check(key, value)


def _phase(phase: object) -> int:
    """The phase at whose end a pass runs: the last one for any that comes later."""
    if not isinstance(phase, int) or isinstance(phase, bool) or phase < 0:
        fail("TW0208", f"expected a phase of 0 to 3 in add_lower_pass, but got {phase!r}")
    return min(phase, _LAST_PHASE)


_DEFAULT = PassContext()
