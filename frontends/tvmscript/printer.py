"""Prints modules and functions in TVMScript."""

from __future__ import annotations

import keyword
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ...analysis.captures import captured_values
from ...diagnostics import fail
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.ir_module import Function, IRModule
from ...dialects.names import numbered_names
from .literals import NotPrintable, attribute_text, attributes_text, quoted, type_name
from .pieces import Hole, Pieces, Text, condition_text, index_text, joined
from .signature import PrintedSignature, signature_of
from .spelling import spell
from .syntax import LOOPS, VTHREAD

NO_FORM = "TW0316"
_HEADER = """\
from tilewright.script import ir as I
from tilewright.script import tir as T


@I.ir_module
class Module:
"""
_RESERVED = {"T", "I", "range", "min", "max", "abs", "len", "int", "float", "bool", "Module", "self", "_"}
_LONGEST = 100
"""The length above which an expression gets a name."""
_WIDTH = 120
"""The width of a line above which its expressions get names."""
_NOT_IDENTIFIER = re.compile(r"\W", re.ASCII)


def script(program: ModuleOp | IRModule | Function | FuncOp) -> str:
    """Return the text of a module or function of loops in TVMScript, which `from_source` reads back.

    Raises TilewrightError TW0316 for other IR: graphs, tensor expressions, operations of other dialects.
    """
    match program:
        case IRModule() | Function():
            return script(program.op)
        case FuncOp():
            return "\n".join(_function_lines(program, program.sym_name.data)) + "\n"
        case ModuleOp():
            return _module_text(program)


def _module_text(module: ModuleOp) -> str:
    body: list[str] = []
    if module.attributes:
        body += [f"I.module_attrs({attributes_text(module.attributes)})", ""]
    names: set[str] = set()
    for op in module.ops:
        if not isinstance(op, FuncOp):
            _refuse(op, f"'{op.name}' beside functions")
        lines = _function_lines(op, _free_name(op.sym_name.data, names))
        body += [*lines, ""]
    if module.sym_name is not None:
        _refuse(module, "a module with a name")
    while body and not body[-1]:
        body.pop()
    return _HEADER + "".join(f"    {line}\n" if line else "\n" for line in body or ["pass"])


def _refuse(op: Operation, what: str) -> NoReturn:
    fail(NO_FORM, f"TVMScript has no form for {what}", op=op)


def identifier(text: str) -> str:
    """Return a name of Python like the text."""
    name = _NOT_IDENTIFIER.sub("_", text) or "v"
    name = f"v{name}" if name[0].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) or keyword.issoftkeyword(name) else name


def _free_name(text: str, taken: set[str], given: frozenset[str] = frozenset()) -> str:
    """Return a name like the text; one that is numbered is none of the `given` names."""
    name = stem = identifier(text)
    count = 0
    while name in taken or name in _RESERVED or (count and name in given):
        count += 1
        name = f"{stem}_{count}"
    taken.add(name)
    return name


def _function_lines(function: FuncOp, name: str) -> list[str]:
    return FunctionPrinter(function).print(name)


class FunctionPrinter:
    """Prints one function."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.lines: list[str] = []
        self.depth = 0
        self.taken: set[str] = set()
        self.given = numbered_names(function)
        self.names: dict[SSAValue, str] = {}
        self.pending: list[tuple[SSAValue, str, bool]] = []
        """Values that wait for their only use: the value, its text, and whether that needs parentheses."""

    def print(self, name: str) -> list[str]:
        """Return the lines of the function."""
        function = self.function
        if not function.body.blocks or len(function.body.blocks) > 1:
            _refuse(function, "a function without a body, or with several blocks")
        if function.function_type.outputs.data or function.res_attrs is not None:
            _refuse(function, "a function with results")
        for argument in function.body.block.args:
            self.name(argument)
        signature = signature_of(function, self.name)
        is_private = function.sym_visibility == StringAttr("private")
        if function.sym_visibility is not None and not is_private:
            _refuse(function, f"visibility {function.sym_visibility}")
        self.line("@T.prim_func(private=True)" if is_private else "@T.prim_func")
        self._signature(name, signature)
        with self.indented():
            self._header(name, signature)
            self.block(function.body.block, skipped=signature.stated)
        return self.lines

    def _signature(self, name: str, signature: PrintedSignature) -> None:
        whole = f"def {name}({', '.join(signature.parameters)}):"
        if len(whole) <= 110:
            self.line(whole)
            return
        self.line(f"def {name}(")
        with self.indented():
            for parameter in signature.parameters:
                self.line(f"{parameter},")
        self.line("):")

    def _header(self, name: str, signature: PrintedSignature) -> None:
        attributes: dict[str, Attribute] = {}
        if name != self.function.sym_name.data:
            attributes["global_symbol"] = self.function.sym_name
        attributes |= self.function.attributes
        if attributes:
            self.line(f"T.func_attr({attributes_text(attributes)})")
        for line in signature.lines:
            self.line(line)

    # Lines and names

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def indented(self) -> Generator[None]:
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def name(self, value: SSAValue) -> str:
        """Return the name of a value, which no other value has."""
        if value not in self.names:
            self.names[value] = _free_name(value.name_hint or "v", self.taken, self.given)
        return self.names[value]

    # Operations in order

    def block(self, block: Block, *, skipped: frozenset[Operation] = frozenset()) -> None:
        """Print the operations of a block."""
        outer, self.pending = self.pending, []
        for op in block.ops:
            if op not in skipped:
                try:
                    self.operation(op)
                except NotPrintable as error:
                    _refuse(op, str(error))
        self.flush()
        self.pending = outer

    def operation(self, op: Operation) -> None:
        match op:
            case loop.ForOp():
                self._for(op)
            case loop.IfOp():
                self._if(op)
            case loop.BlockOp():
                self._block(op)
            case loop.CombineOp():
                self._combine(op)
            case loop.InitOp():
                self.flush()
                self._init(op)
            case loop.YieldOp():
                text = Text(["T.tw.yield_(", *joined([[Hole(v)] for v in op.operands]), ")"], is_statement=True)
                self.statement(text)
            case ReturnOp() if not op.operands:
                self.flush()
            case _:
                self._leaf(op)

    def _leaf(self, op: Operation) -> None:
        text = spell(op)
        if text.is_statement:
            self.statement(text)
            return
        rendered = self.rendered(text, is_last=False)
        if len(op.results) == 1 and _can_wait(op.results[0]) and len(rendered) <= _LONGEST:
            self.pending.append((op.results[0], rendered, text.is_compound))
            return
        self.flush()
        self.line(f"{', '.join(self.name(r) for r in op.results)} = {rendered}")

    def statement(self, text: Text) -> None:
        """Print a line that is no expression."""
        self.line(self.rendered(text))

    def rendered(self, text: Text, *, is_last: bool = True) -> str:
        """Return the text with its holes filled. Pending expressions that are computed before it, but not inlined into
        it, get names.

        A statement (`is_last`) comes after all pending expressions; an expression may leave earlier ones pending.
        """
        taken = self._inlined(text.holes)
        waiting = self.pending[len(self.pending) - len(taken) :]
        used = {value: (inner, compound) for value, inner, compound in waiting}
        rendered = self._filled(text, used)
        if taken and len(rendered) + 4 * self.depth > _WIDTH:
            self.flush()
            return self._filled(text, {})
        if is_last:
            self.flush(len(self.pending) - len(taken))
        if taken:
            del self.pending[-len(taken) :]
        return rendered

    def _filled(self, text: Text, used: Mapping[SSAValue, tuple[str, bool]]) -> str:
        parts: list[str] = []
        for piece in text.pieces:
            if isinstance(piece, str):
                parts.append(piece)
            elif piece.value in used:
                inner, compound = used[piece.value]
                parts.append(f"({inner})" if compound and piece.is_tight else inner)
            else:
                parts.append(self.name(piece.value))
        return "".join(parts)

    def _inlined(self, holes: Sequence[Hole]) -> list[SSAValue]:
        """Return the values whose expressions stand in holes: the last that wait, in order. Others get names."""
        for start in range(len(self.pending) + 1):
            waiting = [value for value, _, _ in self.pending[start:]]
            wanted = [h.value for h in holes if h.value in waiting and not h.is_named]
            if waiting[len(waiting) - len(wanted) :] == wanted:
                earlier = {value for value, _, _ in self.pending[:start]}
                if any(h.value in earlier for h in holes):
                    self.flush(start)
                return wanted
        return []

    def flush(self, count: int | None = None) -> None:
        """Give names to the first of the pending expressions, or to all of them."""
        count = len(self.pending) if count is None else count
        for value, text, _ in self.pending[:count]:
            self.line(f"{self.name(value)} = {text}")
        del self.pending[:count]

    # Operations with regions

    def _for(self, op: loop.ForOp) -> None:
        nest = [op] if op.iter_args else _grid_of(op)
        if len(nest) > 1:
            bounds: Pieces = joined([_bound(each.uppers, "min") for each in nest])
            header: Pieces = ["T.grid(", *bounds, ")"]
        else:
            header = _range(op)
        arguments = [each.induction_variable for each in nest]
        if op.iter_args:
            header = ["T.tw.carry(", *header, ", ", *joined([[Hole(v)] for v in op.iter_args]), ")"]
            arguments = list(op.body.block.args)
        if op.states_captures:
            if tuple(op.captures) != captured_values(op):
                _refuse(op, "captures of a parallel loop that are not, in order, the values which its body uses")
            header = ["T.tw.captures(", *joined([header, *([Hole(v)] for v in op.captured_disjoint)]), ")"]
        names = ", ".join(self.name(a) for a in arguments)
        self.statement(Text([f"for {names} in ", *header, ":"]))
        with self.indented():
            self.block(nest[-1].body.block)
        for argument, result in zip(op.body.block.args[1:], op.res, strict=True):
            self.names[result] = self.names[argument]

    def _if(self, op: loop.IfOp) -> None:
        self.statement(Text(["if ", *condition_text(op.conditions), ":"]))
        with self.indented():
            self._attributes(op)
            self.block(op.then_body.block)
        if op.else_body.blocks:
            self.line("else:")
            with self.indented():
                self.block(op.else_body.block)

    def _attributes(self, op: Operation) -> None:
        if op.attributes:
            self.line(f"T.tw.attrs({attributes_text(op.attributes)})")

    def _init(self, op: loop.InitOp) -> None:
        self.line("with T.init():")
        with self.indented():
            self._attributes(op)
            self.block(op.body.block)

    def _block(self, op: loop.BlockOp) -> None:
        self.flush()
        call = "T.tw.block" if op.label == "root" and not op.variables else "T.block"
        self.line(f"with {call}({quoted(op.label)}):")
        with self.indented():
            for line in self._axes(op):
                self.line(line)
            if op.conditions:
                self.line(self.rendered(Text(["T.where(", *condition_text(op.conditions), ")"])))
            if op.attributes:
                self.line(f"T.block_attr({attributes_text(op.attributes)})")
            self.block(op.body.block)

    def _axes(self, op: loop.BlockOp) -> list[str]:
        names = [self.name(v) for v in op.variables]
        ranges = [(_loop_extent(binding), extent) for _, _, binding, extent in op.iteration()]
        if names and all(known is not None and _is_same(known, extent) for known, extent in ranges):
            letters = "".join("S" if kind == "spatial" else "R" for kind in op.kinds)
            values = ", ".join(self._index(binding) for _, _, binding, _ in op.iteration())
            return [f'{", ".join(names)} = T.axis.remap("{letters}", [{values}])']
        return [
            f"{name} = T.axis.{kind}({self._index(extent)}, {self._index(binding)})"
            for name, (_, kind, binding, extent) in zip(names, op.iteration(), strict=True)
        ]

    def _index(self, e: Index) -> str:
        return self.rendered(Text(index_text(e)))

    def _combine(self, op: loop.CombineOp) -> None:
        self.flush()
        name = _free_name("combine", self.taken)
        arguments = ", ".join(f"{self.name(a)}: {_annotation(a)}" for a in op.combiner.block.args)
        self.line(f"def {name}({arguments}):")
        block = op.combiner.block
        last = block.last_op
        assert isinstance(last, loop.YieldOp)
        with self.indented():
            self.block(block, skipped=frozenset([last]))
            self.line(f"return {', '.join(self.name(v) for v in last.operands)}")
        accumulated, added = (", ".join(self.name(v) for v in values) for values in (op.accumulated, op.added))
        attrs = f", attrs={attributes_text(op.attributes)}" if op.attributes else ""
        results = ", ".join(self.name(r) for r in op.res)
        identities = attribute_text(op.identities)
        self.line(f"{results} = T.tw.combine({name}, [{accumulated}], [{added}], {identities}{attrs})")


def _annotation(argument: BlockArgument) -> str:
    name = type_name(argument.type)
    return f"T.{name}" if name.isidentifier() else f"T.tw.scalar({quoted(name)})"


def _can_wait(value: SSAValue) -> bool:
    """Return whether a value has one use, by an operation in the same block as the one that makes it."""
    if isinstance(value.type, MemRefType) or not value.has_one_use():
        return False
    (use,) = value.uses
    maker = value.owner
    return isinstance(maker, Operation) and use.operation.parent is maker.parent


def _grid_of(op: loop.ForOp) -> list[loop.ForOp]:
    """Return the loops that `T.grid` stands for: each the only operation of the loop around it."""
    nest = [op]
    while _is_plain(nest[-1]):
        body = nest[-1].body.block
        inner = body.first_op
        if not isinstance(inner, loop.ForOp) or inner is not body.last_op or not _is_plain(inner):
            break
        if any(each.induction_variable in inner.dims for each in nest):
            break
        nest.append(inner)
    return nest if _is_plain(op) else [op]


def _is_plain(op: loop.ForOp) -> bool:
    starts_at_zero = len(op.lowers) == 1 and op.lowers[0].is_constant and op.lowers[0].constant == 0
    return op.kind == loop.SERIAL and starts_at_zero and not op.iter_args and not op.attributes


def _bound(bounds: Sequence[Index], combine: str) -> Pieces:
    if len(bounds) == 1:
        return index_text(bounds[0])
    return [f"T.{combine}(", *joined([index_text(e) for e in bounds]), ")"]


def _range(op: loop.ForOp) -> Pieces:
    lower = op.lowers
    parts: list[Pieces] = []
    if len(lower) != 1 or not lower[0].is_constant or lower[0].constant:
        parts.append(_bound(lower, "max"))
    parts.append(_bound(op.uppers, "min"))
    if op.kind.tag.data or op.kind.kind.data == VTHREAD:
        parts.append([f'thread="{op.kind.tag.data or VTHREAD}"'])
    if op.attributes:
        parts.append([f"annotations={attributes_text(op.attributes)}"])
    is_range = op.kind == loop.SERIAL and not op.attributes
    return ["range(" if is_range else f"T.{LOOPS[op.kind.kind.data]}(", *joined(parts), ")"]


def _loop_extent(binding: Index) -> Index | None:
    """Return the extent of the loop whose variable a binding is, where it starts at 0."""
    variable = binding.single_value
    op = variable.block.parent_op() if isinstance(variable, BlockArgument) else None
    if not isinstance(op, loop.ForOp) or variable is not op.induction_variable or len(op.uppers) != 1:
        return None
    starts_at_zero = len(op.lowers) == 1 and op.lowers[0].is_constant and op.lowers[0].constant == 0
    return op.uppers[0] if starts_at_zero else None


def _is_same(a: Index, b: Index) -> bool:
    return a.terms == b.terms and a.constant == b.constant
