"""The pass manager: runs passes in order, verifies the module after each, and calls the instruments."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from itertools import groupby
from operator import itemgetter

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...analysis.dominance import verify_dominance
from ...diagnostics import TilewrightError, fail
from ...diagnostics.attribution import of_user
from ...diagnostics.expectations import coded
from ...diagnostics.locations import complete_locations
from ...diagnostics.progress import task
from ...diagnostics.remarks import remarks_of
from ...diagnostics.text import on_one_line
from ...diagnostics.verification import verify
from ...ir import editor as edit
from ...ir.rewrites import active_counter, describe
from .base import level_of
from .context import PassContext
from .instruments import Instrument
from .instruments.spans import span
from .options import spec_of
from .user_dialects import check_operands

_in_instrument: ContextVar[bool] = ContextVar("in_instrument", default=False)
"""True while an instrument runs, so that no instrument observes the passes that this instrument runs."""


@contextmanager
def collection_paused() -> Generator[None]:
    """Pause Python's cyclic garbage collector while a module is compiled.

    Operations, blocks and values refer to one another, so that the collector walks all of the IR each time it looks for
    cycles, and finds few. On networks of hundreds of layers that is a fifth of the time of the passes. The call that
    paused the collector resumes it, so that compilations may nest, and run in several threads.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class PassManager:
    """A sequence of passes.

    Every pass that the current `PassContext` enables runs. The module is verified, SSA dominance included, before the
    first pass and after each pass. If the setting `verify_each` is off, the module is verified once, at the end. The
    context's instruments are outside of the manager's. At the end all operations have a location.
    """

    @coded
    def __init__(
        self,
        passes: Sequence[ModulePass],
        instruments: Sequence[Instrument] = (),
        *,
        verify_each: bool | None = None,
    ) -> None:
        """Make a manager of `passes`. `verify_each` overrides the context's setting."""
        self.passes = tuple(passes)
        self.instruments = tuple(instruments)
        self.verify_each = verify_each

    @collection_paused()
    def run(self, ctx: Context, module: ModuleOp) -> None:
        """Run the passes on `module` in place.

        A pass that an instrument skips is treated as a disabled pass.

        Raises TilewrightError: TW0103, TW0104 or TW0235 for a module that is invalid before the first pass; TW0107 for
        a pass that leaves invalid IR; any error of a pass, with a note that names the pass.
        """
        context = PassContext.current()
        context.report_keys()
        instruments = _instruments_here((*context.instruments, *self.instruments))
        verify_each = context.value("verify_each", bool) if self.verify_each is None else self.verify_each
        enabled = [pass_ for pass_ in self.passes if context.enabled(pass_)]
        if verify_each:
            verify_module(module)
        verify_each |= any(instrument.needs_verified for instrument in instruments)
        with ExitStack() as watched:
            for instrument in instruments:
                instrument.before_run(module)
                watched.callback(instrument.after_run, module)
            step = watched.enter_context(task("passes", len(enabled)))
            with span("passes", "run"):
                for phase, passes in groupby(_with_phases(enabled), key=itemgetter(0)):
                    with span(f"phase {phase}", "phase"):
                        for _, pass_ in passes:
                            step(pass_.name)
                            is_last = pass_ is enabled[-1]
                            if not _is_wanted(pass_, module, instruments, context):
                                if is_last and not verify_each:
                                    verify_module(module)
                                continue
                            _run_pass(pass_, ctx, module, instruments, verify=verify_each or is_last)
                with span("locations", "locations"):
                    complete_locations(module)


def _instruments_here(instruments: tuple[Instrument, ...]) -> tuple[Instrument, ...]:
    """Return the instruments of a manager; none for a manager that an instrument runs."""
    return () if _in_instrument.get() else instruments


def _is_wanted(pass_: ModulePass, module: ModuleOp, instruments: Sequence[Instrument], context: PassContext) -> bool:
    """Return whether the pass runs: no instrument skips it, or instruments may not skip it."""
    if not instruments or not context.may_skip(pass_):
        return True
    return all(instrument.should_run(pass_, module) for instrument in instruments)


def _with_phases(passes: Iterable[ModulePass]) -> Iterator[tuple[int, ModulePass]]:
    """Yield passes with their phases; a pass without a phase has the phase of the previous pass."""
    phase = 0
    for pass_ in passes:
        phase = getattr(pass_, "phase", phase)
        yield phase, pass_


def _run_pass(
    pass_: ModulePass, ctx: Context, module: ModuleOp, instruments: Sequence[Instrument], *, verify: bool
) -> None:
    _notify(instruments, lambda instrument: instrument.before_pass(pass_, module))
    backwards = instruments[::-1]
    try:
        with span(lambda: spec_of(pass_), "pass"):
            _apply(pass_, ctx, module)
        _notify(backwards, lambda instrument: instrument.after_pass(pass_, module))
        if verify:
            with span("verification", "verification"):
                _verify_after(pass_, module)
            _notify(backwards, lambda instrument: instrument.after_verification(pass_, module))
    except Exception as error:
        failure = error
        _notify(backwards, lambda instrument: instrument.after_failure(pass_, module, failure))
        raise


def _notify(instruments: Sequence[Instrument], what: Callable[[Instrument], None]) -> None:
    if not instruments:
        return
    token = _in_instrument.set(True)
    try:
        with span("instruments", "instruments"):
            for instrument in instruments:
                what(instrument)
    finally:
        _in_instrument.reset(token)


def verify_module(module: ModuleOp) -> None:
    """Verify ops, SSA dominance, and operands of users' operations. Raises TilewrightError TW0103, TW0104 or TW0235."""
    verify(module)
    verify_dominance(module)
    check_operands(module)


def _apply(pass_: ModulePass, ctx: Context, module: ModuleOp) -> None:
    try:
        with remarks_of(pass_.name):
            _apply_counted(pass_, ctx, module)
    except TilewrightError as error:
        error.notes.append(f"in pass '{spec_of(pass_)}'")
        raise
    except RecursionError as error:
        error.add_note(f"in pass '{spec_of(pass_)}'")
        deep = TilewrightError("TW0105", f"pass '{pass_.name}' cannot follow IR nested this deeply", op=module)
        raise of_user(error) or deep from None
    except VerifyException as error:
        message = f"pass '{pass_.name}' built an invalid operation: {on_one_line(error)}"
        raise TilewrightError("TW0107", message, op=module) from None
    except DiagnosticException as error:  # how passes written for xDSL refuse
        raise TilewrightError("TW0214", f"pass '{pass_.name}' failed: {error}") from None
    except Exception as error:
        error.add_note(f"in pass '{spec_of(pass_)}'")
        raise


def _apply_counted(pass_: ModulePass, ctx: Context, module: ModuleOp) -> None:
    """Apply a pass, and count a pass that reports no rewrite as one rewrite, unless the pass changes the level."""
    counter = active_counter()
    if counter is None or not counter.counts_passes:
        pass_.apply(ctx, module)
        return
    before, count = module.clone(), counter.count
    pass_.apply(ctx, module)
    is_reported = counter.count != count or level_of(module) != level_of(before)
    if is_reported or module.is_structurally_equivalent(before):
        return
    if counter.is_spent:
        edit.replace_body(module, before.body)
        edit.change(module).attributes = before.attributes
    else:
        counter.made(pass_.name, describe(module))


def _verify_after(pass_: ModulePass, module: ModuleOp) -> None:
    try:
        verify_module(module)
    except TilewrightError as error:
        fail(
            "TW0107",
            f"pass '{pass_.name}' left invalid IR: {error.message}",
            op=error.op or module,
            location=error.location,
            notes=error.notes,
        )
