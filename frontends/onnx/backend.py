"""tilewright as a backend of ONNX: the interface `onnx.backend.base`, which `onnx.backend.test` and other programs use.

```python
from tilewright.frontends.onnx import backend

results = backend.prepare(onnx.load("model.onnx")).run([x])
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import onnx
from onnx import helper
from onnx.backend.base import Backend, BackendRep, Device, DeviceType

from ...diagnostics import fail
from ...lazy import Slot
from ...runtime.versions import MOST_VERSIONS
from .listed import is_listed, is_structured, items_of, shapes_of

COMPILE: Slot[Callable[..., Any]] = Slot("frontends.onnx.backend:COMPILE")
"""Compiles a model: `tilewright.compile`."""
_TARGETS = {DeviceType.CPU: "cpu", DeviceType.CUDA: "cuda"}


class TilewrightBackendRep(BackendRep):
    """A compiled model. If inputs are sequences or optionals, a program is compiled at the first call with each number
    and shapes of their tensors."""

    def __init__(self, model: onnx.ModelProto, compile_: Callable[..., Any]) -> None:
        initialized = {tensor.name for tensor in model.graph.initializer}
        self._inputs = [value for value in model.graph.input if value.name not in initialized]
        self._outputs = list(model.graph.output)
        self.inputs = [value.name for value in self._inputs]
        self.outputs = [value.name for value in self._outputs]
        self._programs = lru_cache(MOST_VERSIONS)(lambda shapes: compile_(dict(shapes)))
        if not any(map(is_structured, self._inputs)):
            self._programs(())

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return the outputs as numpy arrays, in the order of the model, for arrays in its order, or by name.

        Raises TilewrightError TW0701 for another number of inputs, or other names.
        """
        given = self._by_name(inputs)
        if given.keys() != set(self.inputs):
            fail("TW0701", f"expected the inputs {', '.join(self.inputs)}, but got {', '.join(given) or 'none'}")
        values = [given[name] for name in self.inputs]
        program = self._programs(tuple(shapes_of(self._inputs, values).items()))
        listed = (each if isinstance(each, (list, tuple)) else [each] for each in values if each is not None)
        arrays = [np.asarray(item) for each in listed for item in each]  # pyright: ignore
        if any(map(is_structured, self._outputs)):
            names = [argument.name for argument in program.signature.inputs]
            return self._restored(program.run(dict(zip(names, arrays, strict=True))))
        result = program(*arrays)
        results = result if isinstance(result, (tuple, list)) else (result,)
        return tuple(np.asarray(each) for each in results if each is not None)

    def _restored(self, found: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the outputs of the model: the tensors of a sequence are one output, and an optional may have none."""
        return tuple(
            found.get(each.name) if not is_listed(each, found) else items_of(each.name, found) for each in self._outputs
        )

    def _by_name(self, inputs: Any) -> dict[str, Any]:
        if isinstance(inputs, Mapping):
            return dict(inputs)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        listed: Sequence[Any] = inputs if isinstance(inputs, (list, tuple)) else [inputs]
        if len(listed) != len(self.inputs):
            fail("TW0701", f"expected {len(self.inputs)} inputs, but got {len(listed)}")
        return dict(zip(self.inputs, listed, strict=True))


class TilewrightBackend(Backend):
    """Compiles models for the processor at hand, "CPU", or for a card, "CUDA"."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Return whether a converter knows each operator of the model."""
        from .expansion import functions_of
        from .model_file import opset_of
        from .registry import unknown_operators

        return cls.supports_device(device) and unknown_operators(model, opset_of(model), functions_of(model)) is None

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> TilewrightBackendRep:
        """Compile the model; `kwargs` are those of `tilewright.compile`, whose errors are raised."""
        if not cls.supports_device(device):
            fail("TW0612", f"expected a device of CPU, CUDA, but got {device!r}")
        compile_, target = COMPILE.value, _TARGETS[Device(device).type]

        def compiled(shapes: dict[str, Any]) -> Any:
            return compile_(model, target, **({"shapes": shapes} if shapes else {}), **kwargs)

        return TilewrightBackendRep(model, compiled)

    @classmethod
    def run_node(
        cls, node: onnx.NodeProto, inputs: Any, device: str = "CPU", outputs_info: Any = None, **kwargs: Any
    ) -> tuple[Any, ...]:
        """Run one node and return its results. Shapes and dtypes of the inputs are those of the arrays."""
        names = [name for name in node.input if name]
        arrays = [np.asarray(each) for each in inputs]
        values = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
            for name, array in zip(names, arrays, strict=True)
        ]
        results = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        opset = int(kwargs.pop("opset_version", onnx.defs.onnx_opset_version()))
        model = helper.make_model(
            helper.make_graph([node], "node", values, results), opset_imports=[helper.make_opsetid(node.domain, opset)]
        )
        return cls.prepare(model, device, **kwargs).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Return whether models are compiled for a device: "CPU", "CUDA" and "CUDA:0"."""
        return device in ("CPU", "CPU:0", "CUDA", "CUDA:0")


is_compatible = TilewrightBackend.is_compatible
prepare = TilewrightBackend.prepare
run = TilewrightBackend.run_model
run_model = TilewrightBackend.run_model
run_node = TilewrightBackend.run_node
supports_device = TilewrightBackend.supports_device
