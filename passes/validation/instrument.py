"""The instrument that validates passes while they run.

Beside the module it takes small versions of functions that are too large through the same passes, so that a pass
is also tried where running the real function would take minutes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...diagnostics import TilewrightError
from ...diagnostics.remarks import remark
from ...dialects import context
from ..base import Level, level_of
from ..instruments import Instrument
from ..manager import verify_module
from ..options import spec_of
from ..rewrite_limit import active_counter, count_rewrites
from .comparison import Finding
from .execution import functions_of
from .shrink import shrunken
from .track import Track
from .work import largest_tensor

if TYPE_CHECKING:
    from ..context import PassContext

LARGE = 2048
"""Tensors of more elements than this make a function worth a small version."""

DEFAULT_TRIALS = 2


class Validation(Instrument):
    """Runs every function that a pass changed, before and after it, on `trials` sets of random inputs.

    Results have to be equal, bit by bit, and within the tolerance of their dtype where the pass says that it
    reassociates. Raises TilewrightError TW0550 after the first pass that does not keep them; the inputs are saved in
    `directory`. A function that cannot be run in a reasonable time, or shows its caller nothing, gets a remark TW0551
    when the context ends, and counts in `summary`.
    """

    needs_verified: ClassVar[bool] = True

    def __init__(self, trials: int = DEFAULT_TRIALS, directory: Path | None = None) -> None:
        self.trials = trials
        self.directory = directory
        self.checked_passes = 0
        self.failed_small: ModuleOp | None = None
        """Where a small version showed a pass to be wrong: that version before the pass."""
        self._tracks: list[tuple[Track, _Small]] = []
        self._depth: list[tuple[Track, _Small]] = []
        self._told: set[str] = set()

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._depth.append(self._observe(module))

    def _observe(self, module: ModuleOp) -> tuple[Track, _Small]:
        known = next((pair for pair in self._tracks if pair[0].module is module), None)
        if known is None:
            known = (Track(module, self.trials), _Small(self.trials))
            self._tracks.append(known)
        known[0].observe()
        known[1].add(module)
        return known

    def tracks_of(self, module: ModuleOp) -> list[Track]:
        """The functions of `module` as they are now, and of the small versions that went through the passes with it."""
        track, small = self._observe(module)
        return [track, *(other for other in small.tracks.values() if other is not None)]

    def after_verification(self, pass_: ModulePass, module: ModuleOp) -> None:
        track, small = self._depth.pop()
        exact = not getattr(pass_, "reassociates", False)
        finding = track.check(spec_of(pass_), exact=exact) or small.check(pass_, exact=exact)
        self.checked_passes += 1
        if finding is not None:
            self.failed_small = small.failed
            raise finding.error(spec_of(pass_), self.directory)

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        if self._depth and self._depth[-1][0].module is module:
            self._depth.pop()

    def exit_context(self, context: PassContext) -> None:
        self._tell()

    @property
    def is_empty(self) -> bool:
        """Whether no pass ran, or no function is known to compute what it did before."""
        return self.checked_passes == 0 or not any(track.validated or small.names for track, small in self._tracks)

    def summary(self) -> str:
        """What was run and what was not; each function that was not gets a remark."""
        self._tell()
        lines: list[str] = []
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

    def _tell(self) -> None:
        for track, small in self._tracks:
            for name, reason in _left_out(track, small).items():
                if name not in self._told:
                    self._told.add(name)
                    remark("TW0551", f"@{name} is not validated: {reason}", kind="analysis")


def _left_out(track: Track, small: _Small) -> dict[str, str]:
    """The functions that are run neither as they are nor in a small version, with the reason."""
    return {name: why for name, why in track.unvalidated.items() if name not in small.names}


class _Small:
    """Small versions of large functions, each a module of its own that goes through the passes."""

    def __init__(self, trials: int) -> None:
        self.trials = trials
        self.tracks: dict[str, Track | None] = {}
        self.failed: ModuleOp | None = None

    @property
    def names(self) -> list[str]:
        return [name for name, track in self.tracks.items() if track is not None and track.validated]

    @property
    def limits(self) -> dict[str, str]:
        """What is not known of small versions that are run."""
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

    def check(self, pass_: ModulePass, *, exact: bool) -> Finding | None:
        """Apply the pass to every small version; the first that computes something else.

        Where rewrites are limited they are so in the module: a small version has others.
        """
        counter = active_counter()
        if counter is not None and counter.limit is not None:
            return None
        for name, track in self.tracks.items():
            if track is None:
                continue
            track.observe()
            self.failed = track.module.clone()
            try:
                with count_rewrites():
                    pass_.apply(context(), track.module)
                verify_module(track.module)
            except TilewrightError:  # it refuses the small version, which proves nothing
                self.tracks[name] = None
                continue
            finding = track.check(spec_of(pass_), exact=exact)
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
