"""A random ONNX model while it grows: its values with their types, its nodes, and the data that it is run on."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference

from .draw import Draw

Size = int | str | None
BATCH, LENGTH = "n", "m"
"""The sizes that are known only when a model is called: the first of an input, and the second of some."""
FLOATS = ("float32", "float32", "float32", "float16", "float64")
INTEGERS = ("int64", "int32", "int64", "int32", "int8", "uint8")
KINDS: dict[str, tuple[str, ...]] = {
    "float": FLOATS,
    "int": INTEGERS,
    "number": FLOATS * 2 + INTEGERS,
    "bool": ("bool",),
    "any": FLOATS * 2 + INTEGERS + ("bool", "bool"),
}
NEWEST = 26
"""The greatest opset that is drawn, of what onnxruntime runs whole."""
MOST_ELEMENTS = 20_000
REUSED = 0.8
"""The probability that an operand is an existing value, if one fits."""


class Unfit(Exception):
    """An operator does not fit what is there; another one is drawn."""


@dataclass(frozen=True)
class Info:
    """A value: its dtype, its shape (a name is a size that calls bring, None one that is not known), and its data."""

    name: str
    dtype: str
    shape: tuple[Size, ...]
    limits: tuple[int, int] | None = None
    """The range that the data of an input is drawn from, where it is one of indices."""
    value: tuple[Any, ...] | None = None
    """The elements that an input has in each run, where it states a shape, an axis or a count."""

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        return all(isinstance(size, int) for size in self.shape)

    def size(self, axis: int) -> int:
        """Return a size that has to be a number."""
        size = self.shape[axis]
        if not isinstance(size, int):
            raise Unfit
        return size


class Pool:
    """The values and nodes of a model under construction."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.opset = draw.one_of((8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 19, 20, 21, 22, 23, 24, 25, NEWEST))
        self.is_symbolic = draw.chance(0.4)
        self.is_by_value = draw.chance(0.25)
        """True if some shapes, axes and counts are inputs of the model."""
        self.inputs: list[Info] = []
        self.constants: dict[str, np.ndarray] = {}
        self.numerals: dict[str, np.ndarray] = {}
        """The inputs that have the same data in all runs, which the types of results follow from."""
        self.values: dict[str, Info] = {}
        self.nodes: list[onnx.NodeProto] = []
        self.within = False
        """True for a graph inside another one."""

    # Values

    def operand(
        self, kind: str = "float", *, least: int = 0, most: int = 4, fits: Callable[[Info], bool] | None = None
    ) -> Info:
        """Return a value of a kind and a rank: one that is there, or a new input."""
        dtypes = KINDS.get(kind, (kind,))
        fitting = [
            info
            for info in self.values.values()
            if info.dtype in dtypes and least <= info.rank <= most and (fits is None or fits(info))
        ]
        if fitting and self.draw.chance(REUSED):
            return self.draw.one_of(fitting[-4:] if self.draw.chance(0.7) else fitting)
        made = self.input(self.draw.one_of(dtypes), self.shape(self.draw.between(least, most)))
        if fits is not None and not fits(made):
            raise Unfit
        return made

    def shape(self, rank: int) -> tuple[Size, ...]:
        sizes: list[Size] = [self.draw.one_of((1, 2, 3, 4, 5, 7)) for _ in range(rank)]
        if sizes and self.is_symbolic and self.draw.chance(0.7):
            sizes[0] = BATCH
            if rank > 1 and self.draw.chance(0.15):
                sizes[1] = LENGTH
        return tuple(sizes)

    def input(self, dtype: str, shape: Sequence[Size], limits: tuple[int, int] | None = None) -> Info:
        if None in shape:
            raise Unfit  # nobody knows how many elements to pass
        info = Info(self.draw.name("x"), dtype, tuple(shape), limits)
        self.inputs.append(info)
        self.values[info.name] = info
        return info

    def constant(self, array: Any) -> str:
        """Return the name of an initializer. It is not drawn as an operand again."""
        name = self.draw.name("c")
        self.constants[name] = np.asarray(array)
        return name

    def numeral(self, value: Any, dtype: str = "int64") -> str:
        """Return numbers that decide a shape, an axis or a count: a constant, or an input whose data they are."""
        array = np.asarray(value, dtype)
        if not self.is_by_value or not self.draw.chance(0.4):
            return self.constant(array)
        info = Info(self.draw.name("v"), dtype, array.shape, value=tuple(array.reshape(-1).tolist()))
        self.inputs.append(info)
        self.numerals[info.name] = array
        return info.name

    def numbers(self, dtype: str, shape: Sequence[int], low: float = -2.0, high: float = 2.0) -> np.ndarray:
        """Return random elements."""
        rng = np.random.default_rng(self.draw.between(0, 1 << 30))
        if dtype == "bool":
            return rng.integers(0, 2, shape).astype(bool)
        if dtype.startswith(("int", "uint")):
            return np.asarray(rng.integers(0 if dtype.startswith("u") else -9, 10, shape)).astype(dtype)
        return np.asarray(rng.uniform(low, high, shape)).astype(dtype)

    def parameter(self, dtype: str, shape: Sequence[Size], low: float = -2.0, high: float = 2.0) -> str:
        """Return a weight: a constant most of the time, else an input."""
        if all(isinstance(size, int) for size in shape) and self.draw.chance(0.7):
            return self.constant(self.numbers(dtype, [size for size in shape if isinstance(size, int)], low, high))
        return self.input(dtype, shape).name

    def broadcasting(self, other: Info, dtype: str | None = None) -> str:
        """Return a value that broadcasts with another one: itself, one that is there, or a new one of a smaller
        shape."""
        dtype = dtype or other.dtype
        if dtype == other.dtype and self.draw.chance(0.15):
            return other.name
        equal = [info for info in self.values.values() if info.dtype == dtype and info.shape == other.shape]
        if equal and self.draw.chance(0.4):
            return self.draw.one_of(equal).name
        shape = [1 if self.draw.chance(0.25) else size for size in other.shape[self.draw.between(0, other.rank) :]]
        if None in shape:
            raise Unfit
        return self.parameter(dtype, shape)

    # Nodes

    def like(self, x: Info, operator: str, inputs: Sequence[str], **attributes: Any) -> Info:
        """Add a node whose type ONNX does not infer: its result is of the type of `x`."""
        (info,) = self.typed(operator, inputs, [(x.dtype, x.shape)], **attributes)
        return info

    def typed(
        self, operator: str, inputs: Sequence[str], types: Sequence[tuple[str, Sequence[Size]]], **attributes: Any
    ) -> list[Info]:
        """Add a node, and return its results, of types that ONNX does not infer."""
        infos = [Info(self.draw.name("y"), dtype, tuple(shape)) for dtype, shape in types]
        for _, shape in types:
            _require_small(shape)
        self.hidden(operator, inputs, [info.name for info in infos], **attributes)
        self.values |= {info.name: info for info in infos}
        return infos

    def hidden(self, operator: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Any) -> None:
        """Add a node whose results, sequences or optionals, are no operands of others."""
        self._require(operator)
        name = f"{operator}_{outputs[0]}"
        self.nodes.append(helper.make_node(operator, list(inputs), list(outputs), name=name, **attributes))

    def _require(self, operator: str) -> None:
        if not onnx.defs.has(operator, self.opset) or onnx.defs.get_schema(operator, self.opset).deprecated:
            raise Unfit

    def node(self, operator: str, inputs: Sequence[str], outputs: int = 1, **attributes: Any) -> list[Info]:
        """Add a node, and return its results. Raises Unfit where ONNX has no such operator at the opset, or infers no
        type."""
        self._require(operator)
        names = [self.draw.name("y") for _ in range(outputs)]
        node = helper.make_node(operator, list(inputs), names, name=f"{operator}_{names[0]}", **attributes)
        infos = self._inferred(node)
        self.nodes.append(node)
        self.values |= {info.name: info for info in infos}
        return infos

    def one(self, operator: str, inputs: Sequence[str], **attributes: Any) -> Info:
        (info,) = self.node(operator, inputs, **attributes)
        return info

    def _inferred(self, node: onnx.NodeProto) -> list[Info]:
        known = [self.values[name] for name in dict.fromkeys(node.input) if name in self.values]
        numbers = self.constants | self.numerals
        data = {name: numbers[name] for name in dict.fromkeys(node.input) if name in numbers}
        model = self._model([node], known, list(node.output), data)
        try:
            inferred = shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
        except (shape_inference.InferenceError, RuntimeError) as error:
            raise Unfit from error
        return [_info(value) for value in inferred.graph.output]

    def _model(
        self,
        nodes: Sequence[onnx.NodeProto],
        inputs: Sequence[Info],
        outputs: Sequence[str],
        data: dict[str, np.ndarray],
    ) -> onnx.ModelProto:
        graph = helper.make_graph(
            list(nodes),
            "g",
            [value_info(info) for info in inputs],
            [self._output(name) for name in outputs],
            [numpy_helper.from_array(array, name) for name, array in data.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)

    def _output(self, name: str) -> onnx.ValueInfoProto:
        return value_info(self.values[name]) if name in self.values else helper.make_empty_tensor_value_info(name)

    def inner(self) -> Pool:
        """Return a graph within the model: it sees the values around it, and what it needs besides is an input of the
        model or a constant of it."""
        made = copy.copy(self)
        made.values, made.nodes, made.within = dict(self.values), [], True
        return made

    def graph(self, name: str, inputs: Sequence[Info], outputs: Sequence[str]) -> onnx.GraphProto:
        """Return the graph of an inner pool; its outputs are values that it computes."""
        made = [helper.make_tensor_value_info(n, _element(self.values[n].dtype), None) for n in outputs]
        return helper.make_graph(list(self.nodes), name, [value_info(info) for info in inputs], made)

    def model(self, outputs: Sequence[str]) -> onnx.ModelProto:
        """Return the model with what these outputs need."""
        needed, nodes = set(outputs), []
        for node in reversed(self.nodes):
            if needed & set(node.output):
                nodes.append(node)
                needed |= reads(node)
        inputs = [info for info in self.inputs if info.name in needed]
        data = {name: array for name, array in self.constants.items() if name in needed}
        return self._model(nodes[::-1], inputs, outputs, data)

    def results(self) -> list[str]:
        """Return the outputs of the model: values without a use, and some with uses."""
        read = {name for node in self.nodes for name in reads(node)}
        made = [name for node in self.nodes for name in node.output if name in self.values]
        return [name for name in made if name not in read or self.draw.chance(0.1)]

    def data(self, model: onnx.ModelProto, sizes: dict[str, int], integral: bool) -> dict[str, np.ndarray]:
        """Return arrays for the inputs of a model; floats are whole numbers where `integral`, so that there are
        ties."""
        names = {value.name for value in model.graph.input}
        result: dict[str, np.ndarray] = {}
        for info in self.inputs:
            if info.name not in names:
                continue
            shape = [size if isinstance(size, int) else sizes[str(size)] for size in info.shape]
            rng = np.random.default_rng(self.draw.between(0, 1 << 30))
            if info.value is not None:
                result[info.name] = np.array(info.value, info.dtype).reshape(shape)
            elif info.limits is not None:
                result[info.name] = np.asarray(rng.integers(*info.limits, shape)).astype(info.dtype)
            elif info.dtype.startswith("float"):
                drawn = rng.integers(-3, 4, shape) if integral else rng.standard_normal(shape) * 1.3
                result[info.name] = np.asarray(drawn).astype(info.dtype)
            else:
                result[info.name] = self.numbers(info.dtype, shape)
        return result


def reads(node: onnx.NodeProto) -> set[str]:
    """Return the names that a node reads, the graphs in its attributes included."""
    found = set(node.input)
    for attribute in node.attribute:
        if attribute.HasField("g"):
            inner = attribute.g
            local = {value.name for value in inner.input} | {name for each in inner.node for name in each.output}
            found |= {name for each in inner.node for name in reads(each)} - local
    return found


def _element(dtype: str) -> int:
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def value_info(info: Info) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(info.name, _element(info.dtype), info.shape)


def _require_small(shape: Sequence[Size]) -> None:
    elements = [size for size in shape if isinstance(size, int)]
    if len(shape) > 5 or np.prod(elements, dtype=np.int64) > MOST_ELEMENTS or 0 in elements:
        raise Unfit


def _info(value: onnx.ValueInfoProto) -> Info:
    tensor = value.type.tensor_type
    if not tensor.elem_type or not tensor.HasField("shape"):
        raise Unfit
    sizes = [d.dim_value if d.HasField("dim_value") else d.dim_param or None for d in tensor.shape.dim]
    _require_small(sizes)
    known = tuple(size if isinstance(size, int) or size in (BATCH, LENGTH) else None for size in sizes)
    return Info(value.name, helper.tensor_dtype_to_np_dtype(tensor.elem_type).name, known)
