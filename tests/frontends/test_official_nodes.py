"""The standard's own test cases of single operators: each node's data and results, by the compiled program."""

from __future__ import annotations

from importlib import import_module, reload

import numpy as np
import onnx
import onnx.backend.test.case.node as node_cases
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.frontends.onnx import import_model

OPERATORS: dict[str, tuple[int, ...]] = {
    "bitshift": (),
    "bitwiseand": (),
    "bitwisenot": (),
    "bitwiseor": (),
    "bitwisexor": (),
    "averagepool": (),
    "convtranspose": (),
    "cumprod": (1,),
    "einsum": (),
    "eyelike": (),
    "gathernd": (),
    "groupnormalization": (),
    "hardmax": (),
    "isinf": (),
    "isnan": (),
    "layernormalization": (),
    "lpnormalization": (),
    "lppool": (),
    "maxpool": (),
    "mod": (),
    "onehot": (1,),
    "pow": (),
    "reducemax": (1,),
    "reducemin": (1,),
    "rmsnormalization": (),
    "scatter": (),
    "scatterelements": (),
    "scatternd": (),
    "topk": (1,),
    "trilu": (1,),
}
"""The file of an operator -> those of its inputs that decide about shapes, and are constants here."""


def _with_constants(model: onnx.ModelProto, data: dict[str, np.ndarray], places: tuple[int, ...]) -> onnx.ModelProto:
    """The model with inputs at some places of its node given as initializers, which leave `data`."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    for place in places:
        names = model.graph.node[0].input
        if place < len(names) and names[place] in data:
            result.graph.initializer.append(numpy_helper.from_array(data.pop(names[place]), names[place]))
    kept = [value for value in model.graph.input if value.name in data]
    del result.graph.input[:]
    result.graph.input.extend(kept)
    return result


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy's, where the cases are made
@pytest.mark.parametrize("operator", OPERATORS)
def test_official_cases(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_cases, "_NodeTestCases", cases := [])
    reload(import_module(f"{node_cases.__name__}.{operator}"))  # another test may have imported it
    cases = list({case.name: case for case in cases if len(case.model.graph.node) == 1}.values())  # the others are bodies of the same
    assert cases
    for case in cases:
        for inputs, outputs in case.data_sets:
            names = [value.name for value in case.model.graph.input]
            data = dict(zip(names, inputs, strict=True))
            model = _with_constants(case.model, data, OPERATORS[operator])
            results = tilewright.compile(import_model(model))(*data.values())
            results = results if isinstance(results, (list, tuple)) else [results]
            for actual, wanted in zip(results, outputs, strict=True):
                assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape), case.name
                np.testing.assert_allclose(
                    actual.astype(np.float64), wanted.astype(np.float64), case.rtol, case.atol, err_msg=case.name
                )
