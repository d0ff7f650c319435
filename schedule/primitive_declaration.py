"""`register_primitive`: one declaration for each primitive of a schedule.

A primitive is a function of a schedule and of the arguments that users give:

```python
@tilewright.register_primitive()
def interchange(sch: Schedule, outer: LoopRV, inner: LoopRV) -> None:
    \"""Interchange two nested loops.\"""
    sch.reorder(inner, outer)
```
From its name, its annotations and its docstring follow the method `Schedule.interchange`, the checks of arguments, the
operation `schedule.interchange` of schedule files, the forms of traces, and the entry of the reference. Handles are
`BlockRV` and `LoopRV`; `Engine` describes the way from handles to operations and back. A primitive that fails
is taken back as a whole.

The built-in primitives stand in `primitives/` and are declared in the same way. `methods.py` lists them for type
checkers; `python -m tilewright.tools.schedule_methods` writes it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar

from ..diagnostics import fail
from ..diagnostics.text import did_you_mean
from ..dialects.schedule import PrimitiveOp, PrimitiveSignature, primitive_class
from ..lazy import Slot, load
from ..plugins import load_plugins
from .primitive_signatures import signature_of

if TYPE_CHECKING:
    from .engine import Engine

F = TypeVar("F", bound=Callable[..., Any])

LOOKING, LOOPS, MOTION = "Finding blocks and loops", "Transforming loops", "Moving blocks"
BUFFERS, REDUCTIONS, TENSORS = "Buffers and layouts", "Reductions", "Tensor intrinsics and foreign code"
NOTES, USER = "Names and annotations", "User primitives"
SUBJECTS = (LOOKING, LOOPS, MOTION, BUFFERS, REDUCTIONS, TENSORS, NOTES, USER)
"""The sections of the reference."""

CANNOT_REGISTER = "TW0476"

Asked: TypeAlias = Callable[[Mapping[str, Any]], bool]
"""A question about the arguments of a call, by the names of its parameters."""


@dataclass(frozen=True, eq=False)
class Primitive:
    """The declaration of a primitive."""

    function: Callable[..., Any]
    """The decorated function, of a schedule and of arguments."""
    subject: str
    """The section of the documentation that it belongs to."""
    is_query: bool
    """True for a primitive that looks for something and changes nothing."""
    brings_foreign_code: Asked
    """A predicate on the arguments of a call: they give the function code in another language, which schedule files may
    do only where allowed."""

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def documentation(self) -> str:
        return inspect.getdoc(self.function) or ""

    @cached_property
    def parameters(self) -> inspect.Signature:
        """The parameters of its calls, without the schedule."""
        signature = inspect.signature(self.function)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    @cached_property
    def signature(self) -> PrimitiveSignature:
        """The kinds of its arguments and results."""
        return signature_of(self.function)

    @cached_property
    def operation(self) -> type[PrimitiveOp]:
        """Its operation in schedule files."""
        return primitive_class(self.signature)

    @cached_property
    def call(self) -> Callable[..., Any]:
        """The function that calls the primitive and records the call; it takes a schedule and arguments."""
        from .recording import recorded

        @functools.wraps(self.function)
        def call(schedule: Engine, *arguments: Any, **keywords: Any) -> Any:
            return recorded(self, schedule, arguments, keywords)

        return call

    def bind(self, positional: Sequence[Any], keywords: Mapping[str, Any]) -> inspect.BoundArguments:
        """Return the arguments of a call. Raises TypeError where they do not fit."""
        return self.parameters.bind(*positional, **keywords)

    def arguments(self, positional: Sequence[Any], keywords: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of a call by the names of parameters. Raises TypeError where they do not fit."""
        return self.bind(positional, keywords).arguments


BUILTIN: Slot[Mapping[str, str]] = Slot("schedule.primitive_declaration:BUILTIN")
"""The builtin primitives, as `"module:name"` relative to this folder, by name. They are imported when they are used."""

_primitives: dict[str, Primitive] = {}


def _no_foreign_code(arguments: Mapping[str, Any]) -> bool:
    return False


def register_primitive(
    subject: str = USER, *, is_query: bool = False, brings_foreign_code: Asked = _no_foreign_code
) -> Callable[[F], F]:
    """Return a decorator that registers a function of a schedule and of arguments as a primitive, which becomes a
    method of `Schedule`.

    The function can also be called directly: `interchange(sch, i, j)` is `sch.interchange(i, j)`. Each parameter is a
    handle, a number, a truth value, a text, a list of these, or None, by its annotation; the function returns handles
    or None. `subject` is the section of the documentation. A primitive with `is_query` changes nothing, and bisection
    does not count it. `brings_foreign_code` takes the arguments of a call and returns whether schedule files need
    `--allow-foreign` for the call.

    Raises TilewrightError TW0476 for a function that cannot be a primitive, and for a name that `Schedule` has. The
    same function of a reloaded module may be registered again.
    """

    def register(function: F) -> F:
        primitive = Primitive(function, subject, is_query, brings_foreign_code)
        _check_form(primitive)
        _check_name(primitive)
        _primitives[primitive.name] = primitive
        return primitive.call  # pyright: ignore[reportReturnType]  (of the same parameters)

    return register


def unregister_primitive(name: str) -> None:
    """Forget a primitive that a user registered. Raises TilewrightError TW0476 where there is none of that name."""
    known = _known(name)
    if known is None or _is_built_in(known):
        reason = f"is not registered{did_you_mean(name, registered())}" if known is None else "is one of the compiler's"
        fail(CANNOT_REGISTER, f"expected the name of a registered primitive, but {name!r} {reason}")
    del _primitives[name]


def primitives() -> Mapping[str, Primitive]:
    """Return all primitives by name, those of plugins included."""
    load_plugins()
    return registered()


def registered() -> Mapping[str, Primitive]:
    """Return the builtin primitives and those that were registered, by name."""
    for name in BUILTIN.value:
        _known(name)
    return _primitives


def find_primitive(name: str) -> Primitive | None:
    """Return the primitive of a name, if there is one."""
    return _known(name) or primitives().get(name)


def _known(name: str) -> Primitive | None:
    """Return the primitive of a name, plugins left out; a builtin one is imported."""
    if name not in _primitives and name in BUILTIN.value:
        load(BUILTIN.value[name], __package__ or "")
    return _primitives.get(name)


def _check_form(primitive: Primitive) -> None:
    """Check that the annotations can be read; of the built-in ones a test does."""
    if _is_built_in(primitive):
        return
    if not primitive.name.isidentifier() or primitive.name.startswith("_"):
        _refuse(primitive, "expected a function with a name that does not begin with '_'")
    if not inspect.signature(primitive.function).parameters:
        _refuse(primitive, "expected a function whose first parameter is the schedule, but it has none")
    if not primitive.documentation:
        _refuse(primitive, "expected a docstring, which the reference and `help` show")
    try:
        primitive.signature  # noqa: B018
    except (TypeError, NameError, KeyError) as error:
        _refuse(primitive, f"its annotations cannot be read: {error}")


def _check_name(primitive: Primitive) -> None:
    from .views import ViewMethods

    known = _primitives.get(primitive.name) if _is_built_in(primitive) else _known(primitive.name)
    if known is not None and _definition(known) != _definition(primitive):
        by = "the compiler" if _is_built_in(known) else ".".join(_definition(known))
        _refuse(primitive, f"a primitive of that name is registered already, by {by}")
    if hasattr(ViewMethods, primitive.name):
        _refuse(primitive, f"a schedule has an attribute {primitive.name!r} that is no primitive")


def _refuse(primitive: Primitive, reason: str) -> NoReturn:
    fail(CANNOT_REGISTER, f"primitive {primitive.name!r} cannot be registered: {reason}")


def _is_built_in(primitive: Primitive) -> bool:
    return primitive.function.__module__.startswith(f"{__package__}.")


def _definition(primitive: Primitive) -> tuple[str, str]:
    """Return the module and the name of a primitive's function: the same for a module that is loaded again."""
    return primitive.function.__module__, primitive.function.__qualname__
