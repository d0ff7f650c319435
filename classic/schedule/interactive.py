"""`tilewright.tir.Schedule`: the schedule of `tilewright.Schedule`, with the keywords of classic programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...diagnostics import TilewrightError, fail
from ...diagnostics.expectations import coded, coded_methods, expect_type
from ...diagnostics.locations import caller_location
from ...dialects.ir_module import Function
from ...schedule import BlockRV, Instruction, LoopRV
from ...schedule import Schedule as CoreSchedule
from ...schedule import Trace as CoreTrace
from ...schedule.handles import ValueRV
from ...schedule.refusal import point_at_call
from ...tir.statements import Stmt

_ALSO_CALLED: Mapping[str, str] = {
    "ann_key": "key",
    "ann_val": "value",
    "buffer_index": "buffer",
    "read_buffer_index": "buffer",
    "storage_scope": "scope",
    "write_buffer_index": "buffer",
}
"""Keywords of several methods, and the parameter that each is."""

_ALSO_CALLED_IN: Mapping[str, Mapping[str, str]] = {
    "blockize": {"target": "loop"},
    "get_child_blocks": {"block_or_loop": "parent"},
}
"""Keywords of one method."""

_PARAMETERS: Mapping[str, Sequence[str]] = {
    "blockize": ("target", "preserve_unit_iters"),
    "loop_partition": ("loop", "factors", "preserve_unit_iters"),
    "split": ("loop", "factors", "preserve_unit_iters", "disable_predication"),
    "tensorize": ("block_or_loop", "tensor_intrin", "preserve_unit_iters"),
}
"""The parameters of methods that take more of them by position, from `preserve_unit_iters` on."""

_CHANGES_NOTHING: Mapping[str, str] = dict.fromkeys(("blockize", "loop_partition", "tensorize"), "preserve_unit_iters")
"""A truth value that changes nothing: variables of blocks stay, also those of extent 1."""


class Trace(CoreTrace):
    """The instructions of a schedule, also as `insts`. `decisions`, those of random sampling, is always empty."""

    def __init__(self, insts: Iterable[Instruction] = (), decisions: Mapping[Any, Any] | None = None) -> None:
        if decisions:
            fail("TW0408", "expected a trace without decisions, as a schedule draws nothing at random")
        super().__init__(list(insts))

    @property
    def insts(self) -> list[Instruction]:
        """The instructions."""
        return self.instructions


@coded_methods
class Schedule(CoreSchedule):
    """TVM's interface of `tilewright.Schedule`, with other keywords.

    `seed` is the seed of `sample_perfect_tile` and the other sampling methods. `debug_mask`, `error_render_level` and
    `enable_check` have no effect: every call is checked.
    """

    @coded
    def __init__(
        self,
        mod: Function | FuncOp | ModuleOp | Mapping[str, Any] | None = None,
        function: str | None = None,
        *,
        root: Function | FuncOp | ModuleOp | Mapping[str, Any] | None = None,
        seed: int | None = None,
        debug_mask: str | int = "none",
        error_render_level: str = "detail",
        enable_check: bool = True,
        validate: str | None = None,
    ) -> None:
        try:
            super().__init__(root if mod is None else mod, function, validate=validate)
        except TilewrightError as error:
            point_at_call(error, caller_location("classic"))
            raise
        self.trace = Trace()
        if seed is not None:
            self.seed(seed)

    def seed(self, seed: int) -> None:
        """Seed the draws that follow."""
        self.random.seed(seed)

    def as_declared(
        self, name: str, positional: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """Return the arguments of a classic call as the declaration of the primitive has them."""
        named = dict(keywords)
        if (parameters := _PARAMETERS.get(name)) is not None:
            kept = parameters.index("preserve_unit_iters")
            further = dict(zip(parameters[kept:], positional[kept:], strict=False))
            if further.keys() & named.keys() or len(positional) > len(parameters):
                return positional, keywords
            positional, named = positional[:kept], {**named, **further}
        if (dropped := _CHANGES_NOTHING.get(name)) in named:
            expect_type(dropped, named.pop(dropped), bool)
        called = {**_ALSO_CALLED, **_ALSO_CALLED_IN.get(name, {})}
        if any(classic in named and parameter in named for classic, parameter in called.items()):
            return positional, keywords
        return positional, {called.get(keyword, keyword): value for keyword, value in named.items()}

    def get(self, rand_var_or_sref: BlockRV | LoopRV | ValueRV) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the statement behind a handle, the number that was drawn. Raises TW0404 where a primitive has replaced
        it."""
        if isinstance(rand_var_or_sref, ValueRV):
            return int(rand_var_or_sref)
        return Stmt.of(super().get(rand_var_or_sref))

    def remove_rv(self, rand_var: BlockRV | LoopRV) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Forget a handle: each further use of it is refused. The program stays as it is."""
        super().remove_rv(rand_var)

    def show(self, rand_var: BlockRV | LoopRV | None = None, *, dialect: str = "mlir", **options: object) -> None:
        """Print the module, or the object of a handle; the options are those of `IRModule.show`."""
        if rand_var is None:
            self.mod.show(dialect=dialect, **options)
        else:
            print(self.get(rand_var))
