"""A whole module of loop IR as one C file: foreign code, helpers, functions, and the entries that the runtime calls.

An entry has the type that `runtime.executable` describes. Functions of the IR become static functions of the buffers'
pointers and dynamic extents, callees first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...analysis.entries import entry_functions
from ...diagnostics import fail
from ...diagnostics.locations import source_position
from ...dialects.index_expr import Index, Symbol
from ...dialects.loop import (
    PARALLEL,
    AssertOp,
    CallExternOp,
    CallPureExternOp,
    ConstantOp,
    ForOp,
    StoreOp,
    foreign_code,
)
from ...dialects.loop.memory_spaces import ARENA_BYTES, IN_ARENA, bytes_of, memory_space_of
from ...dialects.loop.overlap import may_overlap
from ...dialects.names import numbered_names
from ...runtime.checks import Checks
from ...traversal import operations
from ..checks import checks_of, numbered_checks
from ..kernels import root_of
from ..written.c_names import RESERVED
from ..written.extents import layout_of_argument
from ..written.fresh_names import Names, Reserved, name_text
from ..written.text import Expression
from .buffers import Buffer
from .control import Interface, declaration, defines, may_fail
from .function import FunctionWriter
from .helpers import helper_source, helpers_in
from .legality import verify_executable
from .mathematics import pure_declaration
from .storage import is_written_out
from .types import value_type

HEADERS = ("math.h", "stdbool.h", "stdint.h", "stdlib.h", "string.h")
HEADERS_OF_CALLS = {"printf": "stdio.h"}
"""Headers that are included where a function of theirs is called."""
_ENTRY_PARAMETERS = [
    "void *const *arguments",
    "const int64_t *sizes",
    "void *const *constants",
    "void *arena",
    "int32_t threads",
]
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_PREFETCH = """\
#ifdef __GNUC__
#define TW_PREFETCH(address, locality) __builtin_prefetch(address, 0, locality)
#else
#define TW_PREFETCH(address, locality) ((void)(address))
#endif"""


@dataclass(frozen=True)
class Entry:
    """A function that callers enter."""

    function: func.FuncOp
    symbol: str
    arena_size: int
    """Bytes."""


@dataclass(frozen=True)
class Source:
    """The C source of a module, with its entries, its constants and its checks."""

    text: str
    entries: tuple[Entry, ...]
    constants: tuple[Attribute, ...]
    """The data behind the table of constants, which all entries share."""
    checks: Checks | None
    """The assertions. The pointer to their record follows the constants in the table."""


Needs = Callable[[Sequence[Operation], Sequence[Interface]], Sequence[str]]
"""Names the parameters of a function beside its arguments, from its operations and the functions that it calls."""


@dataclass(frozen=True)
class CProgram:
    """The functions of a module that its entries reach, with the state of their emission."""

    functions: Sequence[func.FuncOp]
    """Callees first."""
    entries: Collection[str]
    constants: Mapping[Operation, int]
    """The constants that are not written out, numbered."""
    checks: Mapping[Operation, int]
    reserved: Reserved
    """Names that no function and no variable may have."""
    interfaces: Mapping[str, Interface]
    """By the names of the functions in the IR."""

    def is_entry(self, function: func.FuncOp) -> bool:
        return function.sym_name.data in self.entries

    def write(self, new_writer: Callable[[Reserved], FunctionWriter]) -> Iterator[tuple[func.FuncOp, str]]:
        """Yield the functions with their definitions."""
        in_bodies = self.reserved.and_also(interface.name for interface in self.interfaces.values())
        written = _written_arguments(self.functions)
        for function in self.functions:
            writer = new_writer(in_bodies)
            writer.names.give(numbered_names(function))
            writer.constants, writer.checks, writer.interfaces = self.constants, self.checks, self.interfaces
            writer.written = written[function.sym_name.data]
            yield function, _write_function(writer, function, is_entry=self.is_entry(function))


def read_program(module: ModuleOp, needs: Needs, reserved: Reserved = RESERVED) -> CProgram:
    """Read the functions of executable loop IR, to be written. Raises TW0601 for operations that cannot be written."""
    verify_executable(module)
    entries = {f.sym_name.data for f in entry_functions(module)}
    if not entries:
        fail("TW0601", "expected a function @main with a body, but there is none", op=module)
    functions = _callees_first(module, sorted(entries, key=lambda name: (name != "main", name)))
    reserved = reserved.and_also(foreign_words(functions))
    interfaces = _interfaces(functions, needs, reserved)
    return CProgram(functions, entries, _constant_numbers(functions), numbered_checks(module), reserved, interfaces)


def write_program(module: ModuleOp) -> Source:
    """Return the C source of executable loop IR. Raises TW0601 for operations that cannot be written, TW0620 for
    foreign code that is not C."""
    program = read_program(module, _needs)
    symbols = Names(Reserved(frozenset()))
    parts: list[str] = []
    made: list[Entry] = []
    for function, text in program.write(FunctionWriter):
        parts.append(text)
        name = function.sym_name.data
        if program.is_entry(function):
            symbol, record = symbols.fresh(f"tw_entry_{name_text(name)}"), f"constants[{len(program.constants)}]"
            parts.append(_write_entry(function, program.interfaces[name], symbol, record))
            made.append(Entry(function, symbol, bytes_of(function, ARENA_BYTES)))
    prelude = [includes(HEADERS, "\n".join(parts)), *definitions(program.functions, "\n".join(parts))]
    data = tuple(op.value for op in program.constants if isinstance(op, ConstantOp))
    checks = checks_of(program.checks, [len(data)]) if program.checks else None
    return Source("\n\n".join([*prelude, *parts]) + "\n", tuple(made), data, checks)


def _needs(operations_: Sequence[Operation], called: Sequence[Interface]) -> list[str]:
    """Return the names of the table of constants, of the number of threads and of the record of the call, where they
    are used."""
    used = {
        "constants": any(isinstance(op, ConstantOp) and not is_written_out(op) for op in operations_),
        "threads": any(isinstance(op, ForOp) and op.kind == PARALLEL for op in operations_),
        "record": any(isinstance(op, AssertOp) for op in operations_),
    }
    return [name for name, is_used in used.items() if is_used or any(name in c.extra for c in called)]


def _callees_first(module: ModuleOp, entries: list[str]) -> list[func.FuncOp]:
    """Return the functions that the entries reach."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    ordered: dict[str, func.FuncOp] = {}
    active: list[str] = []

    def visit(name: str, call: Operation) -> None:
        if name in ordered:
            return
        if name not in functions or not functions[name].body.blocks:
            fail("TW0601", f"expected a definition of function @{name}", op=call)
        if name in active:
            fail("TW0601", f"expected functions without recursion, but @{name} calls itself", op=call)
        active.append(name)
        for op in functions[name].walk():
            if isinstance(op, func.CallOp):
                visit(op.callee.root_reference.data, op)
        active.pop()
        ordered[name] = functions[name]

    for entry in entries:
        visit(entry, module)
    return list(ordered.values())


def _constant_numbers(functions: list[func.FuncOp]) -> dict[Operation, int]:
    large = [op for f in functions for op in operations(f) if isinstance(op, ConstantOp) and not is_written_out(op)]
    return {op: number for number, op in enumerate(large)}


def foreign_words(functions: list[func.FuncOp]) -> set[str]:
    """Return the identifiers that foreign code has, and the functions that are called by their names."""
    words = {word for f in functions for code in foreign_code(f) for word in _WORD.findall(code.code.data)}
    for op in (op for f in functions for op in operations(f)):
        if isinstance(op, CallExternOp):
            words.add(op.callee)
        elif isinstance(op, CallPureExternOp):
            words.add(op.symbol)
    return words


def _interfaces(functions: Sequence[func.FuncOp], needs: Needs, reserved: Reserved) -> dict[str, Interface]:
    names, interfaces = Names(reserved), dict[str, Interface]()
    for function in functions:
        name = function.sym_name.data
        ops = [op for op in operations(function) if op is not function]
        called = [interfaces[op.callee.root_reference.data] for op in ops if isinstance(op, func.CallOp)]
        can_fail = any(may_fail(op, interfaces) for op in ops)
        interfaces[name] = Interface(names.fresh(name, "function"), tuple(needs(ops, called)), can_fail)
    return interfaces


def has_arena(function: func.FuncOp) -> bool:
    """Return if a function has buffers in the memory that a call brings."""
    memories = (memory_space_of(op) for op in operations(function))
    return any(memory is not None and memory.kind == IN_ARENA for memory in memories)


def _written_arguments(functions: Sequence[func.FuncOp]) -> dict[str, frozenset[SSAValue]]:
    """Return the roots that each function stores to, itself or by a call."""
    written: dict[str, frozenset[SSAValue]] = {}
    arguments = {f.sym_name.data: list(f.body.block.args) for f in functions}
    for function in functions:
        roots: set[SSAValue] = set()
        for op in function.walk():
            if isinstance(op, StoreOp):
                roots.add(root_of(op.buffer))
            elif isinstance(op, CallExternOp):
                roots |= {root_of(a.buffer) for _, a in op.accesses}
            elif isinstance(op, func.CallOp):
                callee = op.callee.root_reference.data
                pairs = zip(op.operands, arguments[callee], strict=True)
                roots |= {root_of(v) for v, a in pairs if a in written[callee]}
        written[function.sym_name.data] = frozenset(roots)
    return written


def _write_function(writer: FunctionWriter, function: func.FuncOp, *, is_entry: bool) -> str:
    interface = writer.interfaces[function.sym_name.data]
    arguments = function.body.block.args
    overlapping = _that_may_overlap(function, is_entry=is_entry)
    writer.has_disjoint_arguments = not overlapping
    parameters = [text for a in arguments for text in add_argument(writer, a, restrict=a.index not in overlapping)]
    parameters += [writer.parameters[name] for name in interface.extra]
    parameters += [writer.parameters["arena"]] if has_arena(function) else []
    returned = "int32_t" if interface.can_fail else "void"
    writer.heap.open_exit()
    writer.run_block(function.body.block)
    writer.heap.close_exit("return 1;", "return 0;" if interface.can_fail else "")
    head = _wrapped(f"static {returned} {interface.name}", parameters)
    return "\n".join([*_comment(function), head, *writer.finished(parameters), "}"])


def _that_may_overlap(function: func.FuncOp, *, is_entry: bool) -> Collection[int]:
    """Return the numbers of the arguments that may share memory with others: none of an entry, all of a function that
    is promised nothing."""
    listed = may_overlap(function)
    return listed if listed is not None else () if is_entry else range(len(function.body.block.args))


def _comment(function: func.FuncOp) -> list[str]:
    position = source_position(function.location)
    return [] if position is None else [f"// {position.file.rsplit('/', 1)[-1]}:{position.line}"]


def _wrapped(head: str, parameters: list[str]) -> str:
    line = f"{head}({', '.join(parameters) or 'void'}) {{"
    if len(line) <= 120:
        return line
    return f"{head}(\n  " + ",\n  ".join(parameters) + "\n) {"


def add_argument(
    writer: FunctionWriter, argument: BlockArgument, *, restrict: bool = False, space: str = ""
) -> list[str]:
    """Return the parameters that pass an argument, which the writer knows from here on."""
    name = writer.names.fresh(argument_hint(argument), "argument")
    if not isinstance(argument.type, MemRefType):
        if isinstance(argument.type, IndexType):
            writer.define_index(argument, Index.of(Symbol(name)))
        else:
            writer.variable(argument, Expression(name))
        return [f"{value_type(argument.type)} {name}"]
    sizes, layout = layout_of_argument(writer, argument, name)
    is_constant = argument not in writer.written
    buffer = Buffer(argument.type, name, *layout, argument, is_constant=is_constant, space=space)
    writer.add_buffer(argument, buffer)
    qualifier = f"{space}{'const ' if is_constant else ''}"
    pointer = f"{qualifier}{writer.memory_type(argument.type.element_type)} *{'restrict ' if restrict else ''}{name}"
    return [pointer, *(f"int64_t {size}" for size in sizes.values())]


def argument_hint(argument: BlockArgument) -> str:
    """Return the name that an argument is to have."""
    return argument.name_hint or f"argument{argument.index}"


def _write_entry(function: func.FuncOp, interface: Interface, symbol: str, record: str) -> str:
    passed: list[str] = []
    sizes = 0
    for number, argument in enumerate(function.body.block.args):
        if not isinstance(argument.type, MemRefType):
            passed.append(f"(int64_t)(intptr_t)arguments[{number}]")
            continue
        passed.append(f"arguments[{number}]")
        for _ in range(argument.type.get_shape().count(DYNAMIC_INDEX)):
            passed.append(f"sizes[{sizes}]")
            sizes += 1
    passed += [record if name == "record" else name for name in interface.extra]
    passed += ["arena"] if has_arena(function) else []
    call = f"{interface.name}({', '.join(passed)});"
    body = [f"  return {call}"] if interface.can_fail else [f"  {call}", "  return 0;"]
    return "\n".join([_wrapped(f"int32_t {symbol}", _ENTRY_PARAMETERS), *body, "}"])


def includes(headers: Sequence[str], body: str) -> str:
    """Return lines that include these headers and the headers of called library functions."""
    extra = [header for function, header in HEADERS_OF_CALLS.items() if re.search(rf"\b{function}\(", body)]
    return "\n".join(f"#include <{header}>" for header in sorted([*headers, *extra]))


def definitions(functions: Sequence[func.FuncOp], body: str) -> list[str]:
    """Return the source before the functions: helpers that they call, foreign code."""
    parts = [_PREFETCH] if "TW_PREFETCH" in body else []
    parts += helper_source(helpers_in(body))
    sources: dict[str, None] = {}
    for function in functions:
        for code in foreign_code(function):
            text = code.code.data
            if code.language.data != "c" or re.search(r'extern\s+"C"', text):
                language = "C++" if code.language.data == "c" else "LLVM text"
                name = function.sym_name.data
                fail("TW0620", f"expected foreign code in C, but @{name} brings {language}", op=function)
            sources[text.strip()] = None
    calls = [op for f in functions for op in operations(f) if isinstance(op, CallExternOp)]
    declared = dict.fromkeys(declaration(op) for op in calls if not any(defines(s, op.callee) for s in sources))
    pure = [op for f in functions for op in operations(f) if isinstance(op, CallPureExternOp)]
    declared |= dict.fromkeys(pure_declaration(op) for op in pure if not any(defines(s, op.symbol) for s in sources))
    return [*parts, *sources, *declared]
