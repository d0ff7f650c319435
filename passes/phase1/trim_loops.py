"""Pass `trim-loops`: removes iterations in which every store is excluded by its guards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.traits import Pure

from ...analysis.borders import border_of, is_made_in, names_registers, necessary_in, together
from ...analysis.ranges import RangeAnalysis, facts_at
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass

# A prefetch in an iteration without stores fetches for nobody.
_STRUCTURE = (loop.ForOp, loop.IfOp, loop.LoadOp, loop.StoreOp, loop.AllocOp, loop.YieldOp, loop.PrefetchOp)


@dataclass(frozen=True)
class TrimLoopsPass(Pass):
    """End loops where conditions exclude every store inside for the rest of the iterations.

    Stores to buffers that are private to an iteration do not count.

    ```mlir
    loop.for %io = 0 to 32 {
      loop.for %ii = 0 to 4 {
        loop.if (%o * 128 + %io * 4 + %ii < 1000) { loop.store … }
      }
    }
    // becomes
    loop.for %io = 0 to min(32, (-%o * 128 + 1003) floordiv 4) {
      …
    }
    ```
    Without this pass, a tile that is cut off at the border of its tensor would run through empty iterations. Loops that
    are unrolled or vectorized later keep their constant extents, and so do loops whose variables index registers.

    Needs: loop level, guards still around the statements: it comes before relax-guards.
    Grants: nothing that later passes rely on.
    """

    name = "trim-loops"
    phase = 1
    levels = (Level.LOOP,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in operations(op):
            if isinstance(nested, loop.ForOp) and nested.kind in (loop.SERIAL, loop.PARALLEL) and not nested.iter_args:
                _trim(nested)


def _trim(op: loop.ForOp) -> None:
    inside = operations(op)
    if names_registers(op, of_iterations=False):
        return
    stores = [n for n in inside if isinstance(n, loop.StoreOp) and not is_made_in(n.buffer, op)]
    if not stores or not all(_is_guarded(store, op) for store in stores):
        return
    if any(map(_may_have_effects, inside)):
        return
    lower, upper = _common(op, stores)
    facts = facts_at(op)
    is_higher = lower is not None and not any(facts.proves(e - lower) for e in op.lowers)
    if lower is not None and is_higher and may_rewrite("raise the lower bound", op):
        op.set_index_lists(lower=together([*op.lowers, lower], max), upper=op.uppers)
    is_lower = upper is not None and not any(facts.proves(upper - e) for e in op.uppers)
    if upper is not None and is_lower and may_rewrite("cut the upper bound", op):
        op.set_index_lists(lower=op.lowers, upper=together([*op.uppers, upper], min))


def _is_guarded(store: loop.StoreOp, op: loop.ForOp) -> bool:
    return bool(store.conditions) or any(op.is_ancestor(choice) for choice in loop.enclosing(store, loop.IfOp))


def _may_have_effects(op: Operation) -> bool:
    return not isinstance(op, _STRUCTURE) and not op.has_trait(Pure) and op.dialect_name() not in ("arith", "math")


def _common(op: loop.ForOp, stores: Sequence[loop.StoreOp]) -> tuple[Index | None, Index | None]:
    """Return the values of the variable between which all stores happen, as far as one expression says so for all of
    them."""
    ranges = RangeAnalysis()
    lowers: list[dict[Index, Index]] = []
    uppers: list[dict[Index, Index]] = []
    for store in stores:
        borders = [border_of(condition, op.induction_variable) for condition in necessary_in(op, store, ranges)]
        lowers.append(_by_form([b.lower for b in borders if b is not None and b.lower is not None], greatest=True))
        uppers.append(_by_form([b.upper for b in borders if b is not None and b.upper is not None], greatest=False))
    return _widest(lowers, greatest=False), _widest(uppers, greatest=True)


def _by_form(bounds: Sequence[Index], *, greatest: bool) -> dict[Index, Index]:
    """Return the tightest of the bounds that differ by constants only, by the form that they have in common."""
    found: dict[Index, Index] = {}
    for bound in bounds:
        form = bound - bound.constant
        known = found.get(form, bound)
        found[form] = bound if (bound.constant > known.constant) == greatest else known
    return found


def _widest(bounds: Sequence[dict[Index, Index]], *, greatest: bool) -> Index | None:
    """Return the bound that holds for every store; None where no form is common to all."""
    for form in bounds[0]:
        if all(form in each for each in bounds):
            pick = max if greatest else min
            return form + pick(each[form].constant for each in bounds)
    return None
