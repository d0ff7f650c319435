"""A whole module of loop IR as LLVM text: one LLVM module for each function.

Functions are separate modules, so that they can be compiled in parallel and equal ones are found in the object cache.
Constants are pointers in a table of the caller. The table of a function has its constants first, and then the tables of
its callees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation

from ....diagnostics import fail
from ....dialects.loop import AssertOp, ConstantOp
from ....dialects.loop.memory_spaces import ARENA_BYTES, bytes_of
from ....dialects.loop.overlap import may_overlap
from ....dialects.target import CpuTargetAttr
from ....runtime.checks import Checks
from ....traversal import operations
from ...checks import checks_of, numbered_checks
from ...line_table import LineTable
from .calls import parameter_types
from .function import FunctionEmitter, Layout, scratch_of
from .module_text import ModuleText, foreign_symbol, symbol
from .types import value_type

ENTRY = "tw_entry"
"""The native entry function of `main`; tilewright.runtime.executable describes its type."""
MAIN = "main"


def entry_symbol(name: str) -> str:
    """Return the native entry of the function called `name`."""
    return ENTRY if name == MAIN else f"{ENTRY}.{name}"


@dataclass(frozen=True)
class EmittedProgram:
    """The LLVM text of a module, with its constants, its arenas and its checks."""

    texts: Iterator[tuple[str, str]]
    """(name, LLVM text) of each function, emitted lazily, the entry last."""
    constants: tuple[Attribute, ...]
    """The data behind the table of constants."""
    arena_size: int
    """Bytes, without the pieces of threads."""
    thread_arena_size: int
    """Bytes of the piece of a thread, see `Scratch`."""
    main: func.FuncOp
    entry: str
    """The symbol of the native entry."""
    checks: Checks | None


def emit_program(
    module: ModuleOp, target: CpuTargetAttr, name: str = MAIN, lines: LineTable | None = None
) -> EmittedProgram:
    """Return the LLVM text of a module that `verify_executable` accepts, entered by its function `name`.

    With `lines`, the text has debug locations of these lines. Raises TW0601 where a call has no definition.
    """
    functions = _functions(module, name)
    tables = _constant_tables(functions, name)
    checks = numbered_checks(module)
    overlapping = {a for function in tables for a in _that_may_overlap(functions[function], is_entry=function == name)}
    main = functions[name]
    arena_size = bytes_of(main, ARENA_BYTES)
    scratch = {function: scratch_of(functions[function]) for function in tables}
    sizes = {function: plan.size for function, plan in scratch.items()}

    def texts() -> Iterator[tuple[str, str]]:
        # A caller's table is complete after its callees' ones, so the entry comes last.
        for function, table in tables.items():
            is_main = function == name
            layout = Layout(
                constants=table.constants,
                callees=table.callees,
                checks=checks,
                record=table.record,
                overlapping=frozenset(overlapping),
                scratch=scratch[function],
                callee_scratch=sizes,
                arena_size=arena_size,
                is_entry=is_main,
            )
            text = ModuleText(target, lines)
            _emit_function(text, functions[function], layout)
            if is_main:
                text.add_function(_entry(main, text))
            yield function, text.text()

    data = tables[name].data
    constants = tuple(attribute for attribute in data if attribute is not None)
    positions = [position for position, attribute in enumerate(data) if attribute is None]
    return EmittedProgram(
        texts(), constants, arena_size, sizes[name], main, entry_symbol(name), checks_of(checks, positions)
    )


@dataclass
class _Table:
    constants: dict[Operation, int]
    callees: dict[str, int]
    record: int | None
    data: tuple[Attribute | None, ...]
    """None stands for the record of the call."""


def _functions(module: ModuleOp, main: str) -> dict[str, func.FuncOp]:
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    if main not in functions:
        fail(
            "TW0601",
            f"expected a function @{main}, but got {', '.join('@' + n for n in functions) or 'none'}",
            op=module,
        )
    return functions


def _constant_tables(functions: dict[str, func.FuncOp], main: str) -> dict[str, _Table]:
    """Return the tables of all functions that the entry reaches, callees first."""
    tables: dict[str, _Table] = {}
    active: list[str] = []

    def visit(function: func.FuncOp) -> None:
        name = function.sym_name.data
        if name in tables:
            return
        if name in active:
            fail("TW0601", f"expected functions without recursion, but @{name} calls itself", op=function)
        active.append(name)
        constants = [op for op in operations(function) if isinstance(op, ConstantOp)]
        data: list[Attribute | None] = [op.value for op in constants]
        record = len(data) if any(isinstance(op, AssertOp) for op in operations(function)) else None
        data += [] if record is None else [None]
        callees: dict[str, int] = {}
        for call in function.walk():
            if isinstance(call, func.CallOp) and (callee := call.callee.root_reference.data) not in callees:
                if callee not in functions:
                    fail("TW0601", f"expected a definition of function @{callee}", op=call)
                visit(functions[callee])
                callees[callee] = len(data)
                data += tables[callee].data
        tables[name] = _Table({op: i for i, op in enumerate(constants)}, callees, record, tuple(data))
        active.pop()

    visit(functions[main])
    return tables


def _that_may_overlap(function: func.FuncOp, *, is_entry: bool) -> list[BlockArgument]:
    """Return the arguments that may share memory with others: none of an entry, all of a function that is promised
    nothing."""
    arguments, listed = function.body.block.args, may_overlap(function)
    if listed is None:
        return [] if is_entry else list(arguments)
    return [argument for position, argument in enumerate(arguments) if position in listed]


def _emit_function(text: ModuleText, function: func.FuncOp, layout: Layout) -> None:
    name = function.sym_name.data
    emitter = FunctionEmitter(text, layout, {}, name, function)
    parameters: list[str] = []
    for number, argument in enumerate(function.body.block.args):
        names = [f"%a{number}", *(f"%a{number}_{d}" for d in range(len(parameter_types(argument.type)) - 1))]
        if isinstance(argument.type, MemRefType):
            emitter.add_buffer(argument, emitter.new_buffer(argument.type, names[0], names[1:], argument))
            kind = "ptr" if argument in layout.overlapping else "ptr noalias"
            parameters += [f"{kind} {names[0]}", *(f"i64 {n}" for n in names[1:])]
        else:
            emitter.define(argument, names[0])
            parameters.append(f"{value_type(argument.type)} {names[0]}")
    parameters += ["ptr %constants", "i32 %threads"]
    if layout.is_entry:
        parameters.append("ptr %arena")
    elif layout.scratch.size:
        parameters.append("ptr noalias %scratch")
    emitter.run_block(function.body.block)
    emitter.code.line("ret i32 0")
    linkage = "internal " if layout.is_entry else ""
    emitter.finish(f"define {linkage}i32 {symbol(name)}({', '.join(parameters)}) #0")


def _entry(main: func.FuncOp, text: ModuleText) -> list[str]:
    """Return the function of the fixed C type, which unpacks its arguments and calls the main function.

    The table of arguments has entries of a pointer's width: strides that the caller states are signed numbers of it.
    """
    name = main.sym_name.data
    parameters = "ptr %arguments, ptr %sizes, ptr %constants, ptr %arena, i32 %threads"
    lines = [f"define i32 {foreign_symbol(entry_symbol(name))}({parameters}) #0 {{", "entry:"]
    passed: list[str] = []
    size = 0
    for number, argument in enumerate(main.body.block.args):
        pointer, *extents = parameter_types(argument.type)
        lines += _load_argument(f"a{number}", pointer, number, text.pointer_bits)
        passed.append(f"{pointer} %a{number}")
        for extent in extents:
            lines += _load(f"s{size}", extent, "%sizes", size)
            passed.append(f"{extent} %s{size}")
            size += 1
    passed += ["ptr %constants", "i32 %threads", "ptr %arena"]
    lines += [f"  %status = call i32 {symbol(name)}({', '.join(passed)})", "  ret i32 %status", "}"]
    if text.debug_info is None:
        return lines
    return text.debug_info.function(entry_symbol(name), main).attach(lines, main)


def _load_argument(name: str, type_: str, number: int, pointer_bits: int) -> list[str]:
    if type_ == "ptr" or pointer_bits == 64:
        return _load(name, type_, "%arguments", number, pointer_bits // 8)
    word = f"i{pointer_bits}"
    return [
        *_load(f"{name}.word", word, "%arguments", number, pointer_bits // 8),
        f"  %{name} = sext {word} %{name}.word to {type_}",
    ]


def _load(name: str, type_: str, table: str, index: int, alignment: int = 8) -> list[str]:
    return [
        f"  %{name}.entry = getelementptr {type_}, ptr {table}, i64 {index}",
        f"  %{name} = load {type_}, ptr %{name}.entry, align {alignment}",
    ]
