"""The instrument that validates passes while they run.

Functions that are too large to execute have small versions, which go through the same passes as the module. So a pass
is tested also on functions whose execution would take minutes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, get_args

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....analysis.equivalence import DEFAULT
from ....diagnostics import TilewrightError
from ....diagnostics.remarks import remark
from ....dialects import context
from ....ir.rewrites import active_counter, count_rewrites
from ..base import Level, is_exact, level_of
from ..instruments import Instrument
from ..manager import verify_module
from ..options import spec_of
from .execution import functions_of, largest_tensor
from .findings import Finding
from .shrink import shrunken
from .symbolic import SAMPLED, Proofs, Step
from .track import Track

if TYPE_CHECKING:
    from ....analysis.equivalence import Budget
    from ..context import PassContext

LARGE = 2048
"""Tensors of more elements than this make a function worth a small version."""

DEFAULT_TRIALS = 2

Mode: TypeAlias = Literal["sampled", "symbolic", "both"]
"""Functions are run before and after passes, proved equivalent, or both. A function that no proof decides is run in any
case."""

MODES: tuple[Mode, ...] = get_args(Mode)


class Validation(Instrument):
    """Runs every function that a pass changed, before and after it, on `trials` sets of random inputs.

    Results have to be equal bit by bit, or within the tolerance of their dtype if the pass declares an algebra. Raises
    TilewrightError TW0550 after the first pass that changes results; the inputs are saved in `directory`, unless
    `saves` is off. A function that cannot be run in reasonable time, or has no observable outputs, gets a remark TW0551
    when the context ends, and counts in `summary`.

    With `mode` "symbolic" functions are proved equal for all sizes, and only functions without a decided proof run;
    with "both" all run. Raises TilewrightError TW0241 after the first pass that a proof refutes. `budget` bounds each
    proof.
    """

    needs_verified: ClassVar[bool] = True

    def __init__(
        self,
        trials: int = DEFAULT_TRIALS,
        directory: Path | None = None,
        mode: Mode = "sampled",
        budget: Budget | None = None,
        *,
        saves: bool = True,
    ) -> None:
        self.trials = trials
        self.directory = directory
        self.saves = saves
        self.mode: Mode = mode
        self.proofs: Proofs | None = None
        """The proofs; None in the mode that proves nothing."""
        self.checked_passes = 0
        self.failed_small: ModuleOp | None = None
        """The module before the wrong pass, where a small version of it shows the failure."""
        self._budget = budget
        self._tracks: list[tuple[Track, _Small]] = []
        self._depth: list[tuple[Track, _Small, ModuleOp | None] | None] = []
        """Of each pass that runs, the functions, and the module before it where that is proved against; None where the
        module is upstream MLIR."""
        self._reported: set[str] = set()
        if mode != "sampled":
            self.proofs = Proofs(budget or DEFAULT, directory, saves=saves)

    def fresh(self) -> Validation:
        """Return another validation that looks in the same way, has seen nothing, and saves nothing: for runs by the
        dozen."""
        return Validation(self.trials, self.directory, self.mode, self._budget, saves=False)

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if level_of(module) is Level.UPSTREAM:  # which has no semantics here: what it becomes is what is validated
            self._depth.append(None)
            return
        track, small = self._known(module)
        small.add(module)
        if self.mode != "symbolic":
            track.observe()
        self._depth.append((track, small, module.clone() if self.proofs is not None else None))

    def _known(self, module: ModuleOp) -> tuple[Track, _Small]:
        known = next((pair for pair in self._tracks if pair[0].module is module), None)
        if known is None:
            known = (Track(module, self.trials), _Small(self.trials))
            self._tracks.append(known)
        return known

    def tracks_of(self, module: ModuleOp) -> list[Track]:
        """Return the functions of `module` as they are now, and of the small versions that went through the passes with
        it."""
        track, small = self._known(module)
        small.add(module)
        tracks = [track, *(other for other in small.tracks.values() if other is not None)]
        for each in tracks:
            if self.mode == "symbolic":  # passes that were proved went by without a run
                each.forget()
            each.observe()
        return tracks

    def after_verification(self, pass_: ModulePass, module: ModuleOp) -> None:
        entry = self._depth.pop()
        if entry is None:
            return
        track, small, before = entry
        self.checked_passes += 1
        undecided: list[Step] = []
        if self.proofs is not None and before is not None:
            undecided = self.proofs.check(pass_, before, module)
        names: set[str] | None = None
        if self.mode == "symbolic":
            names = {step.function for step in undecided}
            self._rewind(track, before, names)
        finding = track.check(spec_of(pass_), exact=is_exact(pass_), names=names) or small.check(pass_, names=names)
        if finding is not None:
            self.failed_small = small.failed
            raise finding.error(spec_of(pass_), self.directory, saves=self.saves)
        for step in undecided:
            step.sampled = self._sampled(step.function, track, small)

    @staticmethod
    def _rewind(track: Track, before: ModuleOp | None, names: set[str]) -> None:
        """Run the functions of these names as they were before the pass."""
        assert before is not None
        module, track.module = track.module, before
        track.forget()
        track.observe(names)
        track.module = module

    @staticmethod
    def _sampled(name: str, track: Track, small: _Small) -> str:
        """Describe the runs of a function on random inputs."""
        left_out = _left_out(track, small).get(name)
        if left_out is not None:
            return f"not run either: {left_out}"
        limit = track.limits.get(name)
        return SAMPLED if limit is None or name in small.names else f"{SAMPLED}, in part: {limit}"

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        if self._depth and (self._depth[-1] is None or self._depth[-1][0].module is module):
            self._depth.pop()

    def exit_context(self, context: PassContext) -> None:
        self._remark_left_out()

    @property
    def is_empty(self) -> bool:
        """True if no pass ran, or no function was compared with its earlier form."""
        if self.checked_passes == 0:
            return True
        is_run = any(track.validated or small.names for track, small in self._tracks)
        return not is_run and (self.proofs is None or not self.proofs.is_something_known)

    def summary(self) -> str:
        """Summarize proofs and runs, and emit a remark for each function that was not run."""
        self._remark_left_out()
        lines: list[str] = [] if self.proofs is None else [self.proofs.table()]
        if self.mode == "symbolic":
            return "\n".join(lines)
        for track, small in self._tracks:
            left_out = _left_out(track, small)
            lines.append(
                f"validated {len(track.validated)} functions, {len(small.names)} small versions, "
                f"{track.runs + small.runs} runs; not validated: {len(left_out)}"
            )
            lines += [f"  @{name}: {reason}" for name, reason in left_out.items()]
            limits = track.limits | {f"{name}, small": limit for name, limit in small.limits.items()}
            if limits:
                lines.append(f"validated in part: {len(limits)}")
                lines += [f"  @{name}: {limit}" for name, limit in limits.items()]
        return "\n".join(lines) or "validated 0 functions: no pass ran"

    def _remark_left_out(self) -> None:
        if self.mode == "symbolic":  # each proof that fell back to runs has emitted a remark
            return
        for track, small in self._tracks:
            for name, reason in _left_out(track, small).items():
                if name not in self._reported:
                    self._reported.add(name)
                    remark("TW0551", f"@{name} is not validated: {reason}", kind="analysis")


def _left_out(track: Track, small: _Small) -> dict[str, str]:
    """Return the functions that are run neither as they are nor in a small version, with the reason."""
    return {name: why for name, why in track.unvalidated.items() if name not in small.names}


class _Small:
    """Small versions of large functions, each in a separate module that goes through the passes."""

    def __init__(self, trials: int) -> None:
        self.trials = trials
        self.tracks: dict[str, Track | None] = {}
        self.failed: ModuleOp | None = None

    @property
    def names(self) -> list[str]:
        return [name for name, track in self.tracks.items() if track is not None and track.validated]

    @property
    def limits(self) -> dict[str, str]:
        """The limits of runs of small versions, by function."""
        return {
            name: limit for track in self.tracks.values() if track is not None for name, limit in track.limits.items()
        }

    @property
    def runs(self) -> int:
        return sum(track.runs for track in self.tracks.values() if track is not None)

    def add(self, module: ModuleOp) -> None:
        """Make small versions of the functions that came since the last time."""
        if level_of(module) < Level.TE:
            return
        for function in functions_of(module):
            name = function.sym_name.data
            if name not in self.tracks:
                is_large = largest_tensor(function) > LARGE
                self.tracks[name] = self._track(module, name) if is_large else None

    def check(self, pass_: ModulePass, *, names: set[str] | None) -> Finding | None:
        """Apply the pass to every small version, and run those of functions of `names`, of all where it is None; the
        first that computes something else.

        Where rewrites are limited they are so in the module: a small version has others.
        """
        counter = active_counter()
        if counter is not None and counter.limit is not None:
            return None
        for name, track in self.tracks.items():
            if track is None:
                continue
            is_run = names is None or name in names
            if names is not None:  # passes that were proved went by without a run
                track.forget()
            if is_run:
                track.observe()
            self.failed = track.module.clone()
            try:
                with count_rewrites():
                    pass_.apply(context(), track.module)
                verify_module(track.module)
            except TilewrightError:  # it refuses the small version, which proves nothing
                self.tracks[name] = None
                continue
            finding = track.check(spec_of(pass_), exact=is_exact(pass_)) if is_run else None
            if finding is not None:
                return finding
        self.failed = None
        return None

    def _track(self, module: ModuleOp, name: str) -> Track | None:
        (function,) = (f for f in functions_of(module) if f.sym_name.data == name)
        for candidate in shrunken(function, dict(module.attributes)):
            track = Track(candidate, self.trials)
            track.observe()
            if not track.unvalidated:
                return track
        return None
