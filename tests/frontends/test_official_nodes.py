"""The standard's own test cases of single operators: each node's data and results, by the compiled program."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test.case.node as node_cases
import pytest
import tilewright
from onnx import numpy_helper
from onnx.backend.test.case.test_case import TestCase
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


def _with_constants(model: onnx.ModelProto, data: dict[str, np.ndarray], positions: tuple[int, ...]) -> onnx.ModelProto:
    """Return the model with inputs at some positions of its node given as initializers, which leave `data`."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    for position in positions:
        names = model.graph.node[0].input
        if position < len(names) and names[position] in data:
            result.graph.initializer.append(numpy_helper.from_array(data.pop(names[position]), names[position]))
    kept = [value for value in model.graph.input if value.name in data]
    del result.graph.input[:]
    result.graph.input.extend(kept)
    return result


def _cases(operator: str, monkeypatch: pytest.MonkeyPatch) -> list[TestCase]:
    """Return the cases that a file of the suite makes, bodies aside. The suite's own lists stay as they are."""
    monkeypatch.setattr(node_cases, "_NodeTestCases", cases := [])
    monkeypatch.setattr(node_cases, "_existing_names", {})
    spec = spec_from_file_location(f"official_{operator}", Path(node_cases.__file__).with_name(f"{operator}.py"))
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(module_from_spec(spec))
    return [case for case in cases if len(case.model.graph.node) == 1]


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy's, where the cases are made
@pytest.mark.each("operator", OPERATORS, shards=4)
def test_official_cases(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = _cases(operator, monkeypatch)
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
