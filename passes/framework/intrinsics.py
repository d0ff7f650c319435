"""Lowering rules of targets, registered by the name of an operation, target and level.

A rule is either a rewrite, `rule(op, rewriter) -> bool`, which returns whether it replaced the operation, or an
expression, `rule(call) -> expression`, which declines by returning the call or None. If several rules are registered
for an operation, the rule of the highest level is tried first, and the next rule if it declines. Rules for the
module's target precede rules for every target. Operations that a rule creates are lowered by rules in turn. The rules
of a backend have level 10, so that users can replace them:

```python
@tilewright.register_lowering("math.exp", target="cpu", level=99)
def my_exp(op, rewriter):
    ...
    return True

@tilewright.register_lowering("mylog", target="cpu", dtypes=["float32"])
def my_log(call):
    return te.call_pure_extern("float32", "logf", call.args[0])
```
`mylog` is an intrinsic (`register_intrinsic`), which only these rules define. "tir.exp" is a synonym of "math.exp".
Backends register their rules as `"module:function"` strings when `tilewright.backends` is imported. The module of a
rule is imported when the rule is first tried.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ...diagnostics import fail
from ...dialects.target import KIND_ALIASES
from ...lazy import load
from ...plugins import load_plugins
from ...semantics.intrinsics import DEFINED, EXPANDED, OPERATIONS, intrinsic_names, plain_name, provide_rules

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.pattern_rewriter import PatternRewriter

Rule: TypeAlias = "Callable[[Operation, PatternRewriter], bool]"

F = TypeVar("F", bound="Callable[..., Any] | str")

ANY_TARGET = "default"
"""The target of rules that apply to every target."""
BUILTIN_LEVEL = 10
DEFINITION_LEVEL = 0
"""The level of the definitions of the functions in `DEFINED`, which apply if no other rule does."""


@dataclass(frozen=True)
class _Entry:
    """A rule, or its `"package/module:function"`, and the element types of results; None means all."""

    rule: Rule | str
    dtypes: frozenset[str] | None = None
    exact: bool = False

    def serves(self, dtype: str | None) -> bool:
        return self.dtypes is None or dtype is None or dtype in self.dtypes

    def meets(self, other: _Entry) -> bool:
        """Return whether both rules apply to some element type in the same pass."""
        return self.exact == other.exact and (
            self.dtypes is None or other.dtypes is None or bool(self.dtypes & other.dtypes)
        )


_rules: dict[tuple[str, str], dict[int, tuple[_Entry, ...]]] = {}
"""(target, operation or intrinsic) -> level -> rules for different element types."""


def register_lowering(
    name: str,
    target: str = ANY_TARGET,
    level: int = BUILTIN_LEVEL,
    dtypes: Sequence[str] | None = None,
    *,
    exact: bool = False,
) -> Callable[[F], F]:
    """Return a decorator that registers a function as the rule for the operation or intrinsic `name` on `target`.

    A function of one parameter returns an expression; a function of two parameters rewrites the operation. The rule
    applies to results with the element types `dtypes`, by default all. A rule that is `exact` keeps every bit: the
    pass `expand-operations`, which is validated bit for bit, applies it, and `dtypes` are element types of operands or
    results. The pass `lower-intrinsics` applies all other rules. A string "package/module:function" replaces a
    function.

    All other functions that register rules call this function: `register_lowerings` for backends, and the names of
    `tilewright.ir`.

    Raises TilewrightError TW0215 if another rule for an element type has the same level, TW0672 for a function without
    a name in the IR. The same function of a reloaded module may be registered again.
    """

    _expect_asked(name)

    def register(rule: F) -> F:
        made = _Entry(_as_rule(rule), None if dtypes is None else frozenset(dtypes), exact)
        levels = _rules.setdefault(_key(name, target), {})
        kept = tuple(e for e in levels.get(level, ()) if _identity(e.rule) != _identity(made.rule))
        if other := next((entry.rule for entry in kept if made.meets(entry)), None):
            known = f"'{canonical_name(name)}' on target '{target}' is registered already, by {_owner(other)}"
            fail(
                "TW0215", f"a rule of level {level} for {known}", help=f"give yours another level, such as {level + 1}"
            )
        levels[level] = (*kept, made)
        return rule

    return register


def register_lowerings(
    target: str,
    rules: Mapping[str, str],
    package: str,
    dtypes: Sequence[str] | None = None,
    *,
    exact: bool = False,
    level: int = BUILTIN_LEVEL,
) -> None:
    """Register the rules of a backend: operation -> "module:function", the module relative to `package`."""
    for name, spec in rules.items():
        register_lowering(name, target, level, dtypes, exact=exact)(f"{package}/{spec}")


_instructions: dict[str, frozenset[str]] = {}
"""Target -> the intrinsics that its emitter prints."""


def register_instructions(target: str, names: Iterable[str]) -> None:
    """State the intrinsics that the emitter of a target prints; their calls need no rule."""
    _instructions[target] = frozenset(names)


def is_instruction(name: str, target: str) -> bool:
    """Return whether the emitter of a target prints calls of an intrinsic."""
    return name in _instructions.get(KIND_ALIASES.get(target, target), ())


def unregister_lowering(name: str, target: str = ANY_TARGET, level: int = BUILTIN_LEVEL) -> None:
    """Remove the rules of a level."""
    _rules.get(_key(name, target), {}).pop(level, None)


def rules_for(name: str, target: str, dtype: str | None = None, *, exact: bool = False) -> list[Rule]:
    """Return the rules for an operation or intrinsic with elements of type `dtype`, in the order in which they are
    tried: the exact rules, or all others."""
    load_plugins()
    found: list[Rule] = []
    for each in dict.fromkeys((target, ANY_TARGET)):
        levels = _rules.get(_key(name, each), {})
        for level in sorted(levels, reverse=True):
            levels[level] = tuple(_loaded(e) if e.exact == exact and e.serves(dtype) else e for e in levels[level])
            asked = (e for e in levels[level] if e.exact == exact and e.serves(dtype))
            found += [e.rule for e in asked if not isinstance(e.rule, str)]
    return found


def has_rules(name: str, target: str, dtype: str | None = None, *, exact: bool = False) -> bool:
    """Return whether a rule is registered for an operation or intrinsic with results of this type; if `exact`, with
    operands or results. No rule is imported."""
    load_plugins()
    levels = (level for each in (target, ANY_TARGET) for level in _rules.get(_key(name, each), {}).values())
    return any(e.exact == exact and e.serves(dtype) for entries in levels for e in entries)


def is_replaced(name: str, target: str | None = None, dtype: str | None = None) -> bool:
    """Return whether a rule other than the definition is registered for one of the functions in `DEFINED`, for
    `target` or, if it is None, for any target."""
    load_plugins()
    return any(
        level != DEFINITION_LEVEL and any(e.serves(dtype) for e in entries)
        for (served, known), levels in _rules.items()
        if known == name and (target is None or served in (target, ANY_TARGET))
        for level, entries in levels.items()
    )


def has_foreign_rules() -> bool:
    """Return whether a rule is registered whose function is not of this package."""
    rules = (entry.rule for levels in _rules.values() for entries in levels.values() for entry in entries)
    return any(map(_is_foreign, rules))


def _is_foreign(rule: Rule | str) -> bool:
    """Return whether the function of a rule is not of this package."""
    function: Any = getattr(rule, "function", rule)
    package = __name__.partition(".")[0]
    return not isinstance(rule, str) and getattr(function, "__module__", "").partition(".")[0] != package


def targets_with_rules(name: str) -> list[str]:
    """Return the targets that have a rule for an operation or intrinsic."""
    load_plugins()
    return sorted(target for (target, known), levels in _rules.items() if levels and known == canonical_name(name))


def rules_without_calls(target: str, is_operation: Callable[[str], bool]) -> list[str]:
    """Return the names of users' rules, on a target or on all, that no operation or function has."""
    known = (*OPERATIONS.values(), *intrinsic_names())
    return [
        name
        for (served, name), levels in _rules.items()
        if served in (target, ANY_TARGET) and name not in known and not is_operation(name)
        if any(_is_foreign(entry.rule) for entries in levels.values() for entry in entries)
    ]


def _expect_asked(name: str) -> None:
    plain = plain_name(name)
    if plain in EXPANDED and plain not in intrinsic_names():
        fail(
            "TW0672",
            f"expected a function that calls keep by name, but '{plain}' is always expanded",
            help="register the rule for the operation that it becomes, such as arith.maximumf",
        )


def canonical_name(name: str) -> str:
    """Return the key of rules for a name: the name of an operation, or of an intrinsic without "tir."."""
    plain = plain_name(name)
    return OPERATIONS.get(plain, plain) if plain != name else plain


def _key(name: str, target: str) -> tuple[str, str]:
    return KIND_ALIASES.get(target, target), canonical_name(name)


def _loaded(entry: _Entry) -> _Entry:
    if not isinstance(entry.rule, str):
        return entry
    package, _, spec = entry.rule.partition("/")
    return replace(entry, rule=_as_rule(load(spec, package)))


def _as_rule(function: Callable[..., Any] | str) -> Rule | str:
    """Return a rule of either form as a rewrite; a string is returned as it is."""
    if isinstance(function, str):
        return function
    parameters = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    if len(parameters) != 1:
        return function
    from .expression_rules import ExpressionRule

    return ExpressionRule(function)


def _owner(rule: Rule | str) -> str:
    """Return the author of a rule, for messages."""
    function: Any = getattr(rule, "function", rule)
    if isinstance(rule, str) or str(getattr(function, "__module__", "")).startswith("tilewright."):
        return "the compiler"
    return f"{function.__module__}.{getattr(function, '__qualname__', type(function).__qualname__)}"


def _identity(rule: Rule | str) -> object:
    """Return a key that registrations of the same rule share: its module and qualified name.

    Lambdas of a module share a name but not their code. A lambda that captures variables equals no other rule.
    """
    if isinstance(rule, str):
        return rule
    function: Any = getattr(rule, "function", rule)
    name = getattr(function, "__qualname__", None)
    if name is None:
        return function
    if "<lambda>" in name:
        stands_alone = function.__closure__ is None and function.__defaults__ is None
        return (function.__module__, function.__code__) if stands_alone else function
    return f"{function.__module__}/{name}"


register_lowerings(
    ANY_TARGET,
    dict.fromkeys(DEFINED, "expression_rules:definition_of"),
    __name__.rpartition(".")[0],
    level=DEFINITION_LEVEL,
)
provide_rules(lambda name, dtype: rules_for(name, "interpreter", dtype), is_replaced)
