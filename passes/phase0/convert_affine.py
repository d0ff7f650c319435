"""Pass `convert-affine`: conversion of affine loops, conditions and accesses to the loop dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import LANE, Index
from ...dialects.upstream.affine import DelinearizeIndexOp, IfOp, LinearizeIndexOp, MaxOp, ParallelOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...te.combiners import identity
from ...te.dtypes import dtype_of_ir
from ...te.scalar_operations import emit_constant
from ...traversal import operations
from ..framework.base import Level, Pass
from ..upstream.control import convert_for, convert_if, emitter, end_of, extreme
from ..upstream.extents import mixed
from ..upstream.indices import affine_indices, evaluate, index_of, product, quotient, remainder, value_of
from ..upstream.nests import Bounds, Nest
from ..upstream.refusal import refuse_form, refuse_operation


@dataclass(frozen=True)
class ConvertAffinePass(Pass):
    """Lower affine loops, conditions, accesses and index arithmetic to the loop dialect.

    ```mlir
    affine.for %i = 0 to 64 step 4 {
      affine.if affine_set<(d0) : (d0 - 8 >= 0)>(%i) {
        %a = affine.load %A[%i + 1] : memref<72xf32>
        affine.store %a, %B[%i] : memref<64xf32>
      }
    }
    ```
    becomes
    ```mlir
    loop.for %i0 = 0 to 16 {
      %i = loop.apply (%i0 * 4) : index
      loop.if (%i0 * 4 >= 8) {
        %a = loop.load %A[%i0 * 4 + 1] : memref<72xf32>
        loop.store %a, %B[%i0 * 4] : memref<64xf32>
      }
    }
    ```
    An `affine.parallel` becomes a loop of kind parallel, unless it stands in one or reduces: then its loops are serial.
    A product of operands, and a quotient by one, is computed by arith before the operation. Grants no affine operation.
    """

    name = "convert-affine"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in [each for each in operations(op) if each.dialect_name() == "affine"]:
            if not isinstance(each, affine.YieldOp) and may_rewrite("convert", each, is_needed=True):
                _convert(each)


def _convert(op: Operation) -> None:
    match op:
        case affine.ForOp():
            _convert_loop(op)
        case ParallelOp():
            _convert_parallel(op)
        case IfOp():
            _convert_condition(op)
        case affine.ApplyOp():
            edit.replace(op, loop.ApplyOp(affine_indices(op, op.map.data, op.mapOperands)[0]))
        case DelinearizeIndexOp():
            emit = emitter(InsertPoint.before(op), op)
            edit.replace(op, [], [value_of(e, emit) for e in _coordinates(op)])
        case LinearizeIndexOp():
            edit.replace(op, [], [value_of(_position(op), emitter(InsertPoint.before(op), op))])
        case affine.MinOp() | MaxOp():
            combine = arith.MinSIOp if isinstance(op, affine.MinOp) else arith.MaxSIOp
            emit = emitter(InsertPoint.before(op), op)
            edit.replace(op, [], [extreme(affine_indices(op, op.map.data, op.arguments), combine, emit)])
        case affine.LoadOp():
            edit.replace(op, loop.LoadOp(op.memref, affine_indices(op, op.map.data, op.indices)))
        case affine.StoreOp():
            edit.replace(op, loop.StoreOp(op.value, op.memref, affine_indices(op, op.map.data, op.indices)), [])
        case affine.VectorLoadOp():
            indices = _with_lane(op, affine_indices(op, op.map.data, op.indices), op.result)
            lanes = op.result.type.get_shape()[0]
            edit.replace(op, loop.LoadOp(op.memref, indices, lanes=lanes))
        case affine.VectorStoreOp():
            indices = _with_lane(op, affine_indices(op, op.map.data, op.indices), op.value)
            edit.replace(op, loop.StoreOp(op.value, op.memref, indices), [])
        case _:
            refuse_operation(op)


def _with_lane(op: Operation, indices: Sequence[Index], value: SSAValue) -> list[Index]:
    if not isinstance(value.type, VectorType) or value.type.get_num_dims() != 1 or not indices:
        refuse_form(op, f"expected a vector of one dimension, but got {value.type}")
    return [*indices[:-1], indices[-1] + LANE]


def _convert_loop(op: affine.ForOp) -> None:
    lowers = affine_indices(op, op.lowerBoundMap.data, op.lowerBoundOperands)
    uppers = affine_indices(op, op.upperBoundMap.data, op.upperBoundOperands)
    new = convert_for(op, lowers, uppers, op.step.value.data, op.inits, op.body)
    edit.replace(op, [], new.res)


def _convert_condition(op: IfOp) -> None:
    set_ = op.condition.data
    dims = [index_of(value) for value in op.args[: set_.num_dims]]
    symbols = [index_of(value) for value in op.args[set_.num_dims :]]
    guard: list[Index] = []
    for constraint in set_.constraints:
        difference = evaluate(op, constraint.lhs, dims, symbols) - evaluate(op, constraint.rhs, dims, symbols)
        kind = constraint.kind.value
        guard += [-difference] if kind == "<=" else [difference]
        guard += [-difference] if kind == "==" else []
    convert_if(op, guard, op.then_region, op.else_region)


def _coordinates(op: DelinearizeIndexOp) -> list[Index]:
    """Return the rests of the position within the extents, from the last one on; the first coordinate is not
    bounded."""
    extents = mixed(op.static_basis, op.dynamic_basis)
    inner = extents if len(op.multi_index) > len(extents) else extents[1:]
    rest, found = index_of(op.linear_index), list[Index]()
    for extent in reversed(inner):
        found.append(remainder(op, rest, extent))
        rest = quotient(op, rest, extent)
    return [rest, *reversed(found)]


def _position(op: LinearizeIndexOp) -> Index:
    extents = mixed(op.static_basis, op.dynamic_basis)
    inner = extents if len(op.multi_index) > len(extents) else extents[1:]
    first, *others = (index_of(value) for value in op.multi_index) if op.multi_index else (Index.of(0),)
    for extent, coordinate in zip(inner, others, strict=True):
        first = product(op, first, extent) + coordinate
    return first


def _convert_parallel(op: ParallelOp) -> None:
    """Convert the loop to a nest of loops; values that are combined are carried through all of them."""
    split = op.lowerBoundsMap.data.num_dims + op.lowerBoundsMap.data.num_symbols
    lowers_of = affine_indices(op, op.lowerBoundsMap.data, op.map_operands[:split])
    uppers_of = affine_indices(op, op.upperBoundsMap.data, op.map_operands[split:])
    bounds = [
        Bounds([lowers_of.pop(0) for _ in lower], [uppers_of.pop(0) for _ in upper], step)
        for lower, upper, step in op.bounds()
    ]
    inits = [_identity(op, name, result) for name, result in zip(op.reduction_names, op.res, strict=True)]
    last = end_of(op, op.body.block, len(inits))
    terms = list(last.operands)

    def combine(carried: Sequence[SSAValue], point: InsertPoint) -> list[SSAValue]:
        emit = emitter(point, op)
        return [
            emit(_COMBINE[name](old, new))  # pyright: ignore[reportCallIssue]
            for name, old, new in zip(op.reduction_names, carried, terms, strict=True)
        ]

    edit.replace(op, [], Nest(op, bounds, inits).build(op.body.block, last, combine))


_COMBINE: dict[str, type[Operation]] = {
    "addf": arith.AddfOp,
    "addi": arith.AddiOp,
    "maximumf": arith.MaximumfOp,
    "minimumf": arith.MinimumfOp,
    "maxnumf": arith.MaxnumfOp,
    "minnumf": arith.MinnumfOp,
    "maxs": arith.MaxSIOp,
    "mins": arith.MinSIOp,
    "maxu": arith.MaxUIOp,
    "minu": arith.MinUIOp,
    "mulf": arith.MulfOp,
    "muli": arith.MuliOp,
    "ori": arith.OrIOp,
    "xori": arith.XOrIOp,
    "andi": arith.AndIOp,
}


_BITS = {"ori": 0, "xori": 0, "maxu": 0, "andi": -1, "minu": -1}
"""The identities of combinations of bit patterns."""


def _identity(op: Operation, name: str, result: SSAValue) -> SSAValue:
    """Emit the identity of a reduction."""
    type_ = result.type
    if name not in _COMBINE or not isinstance(type_, (AnyFloat, IntegerType)):
        refuse_form(op, f"expected a reduction of numbers, but got '{name}' of {type_}")
    make = emitter(InsertPoint.before(op), op)
    if name in ("maxnumf", "minnumf"):
        return make(arith.ConstantOp(FloatAttr(float("nan"), type_)))  # pyright: ignore[reportCallIssue, reportArgumentType]
    if name in _BITS:
        return emit_constant(make, _BITS[name], type_)
    kind = next(kind for kind in ("add", "mul", "max", "min") if name.startswith(kind))
    return emit_constant(make, identity(kind, dtype_of_ir(type_)), type_)
