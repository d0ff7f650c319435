"""Models of other frameworks as functions of relay: each is read from ONNX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from xdsl.dialects.func import FuncOp

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.expectations import expect_type
from ...diagnostics.locations import caller_location
from ...diagnostics.text import on_one_line
from ...dialects.ir_module import IRModule
from ...dialects.resource import ResourceAttr
from ..nd import NDArray, array
from .expr import Constant, Expr, Var
from .functions import Function, inputs_of, operations_behind, rebuilt, view_of
from .types import type_of

__all__ = ["from_keras", "from_onnx", "from_tensorflow"]


def from_onnx(
    model: Any,
    shape: Mapping[str, Sequence[int]] | None = None,
    dtype: Any = "float32",
    opset: int | None = None,
    freeze_params: bool = True,
    convert_config: Mapping[str, Any] | None = None,
    export_node_renamed_model_path: None = None,
) -> tuple[IRModule, dict[str, NDArray]]:
    """Return a model of ONNX, or a file of one, as a module, and its parameters.

    `shape` fixes the shapes of inputs by name. Types are those that the model states. Weights are constants of the
    module; with `freeze_params` false those of more than eight elements are arguments of `main` instead, and parameters
    by their names in the model. Raises TW0306 for another opset than the model's.
    """
    from ...driver.models import load_model

    expect_type("shape", shape, Mapping, type(None))
    _check_opset(model, opset)
    module = IRModule(load_model(model, shapes={name: list(sizes) for name, sizes in (shape or {}).items()} or None))
    if freeze_params:
        return module, {}
    function, params = _thawed(module["main"].op)
    return IRModule({"main": function.op}), params


def _check_opset(model: Any, opset: int | None) -> None:
    if opset is None:
        return
    imports = getattr(model, "opset_import", None)
    stated = [each.version for each in imports or () if each.domain in ("", "ai.onnx")]
    if stated and stated != [opset]:
        fail(
            "TW0306",
            f"expected opset {stated[0]}, which the model states, but got {opset}",
            location=caller_location(),
            help="convert the model: onnx.version_converter.convert_version(model, opset)",
        )


def _thawed(main: FuncOp) -> tuple[Function, dict[str, NDArray]]:
    """Return a function whose weights are parameters, and their values."""
    view = view_of(main)
    variables: dict[str, Var] = {}
    params: dict[str, NDArray] = {}
    mapping: dict[Any, Any] = {}
    for op in operations_behind(view.body.values):
        data = op.properties.get("value") if op.name == "graph.constant" else None
        if isinstance(data, ResourceAttr):
            name = data.data.name
            if name not in variables:
                variables[name] = Var(name, type_of(op.results[0].type))
                params[name] = array(Constant(op).data)
            mapping[op.results[0]] = variables[name].value
    body = _replaced(view.body, mapping)
    return Function([*view.params, *variables.values()], body), params


def _replaced(body: Expr, mapping: dict[Any, Any]) -> Expr:
    for op in operations_behind(body.values):
        if op.results[0] not in mapping and any(value in mapping for value in inputs_of(op)):
            op.clone(mapping)
    return rebuilt(body, mapping)


_CONVERTER = "tf2onnx"


def from_keras(
    model: Any, shape: Mapping[str, Sequence[int]] | None = None, layout: str = "NHWC"
) -> tuple[IRModule, dict[str, NDArray]]:
    """Return a model of Keras as a module, by its method that writes ONNX; weights are its constants. `shape` fixes the
    shapes of inputs by name.

    Images keep the layout that the model states. Needs the extra "keras": TW0251 where it is not installed.
    """
    if layout not in ("NCHW", "NHWC"):
        fail("TW0209", f"expected layout 'NCHW' or 'NHWC', but got {layout!r}", location=caller_location())
    if not hasattr(model, "export"):
        fail("TW0725", f"expected a model of Keras 3, but got {type(model).__name__}", location=caller_location())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        try:
            model.export(str(path), format="onnx", verbose=False)
        except ImportError:
            raise _missing("from_keras", 'model.export("model.onnx", format="onnx")') from None
        except ValueError as error:
            message = f"Keras does not export this model: {on_one_line(error)}"
            fail("TW0301", message, location=caller_location(), help="call the model once before: model(x)")
        return from_onnx(path.read_bytes(), shape)


def from_tensorflow(
    graph: Any, layout: str = "NHWC", shape: Mapping[str, Sequence[int]] | None = None,
    outputs: Sequence[str] | None = None, convert_config: Mapping[str, Any] | None = None,
) -> tuple[IRModule, dict[str, NDArray]]:  # fmt: skip
    """Return a graph of TensorFlow, frozen, as a module, through ONNX; `shape` states the shapes of its inputs by name.

    Needs the extra "keras": TW0251 where it is not installed.
    """
    try:
        converter = import_module(_CONVERTER)
    except ImportError:
        raise _missing("from_tensorflow", "python -m tf2onnx.convert --saved-model DIR --output model.onnx") from None
    if not outputs or not shape:
        fail(
            "TW0209",
            "from_tensorflow: expected shapes of the inputs and the names of the outputs",
            location=caller_location(),
            help='write from_tensorflow(graph, shape={"x": (1, 224, 224, 3)}, outputs=["softmax"])',
        )
    names = [[name if ":" in name else f"{name}:0" for name in each] for each in (shape, outputs)]
    proto, _ = converter.convert.from_graph_def(graph, input_names=names[0], output_names=names[1])
    return from_onnx(proto, {f"{name}:0" if ":" not in name else name: sizes for name, sizes in shape.items()})


def _missing(caller: str, line: str) -> UnknownNameError:
    """Return the error where the package that writes models of TensorFlow as ONNX is missing: how to do without it."""
    return UnknownNameError(
        "TW0251",
        f"relay.frontend.{caller} needs {_CONVERTER}, which is not installed",
        notes=[
            f"write the model as ONNX where it is made:  {line}",
            'read it:  relay.frontend.from_onnx("model.onnx")',
        ],
        help="write these two lines, or install the extra: pip install tilewright[keras]",
    )
