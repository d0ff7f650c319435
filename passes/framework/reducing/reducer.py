"""Delta debugging on IR: ever smaller valid candidates for which the test holds.

The steps that remove most come first: whole functions, all operations after an operation, then runs of operations by
halves. Weights are removed together with operations, not before: with random weights the values of a deep network
overflow and hide the fault. Extents and loops are last. All steps are repeated until no step helps.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import DiagnosticException

from ....diagnostics import TilewrightError
from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....traversal import operations
from ...shared.loops import inline_body
from ..manager import verify_module
from ..validation.shrink import shrunken
from .removal import clean, functions_in, removable, remove, return_early

Change = Callable[[ModuleOp], bool]
"""Makes a copy of the module smaller; whether it could."""


def count_ops(module: ModuleOp) -> int:
    """Return the number of operations of a module, functions and terminators left out."""
    return len(removable(module))


class Reducer:
    """Reduces `module` while `is_interesting` holds; ends after `seconds` at the latest.

    `is_interesting` gets valid modules only and must not change them.
    """

    def __init__(
        self, module: ModuleOp, is_interesting: Callable[[ModuleOp], bool], seconds: float | None = None
    ) -> None:
        self.module = module
        self.tests = 0
        self._is_interesting = is_interesting
        self._deadline = None if seconds is None else monotonic() + seconds

    def run(self) -> ModuleOp:
        """Return the smallest module found."""
        steps = (
            self._drop_functions,
            self._cut_tails,
            self._drop_ops,
            self._shorten_loops,
            self._unwrap_regions,
            self._shrink_extents,
        )
        while True:
            before = self._text()
            for step in steps:
                step()
            if self._text() == before:
                return self.module

    @property
    def is_over(self) -> bool:
        return self._deadline is not None and monotonic() > self._deadline

    def _text(self) -> str:
        return str(self.module)

    def _try(self, change: Change) -> bool:
        """Take a change over if the result is valid, smaller, and passes the test."""
        if self.is_over:
            return False
        candidate = self.module.clone()
        try:
            if not change(candidate):
                return False
            clean(candidate)
            verify_module(candidate)
        except (TilewrightError, DiagnosticException):
            return False
        return self._accept(candidate)

    def _accept(self, candidate: ModuleOp) -> bool:
        if str(candidate) == self._text():
            return False
        self.tests += 1
        if not self._is_interesting(candidate):
            return False
        self.module = candidate
        return True

    # Steps

    def _drop_functions(self) -> None:
        for position in reversed(range(len(functions_in(self.module)))):
            self._try(lambda module, position=position: _erase_function(module, position))

    def _cut_tails(self) -> None:
        """Cut each function behind the earliest operation after which it can end, searched by halves: a fault that has
        shown stays."""
        position = 0
        while position < len(functions_in(self.module)):
            low, high = 0, len(_ends(functions_in(self.module)[position]))
            while low < high:
                middle = (low + high) // 2
                if self._try(lambda module, middle=middle, position=position: _cut(module, position, middle)):
                    left = functions_in(self.module)[position:]  # with a call, its only callees go too
                    high = min(middle, len(_ends(left[0]))) if left else low
                else:
                    low = middle + 1
            position += 1

    def _drop_ops(self) -> None:
        self._drop_some(removable)

    def _drop_some(self, candidates: Callable[[ModuleOp], list[Operation]]) -> None:
        """Take runs of operations out: all, halves, quarters, and so on."""
        size = len(candidates(self.module))
        while size:
            end = len(candidates(self.module))
            while end > 0:
                start = max(0, end - size)
                self._try(lambda module, start=start, end=end: _remove_run(candidates(module), start, end))
                end = min(start, len(candidates(self.module)))
            size //= 2

    def _shorten_loops(self) -> None:
        for position in reversed(range(len(_loops(self.module)))):
            for trips in (1, 2, 4):
                if self._try(lambda module, position=position, trips=trips: _shorten(module, position, trips)):
                    break

    def _unwrap_regions(self) -> None:
        for position in reversed(range(len(_loops(self.module)))):
            self._try(lambda module, position=position: _unwrap(module, position))

    def _shrink_extents(self) -> None:
        functions = functions_in(self.module)
        if len(functions) != 1 or self.is_over:
            return
        for candidate in shrunken(functions[0], dict(self.module.attributes)):
            if self._accept(candidate) or self.is_over:
                return


def _remove_run(ops: list[Operation], start: int, end: int) -> bool:
    removed = [remove(op) for op in reversed(ops[start:end])]
    return any(removed)


def _erase_function(module: ModuleOp, position: int) -> bool:
    functions = functions_in(module)
    if len(functions) < 2 or position >= len(functions):
        return False
    name = functions[position].sym_name.data
    calls = [op for op in operations(module) if op.name == "func.call" and _callee(op) == name]
    if not all(remove(call) for call in calls):
        return False
    edit.erase(functions[position])
    return True


def _callee(op: Operation) -> str:
    return str(op.properties["callee"]).removeprefix("@").strip('"')


def _ends(function: FuncOp) -> list[Operation]:
    """Return the operations that a function could end with."""
    ops = function.body.block.ops
    return [op for op in ops if op.results and not op.has_trait(IsTerminator) and op.operands]


def _cut(module: ModuleOp, position: int, end: int) -> bool:
    function = functions_in(module)[position]
    ends = _ends(function)
    if end >= len(ends) or not function.function_type.outputs.data:
        return False
    if any(op.name == "func.call" and _callee(op) == function.sym_name.data for op in operations(module)):
        return False
    return_early(function, ends[end])
    return True


def _loops(module: ModuleOp) -> list[loop.ForOp]:
    return [op for op in operations(module) if isinstance(op, loop.ForOp)]


def _shorten(module: ModuleOp, position: int, trips: int) -> bool:
    op = _loops(module)[position]
    bounds = op.constant_bounds
    if bounds is None or bounds[1] - bounds[0] <= trips:
        return False
    op.set_index_lists(lower=op.lowers, upper=[Index.of(bounds[0] + trips)])
    return True


def _unwrap(module: ModuleOp, position: int) -> bool:
    """Replace the loop at `position` by one iteration of its body. Return whether there is such a loop."""
    loops = _loops(module)
    if position >= len(loops) or loops[position].constant_bounds is None:
        return False
    inline_body(loops[position], loops[position].lowers[0])
    return True
