"""Pass `outline`: each fused group becomes a private function, a kernel.

Later phases compile, tune and cache one function at a time, so equal groups should become one function. Bodies are
therefore compared by structure, and constants that hold weights stay in the caller and are passed as arguments. A
constant of one element moves into the function, where it can become an immediate.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, FusedLoc, LocationAttr, ModuleOp, NoneAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from ...diagnostics.locations import fused_location, is_known, set_missing_locations
from ...dialects import graph
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ..framework.base import Level, Pass
from ..framework.instruments import statistic


@dataclass(frozen=True)
class OutlinePass(Pass):
    """Move each fused group, and each operator that stands alone, into a private function.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = graph.relu %x : tensor<8xf32>
      func.return %y : tensor<8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = func.call @relu(%x) : (tensor<8xf32>) -> tensor<8xf32>
      func.return %y : tensor<8xf32>
    }
    func.func private @relu(%x: tensor<8xf32>) -> tensor<8xf32> { … }
    ```
    Groups of equal structure share one function. Constants, and operators that only rename elements, such as reshape,
    stay where they are. Grants: a public function holds constants, aliases and calls only.
    """

    name = "outline"
    phase = 0
    levels = (Level.GRAPH,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        outliner = _Outliner(op)
        for function in list(op.ops):
            if isinstance(function, func.FuncOp) and not _is_private(function) and function.body.blocks:
                for member in _members(function.body.block):
                    is_wanted = isinstance(member, graph.FusedOp) or _is_kernel(member)
                    if is_wanted and may_rewrite("outline", member, is_needed=True):
                        outliner.outline(member)


def _members(block: Block) -> list[Operation]:
    """Return the operations of a block and of the regions of branches and loops in it."""
    found: list[Operation] = []
    for op in block.ops:
        found.append(op)
        if isinstance(op, (graph.IfOp, graph.LoopOp)):
            found += [member for region in op.regions for member in _members(region.block)]
    return found


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def _is_kernel(op: Operation) -> bool:
    return isinstance(op, graph.GraphOp) and not isinstance(op, graph.ConstantOp) and not graph.is_alias(op)


@dataclass
class _Outliner:
    """Makes functions at the end of a module, one for each structure."""

    module: ModuleOp
    functions: dict[Hashable, func.FuncOp] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.taken |= {op.sym_name.data for op in self.module.ops if isinstance(op, func.FuncOp)}

    def outline(self, op: Operation) -> None:
        body, inputs = _body_of(op)
        key = structure(body)
        function = self.functions.get(key)
        if function is None:
            function = self.functions[key] = self._new_function(op, body)
            statistic("kernels made")
        else:
            _join_locations(function, op, body)
            statistic("calls of a kernel that others call")
        call = func.CallOp(function.sym_name.data, inputs, op.result_types)
        call.location = op.location
        edit.replace(op, call)
        for constant in {value.owner for value in op.operands}:
            if isinstance(constant, graph.ConstantOp) and constant.y.first_use is None:
                edit.erase(constant)

    def _new_function(self, op: Operation, body: Block) -> func.FuncOp:
        last = body.last_op
        assert isinstance(last, func.ReturnOp)
        types = (body.arg_types, last.operand_types)
        function = func.FuncOp(self._name(_label(op)), types, Region(body), "private")
        function.location = _joined_location(op, body.ops)
        set_missing_locations(last, function.location)
        edit.append(self.module.body.block, function)
        return function

    def _name(self, label: str) -> str:
        """Return `label`, or the first of label_1, label_2, … that the module does not have."""
        name, count = label, 0
        while name in self.taken:
            count += 1
            name = f"{label}_{count}"
        self.taken.add(name)
        return name


def _label(op: Operation) -> str:
    return op.group.data if isinstance(op, graph.FusedOp) else op.name.removeprefix("graph.")


def _body_of(op: Operation) -> tuple[Block, list[SSAValue]]:
    """Return the function body that computes `op`, and the arguments of its call."""
    inputs = list(dict.fromkeys(value for value in op.operands if not _is_scalar_constant(value)))
    block = Block(arg_types=[value.type for value in inputs])
    mapping: dict[SSAValue, SSAValue] = dict(zip(inputs, block.args, strict=True))
    for value, argument in mapping.items():
        edit.rename(argument, value.name_hint)
    for value in op.operands:
        if value not in mapping:
            mapping[value] = _copy(value.owner, block, mapping).results[0]
    if isinstance(op, graph.FusedOp):
        mapping |= {argument: mapping[v] for argument, v in zip(op.body.block.args, op.inputs, strict=True)}
        for member in op.body.block.ops:
            if not isinstance(member, graph.YieldOp):
                _copy(member, block, mapping)
        results = [mapping[value] for value in op.yielded.values]
    else:
        results = list(_copy(op, block, mapping).results)
    edit.append(block, func.ReturnOp(*results))
    return block, inputs


def _copy(op: Operation | Block, block: Block, mapping: dict[SSAValue, SSAValue]) -> Operation:
    assert isinstance(op, Operation)
    copy = op.clone(mapping)
    copy.location = op.location
    edit.append(block, copy)
    for old, new in zip(op.results, copy.results, strict=True):
        edit.rename(new, old.name_hint)
    return copy


def _is_scalar_constant(value: SSAValue) -> bool:
    owner = value.owner
    if not isinstance(owner, graph.ConstantOp):
        return False
    sizes = graph.static_shape(value)
    return sizes is not None and all(size == 1 for size in sizes)


def structure(block: Block) -> Hashable:
    """Return the computation of a block without names and locations, as a key: equal keys mean equal code."""
    numbers: dict[SSAValue, int] = {argument: k for k, argument in enumerate(block.args)}
    rows: list[Hashable] = [tuple(block.arg_types)]
    for op in block.ops:
        operands = tuple(numbers[value] for value in op.operands)
        attributes = tuple(sorted((*op.properties.items(), *op.attributes.items()), key=lambda item: item[0]))
        rows.append((op.name, operands, attributes, tuple(op.result_types)))
        for result in op.results:
            numbers[result] = len(numbers)
    return tuple(rows)


def _join_locations(function: func.FuncOp, op: Operation, body: Block) -> None:
    """Add the source locations of an operation to the function whose code it shares, and to the operations inside."""
    function.location = fused_location(function.location, _joined_location(op, body.ops))
    for shared, added in zip(function.body.block.ops, body.ops, strict=True):
        shared.location = fused_location(shared.location, added.location)


def _joined_location(op: Operation, members: Iterable[Operation]) -> LocationAttr:
    """Return the location of a function: that of the op, or if it has none, those of its members fused."""
    if is_known(op.location):
        return op.location
    known = dict.fromkeys(member.location for member in members if is_known(member.location))
    return FusedLoc(ArrayAttr(list(known)), NoneAttr()) if known else op.location
