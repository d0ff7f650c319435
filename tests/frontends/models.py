"""Small ONNX models, their results by onnxruntime, and those of an imported module by the operators' references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from tilewright.dialects.graph import ConstantOp, GraphOp
from tilewright.operators import get_operator
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

OPSET = 22


def model_of(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, np.ndarray | tuple[str, Sequence[int | str | None]]],
    outputs: Sequence[str],
    constants: Mapping[str, np.ndarray] | None = None,
    opset: int = OPSET,
    ir_version: int = 8,
) -> onnx.ModelProto:
    """Return a model; an input is an example, or a dtype and a shape."""
    graph = helper.make_graph(
        list(nodes),
        "g",
        [_input(name, value) for name, value in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    domains = sorted({node.domain for node in nodes} - {""})
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir_version)


def node_model(
    operator: str,
    inputs: Sequence[np.ndarray],
    constants: Sequence[np.ndarray | None] = (),
    opset: int = OPSET,
    outputs: int = 1,
    **attributes: Any,
) -> onnx.ModelProto:
    """Return one node on the inputs, then on the constants; a constant of None is an input left out."""
    names = [f"x{k}" for k in range(len(inputs))]
    others = ["" if array is None else f"c{k}" for k, array in enumerate(constants)]
    results = [f"y{k}" for k in range(outputs)]
    node = helper.make_node(operator, [*names, *others], results, name="the_node", **attributes)
    data = {f"c{k}": array for k, array in enumerate(constants) if array is not None}
    return model_of([node], dict(zip(names, inputs, strict=True)), results, data, opset)


def _input(name: str, value: np.ndarray | tuple[str, Sequence[int | str | None]]) -> onnx.ValueInfoProto:
    dtype, shape = (value.dtype.name, value.shape) if isinstance(value, np.ndarray) else value
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)


def onnxruntime_results(model: onnx.ModelProto, *arrays: np.ndarray) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    return session.run(None, dict(zip(names, arrays, strict=True)))


def reference_results(module: ModuleOp, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return the results of main, each operator computed by its record."""
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    values: dict[SSAValue, np.ndarray] = dict(zip(function.body.block.args, arrays, strict=True))
    for op in function.body.block.ops:
        match op:
            case ConstantOp():
                values[op.y] = op.array
            case GraphOp():
                results = get_operator(op.name.removeprefix("graph.")).evaluate(op, *(values[v] for v in op.operands))
                values |= dict(zip(op.results, results, strict=True))
            case ReturnOp():
                return [values[value] for value in op.operands]
            case _:
                raise AssertionError(op)
    raise AssertionError("no return")
