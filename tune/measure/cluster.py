"""Measurement on a cluster: dask.distributed sends compiled programs to workers, each of which runs a `LocalRunner`.

A worker takes one measurement at a time: tasks request the resource `RESOURCE`, of which a worker has one. A program
that crashes or hangs does so in a separate process, which the worker ends (`local`), so the worker survives it. Where a
worker is lost with its machine, dask gives its tasks to other workers.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count
from threading import Lock
from typing import Any
from uuid import uuid4

from ...diagnostics import fail
from .local import LocalRunner
from .protocol import CompiledProgram, Failure, Measured, Options, Workload

RESOURCE = "tilewright"
"""The resource that a measurement takes one of: `dask worker ADDRESS --resources "tilewright=1"`."""
NO_WORKER = "TW0812"
PATIENCE_SECONDS = 60.0
"""The wait for a worker where all are lost."""
_POLL_SECONDS = 1.0


class ClusterRunner:
    """Measures on the workers of a cluster.

    `cluster` is the address of a scheduler, a client, or a cluster object of dask. Needs the extra `distributed`.
    Raises TilewrightError TW0812 without it, and where no worker has the resource within `patience` seconds.
    """

    def __init__(self, cluster: Any, patience: float = PATIENCE_SECONDS) -> None:
        try:
            from distributed import Client  # pyright: ignore[reportMissingImports]
        except ImportError:
            fail(NO_WORKER, "expected dask.distributed, but it is missing", help="pip install tilewright[distributed]")
        self._closes = not isinstance(cluster, Client)
        self._client: Any = Client(cluster) if self._closes else cluster  # pyright: ignore
        self._patience = patience
        self._numbers = count()
        self._session = uuid4().hex
        """Part of the keys of tasks: a program that comes again is measured again."""

    def __enter__(self) -> ClusterRunner:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def measure(
        self,
        workload: Workload,
        programs: Iterable[CompiledProgram],
        options: Options,
        incumbent: CompiledProgram | None = None,
    ) -> Iterator[Measured]:
        """Measure as `Runner.measure` does. Twice as many programs as there are workers are on their way at a time."""
        waiting = iter(programs)
        running: deque[tuple[CompiledProgram, Any]] = deque()
        at_once = 2 * self._slots()
        try:
            while True:
                while len(running) < at_once and (program := next(waiting, None)) is not None:
                    running.append((program, self._submit(workload, program, options, incumbent)))
                if not running:
                    return
                program, task = running.popleft()
                yield self._result(program, task)
        finally:
            for _, task in running:
                task.cancel()

    def close(self) -> None:
        """Close the client that this runner has made. Workers end their processes when they end."""
        if self._closes:
            self._client.close()

    def _submit(
        self, workload: Workload, program: CompiledProgram, options: Options, incumbent: CompiledProgram | None
    ) -> Any:
        key = f"tilewright-measure-{program.name[:12]}-{self._session}-{next(self._numbers)}"
        given = workload, program, options, incumbent
        return self._client.submit(measure_in_worker, *given, key=key, pure=False, resources={RESOURCE: 1})

    def _result(self, program: CompiledProgram, task: Any) -> Measured:
        from distributed import KilledWorker  # pyright: ignore[reportMissingImports]

        while True:
            try:
                found: Measured = task.result(timeout=_POLL_SECONDS)
                return found
            except TimeoutError:
                self._slots()
            except KilledWorker as error:
                lost = f"each of the workers that ran it was lost, the last one {error.last_worker.address}"
                return Measured(program.name, failure=Failure.CRASH, detail=lost)

    def _slots(self) -> int:
        """Return the number of measurements that the cluster takes at a time. TW0812 where it takes none for a
        while."""
        ends = time.monotonic() + self._patience
        while True:
            workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
            found = sum(int(worker["resources"].get(RESOURCE, 0)) for worker in workers)
            if found:
                return found
            if time.monotonic() > ends:
                fail(
                    NO_WORKER,
                    f"expected a worker with the resource '{RESOURCE}', but none of {len(workers)} workers has it",
                )
            time.sleep(min(_POLL_SECONDS, self._patience))


_lock = Lock()
_runner: LocalRunner | None = None
"""That of this process, where it is a worker."""


def measure_in_worker(
    workload: Workload, program: CompiledProgram, options: Options, incumbent: CompiledProgram | None
) -> Measured:
    """Measure one program in this worker."""
    global _runner
    with _lock:  # a worker may have been given more of the resource
        if _runner is None:
            _runner = LocalRunner()
        (found,) = _runner.measure(workload, [program], options, incumbent)
        return found
