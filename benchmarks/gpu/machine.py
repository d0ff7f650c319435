"""Machines that run rows: a card, through torch, or the simulator, on arrays of numpy; both by one interface."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .row import Row, Spec

QUERY = ("name", "driver_version", "clocks.sm", "clocks.mem", "clocks.max.sm", "temperature.gpu", "power.draw")


def nvidia_smi(fields: tuple[str, ...] = QUERY) -> dict[str, str]:
    """Return the output of the driver's tool for the first card; empty where there is none."""
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    values = done.stdout.strip().splitlines()[:1]
    return dict(zip(fields, (v.strip() for v in values[0].split(",")), strict=False)) if values else {}


def missing() -> str | None:
    """Return the reason why rows cannot run on a card here; None where they can."""
    try:
        import torch
    except ImportError:
        return "torch is not installed"
    if not torch.cuda.is_available():
        return "torch finds no GPU with CUDA"
    try:
        from numba import cuda
    except ImportError as error:
        return f"numba.cuda is not installed: {error}"
    return None if cuda.is_available() else "numba finds no GPU, or no driver"


class Card:
    """The current GPU: tensors of torch, times between events in torch's stream.

    With `device_type` "cpu" the simulator runs kernels on torch's tensors of the host: only the times differ.
    """

    def __init__(self, device_type: str = "cuda") -> None:
        import torch

        self.torch: Any = torch
        self.device_type = device_type
        self.device = None if device_type == "cuda" else "simulator"
        torch.set_grad_enabled(False)
        if device_type != "cuda":
            self.target = "cuda"
            return
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
        major, minor = torch.cuda.get_device_capability()
        shared = getattr(torch.cuda.get_device_properties(0), "shared_memory_per_block_optin", 48 << 10)
        from tilewright.hardware import SHARED_BYTES_OF_ARCH

        arch = f"sm_{major}{minor}"
        exact = f"{arch}a" if f"{arch}a" in SHARED_BYTES_OF_ARCH else arch
        self.target = f"cuda -arch={exact} -shared={shared}"

    def describe(self) -> dict[str, Any]:
        """Return the card and its driver."""
        torch = self.torch
        if self.device_type != "cuda":
            return {"card": "none: the simulator", "torch": torch.__version__}
        properties = torch.cuda.get_device_properties(0)
        return {
            "card": properties.name,
            "capability": f"{properties.major}.{properties.minor}",
            "multiprocessors": properties.multi_processor_count,
            "memory": f"{properties.total_memory / 2**30:.0f} GiB",
            "cuda of torch": torch.version.cuda,
            **nvidia_smi(),
        }

    def inputs(self, row: Row) -> list[Any]:
        """Draw normal numbers, the same in every run."""
        generator = self.torch.Generator(device=self.device_type).manual_seed(0)
        return [
            self.torch.randn(shape, device=self.device_type, generator=generator).to(getattr(self.torch, dtype))
            for shape, dtype in row.inputs
        ]

    def empty(self, spec: Spec) -> Any:
        """Return an array full of NaN: what is not written shows."""
        shape, dtype = spec
        return self.torch.full(shape, float("nan"), device=self.device_type, dtype=getattr(self.torch, dtype))

    def passed(self, array: Any) -> Any:
        """Return an array as the program takes it: the tensor itself, or for the simulator numpy's view of it."""
        if self.device_type == "cuda":
            return array
        if array.dtype == self.torch.bfloat16:
            return array.view(self.torch.int16).numpy().view(_dtype("bfloat16"))
        return array.numpy()

    def peers(self, row: Row, inputs: list[Any]) -> dict[str, Callable[[], object]]:
        """Return the other systems that solve a row, by name."""
        torch = self.torch
        out = self.empty(row.output)
        found: dict[str, Callable[[], object]] = {}
        if row.torch_into is not None:
            into = row.torch_into
            found["torch"] = lambda: into(torch, out, *inputs)
        else:
            found["torch"] = lambda: row.torch(torch, *inputs)
        if row.is_network and self.device_type == "cuda":
            found["torch graph"] = self._graph(found["torch"])
        if row.compiled and self.device_type == "cuda":
            try:
                compiled = torch.compile(lambda *given: row.torch(torch, *given), dynamic=False)
                compiled(*inputs)
                found["torch.compile"] = lambda: compiled(*inputs)
            except Exception as error:  # whatever inductor raises: the peer is not there
                print(f"torch.compile: {type(error).__name__}: {str(error).splitlines()[:1]}", flush=True)
        if row.is_copying:
            count = max(int(row.bytes) // 2, 1)
            source = torch.zeros(count, dtype=torch.uint8, device=self.device_type)
            target = torch.empty_like(source)
            found["copy"] = lambda: target.copy_(source)
        return found

    def _graph(self, run: Callable[[], object]) -> Callable[[], object]:
        """Record the launches of torch once; return the launch of the whole graph."""
        torch = self.torch
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                run()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run()
        return graph.replay

    def error(self, row: Row, inputs: list[Any], out: Any) -> float:
        """Return the largest error over the largest magnitude that torch finds in float64."""
        expected = row.torch(self.torch, *(x.double() for x in inputs))
        difference = (out.double().reshape(expected.shape) - expected).abs().max()
        return float(difference / expected.abs().max())

    def seconds(self, run: Callable[[], object], count: int) -> float:
        """Measure the seconds of one of `count` runs, on the device."""
        if self.device_type != "cuda":
            return host_seconds(run, count)
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(count):
            run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3 / count

    def synchronize(self) -> None:
        if self.device_type == "cuda":
            self.torch.cuda.synchronize()


class Simulated:
    """The simulator on arrays of numpy, where there is no torch: numpy is the peer, and times say nothing."""

    device = "simulator"
    target = "cuda"

    def describe(self) -> dict[str, Any]:
        return {"card": "none: the simulator"}

    def inputs(self, row: Row) -> list[Any]:
        rng = np.random.default_rng(0)
        return [rng.standard_normal(shape).astype(_dtype(name)) for shape, name in row.inputs]

    def empty(self, spec: Spec) -> Any:
        shape, name = spec
        return np.full(shape, np.nan, np.float32).astype(_dtype(name))

    def passed(self, array: Any) -> Any:
        return array

    def peers(self, row: Row, inputs: list[Any]) -> dict[str, Callable[[], object]]:
        return {"numpy": lambda: row.numpy(*(x.astype(np.float64) for x in inputs))}

    def error(self, row: Row, inputs: list[Any], out: Any) -> float:
        expected = np.asarray(row.numpy(*(x.astype(np.float64) for x in inputs)))
        return float(np.abs(out.astype(np.float64).reshape(expected.shape) - expected).max() / np.abs(expected).max())

    def seconds(self, run: Callable[[], object], count: int) -> float:
        return host_seconds(run, count)

    def synchronize(self) -> None:
        pass


Machine = Card | Simulated


def host_seconds(run: Callable[[], object], count: int) -> float:
    """Measure the seconds of one of `count` runs, by the wall clock."""
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start) / count


def _dtype(name: str) -> np.dtype[Any]:
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)
