"""Measurement of compiled candidates: in a process of this machine, or on a cluster.

`building` makes programs and workloads of functions, `compiling` does it in processes beside the measurements,
`protocol` has the inputs and outputs of runners, `local` and `cluster` are runners, and `candidates` combines them for
a search. `worker` is the process that runs candidates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports

if TYPE_CHECKING:
    from .building import program_of as program_of
    from .building import workload_of as workload_of
    from .candidates import measure_for as measure_for
    from .cluster import ClusterRunner as ClusterRunner
    from .compiling import CompilePool as CompilePool
    from .local import LocalRunner as LocalRunner
    from .protocol import Argument as Argument
    from .protocol import CompiledProgram as CompiledProgram
    from .protocol import Failure as Failure
    from .protocol import Measured as Measured
    from .protocol import Options as Options
    from .protocol import Runner as Runner
    from .protocol import Workload as Workload

_EXPORTS: dict[str, str] = {
    "Argument": "protocol:Argument",
    "ClusterRunner": "cluster:ClusterRunner",
    "CompilePool": "compiling:CompilePool",
    "CompiledProgram": "protocol:CompiledProgram",
    "Failure": "protocol:Failure",
    "LocalRunner": "local:LocalRunner",
    "Measured": "protocol:Measured",
    "Options": "protocol:Options",
    "Runner": "protocol:Runner",
    "Workload": "protocol:Workload",
    "measure_for": "candidates:measure_for",
    "program_of": "building:program_of",
    "workload_of": "building:workload_of",
}

__all__ = [
    "Argument",
    "ClusterRunner",
    "CompilePool",
    "CompiledProgram",
    "Failure",
    "LocalRunner",
    "Measured",
    "Options",
    "Runner",
    "Workload",
    "measure_for",
    "program_of",
    "workload_of",
]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
