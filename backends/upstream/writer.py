"""Emission of a module of loop IR as upstream MLIR, operation by operation."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from math import prod
from typing import NoReturn

from xdsl.dialects import affine, arith, memref, scf, vector
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntElementsAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.printer import Printer

from ...diagnostics import fail
from ...dialects import loop
from ...dialects.constant_data import constant_array, dense_attr, has_data
from ...dialects.index_expr import LANE, FloorDiv, Index, Mod
from ...dialects.upstream.affine import ParallelOp
from ...ir import editor as edit
from .indices import constant, is_affine, map_of, truth_of, value_of


def upstream_text(module: ModuleOp) -> str:
    """Return the text of a module of loops without blocks. Raises TilewrightError TW0572 for operations that upstream
    MLIR cannot express."""
    new = _Module().write(module)
    stream = StringIO()
    Printer(stream=stream).print_op(new)
    return stream.getvalue() + "\n"


def _refuse(op: Operation, what: str) -> NoReturn:
    fail("TW0572", f"upstream MLIR has no counterpart of {what}", op=op)


class _Module:
    """The state of a module's emission: the globals for constants."""

    def __init__(self) -> None:
        self.globals: list[memref.GlobalOp] = []

    def write(self, module: ModuleOp) -> ModuleOp:
        functions: list[Operation] = []
        for op in module.ops:
            if isinstance(op, FuncOp):
                functions.append(_Function(self).write(op))
            else:
                _refuse(op, f"'{op.name}'")
        return ModuleOp([*self.globals, *functions])

    def global_of(self, op: loop.ConstantOp) -> memref.GetGlobalOp:
        """Add a global for a constant, and return the operation that reads it."""
        if not has_data(op.value):
            _refuse(op, "a constant whose data is not at hand")
        name = f"constant_{len(self.globals)}"
        type_ = _buffer_type(op, op.res.type)
        data = dense_attr(constant_array(op.value))
        self.globals.append(memref.GlobalOp.get(StringAttr(name), type_, data, constant=UnitAttr()))
        return memref.GetGlobalOp(name, type_)


def _buffer_type(op: Operation, type: Attribute) -> MemRefType:
    """Return the type without a scope: upstream MLIR has buffers on the stack and on the heap."""
    assert isinstance(type, MemRefType)
    if loop.scope_of(type) not in (loop.GLOBAL, loop.LOCAL, loop.REGISTER):
        _refuse(op, f"a buffer of scope '{loop.scope_of(type)}'")
    element = type.element_type
    if isinstance(element, IntegerType) and element.signedness.data is not Signedness.SIGNLESS:
        _refuse(op, f"elements of type {element}")
    return MemRefType(element, type.get_shape())


class _Function:
    """Writes one function."""

    def __init__(self, module: _Module) -> None:
        self.module = module
        self.values: dict[SSAValue, SSAValue] = {}
        self.block = Block()

    def write(self, function: FuncOp) -> FuncOp:
        if function.body.blocks:
            for argument in function.body.block.args:
                type_ = argument.type
                new_type = _buffer_type(function, type_) if isinstance(type_, MemRefType) else type_
                new = edit.insert_argument(self.block, new_type, len(self.block.args))
                edit.rename(new, argument.name_hint)
                self.values[argument] = new
        inputs = [argument.type for argument in self.block.args]
        type_ = FunctionType.from_lists(inputs, function.function_type.outputs.data)
        if not function.body.blocks:
            return FuncOp.external(function.sym_name.data, function.function_type.inputs.data, type_.outputs.data)
        new = FuncOp(function.sym_name.data, type_, Region(self.block), function.sym_visibility)
        self._write_block(function.body.block)
        return new

    # Helpers

    def emit(self, op: Operation) -> SSAValue:
        """Append an operation; its first result. One without results is put by `add`."""
        edit.append(self.block, op)
        return op.results[0]

    def add(self, op: Operation) -> None:
        edit.append(self.block, op)

    def index(self, index: Index) -> Index:
        return index.substitute(self.values)

    def _define(self, op: Operation, values: Sequence[SSAValue]) -> None:
        for old, new in zip(op.results, values, strict=True):
            edit.rename(new, new.name_hint or old.name_hint)
            self.values[old] = new

    def _write_block(self, block: Block) -> None:
        for op in block.ops:
            self._write(op)

    def _write_into(self, block: Block, old: Block, *last: Operation) -> None:
        outer, self.block = self.block, block
        self._write_block(old)
        for op in last:
            self.add(op)
        self.block = outer

    # Operations

    def _write(self, op: Operation) -> None:
        match op:
            case loop.ForOp():
                self._for(op)
            case loop.IfOp():
                self._if(op)
            case loop.LoadOp():
                self._load(op)
            case loop.StoreOp():
                self._store(op)
            case loop.AllocOp():
                self._alloc(op)
            case loop.ConstantOp():
                self._define(op, [self.emit(self.module.global_of(op))])
            case loop.DimOp():
                number = constant(op.dimension.value.data, self.emit)
                source = self.values[op.buffer]
                self._define(op, [self.emit(memref.DimOp(source, number))])
            case loop.ApplyOp() if not isinstance(op.res.type, VectorType):
                self._define(op, [value_of(self.index(op.index), self.emit)])
            case loop.TestOp() if not isinstance(op.res.type, VectorType):
                self._define(op, [truth_of([self.index(e) for e in op.conditions], self.emit)])
            case loop.ViewOp():
                self._view(op)
            case loop.CombineOp():
                self._combine(op)
            case loop.DelinearizeOp():
                self._delinearize(op)
            case loop.BindOp() | loop.PrefetchOp() | loop.PrefetchAheadOp() | loop.YieldOp():
                pass  # promises of callers, hints, and terminators that the enclosing loop writes
            case CallOp():
                arguments = [self.values[v] for v in op.arguments]
                call = CallOp(SymbolRefAttr(op.callee.string_value()), arguments, [r.type for r in op.res])
                self.add(call)
                self._define(op, call.res)
            case ReturnOp():
                self.add(ReturnOp(*[self.values[v] for v in op.operands]))
            case _ if op.dialect_name() in ("arith", "math", "vector") and not op.regions:
                copy = op.clone(self.values)
                self.add(copy)
                self._define(op, copy.results)
            case _:
                _refuse(op, f"'{op.name}'")

    def _for(self, op: loop.ForOp) -> None:
        if op.kind not in (loop.SERIAL, loop.PARALLEL, loop.VECTORIZED, loop.UNROLLED):
            _refuse(op, f"a loop of kind {op.kind}")
        lowers = [self.index(e) for e in op.lowers]
        uppers = [self.index(e) for e in op.uppers]
        inits = [self.values[v] for v in op.iter_args]
        body = Block(arg_types=[a.type for a in op.body.block.args])
        for old, new in zip(op.body.block.args, body.args, strict=True):
            edit.rename(new, old.name_hint)
            self.values[old] = new
        plain = all(is_affine(e) for e in (*lowers, *uppers))
        if op.kind == loop.PARALLEL and not inits and plain:
            new = self._parallel(lowers, uppers, body)
        elif plain:
            (lower_map, lower_operands), (upper_map, upper_operands) = map_of(lowers), map_of(uppers)
            types = [v.type for v in inits]
            new = affine.ForOp.from_region(
                lower_operands, upper_operands, inits, types, lower_map, upper_map, Region(body)
            )
        else:
            low, high = self._extreme(lowers, arith.MaxSIOp), self._extreme(uppers, arith.MinSIOp)
            new = scf.ForOp(low, high, constant(1, self.emit), inits, body)
        self.add(new)
        outer, self.block = self.block, body
        self._write_block(op.body.block)
        last = op.body.block.last_op
        carried = [self.values[v] for v in last.operands] if isinstance(last, loop.YieldOp) else []
        self.add(scf.YieldOp(*carried) if isinstance(new, scf.ForOp) else affine.YieldOp.get(*carried))
        self.block = outer
        self._define(op, new.results)

    def _extreme(self, indices: Sequence[Index], combine: type[Operation]) -> SSAValue:
        result = value_of(indices[0], self.emit)
        for index in indices[1:]:
            result = self.emit(combine(result, value_of(index, self.emit)))  # pyright: ignore[reportCallIssue]
        return result

    def _parallel(self, lowers: Sequence[Index], uppers: Sequence[Index], body: Block) -> ParallelOp:
        (lower_map, lower_operands), (upper_map, upper_operands) = map_of(lowers), map_of(uppers)
        properties: dict[str, Attribute] = {
            "reductions": ArrayAttr([]),
            "lowerBoundsMap": lower_map,
            "lowerBoundsGroups": _group(len(lowers)),
            "upperBoundsMap": upper_map,
            "upperBoundsGroups": _group(len(uppers)),
            "steps": ArrayAttr([IntegerAttr(1, i64)]),
        }
        operands = [*lower_operands, *upper_operands]
        return ParallelOp.build(operands=[operands], properties=properties, result_types=[[]], regions=[Region(body)])

    def _if(self, op: loop.IfOp) -> None:
        condition = truth_of([self.index(e) for e in op.conditions], self.emit)
        regions = [op.then_body, op.else_body]
        blocks = [Block() for region in regions if region.blocks]
        new = scf.IfOp(condition, [], Region(blocks[0]), Region(blocks[1]) if len(blocks) > 1 else None)
        self.add(new)
        for region, block in zip(regions, blocks, strict=False):
            self._write_into(block, region.block, scf.YieldOp())

    def _guarded(self, op: Operation, conditions: Sequence[Index]) -> scf.IfOp:
        """Return a condition around an access, whose blocks are empty so far."""
        condition = truth_of([self.index(e) for e in conditions], self.emit)
        types = [r.type for r in op.results]
        return scf.IfOp(condition, types, Region(Block()), Region(Block()) if types else None)

    def _load(self, op: loop.LoadOp) -> None:
        if not op.conditions:
            self._define(op, [self._plain_load(op)])
            return
        assert op.otherwise is not None
        if any(e.uses_lane for e in op.conditions):
            self._masked_load(op, op.otherwise)
            return
        new = self._guarded(op, op.conditions)
        self.add(new)
        outer = self.block
        self.block = new.true_region.block
        self.add(scf.YieldOp(self._plain_load(op)))
        self.block = new.false_region.block
        value = self.values[op.otherwise]
        if isinstance(op.res.type, VectorType):
            value = self.emit(vector.BroadcastOp(value, op.res.type))
        self.add(scf.YieldOp(value))
        self.block = outer
        self._define(op, new.output)

    def _masked_load(self, op: loop.LoadOp, otherwise: SSAValue) -> None:
        start = _first_lane(op, [self.index(e) for e in op.index])
        assert isinstance(op.res.type, VectorType)
        spread = self.emit(vector.BroadcastOp(self.values[otherwise], op.res.type))
        indices = [value_of(e, self.emit) for e in start]
        load = vector.MaskedLoadOp(self.values[op.buffer], indices, self._mask(op), spread, op.res.type)
        self._define(op, [self.emit(load)])

    def _mask(self, op: loop.LoadOp | loop.StoreOp) -> SSAValue:
        """Return a mask of the first lanes, as many as all conditions let through."""
        counts: list[Index] = []
        uniform: list[Index] = []
        for condition in (self.index(e) for e in op.conditions):
            rest = condition + Index.of(LANE)
            if rest.uses_lane and condition.uses_lane:
                _refuse(op, "a mask of other than the first lanes")
            (counts if condition.uses_lane else uniform).append(rest if condition.uses_lane else condition)
        count = self._extreme([index + 1 for index in counts], arith.MinSIOp)
        if uniform:
            count = self.emit(arith.SelectOp(truth_of(uniform, self.emit), count, constant(0, self.emit)))
        assert op.lanes is not None
        return self.emit(vector.CreateMaskOp([count], VectorType(i1, [op.lanes])))

    def _plain_load(self, op: loop.LoadOp) -> SSAValue:
        buffer = self.values[op.buffer]
        indices = [self.index(e) for e in op.index]
        if not isinstance(op.res.type, VectorType):
            return self.emit(self._element(buffer, indices))
        if not any(e.uses_lane for e in indices):
            return self.emit(vector.BroadcastOp(self.emit(self._element(buffer, indices)), op.res.type))
        start = _first_lane(op, indices)
        if all(is_affine(e) for e in start):
            map_, operands = map_of(start)
            return self.emit(affine.VectorLoadOp(buffer, list(operands), map_, op.res.type))  # pyright: ignore
        return self.emit(vector.LoadOp(buffer, [value_of(e, self.emit) for e in start], op.res.type))  # pyright: ignore

    def _element(self, buffer: SSAValue, indices: Sequence[Index]) -> Operation:
        if all(is_affine(e) for e in indices):
            map_, operands = map_of(indices)
            return affine.LoadOp(buffer, list(operands), map_)
        return memref.LoadOp.get(buffer, [value_of(e, self.emit) for e in indices])

    def _store(self, op: loop.StoreOp) -> None:
        if not op.conditions:
            self._plain_store(op)
            return
        if any(e.uses_lane for e in op.conditions):
            start = _first_lane(op, [self.index(e) for e in op.index])
            indices = [value_of(e, self.emit) for e in start]
            self.add(vector.MaskedStoreOp(self.values[op.buffer], indices, self._mask(op), self.values[op.value]))
            return
        new = self._guarded(op, op.conditions)
        self.add(new)
        outer, self.block = self.block, new.true_region.block
        self._plain_store(op)
        self.add(scf.YieldOp())
        self.block = outer

    def _plain_store(self, op: loop.StoreOp) -> None:
        buffer, value = self.values[op.buffer], self.values[op.value]
        indices = [self.index(e) for e in op.index]
        if isinstance(op.value.type, VectorType):
            start = _first_lane(op, indices)
            if all(is_affine(e) for e in start):
                map_, operands = map_of(start)
                self.add(affine.VectorStoreOp(value, buffer, list(operands), map_))  # pyright: ignore
            else:
                self.add(vector.StoreOp(value, buffer, [value_of(e, self.emit) for e in start]))  # pyright: ignore
        elif all(is_affine(e) for e in indices):
            map_, operands = map_of(indices)
            self.add(affine.StoreOp(value, buffer, list(operands), map_))
        else:
            self.add(memref.StoreOp.get(value, buffer, [value_of(e, self.emit) for e in indices]))

    def _alloc(self, op: loop.AllocOp) -> None:
        type_ = _buffer_type(op, op.res.type)
        sizes = [value_of(self.index(e), self.emit) for e in op.dynamic_sizes]
        is_stack = loop.scope_of(op.res.type) != loop.GLOBAL and not sizes
        make = memref.AllocaOp if is_stack else memref.AllocOp
        self._define(op, [self.emit(make.get(type_.element_type, shape=type_.get_shape(), dynamic_sizes=sizes))])

    def _view(self, op: loop.ViewOp) -> None:
        source, target = op.buffer.type, op.res.type
        assert isinstance(source, MemRefType) and isinstance(target, MemRefType)
        shape = target.get_shape()
        is_same = source.element_type == target.element_type and op.byte_offset == Index.of(0)
        if not is_same or -1 in shape or any(n < 0 for n in (*shape, *source.get_shape())):
            _refuse(op, "a view of other bytes of a buffer")
        strides = [prod(shape[d + 1 :]) for d in range(len(shape))]
        view = memref.ReinterpretCastOp.from_dynamic(
            self.values[op.buffer], [0], list(shape), strides, _buffer_type(op, target)
        )
        self._define(op, [self.emit(view)])

    def _combine(self, op: loop.CombineOp) -> None:
        block = op.combiner.block
        for argument, value in zip(block.args, op.operands, strict=True):
            self.values[argument] = self.values[value]
        self._write_block(block)
        last = block.last_op
        assert last is not None
        self._define(op, [self.values[v] for v in last.operands])

    def _delinearize(self, op: loop.DelinearizeOp) -> None:
        rest = self.values[op.fused]
        found: list[SSAValue] = []
        for size in reversed(op.sizes[1:]):
            extent = value_of(self.index(size), self.emit)
            found.insert(0, self.emit(arith.RemUIOp(rest, extent)))
            rest = self.emit(arith.DivUIOp(rest, extent))
        self._define(op, [rest, *found])


def _group(count: int) -> DenseIntElementsAttr:
    return DenseIntElementsAttr.from_list(TensorType(i32, [1]), [count])


def _first_lane(op: Operation, indices: Sequence[Index]) -> list[Index]:
    """Return the indices of the first lane of an access to neighbours. Raises TW0572 for others."""
    *outer, last = indices
    within = [a.numerator for a, _ in last.terms if isinstance(a, (FloorDiv, Mod))]
    if last.coefficient(LANE) != 1 or any(e.uses_lane for e in (*outer, *within)):
        _refuse(op, "a vector of elements that are no neighbours")
    return [*outer, last - Index.of(LANE)]
