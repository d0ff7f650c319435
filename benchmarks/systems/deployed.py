"""Models in the forms in which they are deployed: quantised to bytes by onnxruntime, or converted to float16."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

QDQ, OPERATORS, HALF, FLOAT = "qdq", "qoperator", "float16", "float32"
FORMS = (QDQ, OPERATORS, HALF, FLOAT)
SAMPLES = 2
"""Images by which the ranges of activations are found."""


def deployed(model: Any, form: str) -> Any:
    """Return a float32 model of one image in a form of `FORMS`; operators of normalisation are folded before."""
    if form == FLOAT:
        return model
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "float32.onnx"
        _write_folded(model, source)
        if form == HALF:
            return _in_float16(source)
        return _quantized(source, form)


def _write_folded(model: Any, path: Path) -> None:
    """Write a model as onnxruntime's basic optimisations leave it, in a version that has quantised operators."""
    import onnxruntime
    from onnx import version_converter

    if model.opset_import[0].version < 13:
        model = version_converter.convert_version(model, 13)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _in_float16(source: Path) -> Any:
    import onnx
    from onnxruntime.transformers.float16 import convert_float_to_float16

    return convert_float_to_float16(onnx.load(source), keep_io_types=True)


def _quantized(source: Path, form: str) -> Any:
    """Return the bytes without sign for activations, weights with sign and scales by channel: what onnxruntime advises
    x86-64."""
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    (argument,) = onnx.load(source, load_external_data=False).graph.input
    shape = [size.dim_value for size in argument.type.tensor_type.shape.dim]
    random = np.random.default_rng(5)
    images = [{argument.name: random.standard_normal(shape, dtype=np.float32)} for _ in range(SAMPLES)]

    class Samples(CalibrationDataReader):
        def get_next(self) -> Any:
            return images.pop() if images else None

    target = source.with_name("quantized.onnx")
    quantize_static(
        source,
        target,
        Samples(),
        quant_format=QuantFormat.QDQ if form == QDQ else QuantFormat.QOperator,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
    )
    return onnx.load(target)
