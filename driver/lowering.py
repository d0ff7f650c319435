"""Lowering: runs passes, the default pipeline or a backend's legalization, on a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ..backends import legalization_of
from ..diagnostics.expectations import expect_type
from ..dialects import context
from ..dialects.ir_module import IRModule
from ..dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ..ir import editor as edit
from ..passes.framework.base import Level, level_of
from ..passes.framework.context import PassContext
from ..passes.framework.manager import PassManager
from ..passes.framework.registry import parse_pipeline
from ..passes.pipeline import default_pipeline, with_conversions
from ..passes.shared.scheduling import SCHEDULED

if TYPE_CHECKING:
    from ..passes.framework.instruments import Instrument
    from ..te import Tensor
    from ..te.foreign import Buffer


def lower_module(
    module: ModuleOp, last_phase: int = 3, *, verify_each: bool = False, instruments: Sequence[Instrument] = ()
) -> ModuleOp:
    """Lower a copy of `module` through the default pipeline, up to `last_phase`, for the module's target.

    A module without a target is compiled for the machine that this runs on. The result is verified; `verify_each` does
    it after every pass, which doubles the time. `instruments` watch beside those of the current `PassContext`.
    """
    target = module.attributes.get(TARGET_ATTRIBUTE) or _host_target()
    passes = target_pipeline(level_of(module), target, last_phase)
    return run_passes(module, passes, target, instruments=instruments, verify_each=verify_each)


def target_pipeline(level: Level, target: Attribute | None, last_phase: int = 3) -> list[ModulePass]:
    """Return the passes that take a module of `level` through phases 0 to `last_phase` for a target, None for none."""
    return default_pipeline(level, last_phase, legalization_of(target))


def run_passes(
    given: ModuleOp,
    passes: Sequence[ModulePass],
    target: Attribute | None = None,
    *,
    ctx: Context | None = None,
    instruments: Sequence[Instrument] = (),
    verify_each: bool | None = None,
    options: Mapping[str, Any] | None = None,
) -> ModuleOp:
    """Return a copy of `given` that `passes` have rewritten; `target`, where given, is the copy's target.

    Where a fault of the compiler ends a pass, `given` is written as a reproducer, with the `options` of opt-tool that
    it needs, and a note of the error names the file.
    """
    module = _for_target(given, target)
    try:
        PassManager(passes, instruments, verify_each=verify_each).run(ctx or context(), module)
    except Exception as error:
        from ..passes.framework.reproducer import write_failure

        write_failure(_for_target(given, target), passes, error, options or {})
        raise
    return module


def _for_target(module: ModuleOp, target: Attribute | None) -> ModuleOp:
    module = module.clone()
    if target is not None:
        edit.change(module).attributes[TARGET_ATTRIBUTE] = target
    return module


def legalize(module: ModuleOp) -> ModuleOp:
    """Run the legalization passes of the module's target, the last ones of phase 3, on a module at loop level, in
    place. A module without a target gets that of this machine. Legal operations are not changed."""
    edit.change(module).attributes.setdefault(TARGET_ATTRIBUTE, _host_target())
    passes = parse_pipeline(",".join(legalization_of(module.attributes[TARGET_ATTRIBUTE])))
    PassManager(passes, verify_each=False).run(context(), module)
    return module


def lower(
    inputs: Any,
    args: Any = None,
    name: str = "main",
    simple_mode: bool = False,
    *,
    binds: Mapping[Tensor, Buffer] | None = None,
) -> IRModule:
    """Return the loops that a program becomes.

    `inputs` is one of

    - a schedule (`te.create_schedule`), or tensors, which the default schedules arrange; `args` then lists the
      function's arguments, and `name` names it;
    - a function, a module of any level, or an interactive schedule;
    - a mapping from names to those, which become the functions of one module.

    The result holds what backends write out one to one. With `simple_mode` it holds the loops as they were scheduled,
    for reading: buffers of all dimensions, nothing partitioned, vectorized, unrolled or flattened. Passes that the
    current `PassContext` adds run in both. `binds` gives arguments strides, see `build`. The loops are for the module's
    target, else for that of the `with Target(...):` around, else for the machine that this runs on.
    """
    from .programs import as_module
    from .strides import bind_strides
    from .targets import Target

    expect_type("name", name, str)
    expect_type("simple_mode", simple_mode, bool)
    expect_type("binds", binds, Mapping, type(None))
    module = as_module(inputs, args, name)
    current = Target.current()
    if current is not None and not current.backend.takes_any_level:
        edit.change(module).attributes.setdefault(TARGET_ATTRIBUTE, current.attribute())
    if binds:
        bind_strides(module, binds)
    return IRModule(_simple(module) if simple_mode else lower_module(module))


def _simple(module: ModuleOp) -> ModuleOp:
    """Return `module` with its loops arranged and its statements in place."""
    given = set(module.attributes)
    context_ = PassContext.current()
    edit.change(module).attributes.setdefault(TARGET_ATTRIBUTE, _host_target())
    passes = [*default_pipeline(level_of(module), 0), *parse_pipeline("lower-blocks")]
    passes += with_conversions([pass_ for phase in (1, 2, 3) for pass_ in context_.added(phase)], Level.LOOP)
    PassManager(passes, verify_each=False).run(context(), module)
    for attribute in set(module.attributes) - given:
        del edit.change(module).attributes[attribute]
    for op in module.ops:
        edit.change(op).attributes.pop(SCHEDULED, None)
    return module


def _host_target() -> CpuTargetAttr:
    from ..backends.cpu.host import host_target

    return host_target()
