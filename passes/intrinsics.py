"""How operations are lowered for a target: rules by name of the operation, target and level.

A rule rewrites one operation and says whether it did: `rule(op, rewriter) -> bool`. Where several are registered for an
operation, the one of the highest level is asked first, and the next where it declines; rules for the module's target
come before those for every target. The rules that a backend brings sit at level 10, so that users can replace them:

```python
@tilewright.register_lowering("math.exp", target="cpu", level=99)
def my_exp(op, rewriter):
    ...
    return True
```
Backends register their rules by `"module:function"` strings when `tilewright.backends` is imported; a rule's module is
imported when the rule is first asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ..diagnostics import fail
from ..lazy import load

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.pattern_rewriter import PatternRewriter

    Rule: TypeAlias = Callable[[Operation, PatternRewriter], bool]

ANY_TARGET = "default"
"""The target of rules that every target falls back on."""
BUILTIN_LEVEL = 10

_rules: dict[tuple[str, str], dict[int, Rule | str]] = {}
"""(target, operation) -> level -> the rule, or where it is."""


def register_lowering(name: str, target: str = ANY_TARGET, level: int = BUILTIN_LEVEL) -> Callable[[Rule], Rule]:
    """A decorator that makes a function the rule for the operation `name` on `target`.

    Raises TilewrightError TW0215 where another rule has the same level. The same function of a module that is reloaded
    may be registered again.
    """

    def register(rule: Rule) -> Rule:
        _register(name, target, level, rule)
        return rule

    return register


def register_builtin(target: str, rules: dict[str, str], package: str) -> None:
    """Make rules known by strings: operation -> "module:function", the module relative to `package`."""
    for name, spec in rules.items():
        _register(name, target, BUILTIN_LEVEL, f"{package}/{spec}")


def unregister_lowering(name: str, target: str = ANY_TARGET, level: int = BUILTIN_LEVEL) -> None:
    """Forget a rule."""
    _rules.get((target, name), {}).pop(level, None)


def rules_for(name: str, target: str) -> list[Rule]:
    """The rules for an operation, in the order to ask them."""
    found: list[Rule] = []
    for place in dict.fromkeys((target, ANY_TARGET)):
        levels = _rules.get((place, name), {})
        for level in sorted(levels, reverse=True):
            rule = levels[level]
            if isinstance(rule, str):
                package, _, spec = rule.partition("/")
                rule = levels[level] = load(spec, package)
            found.append(rule)
    return found


def has_rules(name: str, target: str) -> bool:
    """Whether any rule is registered for an operation."""
    return bool(_rules.get((target, name)) or _rules.get((ANY_TARGET, name)))


def _register(name: str, target: str, level: int, rule: Rule | str) -> None:
    levels = _rules.setdefault((target, name), {})
    known = levels.get(level)
    if known is not None and _identity(known) != _identity(rule):
        fail("TW0215", f"a rule of level {level} for '{name}' on target '{target}' is registered already")
    levels[level] = rule


def _identity(rule: Rule | str) -> str:
    return rule if isinstance(rule, str) else f"{rule.__module__}/{rule.__qualname__}"
