"""onnxruntime, with inputs and output bound to the arrays that are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Case, Setup

from .onnx_text import NAMES, onnx_model


def graph(body: str, constants: tuple[int, ...] = (), *, open_rows: bool = False) -> Setup:
    """Return an ONNX graph, see `onnx_text`. Constants are weights that it may pack while it loads."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        session = open_session(onnx_model(body, inputs, out, constants, open_rows=open_rows), threads)
        given = {NAMES[k]: x for k, x in enumerate(inputs) if k not in constants}
        return bound(session, given, out)

    return set_up


def model(load: Callable[[], Any]) -> Setup:
    """Return a whole ONNX model of one input and one output."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        session = open_session(load(), threads)
        names: Sequence[str] = [argument.name for argument in session.get_inputs()]
        return bound(session, dict(zip(names, inputs, strict=True)), out)

    return set_up


def open_session(model: Any, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run_exactly(model: Any, inputs: Arrays) -> np.ndarray:
    """Return the one output of a model, its operators as they are written, no sum of bytes saturated."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [argument.name for argument in session.get_inputs()]
    return np.asarray(session.run(None, dict(zip(names, inputs, strict=True)))[0])


def bound(session: Any, inputs: dict[str, np.ndarray], out: np.ndarray) -> Case:
    binding = session.io_binding()
    for name, x in inputs.items():
        binding.bind_input(name, "cpu", 0, x.dtype.type, x.shape, x.ctypes.data)
    binding.bind_output(session.get_outputs()[0].name, "cpu", 0, out.dtype.type, out.shape, out.ctypes.data)
    return Case(partial(session.run_with_iobinding, binding))
