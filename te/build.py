"""Tensors as IR: one `te.compute` for each definition, in dependence order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, LocationAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects.graph.types import make_type
from ..dialects.index_expr import Index
from ..dialects.names import value_name
from ..dialects.te import ComputeOp, DimOp, ReduceOp, YieldOp
from .body import BodyEmitter
from .dtypes import dtype_info
from .errors import te_error
from .expr import Axis, Expr, Reduce, Var, walk
from .shapes import Size
from .tensor import Computation, Placeholder, Tensor


def build_computes(
    outputs: Sequence[Tensor],
    inputs: Mapping[Tensor, SSAValue],
    builder: Builder,
    *,
    result_types: Sequence[Attribute] | None = None,
    location: LocationAttr | None = None,
) -> list[SSAValue]:
    """Insert the computes that `outputs` depend on, down to `inputs`, and give the outputs' values.

    `result_types` replaces the outputs' types, which otherwise name the dimensions that are a single `te.var`.
    `location` replaces the Python lines of the definitions. Raises TW0459 for a placeholder that is not in `inputs`
    and TW0458 for a size that no input's shape determines.
    """
    emitter = _ComputeEmitter(builder, dict(inputs), location)
    types = dict(zip(outputs, result_types, strict=True)) if result_types is not None else {}
    for computation in _in_dependence_order(outputs, inputs):
        emitter.emit(computation, types)
    return [emitter.tensors[output] for output in outputs]


def to_module(args: Sequence[Tensor], name: str = "main") -> ModuleOp:
    """A module with one function over the placeholders among `args`, which returns the other tensors in order."""
    inputs = [t for t in args if isinstance(t.op, Placeholder)]
    outputs = [t for t in args if not isinstance(t.op, Placeholder)]
    _check_arguments(args, inputs, outputs)
    block = Block(arg_types=[tensor_type(t) for t in inputs])
    for argument, tensor in zip(block.args, inputs, strict=True):
        argument.name_hint = value_name(tensor.name)
    builder = Builder(InsertPoint.at_end(block))
    results = build_computes(outputs, dict(zip(inputs, block.args, strict=True)), builder)
    builder.insert(func.ReturnOp(*results))
    function = func.FuncOp(
        name,
        ([a.type for a in block.args], [r.type for r in results]),
        Region(block),
        arg_attrs=_names(inputs),
        res_attrs=_names(outputs),
    )
    return ModuleOp([function])


def tensor_type(tensor: Tensor) -> Attribute:
    """The IR type of a tensor; a dimension that is a single `te.var` carries its name."""
    dims = [size if isinstance(size, int) else size.name if isinstance(size, Var) else None for size in tensor.shape]
    return make_type(dims, dtype_info(tensor.dtype).ir)


class _ComputeEmitter:
    """Inserts computes one after another; a size is read off the inputs when it is first needed."""

    def __init__(self, builder: Builder, tensors: dict[Tensor, SSAValue], location: LocationAttr | None) -> None:
        self.tensors = tensors
        self._builder = builder
        self._location = location
        self._inputs = dict(tensors)
        self._sizes: dict[Axis | Var, Index] = {}
        self._extents = BodyEmitter(builder, {}, self._sizes)
        self._labels = {op.label for op in builder.insertion_point.block.ops if isinstance(op, ComputeOp)}

    def emit(self, computation: Computation, types: Mapping[Tensor, Attribute]) -> None:
        axes = (*computation.axis, *computation.reduce_axis)
        for var in _variables(computation):
            self._read_size(var)
        op = ComputeOp(
            self._label(computation.name),
            [self._size(a.extent) for a in computation.axis],
            [self._size(a.extent) for a in computation.reduce_axis],
            [types.get(t) or tensor_type(t) for t in computation.outputs],
            name_hints=[a.name for a in axes],
        )
        op.location = self._location or computation.location or op.location
        variables = dict(self._sizes)
        for axis, argument in zip(axes, op.body.block.args, strict=True):
            variables[axis] = Index.of(argument) + self._size(axis.low)
        self._emit_body(computation, op, variables)
        self._builder.insert(op)
        for tensor, result in zip(computation.outputs, op.res, strict=True):
            result.name_hint = value_name(op.label)
            self.tensors[tensor] = result

    def _emit_body(self, computation: Computation, op: ComputeOp, variables: dict[Axis | Var, Index]) -> None:
        builder = Builder(InsertPoint.at_end(op.body.block))
        body = BodyEmitter(builder, self.tensors, variables)
        first = computation.bodies[0]
        if isinstance(first, Reduce):
            builder.insert(ReduceOp(first.combiner.kind, [body.scalar(first.source)]))
        else:
            builder.insert(YieldOp([body.scalar(b) for b in computation.bodies]))

    def _label(self, name: str) -> str:
        """`name`, or the first of name_1, name_2, ... that the function does not have."""
        label, count = name, 0
        while label in self._labels:
            count += 1
            label = f"{name}_{count}"
        self._labels.add(label)
        return label

    def _size(self, size: Size) -> Index:
        return Index.of(size) if isinstance(size, int) else self._extents.index(size)

    def _read_size(self, var: Var) -> None:
        if var in self._sizes:
            return
        for tensor, value in self._inputs.items():
            for d, size in enumerate(tensor.shape):
                if size is var:
                    dim = self._builder.insert(DimOp(value, d, name_hint=value_name(var.name)))
                    self._sizes[var] = Index.of(dim.res)
                    return
        te_error(
            "TW0458",
            f"expected an argument with a dimension of size {var.name!r}, but got none",
            help="give one argument this te.var as a dimension",
        )


def _variables(computation: Computation) -> Iterator[Var]:
    """The size variables in a definition's domain and bodies."""
    axes = (*computation.axis, *computation.reduce_axis)
    bounds = [b for a in axes for b in (a.low, a.high) if isinstance(b, Expr)]
    for root in (*bounds, *computation.bodies):
        yield from (node for node in walk(root) if isinstance(node, Var))


def _in_dependence_order(outputs: Sequence[Tensor], inputs: Mapping[Tensor, SSAValue]) -> list[Computation]:
    """The definitions that `outputs` need and `inputs` do not give, each after those that it reads."""
    order: dict[Computation, None] = {}
    stack = [(t.op, False) for t in reversed(outputs) if t not in inputs]
    while stack:
        op, inputs_done = stack.pop()
        if isinstance(op, Placeholder):
            te_error("TW0459", f"expected placeholder {op.name!r} among the arguments, but it is not")
        if inputs_done:
            order[op] = None
        elif op not in order:
            stack.append((op, True))
            stack.extend((t.op, False) for t in reversed(op.inputs) if t not in inputs)
    return list(order)


def _check_arguments(args: Sequence[Tensor], inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
    if not outputs:
        te_error("TW0459", "expected at least one computed tensor among the arguments, but got none")
    if list(args) != [*inputs, *outputs]:
        te_error("TW0459", f"expected placeholders before computed tensors, but got {[t.name for t in args]}")
    names = [t.name for t in args]
    for name in names:
        if names.count(name) > 1:
            te_error("TW0459", f"expected arguments of different names, but got {name!r} twice")


def _names(tensors: Sequence[Tensor]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr({"tw.name": StringAttr(t.name)}) for t in tensors)
