"""Small ONNX models from the text of their nodes.

Inputs are called a, b, c and so on, in the order of the row's inputs; the output is y: `y = MatMul(a, b)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

OPSET = 18
NAMES = "abcdefghijklmnopqrstuvwxzABCDEFGHIJKLMNOPQRSTUVWXYZ"
TYPES = {
    "float32": "float",
    "int8": "int8",
    "uint8": "uint8",
    "int32": "int32",
    "int64": "int64",
    "bfloat16": "bfloat16",
}


def onnx_model(
    body: str,
    inputs: Sequence[np.ndarray],
    out: np.ndarray,
    constants: tuple[int, ...] = (),
    *,
    open_rows: bool = False,
) -> Any:
    """Return the model of these nodes; inputs whose numbers are among `constants` are initializers. With `open_rows`,
    the model leaves the first dimension of other inputs and of the output open."""
    import onnx
    from onnx import numpy_helper, parser

    values = [f"{_type(x, open_rows)} {NAMES[k]}" for k, x in enumerate(inputs) if k not in constants]
    result = f"{_type(out, open_rows)} y"
    text = f'<ir_version: 8, opset_import: ["" : {OPSET}]>\nrow ({", ".join(values)}) => ({result}) {{ {body} }}'
    model = parser.parse_model(text)
    model.graph.initializer.extend(numpy_helper.from_array(inputs[k], NAMES[k]) for k in constants)
    onnx.checker.check_model(model)
    return model


def _type(array: np.ndarray, open_rows: bool) -> str:
    shape = [*map(str, array.shape)]
    if open_rows and shape:
        shape[0] = "rows"
    return f"{TYPES[array.dtype.name]}[{', '.join(shape)}]"
