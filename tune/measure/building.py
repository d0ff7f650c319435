"""Programs and workloads of functions: the code that runners measure, and the reference that they compare it with."""

from __future__ import annotations

import pickle
import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import SymbolTable

from ...analysis.access import Access, accesses_in, blocks_in, root_buffer
from ...analysis.entries import MAIN
from ...backends import Backend, backend_of
from ...backends.cpu.host import host_target
from ...backends.signature import signature_of
from ...diagnostics import TilewrightError, fail
from ...dialects import loop
from ...dialects.names import ORDER_ATTRIBUTE
from ...dialects.target import TARGET_ATTRIBUTE, TargetAttr
from ...driver.functions import alone
from ...driver.lowering import lower_module
from ...hardware import machine_name
from ...ir import editor as edit
from ...passes.shared.scheduling import SCHEDULED
from ...runtime.extent import Dimension
from ...schedule import Schedule
from ...semantics.random_streams import Purpose, generator
from ...traversal import operations
from .protocol import Argument, CompiledProgram, Failure, Measured, Workload

if TYPE_CHECKING:
    from ...runtime import Module
    from ...runtime.arguments import Signature
    from ..space import Built

NOT_MEASURABLE = "TW0811"
_POSITION = re.compile(r"a([0-9]+)\[([0-9]+)\]")
OPEN_SIZES = (97, 192)
"""The range of values for sizes that are known only in calls: some tiles long, and seldom a multiple of one."""


def program_of(built: Built, threads: int | None = None) -> CompiledProgram:
    """Take a scheduled function through the rest of the pipeline and the backend of its target.

    `threads` is the number of threads of parallel loops, None for all of the process that measures; kernels of a GPU
    have separate numbers. Raises TilewrightError where a pass or the backend refuses the function, TW0634 for a plan
    for CUDA where there is no card.
    """
    module = _entered(built.function, target_of_built(built))
    return _made(module, lower_module(module), threads)


def attempted(built: Built, threads: int | None = None) -> CompiledProgram | Measured:
    """Return the program of a candidate, or the failure that compiling ends with."""
    failure = Failure.REFUSED
    try:
        module = _entered(built.function, target_of_built(built))
        lowered = lower_module(module)
        failure = Failure.COMPILE
        return _made(module, lowered, threads)
    except TilewrightError as error:
        return Measured("", failure=failure, detail=f"{error.code}: {error.message}", machine=machine_name())
    except Exception as error:  # a fault of the compiler ends this candidate, not the search
        detail = f"{type(error).__name__}: {_first_line(error)}"
        return Measured("", failure=Failure.COMPILE, detail=detail, machine=machine_name())


def packed(module: Module) -> CompiledProgram:
    """Return a compiled module as runners get it. Its name is the digest of the files that it is saved as: machine
    code, and the data that calls need."""
    return CompiledProgram(
        module.origin.digest, pickle.dumps(module, pickle.HIGHEST_PROTOCOL), module.entry.device_kinds[0]
    )


def workload_of(
    function: FuncOp,
    target: TargetAttr,
    *,
    seed: int = 0,
    sizes: Mapping[str, int] | None = None,
    constants: Collection[int] = (),
    tolerance: float | None = None,
) -> Workload:
    """Return the arguments of a function with plain loops, and the program of these loops as reference.

    `sizes` gives open sizes by name, or by argument and dimension as `a0[1]`; others are drawn. `constants` are numbers
    of arguments that are weights. Integers that index a buffer are drawn from its extent. Raises TilewrightError TW0811
    for a function that no runner can call, TW0634 for CUDA where there is no card.
    """
    module = _entered(function, target)
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == MAIN)
    _ease(main)
    signature = signature_of(main)
    _check(main, signature)
    chosen = _sizes(signature, sizes or {}, seed)
    shapes = [tuple(_evaluated(extent, chosen) for extent in a.shape) for a in signature.arguments]
    ranges = _index_ranges(main, shapes)
    arguments: list[Argument] = []
    for number, (argument, shape) in enumerate(zip(signature.arguments, shapes, strict=True)):
        low, high = ranges.get(number) or _values(argument.dtype)
        is_output = number >= len(signature.inputs)
        arguments.append(Argument(shape, argument.dtype.name, is_output, low, high, number in constants))
    if target.kind == "cuda":  # plain loops have no threads of a GPU
        edit.change(module).attributes[TARGET_ATTRIBUTE] = host_target()
    reference = packed(_backend(module).make(lower_module(module), 1))
    return Workload(tuple(arguments), reference, seed, tolerance, tuple(sorted(chosen.items())))


def target_of_built(built: Built) -> TargetAttr:
    """Return the target of the module that a built function stands in."""
    module = built.function.parent_op()
    target = None if module is None else module.attributes.get(TARGET_ATTRIBUTE)
    if not isinstance(target, TargetAttr):
        name = built.function.sym_name.data
        fail(NOT_MEASURABLE, f"expected @{name} in a module with a target, but it has none", op=built.function)
    return target


def _entered(function: FuncOp, target: TargetAttr) -> ModuleOp:
    """Return a copy of a function, with those that it calls, in a module that is entered by it, as "main".

    It is marked as scheduled, so that its loops stay as they are."""
    if target.kind == "cuda":
        from ...runtime.kernels.driver import cuda_driver

        cuda_driver()
    parent, name = function.parent_op(), function.sym_name.data
    module = alone(parent if isinstance(parent, ModuleOp) else ModuleOp([function.clone()]), name)
    edit.change(module).attributes[TARGET_ATTRIBUTE] = target
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == name:
            main = edit.change(op)
            main.sym_name = StringAttr(MAIN)
            main.attributes[SCHEDULED] = UnitAttr()
            main.attributes.pop(ORDER_ATTRIBUTE, None)  # arguments come in the order of the native code
    return module


def _made(module: ModuleOp, lowered: ModuleOp, threads: int | None) -> CompiledProgram:
    backend = _backend(module)
    return packed(backend.make(lowered, None if backend.name == "cuda" else threads))


def _backend(module: ModuleOp) -> Backend:
    found = backend_of(module.attributes.get(TARGET_ATTRIBUTE))
    assert found is not None
    return found


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")


# The reference


def _ease(function: FuncOp) -> None:
    """Move the loops over a reduction in front of the last loop over results, where a block is alone in its nest.

    The terms of each result are added in the same order. LLVM makes vectors of the loop that is then innermost, without
    which the reference of a large product takes minutes.
    """
    schedule = Schedule(function)
    for label in [block.label for block in blocks_in(function)]:
        block = schedule.get_block(label)
        loops = schedule.get_loops(block)
        kinds = [kind for _, kind, _, _ in schedule.block(block).iteration()]
        if len(kinds) != len(loops) or "reduce" not in kinds or kinds[-1] != "reduce":
            continue
        first = kinds.index("reduce")
        if first == 0 or "spatial" in kinds[first:]:
            continue
        try:
            schedule.reorder(*loops[: first - 1], *loops[first:], loops[first - 1])
        except TilewrightError:  # other blocks stand between the loops
            continue


# Arguments


def _check(function: FuncOp, signature: Signature) -> None:
    """Raise TW0811 for arguments that a caller with plain arrays cannot pass."""
    count = len(signature.inputs)
    written = _written(function)
    inputs = [argument for argument in function.body.block.args if argument.index < count]
    problem = ""
    if len(function.body.block.args) != len(signature.arguments) or any(a.strides for a in signature.arguments):
        problem = "an argument that states strides"
    elif any(a.value is not None for a in signature.inputs) or signature.defaults:
        problem = "an input that it was compiled for"
    elif any(a.shape_of is not None for a in signature.outputs):
        problem = "a result whose shape it finds"
    elif any(argument in written for argument in inputs):
        problem = "an input that it writes"
    if problem:
        name = function.sym_name.data
        fail(NOT_MEASURABLE, f"expected a function of dense arrays, but @{name} has {problem}", op=function)


def _written(function: FuncOp) -> set[SSAValue]:
    """Return the buffers that a function writes, the functions that it calls among those that write."""
    found = {a.buffer for a in accesses_in(function) if a.is_write and not isinstance(a.op, CallOp)}
    for call in [op for op in operations(function) if isinstance(op, CallOp)]:
        callee = SymbolTable.lookup_symbol(function, call.callee)
        arguments = _written(callee) if isinstance(callee, FuncOp) and callee.body.blocks else set[SSAValue]()
        found |= {root_buffer(call.operands[a.index]) for a in arguments if isinstance(a, BlockArgument)}
    return found


def _sizes(signature: Signature, given: Mapping[str, int], seed: int) -> dict[str, int]:
    """Return values of the open sizes. Raises TW0811 for a name that is no open size."""
    given = {_name_of(key, signature): size for key, size in given.items()}
    extents = [extent for argument in signature.arguments for extent in argument.shape]
    names = sorted({name for extent in extents if not isinstance(extent, int) for name in extent.symbols()})
    for name in given:
        if name not in names:
            known = ", ".join(names) or "none"
            fail(NOT_MEASURABLE, f"expected an open size of the function ({known}), but got '{name}'")
    rng = generator(Purpose.TASK_SIZES, seed, len(names))
    drawn = {name: int(rng.integers(*OPEN_SIZES)) for name in names}
    return {name: given.get(name, drawn[name]) for name in names}


def _name_of(key: str, signature: Signature) -> str:
    """Return the name of the size that stands at a position, `a0[1]`; of a name the name itself."""
    match = _POSITION.fullmatch(key)
    if match is None:
        return key
    argument, axis = map(int, match.groups())
    extents = [a.shape for a in signature.arguments]
    extent = extents[argument][axis] if argument < len(extents) and axis < len(extents[argument]) else 0
    return key if isinstance(extent, int) or extent.name is None else extent.name


def _evaluated(extent: Dimension, sizes: Mapping[str, int]) -> int:
    return extent if isinstance(extent, int) else extent.evaluate(sizes)


def _values(dtype: np.dtype[Any]) -> tuple[float, float]:
    """Return the range of values that arithmetic in a dtype can bear: sums stay in range, and products do not
    vanish."""
    if dtype.kind == "b":
        return 0, 2
    if dtype.kind == "u" or dtype.name.startswith("uint"):
        return 0, 3 if dtype.name == "uint2" else 8
    if dtype.kind == "i" or dtype.name.startswith("int"):
        return (-2, 2) if dtype.name == "int2" else (-8, 8)
    return (0.5, 2.0) if dtype.name == "float8_e8m0fnu" else (-1.0, 1.0)


def _index_ranges(function: FuncOp, shapes: list[tuple[int, ...]]) -> dict[int, tuple[float, float]]:
    """Return the ranges of arguments whose elements index buffers: below the least extent that they index."""
    found: dict[int, int] = {}
    for access in accesses_in(function):
        for position, expression in enumerate(access.index or ()):
            extent = _extent(access, position, shapes)
            for value in expression.values() if extent is not None else ():
                assert extent is not None
                most = max(1, extent // max(1, abs(expression.coefficient(value))))
                for number in _read_from(value):
                    found[number] = min(found.get(number, most), most)
    return {number: (0, most) for number, most in found.items()}


def _extent(access: Access, position: int, shapes: list[tuple[int, ...]]) -> int | None:
    """Return an extent of the buffer that is accessed; None where it is open and the buffer no argument."""
    buffer = access.buffer
    if isinstance(buffer, BlockArgument) and isinstance(buffer.owner.parent_op(), FuncOp):
        return shapes[buffer.index][position]
    fixed: int = buffer.type.get_shape()[position]  # pyright: ignore
    return fixed if fixed >= 0 else None


def _read_from(value: SSAValue) -> set[int]:
    """Return the arguments that a value is computed from elements of."""
    found, waiting, seen = set[int](), [value], set[SSAValue]()
    while waiting:
        at = waiting.pop()
        if at in seen or not isinstance(at, OpResult):
            continue
        seen.add(at)
        op: Operation = at.op
        if not isinstance(op, loop.LoadOp):
            waiting += op.operands
        elif isinstance(op.buffer, BlockArgument) and isinstance(op.buffer.owner.parent_op(), FuncOp):
            found.add(op.buffer.index)
    return found
