"""Translation of tensors to IR: one `te.compute` for each definition, in dependence order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, LocationAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..diagnostics.expectations import expect_type
from ..diagnostics.locations import caller_location, fused_location, is_known, set_missing_locations
from ..dialects.graph.types import make_type
from ..dialects.index_expr import Index
from ..dialects.loop import add_foreign_code
from ..dialects.names import ORDER_ATTRIBUTE, value_name
from ..dialects.te import BindOp, ComputeOp, DimOp, ExternOp, ReduceOp, ScanOp, YieldOp, extern_body, scan_body
from .body import BodyEmitter
from .combiners import Combiner, Reducer
from .definition_order import Defined, check_reduce_axes, in_dependence_order, unique_labels, variables
from .definition_order import block_labels as block_labels
from .dtypes import dtype_info
from .expr import Axis, Expr, Reduce, Var, walk
from .external import Extern
from .ragged import RaggedEmitter, is_ragged
from .recurrence import Scan
from .scalar_operations import number_attribute
from .shapes import Size
from .te_errors import te_error
from .tensor import Computation, Definition, Placeholder, Tensor


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
    emitter = _ComputeEmitter(builder, dict(inputs), location, size_names(list(inputs)))
    emitter.emit_all(outputs, dict(zip(outputs, result_types, strict=True)) if result_types is not None else {})
    return [emitter.tensors[output] for output in outputs]


def to_module(args: Sequence[Tensor | Var], name: str = "main") -> ModuleOp:
    """Return a module with one function over the placeholders among `args`, which returns the other tensors in order.

    Every computed tensor among `args` is returned, whether or not others depend on it. A `te.var` among them whose
    value is found in the shapes of the placeholders is no argument of the function; any other one is an argument
    without dimensions, behind the placeholders.
    """
    placeholders, outputs = split_arguments(args)
    scalars = scalar_arguments(args)
    inputs = [*placeholders, *scalars.values()]
    check_reduce_axes(in_dependence_order(outputs, inputs))
    names = size_names(inputs)
    block = Block(arg_types=[tensor_type(t, names) for t in inputs])
    for argument, tensor in zip(block.args, inputs, strict=True):
        argument.name_hint = value_name(tensor.name)
    builder = Builder(InsertPoint.at_end(block))
    values: dict[Tensor, SSAValue] = dict(zip(inputs, block.args, strict=True))
    emitter = _ComputeEmitter(builder, values, None, names, scalars)
    emitter.bind_shapes(inputs)
    emitter.emit_all(outputs, {})
    results = [emitter.tensors[output] for output in outputs]
    builder.insert(func.ReturnOp(*results))
    function = func.FuncOp(
        name,
        ([a.type for a in block.args], [r.type for r in results]),
        Region(block),
        arg_attrs=_attributes(argument_names([*inputs, *outputs])[t] for t in inputs),
        res_attrs=_attributes(argument_names([*inputs, *outputs])[t] for t in outputs),
    )
    set_missing_locations(function, _function_location(outputs))
    for code in (c for op in in_dependence_order(outputs, inputs) if isinstance(op, Extern) for c in op.code):
        add_foreign_code(function, code)
    return ModuleOp([function])


def _function_location(outputs: Sequence[Tensor]) -> LocationAttr:
    """Return the location of the user's call; where the library calls, that of the outputs."""
    asked = caller_location()
    return asked if is_known(asked) else fused_location(*(t.op.location for t in outputs))


def size_names(inputs: Sequence[Tensor]) -> dict[Var, str]:
    """Return a name for each size of the inputs: the variable's name, with a number appended if taken."""
    names: dict[Var, str] = {}
    for size in (size for tensor in inputs for size in tensor.shape):
        if isinstance(size, Var) and size not in names:
            taken, count, name = set(names.values()), 0, size.name
            while name in taken:
                count += 1
                name = f"{size.name}_{count}"
            names[size] = name
    return names


def tensor_type(tensor: Tensor, names: Mapping[Var, str]) -> Attribute:
    """Return the IR type of a tensor; a dimension that is a single `te.var` carries its name."""
    dims = [
        size if isinstance(size, int) else names.get(size) if isinstance(size, Var) else None for size in tensor.shape
    ]
    return make_type(dims, dtype_info(tensor.dtype).ir)


class _ComputeEmitter:
    """Inserts computes one after another; the `dim` of a size is emitted at the first use of the size."""

    def __init__(
        self,
        builder: Builder,
        tensors: dict[Tensor, SSAValue],
        location: LocationAttr | None,
        names: Mapping[Var, str],
        scalars: Mapping[Var, Tensor] | None = None,
    ) -> None:
        self.tensors = tensors
        self._scalars = scalars or {}
        self._names = names
        self._builder = builder
        self._location = location
        self._inputs = dict(tensors)
        self._sizes: dict[Axis | Var, Index] = {}
        self._extents = BodyEmitter(builder, {}, self._sizes, location=location)

    def bind_shapes(self, inputs: Sequence[Tensor]) -> None:
        """State the shapes of arguments with sizes that are computed from others."""
        for tensor in inputs:
            if any(not isinstance(size, (int, Var)) for size in tensor.shape):
                for var in (n for size in tensor.shape if isinstance(size, Expr) for n in walk(size)):
                    if isinstance(var, Var):
                        self._read_size(var)
                bind = self._builder.insert(BindOp(self.tensors[tensor], [self._size(n) for n in tensor.shape]))
                bind.location = tensor.op.location or bind.location

    def emit_all(self, outputs: Sequence[Tensor], types: Mapping[Tensor, Attribute]) -> None:
        """Emit everything that the outputs depend on, in order."""
        definitions = in_dependence_order(outputs, self._inputs)
        block = self._builder.insertion_point.block
        taken = [op.label for op in block.ops if isinstance(op, (ComputeOp, ScanOp, ExternOp))]
        labels = unique_labels(definitions, taken)
        for definition in definitions:
            for var in variables(definition):
                if var not in self._scalars:
                    self._read_size(var)
            match definition:
                case Scan():
                    self.emit_scan(definition, labels, types)
                case Extern():
                    self.emit_extern(definition, labels[definition], types)
                case Computation() if is_ragged(definition):
                    self.emit_ragged(definition, labels[definition], types)
                case Computation():
                    self.emit(definition, labels[definition], types)

    def _type(self, tensor: Tensor, types: Mapping[Tensor, Attribute]) -> Attribute:
        return types.get(tensor) or tensor_type(tensor, self._names)

    def emit(self, computation: Computation, label: str, types: Mapping[Tensor, Attribute]) -> None:
        axes = (*computation.axis, *computation.reduce_axis)
        op = ComputeOp(
            label,
            [self._size(a.extent) for a in computation.axis],
            [self._size(a.extent) for a in computation.reduce_axis],
            [self._type(t, types) for t in computation.outputs],
            name_hints=[a.name for a in axes],
        )
        op.location = self._location or computation.location or op.location
        values = dict(self._sizes)
        for axis, argument in zip(axes, op.body.block.args, strict=True):
            values[axis] = Index.of(argument) + self._size(axis.low)
        self._emit_body(computation, op, values)
        set_missing_locations(op, op.location)
        self._builder.insert(op)
        self._name_results(op.res, computation, op.label)

    def emit_scan(self, scan: Scan, labels: Mapping[Defined, str], types: Mapping[Tensor, Attribute]) -> None:
        result_types = [self._type(t, types) for t in scan.outputs]
        block = scan_body(result_types, [value_name(s.name) for s in scan.state])
        self.tensors |= zip(scan.state, block.args, strict=True)
        outer, self._builder = self._builder, Builder(InsertPoint.at_end(block))
        updates = dict(zip(scan.update, result_types, strict=True))
        for op in scan.body:
            self.emit(op, labels[op], updates)
        self._builder.insert(YieldOp([self.tensors[u] for u in scan.update]))
        self._builder = outer
        label = labels[scan]
        op = ScanOp(label, [self.tensors[t] for t in scan.init], result_types, Region(block))
        set_missing_locations(op, self._location or scan.location or op.location)
        self._builder.insert(op)
        self._name_results(op.res, scan, label)

    def emit_ragged(self, computation: Computation, label: str, types: Mapping[Tensor, Attribute]) -> None:
        """Emit a compute that reduces over ranges which depend on its elements: a statement with the loops in it."""
        read = [*computation.inputs, *(t for v in variables(computation) if (t := self._scalars.get(v)) is not None)]
        inputs = {tensor: self.tensors[tensor] for tensor in dict.fromkeys(read)}
        result_types = [self._type(t, types) for t in computation.outputs]
        names = [value_name(t.name) for t in (*inputs, *computation.outputs)]
        block = extern_body([*(v.type for v in inputs.values()), *result_types], names)
        buffers = dict(zip(inputs, block.args, strict=False))
        extents = [self._size(a.extent) for a in computation.axis]
        results = block.args[len(inputs) :]
        RaggedEmitter(computation, buffers, results, self._sizes, self._scalars).emit(block, label, extents)
        shapes = [extents] * len(result_types)
        op = ExternOp(label, [*inputs.values()], shapes, result_types, Region(block))
        set_missing_locations(op, self._location or computation.location or op.location)
        self._builder.insert(op)
        self._name_results(op.res, computation, label)

    def emit_extern(self, extern: Extern, label: str, types: Mapping[Tensor, Attribute]) -> None:
        inputs = [self.tensors[t] for t in extern.inputs]
        result_types = [self._type(t, types) for t in extern.outputs]
        names = [value_name(b.name) for b in (*extern.in_buffers, *extern.out_buffers)]
        block = extern_body([*(v.type for v in inputs), *result_types], names)
        extern.emit(Builder(InsertPoint.at_end(block)), block.args, self._sizes)
        shapes = [[self._size(n) for n in shape] for shape in extern.shapes]
        op = ExternOp(label, inputs, shapes, result_types, Region(block))
        set_missing_locations(op, self._location or extern.location or op.location)
        self._builder.insert(op)
        self._name_results(op.res, extern, label)

    def _name_results(self, results: Sequence[OpResult], definition: Definition, label: str) -> None:
        for tensor, result in zip(definition.outputs, results, strict=True):
            suffix = f"_v{tensor.value_index}" if definition.num_outputs > 1 else ""
            result.name_hint = value_name(label + suffix)
            self.tensors[tensor] = result

    def _emit_body(self, computation: Computation, op: ComputeOp, variables: dict[Axis | Var, Index]) -> None:
        builder = Builder(InsertPoint.at_end(op.body.block))
        body = BodyEmitter(builder, self.tensors, variables, scalars=self._scalars, location=self._location)
        reductions = [b for b in computation.bodies if isinstance(b, Reduce)]
        if not reductions:
            builder.insert(YieldOp([body.scalar(b) for b in computation.bodies]))
            return
        combiner = reductions[0].combiner
        values = [body.scalar(r.source) for r in reductions]
        starts = [body.scalar(r.start) for r in reductions if r.start is not None]
        how = combiner.kind if isinstance(combiner, Combiner) else _combiner_region(combiner)
        builder.insert(ReduceOp(how, values, starts))

    def _size(self, size: Size) -> Index:
        if isinstance(size, int):
            return Index.of(size)
        for node in walk(size):
            if isinstance(node, Var) and node in self._scalars:
                undetermined_size(node)
        return self._extents.index(size)

    def _read_size(self, var: Var) -> None:
        if var in self._sizes:
            return
        for tensor, value in self._inputs.items():
            for d, size in enumerate(tensor.shape):
                if size is var:
                    dim = self._builder.insert(DimOp(value, d, name_hint=value_name(self._names.get(var, var.name))))
                    dim.location = self._location or tensor.op.location or dim.location
                    self._sizes[var] = Index.of(dim.res)
                    return
        undetermined_size(var)


def _combiner_region(reducer: Reducer) -> tuple[Attribute, Region]:
    """Return the identities and the body of a user's reducer."""
    parameters = (*reducer.accumulated, *reducer.added)
    block = Block(arg_types=[dtype_info(p.dtype).ir for p in parameters])
    for argument, parameter in zip(block.args, parameters, strict=True):
        argument.name_hint = parameter.name
    builder = Builder(InsertPoint.at_end(block))
    body = BodyEmitter(builder, {}, {}, dict(zip(parameters, block.args, strict=True)))
    builder.insert(YieldOp([body.scalar(r) for r in reducer.results]))
    identities = [number_attribute(c.value, dtype_info(c.dtype).ir) for c in reducer.starts]
    return ArrayAttr(identities), Region(block)


def undetermined_size(var: Var) -> NoReturn:
    te_error(
        "TW0458",
        f"expected an argument with a dimension of size {var.name!r}, but got none",
        help="give one argument this te.var as a dimension; a number that is no size, and stands in bodies alone, is a "
        "separate argument: list it among the arguments",
    )


def split_arguments(args: Sequence[Tensor | Var]) -> tuple[list[Tensor], list[Tensor]]:
    """Return the placeholders and the computed tensors among `args`, each in order. Raises TW0459 and TW0458."""
    expect_type("args", args, list, tuple)
    for arg in args:
        if not isinstance(arg, (Tensor, Var)):  # pyright: ignore[reportUnnecessaryIsInstance]
            te_error("TW0459", f"expected tensors and sizes as arguments, but got {arg!r}")
    tensors = [a for a in args if isinstance(a, Tensor)]
    inputs = [t for t in tensors if isinstance(t.op, Placeholder)]
    outputs = [t for t in tensors if not isinstance(t.op, Placeholder)]
    if not outputs:
        te_error("TW0459", "expected at least one computed tensor among the arguments, but got none")
    for tensor in tensors:
        if tensors.count(tensor) > 1:
            te_error("TW0459", f"expected arguments that differ, but got {tensor.name!r} twice")
    return inputs, outputs


def scalar_arguments(args: Sequence[Tensor | Var]) -> dict[Var, Tensor]:
    """Return the variables among `args` that no shape determines, each with the argument that it is."""
    sizes = {size for a in args if isinstance(a, Tensor) and isinstance(a.op, Placeholder) for size in a.shape}
    found = [a for a in dict.fromkeys(args) if isinstance(a, Var) and a not in sizes]
    return {var: Tensor(Placeholder(var.name, (), var.stored, None)) for var in found}


def note_order(function: func.FuncOp, args: Sequence[Tensor | Var], listed: Sequence[Tensor | Var]) -> None:
    """Give the function of `args` the arguments that the user has `listed`, in that order, sizes included."""
    inputs, outputs = split_arguments(args)
    scalars = scalar_arguments(args)
    sizes, names = size_names(inputs), argument_names([*inputs, *scalars.values(), *outputs])
    order = [names[a] if isinstance(a, Tensor) else names[scalars[a]] if a in scalars else sizes[a] for a in listed]
    if order != [name for name in names.values() if name in order]:
        function.attributes[ORDER_ATTRIBUTE] = ArrayAttr(StringAttr(n) for n in order)


def argument_names(tensors: Sequence[Tensor]) -> dict[Tensor, str]:
    """Return the names of arguments: those of the tensors, with a number where an earlier argument has the name."""
    names: dict[Tensor, str] = {}
    taken = {tensor.name for tensor in tensors}
    for tensor in tensors:
        name, count = tensor.name, 0
        while name in names.values() or (count and name in taken):
            count += 1
            name = f"{tensor.name}_{count}"
        names[tensor] = name
    return names


def _attributes(names: Iterable[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr({"tw.name": StringAttr(name)}) for name in names)
