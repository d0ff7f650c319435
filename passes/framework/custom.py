"""Passes made of functions and of rewrite patterns.

A function becomes a pass that calls the function; its keyword-only parameters are the options of the pass. Patterns
become a pass that applies the patterns until none matches, by `passes.framework.rewriting`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, make_dataclass
from typing import Any, ClassVar, TypeAlias, get_type_hints

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern

from ...diagnostics import fail
from .base import ALL_LEVELS, Level, Pass, axioms_labelled
from .rewriting import rewrite

PassFunction: TypeAlias = Callable[..., object]
"""A function of the module, or of the context and the module, with options as keyword-only parameters."""

Pattern: TypeAlias = RewritePattern | type[RewritePattern]

Custom: TypeAlias = type[ModulePass] | PassFunction | Pattern | Sequence[Pattern]
"""A pass class, or a function or rewrite patterns that become a pass."""

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class PatternPass(Pass):
    """A pass that applies patterns until none matches."""

    patterns: ClassVar[tuple[RewritePattern, ...]]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, self.patterns)


def pattern_pass(
    name: str,
    patterns: Iterable[Pattern],
    *,
    phase: int = 3,
    levels: Iterable[Level] = ALL_LEVELS,
    reassociates: bool = False,
    contracts: bool = False,
    axioms: Iterable[str] = (),
    doc: str | None = None,
) -> type[PatternPass]:
    """Return the class of a pass that applies `patterns`, instances or classes, until none matches.

    `reassociates`, `contracts` and `axioms` are the changes of arithmetic that validation and proofs allow, as in
    `Pass`. `doc` is the description in `opt-tool --list-passes`, by default the docstring of a single pattern or the
    names of all. `PassContext(add_lower_pass=[(3, pattern_pass(...))])` runs the pass;
    `register_pass(phase=3)(pattern_pass(...))` registers its name.
    """
    made, axioms = tuple(_pattern(pattern) for pattern in patterns), tuple(axioms)
    if axioms:
        axioms_labelled(axioms)
    if not made:
        fail("TW0208", f"expected at least one pattern for pass '{name}', but got none")
    names = ", ".join(type(pattern).__name__ for pattern in made)
    doc = doc or inspect.getdoc(type(made[0])) if len(made) == 1 else doc
    if doc is None or doc == inspect.getdoc(RewritePattern):
        doc = f"Apply {names}."
    body = {
        "name": name,
        "phase": phase,
        "levels": tuple(levels),
        "reassociates": reassociates,
        "contracts": contracts,
        "axioms": axioms,
        "patterns": made,
        "__doc__": doc,
        "__module__": type(made[0]).__module__,
        "__qualname__": names,
    }
    return type(names, (PatternPass,), body)


def function_pass(function: PassFunction, name: str | None = None) -> type[ModulePass]:
    """Return the class of a pass that calls `function(module)` or `function(context, module)`.

    Keyword-only parameters are the options of the pass. Raises TilewrightError TW0208 for other parameters.
    """
    takes_context, options = _parameters(function)

    def apply(self: Any, ctx: Context, op: ModuleOp) -> None:
        values = {option: getattr(self, option) for option, _, _ in options}
        result = function(ctx, op, **values) if takes_context else function(op, **values)
        if isinstance(result, ModuleOp) and result is not op:
            fail(
                "TW0217",
                f"pass '{self.name}' returned another module",
                help="a pass changes the module that it is given, in place",
            )

    label = str(getattr(function, "__qualname__", type(function).__qualname__))
    namespace: dict[str, Any] = {
        "name": name or pass_name(getattr(function, "__name__", "")),
        "apply": apply,
        "__doc__": (inspect.isroutine(function) and inspect.getdoc(function)) or f"Call {label}.",
        "__module__": getattr(function, "__module__", None) or __name__,
    }
    try:
        made = make_dataclass("FunctionPass", options, bases=(Pass,), namespace=namespace, frozen=True, kw_only=True)
    except (TypeError, ValueError) as error:  # a default that is mutable
        fail("TW0208", f"the keyword-only parameters of {label} cannot be options: {error}")
    made.__qualname__ = label
    return made


def pass_class(custom: Custom, name: str | None = None) -> type[ModulePass]:
    """Return the pass class of an object that a user gives as a pass. Raises TilewrightError TW0208."""
    if isinstance(custom, type):
        if issubclass(custom, ModulePass):
            if name is not None and name != getattr(custom, "name", None):
                fail("TW0208", f"expected no name beside {custom.__qualname__}, which has one, but got '{name}'")
            return custom
        if issubclass(custom, RewritePattern):
            return pattern_pass(name or pass_name(custom.__name__), [custom])
        fail("TW0208", f"expected a class of passes or of rewrite patterns, but got {custom.__qualname__}")
    if isinstance(custom, RewritePattern):
        return pattern_pass(name or pass_name(type(custom).__name__), [custom])
    if isinstance(custom, Sequence) and not isinstance(custom, str):
        return pattern_pass(name or _name_of(custom), custom)
    if callable(custom):
        return function_pass(custom, name)
    fail(
        "TW0208",
        f"expected a pass, its name, a function of (context, module) or rewrite patterns, but got {custom!r}",
    )


def pass_name(identifier: str) -> str:
    """Return the name of a pass with this Python name: `MergeLoops` and `merge_loops` give merge-loops."""
    if not identifier.isidentifier():  # a lambda
        return "function"
    words = "".join(f"_{c.lower()}" if c.isupper() else c for c in identifier)
    return "-".join(word for word in words.split("_") if word)


def _name_of(patterns: Sequence[Pattern]) -> str:
    return pass_name(type(_pattern(patterns[0])).__name__) if patterns else "patterns"


def _pattern(pattern: object) -> RewritePattern:
    if isinstance(pattern, type) and issubclass(pattern, RewritePattern):
        return pattern()
    if isinstance(pattern, RewritePattern):
        return pattern
    fail("TW0208", f"expected rewrite patterns, but got {pattern!r}")


def _parameters(function: PassFunction) -> tuple[bool, list[tuple[str, Any, Any]]]:
    """Return whether the function takes the context, and the function's options as fields of a dataclass."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some functions written in C
        return False, []
    given = [p for p in parameters if p.kind in _POSITIONAL and p.default is p.empty]
    if len(given) not in (1, 2) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        name = getattr(function, "__qualname__", repr(function))
        names = ", ".join(p.name for p in given) or "none"
        fail("TW0208", f"expected {name} to take (module) or (context, module), but its parameters are {names}")
    keywords = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    hints = _hints(function) if keywords else {}
    options: list[tuple[str, Any, Any]] = []
    for p in keywords:
        required = p.default is p.empty
        hint = hints.get(p.name, Any if required or p.default is None else type(p.default))
        options.append((p.name, hint, field() if required else field(default=p.default)))
    return len(given) != 1, options


def _hints(function: PassFunction) -> dict[str, Any]:
    """Return the types of parameters; none if a type is imported for type checkers only."""
    try:
        return get_type_hints(function)
    except (NameError, TypeError):
        return {}
