"""tilewright: programs as users write them, with default schedules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Case, Setup

from .onnx_text import onnx_model


def tensors(define: Callable[..., Any]) -> Setup:
    """Return a tensor expression: `define` maps placeholders like the inputs to the result."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        import tilewright
        from tilewright import te

        placeholders = [te.placeholder(x.shape, dtype=x.dtype.name, name=f"x{k}") for k, x in enumerate(inputs)]
        arguments = [*placeholders, define(*placeholders)]
        program = tilewright.build(arguments, arguments, threads=threads)
        return Case(partial(program, *inputs, out))

    return set_up


def loops(text: str) -> Setup:
    """Return a set-up that runs loops, as MLIR text, over buffers that are the inputs and then the output."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        import tilewright
        from tilewright import dialects
        from tilewright.diagnostics.parsing import parse

        module = parse(dialects.context(), text, "row.mlir")
        program = tilewright.compile(module, threads=threads)
        return Case(partial(program, *inputs, out))

    return set_up


def graph(body: str, constants: tuple[int, ...] = (), *, open_rows: bool = False) -> Setup:
    """Return an ONNX graph, see `onnx_text`, some of whose inputs are constants."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        import tilewright
        from tilewright.frontends.onnx import import_model

        model = onnx_model(body, inputs, out, constants, open_rows=open_rows)
        program = tilewright.compile(import_model(model), threads=threads)
        given = [x for k, x in enumerate(inputs) if k not in constants]
        return Case(partial(program, *given, out))

    return set_up


def model(load: Callable[[], Any]) -> Setup:
    """Return a whole ONNX model of one input and one output."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        import tilewright
        from tilewright.frontends.onnx import import_model

        program = tilewright.compile(import_model(load()), threads=threads)
        return Case(partial(program, *inputs, out))

    return set_up
