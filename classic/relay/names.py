"""Operators and attributes of the graph dialect under their classic names, for visitors of expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Operation
from xdsl.irdl import VarOperandDef

from ...diagnostics.errors import UnknownNameError
from ...diagnostics.text import did_you_mean
from ...dialects.graph import GraphOp, shape_of
from ...lazy import missing_field
from ...operators.record import load_operators

CLASSIC_NAMES: Mapping[str, str] = {
    "adaptive_avg_pool": "nn.adaptive_avg_pool2d",
    "adaptive_max_pool": "nn.adaptive_max_pool2d",
    "and": "logical_and",
    "avg_pool2d": "nn.avg_pool2d",
    "avg_pool3d": "nn.avg_pool3d",
    "batch_norm": "nn.batch_norm",
    "batch_to_space_nd": "nn.batch_to_space_nd",
    "bitcast": "reinterpret",
    "concat": "concatenate",
    "conv1d_transpose": "nn.conv1d_transpose",
    "conv2d": "nn.conv2d",
    "conv2d_transpose": "nn.conv2d_transpose",
    "conv3d": "nn.conv3d",
    "conv3d_transpose": "nn.conv3d_transpose",
    "crop_and_resize": "image.crop_and_resize",
    "dense": "nn.dense",
    "depth_to_space": "nn.depth_to_space",
    "dilate": "nn.dilate",
    "div": "divide",
    "dropout": "nn.dropout",
    "flatten": "nn.batch_flatten",
    "gather": "take",
    "gather_elements": "gather",
    "global_avg_pool": "nn.global_avg_pool2d",
    "grid_sample": "image.grid_sample",
    "group_norm": "nn.group_norm",
    "identity": "copy",
    "instance_norm": "nn.instance_norm",
    "layer_norm": "nn.layer_norm",
    "leaky_relu": "nn.leaky_relu",
    "log_softmax": "nn.log_softmax",
    "lrn": "nn.lrn",
    "matmul": "nn.matmul",
    "max_pool2d": "nn.max_pool2d",
    "max_pool3d": "nn.max_pool3d",
    "mul": "multiply",
    "neg": "negative",
    "not": "logical_not",
    "or": "logical_or",
    "pad": "nn.pad",
    "pow": "power",
    "reduce_all": "all",
    "reduce_any": "any",
    "reduce_max": "max",
    "reduce_mean": "mean",
    "reduce_min": "min",
    "reduce_prod": "prod",
    "reduce_sum": "sum",
    "relu": "nn.relu",
    "resize": "image.resize2d",
    "roi_align": "vision.roi_align",
    "roi_pool": "vision.roi_pool",
    "slice": "strided_slice",
    "softmax": "nn.softmax",
    "space_to_batch_nd": "nn.space_to_batch_nd",
    "space_to_depth": "nn.space_to_depth",
    "sparse_dense": "nn.sparse_dense",
    "sub": "subtract",
    "suppress_boxes": "vision.non_max_suppression",
    "unsqueeze": "expand_dims",
    "valid_boxes": "vision.get_valid_counts",
    "xor": "logical_xor",
}
"""The classic name of an operation of the graph dialect; others have the same name."""

_ATTRIBUTES: Mapping[str, str] = {
    "axes": "axis",
    "block": "block_size",
    "dilations": "dilation",
    "high": "a_max",
    "kernel": "pool_size",
    "low": "a_min",
    "permutation": "axes",
    "ratio": "rate",
    "shape": "newshape",
    "to": "dtype",
    "value": "pad_value",
}
"""The classic name of a property of an operation; others have the same name."""

_LAYOUTS = {
    "conv2d": ("NCHW", "OIHW"), "conv3d": ("NCDHW", "OIDHW"), "conv1d_transpose": ("NCW", "IOW"),
    "conv2d_transpose": ("NCHW", "IOHW"), "conv3d_transpose": ("NCDHW", "IODHW"),
}  # fmt: skip


@dataclass(frozen=True)
class Op:
    """An operator by its classic name. Two operators are equal if their names are.

    The operator of a call creates operations of the same kind; an operator from `relay.op.get` calls the function of
    this name.
    """

    name: str
    operation: type[Operation] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Op) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    @property
    def takes_tuple(self) -> bool:
        """True where the operands are one tuple, as those of a concatenation are."""
        if self.operation is None or not issubclass(self.operation, GraphOp):
            return False
        kinds = [kind for _, kind in self.operation.get_irdl_definition().operands]
        return len(kinds) == 1 and isinstance(kinds[0], VarOperandDef)

    def __call__(self, *args: Any) -> Any:
        """Apply the operator to arguments, its attributes at their defaults."""
        return self.apply(args, {})

    def apply(self, args: Sequence[Any], attrs: Any) -> Any:
        """Apply the operator to arguments with the attributes of a call, or with keywords."""
        from .building import emit
        from .expr import expression

        if isinstance(attrs, Attrs) and self.operation is attrs.operation:
            given = [part for each in args for part in _parts(expression(each))]
            return emit(attrs.operation, *given, **attrs.properties)
        return function_named(self.name)(*args, **dict(attrs))

    def get_attr(self, attr_name: str) -> Any:
        """Return the fusion kind of the operator for "TOpPattern". Raises TW0251 for other attributes."""
        from ...operators import get_operator

        if attr_name != "TOpPattern" or self.operation is None:
            raise missing_field(self, f"operator {self.name}", attr_name)
        return int(get_operator(self.operation.name.removeprefix("graph.")).kind)


def _parts(given: Any) -> list[Any]:
    return list(given) if len(given.values) != 1 else [given]


class Attrs(Mapping[str, Any]):
    """The attributes of a call, by their classic names, as fields and by key."""

    def __init__(self, operation: type[GraphOp], properties: Mapping[str, Any], more: Mapping[str, Any]) -> None:
        self.operation, self.properties = operation, dict(properties)
        self._named = {_ATTRIBUTES.get(name, name): value for name, value in properties.items()} | dict(more)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._named:
            raise missing_field(self, "attributes of a call", name)
        return self._named[name]

    def __getitem__(self, name: str) -> Any:
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def get_int(self, name: str) -> int:
        """Return an attribute that is a number."""
        return int(self._named[name])

    def get_str(self, name: str) -> str:
        """Return an attribute that is a text."""
        return str(self._named[name])

    def get_int_tuple(self, name: str) -> tuple[int, ...]:
        """Return an attribute that is several numbers."""
        return tuple(map(int, self._named[name]))


def operator_of(operation: Operation) -> Op:
    """Return the operator that an operation is a call of."""
    name = operation.name.removeprefix("graph.")
    return Op(CLASSIC_NAMES.get(name, name), type(operation))


def attributes_of(operation: GraphOp) -> Attrs:
    """Return the attributes of an operation, those that follow from its weights too."""
    name = operation.name.removeprefix("graph.")
    more: dict[str, Any] = {}
    if name in _LAYOUTS:
        data, kernel = _LAYOUTS[name]
        sizes = shape_of(operation.operands[1])
        more = {
            "data_layout": data,
            "kernel_layout": kernel,
            "out_layout": "",
            "out_dtype": operation.values["out_dtype"] or "",
        }
        more |= {"channels": sizes[0], "kernel_size": sizes[2:]}
    elif name == "dense":
        more = {"units": shape_of(operation.operands[1])[0], "out_dtype": operation.values["out_dtype"] or ""}
    return Attrs(type(operation), operation.values, more)


def function_named(name: str) -> Callable[..., Any]:
    """Return the function of an operator by its classic name, "nn.relu". Raises TW0225 for a name of none."""
    from .. import relay

    found: Any = relay
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        known = load_operators()
        near = did_you_mean(name, [CLASSIC_NAMES.get(each, each) for each in known])
        raise UnknownNameError("TW0225", f"relay has no operator {name!r}{near}")
    return found


def get(op_name: str) -> Op:
    """Return the operator of a classic name. Raises TW0225 for a name of none."""
    function_named(op_name)
    return Op(op_name, None)
