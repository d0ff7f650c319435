"""`contrib.debugger.debug_executor`, earlier `debug_runtime`: executors that time each node and keep its results.

The graph of a model that was compiled here has one node; `Module.profile` reports the times of the kernels in it.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.expectations import coded_methods, coded_names, expect_type
from ...diagnostics.files import write_file
from ...diagnostics.text import did_you_mean
from ...runtime.devices import Device
from ...runtime.graph_executor import Execution, GraphExecutor, Step
from ...runtime.params import host_array, pack_params
from ...runtime.timing import Evaluator, Timing
from .graph_executor import GraphModule
from .graph_executor import create as create_executor

__all__ = ["GraphModuleDebug", "create"]

GRAPH, TRACE, OUTPUTS = "_tvmdbg_graph_dump.json", "_tvmdbg_execution_trace.json", "output_tensors.params"
"""The files of a dump: the graph, the times of the last run for a viewer of traces, and the results of the nodes."""


class _Run(NamedTuple):
    """The start and the duration of one node in a run."""

    name: str
    start: float
    seconds: float


@coded_methods
class GraphModuleDebug(GraphModule):
    """An executor whose `run` times each node and writes a dump: a folder for the device below `dump_root`, or below a
    temporary folder."""

    def __init__(
        self,
        module: GraphExecutor,
        device: Device | Sequence[Device] | None = None,
        graph_json_str: str | None = None,
        dump_root: str | Path | None = None,
    ) -> None:
        """Take a module with its `device` and `graph_json_str`. Raises TW0725 for another device."""
        super().__init__(module)
        expect_type("dump_root", dump_root, str, Path, type(None))
        expect_type("graph_json_str", graph_json_str, str, type(None))
        given = [*device] if isinstance(device, Sequence) else [] if device is None else [device]
        if any(each != self.execution.device for each in given):
            fail("TW0725", f"expected argument 'device' to be {self.execution.device}, but got {given[0]}")
        self._made = None if dump_root is not None else tempfile.TemporaryDirectory(prefix="tilewright")
        device = self.execution.device
        root = Path(self._made.name if self._made is not None else str(dump_root))
        self._folder = root / f"_tvmdbg_device_{device.kind.upper()}_{device.index}"
        self._last: list[_Run] = []

    @property
    def dump_path(self) -> Path:
        """The folder of the dump."""
        return self._folder

    def run(self, /, **input_dict: Any) -> None:
        """Set the inputs that are given, run the graph node by node, and write the dump."""
        execution, outputs = self.execution, dict[str, Any]()
        with execution.lock:
            execution.set([*input_dict.items()])
            execution.expect_given()
            self._last = []
            for number, step in enumerate(execution.steps):
                start = time.perf_counter()
                step.run(execution)
                step.synchronize()
                self._last.append(_Run(step.node.name, start, time.perf_counter() - start))
                for k, entry in enumerate(step.node.outputs):
                    name = f"{step.node.name}____topo-index:{number}____output-num:{k}"
                    outputs[name] = np.array(host_array(execution.array(entry)))
        self._dump(outputs)

    def run_individual(
        self, number: int, repeat: int = 1, min_repeat_ms: int = 0, **options: Any
    ) -> list[tuple[float, ...]]:
        """Measure the seconds of each node, for each repetition; the numbers are those of `timing.Evaluator`."""
        with self.execution.lock:
            self.execution.run()
            return [
                tuple(Evaluator(_Node(self.execution, step), number, repeat, min_repeat_ms, **options)().results)
                for step in self.execution.steps
            ]

    def run_individual_node(
        self, index: int, number: int = 10, repeat: int = 1, min_repeat_ms: int = 0, **options: Any
    ) -> Timing:
        """Measure the times of the node of that number among those that call functions. Raises TW0702 where there is
        none."""
        expect_type("index", index, int)
        steps = self.execution.steps
        if not 0 <= index < len(steps):
            fail("TW0702", f"expected the number of one of {len(steps)} nodes, but got {index}")
        with self.execution.lock:
            self.execution.run()
            return Evaluator(_Node(self.execution, steps[index]), number, repeat, min_repeat_ms, **options)()

    def debug_get_output(self, node: str | int, out: Any = None) -> Any:
        """Return a copy of the first result of a node, by name or number, after the last run; in `out` where it is
        given.

        Raises TW0702 where there is no such node.
        """
        expect_type("node", node, str, int)
        nodes = self.execution.graph.nodes
        names = [each.name for each in nodes]
        if (node not in names) if isinstance(node, str) else not 0 <= node < len(nodes):
            near = did_you_mean(node, names) if isinstance(node, str) else ""
            fail("TW0702", f"expected one of the {len(names)} nodes of the graph, but got {node!r}{near}")
        entry = nodes[names.index(node) if isinstance(node, str) else node].outputs[0]
        return self.copy_of(entry, f"node {node!r}", out)

    def profile(self, *arguments: Any, **inputs: Any) -> NoReturn:
        """Refuse with TW0251: a program has the times of its kernels."""
        raise UnknownNameError(
            "TW0251",
            "'GraphModuleDebug.profile' is not part of this package: programs are profiled whole",
            help="call lib.profile(inputs) for the time of each kernel, or run_individual for that of each node",
        )

    def exit(self) -> None:
        """Remove the dump where it is in a temporary folder."""
        if self._made is not None:
            self._made.cleanup()

    def _dump(self, outputs: dict[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        first = self._last[0].start if self._last else 0.0
        events = [
            {"name": run.name, "ph": phase, "ts": round(1e6 * (at - first), 3), "pid": 1, "tid": 1}
            for run in self._last
            for phase, at in (("B", run.start), ("E", run.start + run.seconds))
        ]
        trace = json.dumps({"displayTimeUnit": "ns", "traceEvents": events}, indent=1)
        write_file(self._folder / GRAPH, self.execution.graph.to_json().encode())
        write_file(self._folder / TRACE, trace.encode())
        write_file(self._folder / OUTPUTS, bytes(pack_params(outputs)))


class _Node:
    """One node as a function, for a time evaluator."""

    def __init__(self, execution: Execution, step: Step) -> None:
        self._execution, self._step = execution, step

    def __call__(self, *arguments: Any, **keywords: Any) -> None:
        self._step.run(self._execution)

    def synchronize(self) -> None:
        """Wait until the node is done."""
        self._step.synchronize()


def create(
    graph_json_str: str,
    libmod: Any,
    device: Device | list[Device] | None = None,
    dump_root: str | Path | None = None,
    *,
    ctx: Device | None = None,
) -> GraphModuleDebug:
    """Return the executor of a graph that times its nodes; see `contrib.graph_executor.create` and
    `GraphModuleDebug`."""
    return GraphModuleDebug(create_executor(graph_json_str, libmod, device, ctx=ctx), dump_root=dump_root)


coded_names(globals(), __all__)
