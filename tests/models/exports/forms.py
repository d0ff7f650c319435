"""Forms of exports in which networks are deployed: quantised by onnxruntime's quantiser, or converted to float16."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from onnxruntime.transformers.float16 import convert_float_to_float16

QDQ, QOPERATOR, DYNAMIC, FLOAT16 = "qdq", "qoperator", "dynamic", "float16"
FORM = "form.json"
"""The name of the file that says what form a network has, beside its model."""

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Form:
    """A form of an export."""

    network: str
    kind: str
    export: str
    """The export of float32 numbers that it is made of."""
    activations: str = "u8"
    weights: str = "s8"
    per_channel: bool = False
    is_every: bool = False
    """True where all products that the quantiser writes have to be computed on integers."""
    suffix: str = ""

    @property
    def name(self) -> str:
        return f"{self.network}-{self.kind}{self.suffix}"


_TABLE = """
resnet50-script       qdq        u8 s8  channel
resnet50-script       qdq-s8     s8 s8  tensor
resnet50-script       qoperator  u8 s8  tensor
resnet50-script       dynamic    u8 u8  tensor
resnet50-script       float16
mobilenet-v2-dynamo   qdq        u8 s8  tensor
mobilenet-v2-dynamo   qdq-s8     s8 s8  channel
mobilenet-v2-dynamo   qoperator  u8 u8  channel
mobilenet-v2-dynamo   dynamic    u8 u8  tensor
mobilenet-v2-dynamo   float16
bert-base-dynamo      qdq        u8 s8  tensor
bert-base-dynamo      qoperator  u8 s8  channel
bert-base-dynamo      dynamic    u8 s8  tensor
bert-base-dynamo      dynamic-u8 u8 u8  channel
bert-base-dynamo      float16
efficientnet-script   qdq        s8 s8  channel
efficientnet-script   qoperator  u8 s8  tensor
efficientnet-script   dynamic    u8 u8  tensor
efficientnet-script   float16
gpt2-small-dynamo     qdq        s8 s8  tensor
gpt2-small-dynamo     qoperator  u8 u8  tensor
gpt2-small-dynamo     dynamic    u8 s8  channel
gpt2-small-dynamo     float16
mobilenet-v3-dynamo   qdq        u8 s8  channel
vit-dynamo            qdq        s8 s8  channel
distilbert-script     dynamic    u8 s8  tensor
llama-dynamo          dynamic    u8 s8  tensor
unet-bilinear-script  qdq        u8 s8  tensor
"""
"""A form a line: its export, its kind, with a suffix where a network has two of that kind, the types of activations and
of weights, and what of the weights has a scale."""

_WHOLLY_INTEGERS = ("resnet50", "mobilenet-v2", "bert-base")
"""Networks of which the forms have to be computed on integers wholly; of others a product on floats has a remark."""


def _form(export: str, name: str, activations: str = "u8", weights: str = "s8", scales: str = "tensor") -> Form:
    """Return the form that a line of the table states."""
    network, _, _ = export.rpartition("-")
    kind, dash, suffix = name.partition("-")
    is_every = network in _WHOLLY_INTEGERS and kind != FLOAT16
    return Form(network, kind, export, activations, weights, scales == "channel", is_every, dash + suffix)


FORMS = [_form(*line.split()) for line in _TABLE.strip().splitlines()]

_TYPES = {"u8": QuantType.QUInt8, "s8": QuantType.QInt8}
SYMMETRIC = {"ActivationSymmetric": True, "WeightSymmetric": True}


class Samples(CalibrationDataReader):
    """Calls from which the quantiser finds the ranges of activations."""

    def __init__(self, calls: Sequence[Arrays]) -> None:
        self.calls: Iterator[Arrays] = iter(calls)

    def get_next(self) -> Arrays | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        return next(self.calls, None)


def write(form: Form, source: Path, folder: Path, calls: Sequence[Arrays]) -> None:
    """Write the form of the export `source`, whose inputs it has; `calls` calibrate it."""
    model, result = source / "model.onnx", folder / "model.onnx"
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as scratch:
        if form.kind == FLOAT16:
            onnx.save(convert_float_to_float16(onnx.load(model), keep_io_types=True), result)
        else:
            whole, prepared = Path(scratch) / "whole.onnx", Path(scratch) / "prepared.onnx"
            onnx.save(onnx.load(model), whole)  # the weights in the same file, where the quantiser expects them
            quant_pre_process(str(whole), str(prepared), skip_symbolic_shape=True)
            separated = onnx.load(prepared)
            _separate(separated.graph)
            onnx.save(separated, prepared)
            _quantize(form, prepared, result, calls)
    for inputs in source.glob("inputs-*.npz"):
        shutil.copy(inputs, folder)
    (folder / FORM).write_text(json.dumps(asdict(form)) + "\n", encoding="utf-8")


def _separate(whole: onnx.GraphProto) -> None:
    """
    Give each node a vector of weights for itself. Exporters store equal ones once, and onnxruntime cannot load a
    network whose bias two products share once it is quantised.
    """
    vectors = {each.name: each for each in whole.initializer if len(each.dims) == 1}
    seen: set[str] = set()
    for node in whole.node:
        for position, name in enumerate(node.input):
            if name in seen and name in vectors:
                copy = whole.initializer.add()
                copy.CopyFrom(vectors[name])
                copy.name = node.input[position] = f"{name}_{len(whole.initializer)}"
            seen.add(name)


def _quantize(form: Form, source: Path, result: Path, calls: Sequence[Arrays]) -> None:
    if form.kind == DYNAMIC:
        quantize_dynamic(source, result, weight_type=_TYPES[form.weights], per_channel=form.per_channel)
        return
    quantize_static(
        source,
        result,
        Samples(calls),
        quant_format=QuantFormat.QDQ if form.kind == QDQ else QuantFormat.QOperator,
        activation_type=_TYPES[form.activations],
        weight_type=_TYPES[form.weights],
        per_channel=form.per_channel,
        extra_options=SYMMETRIC if form.activations == "s8" else {},
    )
