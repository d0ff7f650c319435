"""torch on tensors that share memory with the arrays."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness.row import Absent, Arrays, Case, Setup


def eager(run: Callable[..., object]) -> Setup:
    """Return a set-up that calls `run(torch, out, *inputs)`, which writes the result into `out`."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        torch = ready(threads)
        return Case(partial(run, torch, tensor(out), *map(tensor, inputs)))

    return set_up


def compiled(run: Callable[..., object]) -> Setup:
    """Return a set-up that calls `run(torch, out, *inputs)` as torch.compile makes it; it needs a C++ compiler."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        torch = ready(threads)
        if shutil.which(os.environ.get("CXX", "g++")) is None:
            raise Absent("a C++ compiler")

        def function(out: Any, *inputs: Any) -> None:
            run(torch, out, *inputs)

        program = torch.compile(function, dynamic=False)
        return Case(partial(program, tensor(out), *map(tensor, inputs)))

    return set_up


def prepared(prepare: Callable[..., Callable[[], Any]]) -> Setup:
    """Return a set-up that calls `prepare(torch, *inputs)`, which does what comes before the first run and returns what
    makes the result anew."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        torch = ready(threads)
        run, target = prepare(torch, *map(tensor, inputs)), tensor(out)
        target.copy_(run().reshape(target.shape))  # for the check: copying is not timed
        return Case(run)

    return set_up


def model(load: Callable[[], Any]) -> Setup:
    """Return a whole ONNX model, as torch runs a network that is frozen for inference."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        torch = ready(threads)
        from .torch_network import network

        (x,) = map(tensor, inputs)
        traced = torch.jit.freeze(torch.jit.trace(network(load()), (x,), check_trace=False))
        program = torch.jit.optimize_for_inference(traced)
        for _ in range(3):  # the first runs record shapes and choose kernels
            result = program(x)
        tensor(out).copy_(result)
        return Case(partial(program, x))

    return set_up


def ready(threads: int) -> Any:
    """Return the module, with so many threads and without gradients."""
    import torch

    torch.set_num_threads(threads)
    torch.set_num_interop_threads(1)
    torch.set_grad_enabled(False)
    return torch


def tensor(array: np.ndarray) -> Any:
    """Return a tensor of the same memory."""
    import torch

    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)
