"""User rules for default schedules, which are tried before the builtin rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from ...diagnostics import fail
from ...dialects import loop
from ...plugins import load_plugins, origin
from ..handles import BlockRV
from ..schedule import Schedule
from .rule import BAD_RULE

_KINDS = {"cpu": "cpu", "llvm": "cpu", "cuda": "cuda"}

F = TypeVar("F", bound=Callable[..., Any])


class _UserRule:
    """A user's function as a rule of `rule.Rule`."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.__name__ = name
        self.function = function

    def __call__(self, sch: Schedule, op: loop.BlockOp, target: Any, /) -> Collection[loop.BlockOp] | None:
        taken = self.function(sch, sch.get_block(op.label), target)
        if taken is None or taken is False:
            return None
        blocks: Iterable[Any] = () if taken is True else (taken,) if isinstance(taken, BlockRV) else taken
        if not isinstance(blocks, (tuple, list, set, frozenset)) or not all(isinstance(b, BlockRV) for b in blocks):
            fail(
                BAD_RULE,
                f"expected rule '{self.__name__}' to give True, blocks or None, but got {taken!r}",
                help="True says that the rule has scheduled its block, None that it does not fit and changed nothing",
            )
        return {op, *(sch.block(block) for block in blocks)}


_rules: dict[str, dict[str, _UserRule]] = {"cpu": {}, "cuda": {}}


def register_schedule_rule(target: str = "cpu", *, name: str | None = None) -> Callable[[F], F]:
    """Return a decorator that registers a rule for default schedules of a kind of target, "cpu" or "cuda".

    ```python
    @tilewright.register_schedule_rule("cpu")
    def rows_in_parallel(schedule, block, target):
        loops = schedule.get_loops(block)
        if len(loops) != 2:
            return None                 # the next rule is asked
        schedule.parallel(loops[0])
        return True                     # the block is done
    ```
    The rule takes the schedule of a function, a block, and the attribute of the target (`CpuTargetAttr` with vector
    width, caches and threads; `CudaTargetAttr`). It schedules the block by the primitives of `tilewright.Schedule` and
    returns True, or returns further blocks that it scheduled; or it changes nothing and returns None. Users' rules are
    tried in the order of registration, before builtin rules. If the schedule refuses a primitive, the function is
    scheduled without the rule, and a remark states the reason.

    Raises TilewrightError TW0237 for another kind of target and for a name that is taken. The same function of a
    reloaded module may be registered again.
    """
    kind = _KINDS.get(target)
    if kind is None:
        fail(BAD_RULE, f"expected target 'cpu' or 'cuda' for a rule, but got {target!r}")

    def register(function: F) -> F:
        rule = name or getattr(function, "__name__", type(function).__name__)
        known = _rules[kind].get(rule)
        if known is not None and origin(known.function) != origin(function):
            fail(
                BAD_RULE,
                f"a rule named '{rule}' is registered already, by {known.function.__module__}",
                help=f"give yours another name, or forget that one with tilewright.unregister_schedule_rule('{rule}')",
            )
        _rules[kind][rule] = _UserRule(rule, function)
        return function

    return register


def unregister_schedule_rule(name: str, target: str = "cpu") -> None:
    """Forget a rule. Raises TilewrightError TW0237 where there is none of that name."""
    if _rules.get(_KINDS.get(target, ""), {}).pop(name, None) is None:
        fail(BAD_RULE, f"expected the name of a registered rule for '{target}', but '{name}' is not registered")


def user_rules(kind: str) -> tuple[_UserRule, ...]:
    """Return the rules of users for a kind of target, in the order in which they are tried."""
    load_plugins()
    return tuple(_rules[kind].values())


def has_registered_rules() -> bool:
    """Return whether a user registered a rule."""
    return any(_rules.values())
