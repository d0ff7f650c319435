"""The processing of one module by opt-tool: parse, verify, run passes, print."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AbstractContextManager
from io import StringIO
from itertools import chain
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Dialect
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from .. import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (lowering rules)
from ..diagnostics import TilewrightError
from ..diagnostics.parsing import parse
from ..dialects import context
from ..dialects.ir_module import IRModule
from ..dialects.loop import check_foreign
from ..dialects.resource import has_weights, save_resources, walk_resources
from ..dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ..driver.lowering import run_passes, target_pipeline
from ..passes.framework.base import Level, asks_target, level_of
from ..passes.framework.context import PassContext, more_settings
from ..passes.framework.instruments import Instrument, PrintIR
from ..passes.framework.instruments.spans import span
from ..passes.framework.manager import PassManager, verify_module
from ..passes.framework.options import spec_of
from ..passes.framework.registry import checked_name, parse_pipeline
from ..passes.pipeline import conversion, level_after, with_conversions
from . import files
from .observing import around_part
from .proof import Proof
from .watch import UPSTREAM, Watch

_IR = ("mlir", "tvmscript", UPSTREAM)
"""Choices of `--emit` that print the IR itself."""
_WRITTEN = (*_IR, "schedule", "c", "opencl", "cuda-python")
"""Choices of `--emit` for which no compiler reads code that the IR brings."""

HOST = "host"
NO_TARGET = "none"
"""The words of --target for this machine, and for no target."""


class Processor:
    """Processes modules according to the command line. Raises TilewrightError for every error that users can act on."""

    def __init__(self, args: Namespace) -> None:
        self.args = args
        self.passes = list(chain.from_iterable(parse_pipeline(text) for text in args.passes))
        if args.schedule is not None:
            from ..passes.phase0.apply_schedule import ApplySchedulePass

            self.passes.insert(0, ApplySchedulePass(args.schedule))
        args.print_ir_before = [checked_name(name) for name in args.print_ir_before]
        args.print_ir_after = [checked_name(name) for name in args.print_ir_after]
        self.watch = Watch(args)
        self.directory = Path(".") if args.file == files.STDIN else Path(args.file).parent
        self.part: int | None = None
        self.target_is_default = False
        """True if the module that is processed names a target because the command line names none."""
        self.target_is_reported = False
        self.is_undecided = False
        """True if proofs were requested and any part of the input has an open one."""

    def requiring(self) -> AbstractContextManager[object]:
        """Run the passes that the command line names at every level."""
        context_ = PassContext.current()
        return more_settings(required=[p.name for p in self.passes if not context_.at_level(p)])

    def begin_part(self, number: int | None) -> None:
        """Say which part of the input comes; None where there is only one."""
        self.part = number
        self.watch.begin_part(number)

    def process(self, text: str, name: str) -> str:
        """Return the output for one module's text."""
        with around_part(self.args.file, self.part):
            return self._processed(text, name)

    def _processed(self, text: str, name: str) -> str:
        ctx = context()
        ctx.register_dialect("schedule", _schedule_dialect)
        ctx.allow_unregistered = self.args.allow_unregistered_dialect
        with self.watch.recording(), span("parse", "compile"):
            module = self._parsed(ctx, text, name)
            verify_module(module)
        self._check_foreign(module)
        missing = self._resolve(module)
        passes = self._pipeline(module)
        self._set_target(module, passes)
        if missing is not None and passes:
            print(f"note: {missing.message}; passes see constants without values", file=sys.stderr)
        if self.args.print_pipeline:
            print(",".join(spec_of(pass_) for pass_ in self._running(module, passes)), file=sys.stderr)
        proof = Proof(self.args)
        if self.args.bisect:
            return proof.bisect(module, passes)
        try:
            with self.watch.watching(self._printing()):
                with proof.telling(), proof.rewrites_limited():
                    module = run_passes(
                        module, passes, ctx=ctx, instruments=proof.instruments, options={"load": self.args.load}
                    )
                self.is_undecided |= proof.conclude(module)
                if self.args.trace is not None and self.args.emit in _IR:
                    from ..driver.building import show_code_of

                    show_code_of(module)
                with span("output", "compile"):
                    return self._output(ctx, module)
        except TilewrightError as error:
            # A pass needs values of the weights file: report the fault of that file.
            if error.code == "TW0705" and missing is not None:
                raise missing from None
            raise

    def _parsed(self, ctx: Context, text: str, name: str) -> ModuleOp:
        if name.endswith(".py"):
            from ..frontends.tvmscript import from_source

            program = from_source(text, name=name)
            return program.op if isinstance(program, IRModule) else ModuleOp([program])
        return parse(ctx, text, name, in_file=self.args.file != files.STDIN)

    def _check_foreign(self, module: ModuleOp) -> None:
        """Raise TilewrightError TW0670 where foreign code would be run or compiled, and is not allowed."""
        args = self.args
        is_used = args.validate is not None or args.bisect or args.trace is not None or args.emit not in _WRITTEN
        if is_used and not PassContext.current().value("allow_foreign", bool):
            check_foreign(module)

    def _set_target(self, module: ModuleOp, passes: Sequence[ModulePass]) -> None:
        """Give the module the target that the command line names, unless it names one itself.

        The default is this machine, as for the compiler, or the target of --emit, if a pass queries the target.
        """
        self.target_is_default = False
        args = self.args
        if args.target == NO_TARGET or TARGET_ATTRIBUTE in module.attributes:
            return
        is_whole = args.phase is not None or args.validate is not None or args.bisect or args.emit not in _IR
        may_ask = [pass_ for pass_ in passes if asks_target(pass_)]
        if args.target is None and not is_whole and not may_ask:
            return
        target = self._named_target()
        module.attributes[TARGET_ATTRIBUTE] = target
        self.target_is_default = args.target is None
        is_asked = is_whole or any(getattr(pass_, "asks_target", False) for pass_ in may_ask)
        if self.target_is_default and is_asked and not self.target_is_reported:
            self.target_is_reported = True
            print(f"note: the target is {_in_words(target)}; --target names another", file=sys.stderr)

    def _running(self, module: ModuleOp, passes: Sequence[ModulePass]) -> list[ModulePass]:
        """Return the passes that run: those that the settings leave, and those that take the module down to code."""
        level = level_of(module)
        for pass_ in passes:
            level = level_after(pass_, level)
        is_code = self.args.emit not in (*_IR, "schedule")
        rest = target_pipeline(level, self._target(module)) if is_code else []
        context_ = PassContext.current()
        return [p for p in (*passes, *rest) if context_.enabled(p)]

    def _pipeline(self, module: ModuleOp) -> list[ModulePass]:
        level = level_of(module)
        insert = not self.args.no_auto_lower
        passes = with_conversions(self.passes, level, insert=insert)
        if self.args.phase is not None:
            for pass_ in passes:
                level = level_after(pass_, level)
            added = target_pipeline(level, self._target(module), self.args.phase)
            passes += with_conversions(added, level, insert=insert)
        if self.args.emit == UPSTREAM:
            for pass_ in passes:
                level = min(level, level_after(pass_, level))
            passes += conversion(level, Level.LOOP)
        return passes

    def _target(self, module: ModuleOp) -> Attribute | None:
        """Return the target that the module has, or that the passes of a phase are for."""
        if TARGET_ATTRIBUTE in module.attributes or self.args.target == NO_TARGET:
            return module.attributes.get(TARGET_ATTRIBUTE)
        return self._named_target()

    def _named_target(self) -> Attribute:
        """Return the target that the command line names, else the target of --emit."""
        from ..driver import Target
        from ..driver.building import target_of_language

        name: str = target_of_language(self.args.emit) if self.args.target is None else self.args.target
        return Target("llvm" if name == HOST else name).attribute()

    def _printing(self) -> list[Instrument]:
        """Return the instruments that print the IR between passes, where options ask for them."""
        args = self.args
        change = args.print_ir_after_change
        if not (args.print_ir_before or args.print_ir_after or args.print_ir_after_all or change):
            return []
        printing = PrintIR(
            before=args.print_ir_before,
            after=args.print_ir_after,
            after_all=args.print_ir_after_all,
            after_change=change is not None,
            diff=change == "diff",
            generic=args.print_op_generic,
        )
        return [printing]

    def _resolve(self, module: ModuleOp) -> TilewrightError | None:
        """Point resources at the weights file; an unusable file is an error only where values are needed."""
        from ..driver.models import resolve_weights

        try:
            resolve_weights(module, self.directory)
        except TilewrightError as error:
            if error.code not in ("TW0705", "TW0709"):
                raise
            return error
        return None

    def _output(self, ctx: Context, module: ModuleOp) -> str:
        if self.args.emit == "schedule":
            return _default_schedules(ctx, module)
        if self.args.emit == UPSTREAM:
            from ..backends.upstream.writer import upstream_text

            return upstream_text(module)
        if self.args.emit not in _IR:
            from ..driver import emit

            return emit(module, self.args.emit)
        self._save_resources(module)
        if self.target_is_default:
            del module.attributes[TARGET_ATTRIBUTE]
        if self.args.emit != "mlir":
            return IRModule(module).script(self.args.emit)
        stream = StringIO()
        Printer(
            stream=stream,
            print_generic_format=self.args.print_op_generic,
            print_debuginfo=self.args.print_locations,
        ).print_op(module)
        return stream.getvalue() + "\n"

    def _save_resources(self, module: ModuleOp) -> None:
        """Keep the weights reachable from where the module goes."""
        made = {attr.data.name for _, _, attr in walk_resources(module) if attr.data.is_in_memory}
        if self.args.output is None:
            if made:
                print(
                    f"note: {len(made)} constants made by passes have no file; -o writes them beside the module",
                    file=sys.stderr,
                )
            return
        output = Path(self.args.output)
        moves = output.parent.resolve() != self.directory.resolve()
        if made or (moves and has_weights(module)):
            suffix = "" if self.part is None else f".{self.part}"
            save_resources(module, output.with_name(f"{output.stem}{suffix}.safetensors"))


def _in_words(target: Attribute) -> str:
    """Return a description of the properties of the target that plans depend on."""
    if not isinstance(target, CpuTargetAttr) or target.kind != "cpu":
        return str(target)
    caches = ", ".join(f"{size >> 10}K" for size in target.caches)
    return f"this machine: vectors of {target.vector_bits} bits, caches {caches}, threads {target.threads}"


def _schedule_dialect() -> Dialect:
    """Return the schedule dialect, which costs an import of the scheduling engine."""
    from ..schedule.trace_mlir import schedule_dialect

    return schedule_dialect()


def _default_schedules(ctx: Context, module: ModuleOp) -> str:
    """Lower and schedule `module`, for its target or this machine, and return the schedules as text.

    The text of `--emit schedule` has a sequence for each function with blocks that no schedule has arranged.
    """
    from ..analysis.access import blocks_in
    from ..backends.cpu.host import host_target
    from ..passes.shared.scheduling import SCHEDULED
    from ..schedule.rules import schedule_by_rule

    PassManager(conversion(level_of(module), Level.BLOCK)).run(ctx, module)
    target = module.attributes.get(TARGET_ATTRIBUTE)
    if not isinstance(target, CpuTargetAttr):
        target = host_target()
    functions = [op for op in module.ops if isinstance(op, FuncOp) and SCHEDULED not in op.attributes]
    traces = {f.sym_name.data: schedule_by_rule(f, target).trace for f in functions if blocks_in(f)}
    return "".join(trace.as_mlir(name) for name, trace in traces.items())
