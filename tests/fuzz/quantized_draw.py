"""
A quantised model while it is drawn, and how its result is judged.

Integers are drawn from the whole type, its ends among them; zero points lie at both ends; scales are powers of two or
any; results saturate. Each draw notes the corners that it has, so that a campaign can count them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

TIE = 1e-5
"""The distance to a tie, in quanta, within which an exact result may be rounded to either side."""
LOOSE = 5e-3
"""The same, of operators that are left on floats: their sums are rounded term by term."""
OF_SEVERAL_STEPS = 1e-4
"""The same, of softmax: three steps in float32 are rounded."""
OF_16_BITS = 2e-2
"""The same, of results with 16 bits: float32 does not tell smaller parts of a quantum there."""

MICROSOFT = "com.microsoft"


@dataclass
class Quantized:
    """A tensor of integers in a model: the names of its integers, scale and zero point, and what they are."""

    names: list[str]
    integers: np.ndarray
    scale: np.ndarray
    zero: np.ndarray
    axis: int = 0

    @property
    def numbers(self) -> np.ndarray:
        """The numbers that the integers stand for, in float64."""
        return (self.integers.astype(np.float64) - self._along(self.zero)) * self._along(self.scale)

    def _along(self, parameter: np.ndarray) -> np.ndarray:
        shape = [-1 if axis == self.axis else 1 for axis in range(self.integers.ndim)]
        return parameter.astype(np.float64).reshape(shape if parameter.ndim else ())


@dataclass
class Drawn:
    """A model with its inputs, and how its one result is judged."""

    kind: str
    model: onnx.ModelProto
    inputs: dict[str, np.ndarray]
    exact: np.ndarray
    """The result in float64 quanta, before it is rounded, the zero point in it; a float result as it is."""
    limits: tuple[int, int] | None
    """The least and the largest integer; None of a float result."""
    tie: float = TIE
    corners: frozenset[str] = frozenset()

    def wrong(self, result: np.ndarray) -> str | None:
        """Return what is wrong with a result: integers have to be those of the exact one, either of two near a tie."""
        if result.shape != self.exact.shape:
            return f"expected shape {self.exact.shape}, but got {result.shape}"
        if self.limits is None:
            spread = np.abs(self.exact).max(initial=0) or 1.0
            is_wrong = ~(np.abs(result - self.exact) <= 2e-6 * spread)
        else:
            low, high = (np.clip(np.rint(self.exact + end), *self.limits) for end in (-self.tie, self.tie))
            is_wrong = (result != low) & (result != high)
        if not is_wrong.any():
            return None
        at = tuple(int(each) for each in np.argwhere(is_wrong)[0])
        count = f"{is_wrong.sum()} of {result.size} elements"
        return f"{count}, at {at}: {result[at]}, but the exact result is {float(self.exact[at])}"


@dataclass
class Model:
    """A model while it is drawn."""

    chance: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list[onnx.NodeProto])
    constants: list[onnx.TensorProto] = field(default_factory=list[onnx.TensorProto])
    inputs: dict[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])
    corners: set[str] = field(default_factory=set[str])
    turn: int = 0
    """Counts the models of a kind."""
    has_ties: bool = False
    """True where all scales are powers of two, so that many results lie between two integers."""
    is_open: bool = False
    """True where the first size of each input is known only when the program is called."""
    tie: float = TIE
    count: int = 0

    def name(self, what: str = "t") -> str:
        self.count += 1
        return f"{what}{self.count}"

    def constant(self, array: np.ndarray) -> str:
        name = self.name("c")
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, operator: str, inputs: Sequence[str], domain: str = "", **attributes: Any) -> str:
        name = self.name()
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name=name, domain=domain, **attributes))
        return name

    def pick(self, *choices: Any) -> Any:
        return choices[int(self.chance.integers(len(choices)))]

    def in_turn(self, *choices: Any) -> Any:
        """Return the choice that is next among models of a kind, so that few of them have all."""
        return choices[self.turn % len(choices)]

    def may_be_open(self) -> None:
        """Leave the batch open in one of six draws."""
        if self.pick(0, 0, 0, 0, 0, 1):
            self.is_open = True
            self.corners.add("open batch")

    def integers(self, shape: Sequence[int], dtype: str) -> np.ndarray:
        """Return integers of the whole type; in half of the draws some are at its ends, in a few all are."""
        info, chance = np.iinfo(dtype), self.chance
        array = chance.integers(info.min, info.max, shape, endpoint=True).astype(dtype)
        share = self.pick(0.0, 0.0, 0.3, 0.3, 1.0)
        if share:
            self.corners.add("all integers at the ends" if share == 1 else "integers at both ends")
        ends = chance.choice(np.array([info.min, info.max], dtype), size=array.shape)
        return np.where(chance.random(array.shape) < share, ends, array)

    def zero(self, dtype: str, *shape: int) -> np.ndarray:
        """Return zero points: in the middle, at the ends, or anywhere."""
        info = np.iinfo(dtype)
        if self.chance.random() < 0.7:
            return np.full(shape, self.pick(info.min, info.max, middle(dtype), middle(dtype)), dtype)
        return np.asarray(self.chance.integers(info.min, info.max, shape, endpoint=True)).astype(dtype)

    def scale(self, *shape: int) -> np.ndarray:
        if self.has_ties:
            return np.asarray(2.0 ** self.chance.integers(-8, 1, shape)).astype(np.float32)
        return np.asarray(10 ** self.chance.uniform(-3, 0, shape)).astype(np.float32)

    def activation(
        self, shape: Sequence[int], dtype: str | None = None, axis: int | None = None, is_data: bool = False
    ) -> Quantized:
        """Return quantised numbers that are an input of the model, with one scale, or one for each index of an axis.
        Scale and zero point are inputs too where they are data."""
        dtype = dtype or self.pick("uint8", "uint8", "int8")
        name = self.name("x")
        self.inputs[name] = integers = self.integers(shape, dtype)
        sizes = () if axis is None else (shape[axis],)
        found = self._quantized("activation", name, integers, self.scale(*sizes), self.zero(dtype, *sizes), axis or 0)
        if is_data:
            self.corners.add("activation: scale and zero point that are data")
            found.names[1:] = self.name("scale"), self.name("zero")
            self.inputs |= dict(zip(found.names[1:], (found.scale, found.zero), strict=True))
        return found

    def weight(
        self, shape: Sequence[int], axis: int, dtype: str | None = None, granularities: Sequence[int] = (0, 1)
    ) -> Quantized:
        """Return constant quantised numbers with one scale (granularity 0), or one for each index of an axis (1)."""
        dtype = dtype or self.pick("int8", "int8", "uint8")
        integers = self.integers(shape, dtype)
        sizes = (shape[axis],) if self.pick(*granularities) else ()
        is_asymmetric = self.chance.random() < 0.4
        zero = self.zero(dtype, *sizes) if is_asymmetric else np.full(sizes, middle(dtype), dtype)
        return self._quantized("weight", self.constant(integers), integers, self.scale(*sizes), zero, axis)

    def _quantized(
        self, role: str, name: str, integers: np.ndarray, scale: np.ndarray, zero: np.ndarray, axis: int
    ) -> Quantized:
        self.note_zero(role, zero)
        self.corners.add(f"{role} {'per channel' if scale.ndim else 'per tensor'}")
        self.corners.add(f"{role} of {integers.dtype}")
        return Quantized([name, self.constant(scale), self.constant(zero)], integers, scale, zero, axis)

    def note_zero(self, role: str, zero: np.ndarray) -> None:
        """Note the positions of zero points in their type."""
        info, dtype = np.iinfo(zero.dtype), zero.dtype.name
        names = {int(info.min): "at the low end", int(info.max): "at the high end", middle(dtype): "in the middle"}
        for value in set(zero.reshape(-1).tolist()):
            self.corners.add(f"{role}: zero point {names.get(value, 'elsewhere')}")
        if len(set(zero.reshape(-1).tolist())) > 1:
            self.corners.add(f"{role}: zero points that differ")

    def dequantize(self, given: Quantized) -> str:
        axis = {"axis": given.axis} if given.scale.ndim else {}
        return self.node("DequantizeLinear", given.names, **axis)


def middle(dtype: str) -> int:
    """Return the zero point of symmetric numbers."""
    return 0 if dtype.startswith("int") else 1 << (8 * np.dtype(dtype).itemsize - 1)


# Results


def finish(
    model: Model, kind: str, result: str, exact: np.ndarray, limits: tuple[int, int] | None, dtype: Any
) -> Drawn:
    """Return the model with its one result."""
    inputs = [
        helper.make_tensor_value_info(
            name,
            helper.np_dtype_to_tensor_dtype(array.dtype),
            ["n", *array.shape[1:]] if model.is_open and array.ndim else array.shape,
        )
        for name, array in model.inputs.items()
    ]
    sizes = None if model.is_open else exact.shape
    output = helper.make_tensor_value_info(result, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), sizes)
    graph = helper.make_graph(model.nodes, kind, inputs, [output], model.constants)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
    proto = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    tie = max(model.tie, OF_16_BITS) if limits in (_limits("int16"), _limits("uint16")) else model.tie
    corners = frozenset(model.corners | _corners_of(exact, limits))
    return Drawn(kind, proto, model.inputs, exact, limits, tie, corners)


def _corners_of(exact: np.ndarray, limits: tuple[int, int] | None) -> set[str]:
    """Return the corners of a result that follow from its numbers."""
    if limits is None:
        return {"result of floats"}
    below, above = np.rint(exact) < limits[0], np.rint(exact) > limits[1]
    is_tie = np.abs(np.abs(exact - np.floor(exact)) - 0.5) < TIE
    found = {
        "result saturates at the low end": below.any(),
        "result saturates at the high end": above.any(),
        "more than half of the result saturates": (below | above).mean() > 0.5,
        "no element saturates": not (below | above).any(),
        "a tie within reach": (is_tie & ~below & ~above).any(),
        f"result in [{limits[0]}, {limits[1]}]": True,
    }
    return {name for name, is_there in found.items() if is_there}


def parameters(model: Model, exact: np.ndarray, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a scale and zero point for a result, by which some of it saturates or much of it."""
    spread = max(float(np.abs(exact).max(initial=0)), 1e-20)
    steps = (1 << (8 if dtype.endswith("8") else 16)) - 1
    scale = np.float32(spread / steps * 10 ** model.chance.uniform(-0.7, 0.5))
    if model.has_ties:
        scale = np.float32(2.0 ** np.round(np.log2(scale)))
    zero = model.zero(dtype)
    model.note_zero("result", zero)
    return np.asarray(scale), zero


def quanta(exact: np.ndarray, scale: np.ndarray, zero: np.ndarray) -> np.ndarray:
    return exact / np.float64(scale) + np.float64(zero)


def _limits(dtype: str) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def finish_integers(
    model: Model, kind: str, result: str, exact: np.ndarray, scale: np.ndarray, zero: np.ndarray
) -> Drawn:
    """Return a result of quantised numbers, `exact` before they are."""
    dtype = zero.dtype.name
    return finish(model, kind, result, quanta(exact, scale, zero), _limits(dtype), dtype)


def quantized(model: Model, kind: str, result: str, exact: np.ndarray, dtype: str | None = None) -> Drawn:
    """Return a float result that QuantizeLinear follows."""
    dtype = dtype or model.pick("uint8", "int8")
    scale, zero = parameters(model, exact, dtype)
    name = model.node("QuantizeLinear", [result, model.constant(scale), model.constant(zero)])
    return finish_integers(model, kind, name, exact, scale, zero)


def one_node(
    model: Model,
    kind: str,
    operator: str,
    inputs: Sequence[str],
    exact: np.ndarray,
    dtype: str,
    domain: str,
    **rest: Any,
) -> Drawn:
    """Return an operator that quantises its result itself: scale and zero point are its next inputs."""
    scale, zero = parameters(model, exact, dtype)
    after = rest.pop("after", [])
    names = [*inputs, model.constant(scale), model.constant(zero), *after]
    name = model.node(operator, names, domain, **rest)
    return finish_integers(model, kind, name, exact, scale, zero)


def between(model: Model, exact: np.ndarray, dtype: str) -> Quantized | None:
    """Return the integers between two operators, whose names are the first operator's result, scale and zero point;
    None where an element is next to a tie, after which both integers would be right."""
    scale, zero = parameters(model, exact, dtype)
    found = quanta(exact, scale, zero)
    if (np.abs(np.abs(found - np.floor(found)) - 0.5) < 1e-3).any():
        return None
    integers = np.clip(np.rint(found), *_limits(dtype)).astype(dtype)
    return Quantized(["", model.constant(scale), model.constant(zero)], integers, scale, zero)
