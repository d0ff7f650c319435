"""Random programs of affine, scf, linalg and memref, of fixed and of open sizes, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

KINDS = ("affine", "scf", "linalg", "memref")
_FLOATS = ("addf", "subf", "mulf", "maximumf")
_INTEGERS = ("addi", "subi", "muli", "xori", "maxsi")
NAME = "drawn"
"""The name of a drawn function."""


def draw(kind: str, seed: int, number: int) -> str:
    """Return the text of a program of a kind."""
    generator = random.Random(f"{kind} {seed} {number}")
    return _DRAWS[kind](generator)


@dataclass
class _Text:
    """A function that is being written."""

    random: random.Random
    lines: list[str] = field(default_factory=list[str])
    names: int = 0

    @property
    def is_integer(self) -> bool:
        return self.element == "i32"

    def __post_init__(self) -> None:
        self.element = self.random.choice(("f32", "f32", "i32"))
        self.is_open = self.random.random() < 0.6
        self.width = self.random.randint(6, 20)
        """The extent of the last dimension, which is fixed."""
        self.height = "?" if self.is_open else str(self.random.randint(5, 24))

    def name(self) -> str:
        """Return a fresh name of a value."""
        self.names += 1
        return f"%v{self.names}"

    def add(self, depth: int, line: str) -> None:
        """Write a line."""
        self.lines.append("  " * (depth + 1) + line)

    def operation(self, depth: int, first: str, second: str) -> str:
        """Write an operation of arith on two values; its result."""
        result = self.name()
        chosen = self.random.choice(_INTEGERS if self.is_integer else _FLOATS)
        self.add(depth, f"{result} = arith.{chosen} {first}, {second} : {self.element}")
        return result

    @property
    def row(self) -> str:
        """The type of the arguments."""
        return f"memref<{self.height}x{self.width}x{self.element}>"

    def function(self, arguments: str, result: str = "") -> str:
        """Return the whole text."""
        body = "\n".join(self.lines)
        return f"func.func @{NAME}({arguments}){result} {{\n{body}\n}}\n"


@dataclass(frozen=True)
class _Nest:
    """The variables of a nest, with the margin that subscripts may add to each."""

    row: str
    column: str
    margin: int
    spare: int


def _loops(text: _Text, is_affine: bool) -> str:
    """Return nests over rows and columns of the arguments, with temporaries, guards and carried sums."""
    size = "%n" if text.is_open else text.height
    if not is_affine:
        for value in sorted({0, 1, 2, 3, text.width, *([] if text.is_open else [int(text.height)])}):
            text.add(0, f"%c{value} = arith.constant {value} : index")
    else:
        text.add(0, "%c0 = arith.constant 0 : index")
    if text.is_open:
        text.add(0, f"%n = memref.dim %a, %c0 : {text.row}")
    buffers = ["%a", "%b"]
    if text.random.random() < 0.5:
        operands = "(%n)" if text.is_open else "()"
        text.add(0, f"%t = memref.alloc{operands} : {text.row}")
        buffers.append("%t")
    for number in range(text.random.randint(1, 3)):
        _nest(text, is_affine, size, buffers, is_first=number == 0)
    text.add(0, "return")
    return text.function(f"%a: {text.row}, %b: {text.row}")


def _nest(text: _Text, is_affine: bool, size: str, buffers: list[str], *, is_first: bool) -> None:
    margin, spare = text.random.choice((0, 0, 1, 2)), text.random.choice((0, 0, 1))
    outer = _loop(text, 0, is_affine, "%i", size, margin)
    is_triangle = is_affine and text.random.random() < 0.15 and not text.is_open and int(text.height) <= text.width
    inner_bound = "affine_map<(d0) -> (d0 + 1)>(%i)" if is_triangle else str(text.width)
    inner = _loop(text, 1, is_affine, "%j", inner_bound, spare)
    nest = _Nest("%i", "%j", margin, spare)
    target = "%t" if is_first and "%t" in buffers else text.random.choice(buffers[1:])
    depth = 2
    guarded = is_affine and text.random.random() < 0.2
    if guarded:
        text.add(depth, f"affine.if affine_set<(d0, d1) : (d0 - d1 + {text.random.randint(-2, 4)} >= 0)>(%i, %j) {{")
        depth += 1
    for _ in range(text.random.randint(1, 2)):
        value = _load(text, depth, is_affine, text.random.choice(buffers), nest)
        other = _load(text, depth, is_affine, text.random.choice(buffers), nest)
        result = text.operation(depth, value, other)
        if text.random.random() < 0.4:
            result = text.operation(depth, result, value)
        _store(text, depth, is_affine, result, target, nest)
    if guarded:
        text.add(depth - 1, "}")
    text.add(1, inner)
    text.add(0, outer)


def _loop(text: _Text, depth: int, is_affine: bool, variable: str, bound: str, margin: int) -> str:
    """Write the head of a loop over [0, bound - margin); its end."""
    step = text.random.choice((1, 1, 1, 2, 3))
    low = text.random.choice((0, 0, 0, 1))
    if is_affine:
        high = bound
        if margin and bound.startswith("%"):
            high = f"affine_map<()[s0] -> (s0 - {margin})>()[{bound}]"
        elif margin and bound.isdigit():
            high = str(int(bound) - margin)
        text.add(depth, f"affine.for {variable} = {low} to {high}{f' step {step}' if step > 1 else ''} {{")
        return "}"
    high = bound if bound.startswith("%") else f"%c{bound}"
    if margin:
        shorter = text.name()
        text.add(depth, f"{shorter} = arith.subi {high}, %c{margin} : index")
        high = shorter
    if text.random.random() < 0.25 and depth == 0:
        text.add(depth, f"scf.parallel ({variable}) = (%c{low}) to ({high}) step (%c{step}) {{")
        return "  scf.reduce\n" + "  " * (depth + 1) + "}"
    text.add(depth, f"scf.for {variable} = %c{low} to {high} step %c{step} {{")
    return "}"


def _subscripts(text: _Text, depth: int, is_affine: bool, nest: _Nest, *, stores: bool) -> str:
    """Return two subscripts within the margins of the nest."""
    parts: list[str] = []
    for variable, margin in ((nest.row, nest.margin), (nest.column, nest.spare)):
        offset = text.random.randint(0, margin) if not stores or text.random.random() < 0.3 else 0
        if offset and not is_affine:
            moved = text.name()
            text.add(depth, f"{moved} = arith.addi {variable}, %c{offset} : index")
            parts.append(moved)
        else:
            parts.append(f"{variable} + {offset}" if offset else variable)
    if is_affine and text.random.random() < 0.15:
        parts[1] = f"{text.width - 1} - {nest.column}"
    return ", ".join(parts)


def _load(text: _Text, depth: int, is_affine: bool, buffer: str, nest: _Nest) -> str:
    at = _subscripts(text, depth, is_affine, nest, stores=False)
    result = text.name()
    text.add(depth, f"{result} = {'affine' if is_affine else 'memref'}.load {buffer}[{at}] : {text.row}")
    return result


def _store(text: _Text, depth: int, is_affine: bool, value: str, buffer: str, nest: _Nest) -> None:
    at = _subscripts(text, depth, is_affine, nest, stores=True)
    text.add(depth, f"{'affine' if is_affine else 'memref'}.store {value}, {buffer}[{at}] : {text.row}")


def _affine(generator: random.Random) -> str:
    return _loops(_Text(generator), is_affine=True)


def _scf(generator: random.Random) -> str:
    return _loops(_Text(generator), is_affine=False)


def _linalg(generator: random.Random) -> str:
    """Return a chain of generic operations on buffers, or on tensors."""
    text = _Text(generator)
    on_tensors = generator.random() < 0.4
    shape = f"{text.height}x{text.width}x{text.element}"
    kind = f"tensor<{shape}>" if on_tensors else f"memref<{shape}>"
    column = f"{'tensor' if on_tensors else 'memref'}<{text.width}x{text.element}>"
    left, right = "%a", "%b"
    for number in range(generator.randint(1, 3)):
        result = f"%r{number}" if on_tensors else "%c"
        _generic(text, (left, right), kind, column, result if on_tensors else "")
        left, right = (result, generator.choice(("%a", "%b"))) if on_tensors else (generator.choice("ab"), "%c")
        left = left if left.startswith("%") else f"%{left}"
    text.add(0, f"return {left} : {kind}" if on_tensors else "return")
    arguments = f"%a: {kind}, %b: {kind}, %c: {kind}, %x: {column}"
    return text.function(arguments, f" -> {kind}" if on_tensors else "")


def _generic(text: _Text, inputs: tuple[str, str], kind: str, column: str, result: str) -> None:
    identity = "affine_map<(d0, d1) -> (d0, d1)>"
    is_row = text.random.random() < 0.4
    second = "affine_map<(d0, d1) -> (d1)>" if is_row else identity
    types = f"{kind}, {column if is_row else kind}"
    operands = f"{inputs[0]}, {'%x' if is_row else inputs[1]}"
    head = f"{result} = linalg.generic" if result else "linalg.generic"
    maps = f"[{identity}, {second}, {identity}]"
    text.add(0, f'{head} {{indexing_maps = {maps}, iterator_types = ["parallel", "parallel"]}}')
    text.add(1, f"ins({operands} : {types}) outs(%c : {kind}) {{")
    text.add(0, f"^bb0(%p: {text.element}, %q: {text.element}, %o: {text.element}):")
    value = text.operation(1, "%p", "%q")
    if text.random.random() < 0.3:
        value = text.operation(1, value, "%p")
    text.add(1, f"linalg.yield {value} : {text.element}")
    text.add(0, f"}} -> {kind}" if result else "}")


def _memref(generator: random.Random) -> str:
    """Return a nest over views of the arguments."""
    text = _Text(generator)
    rows, columns = generator.randint(2, 4), generator.randint(2, text.width // 2)
    first, last = generator.randint(0, 2), generator.randint(0, text.width - columns)
    step = generator.choice((1, 1, 2)) if last + 2 * columns <= text.width else 1
    height = max(rows + first, 6)
    text.height = "?" if text.is_open else str(height)
    offset, strides = first * text.width + last, f"[{text.width}, {step}]"
    view = f"memref<{rows}x{columns}x{text.element}, strided<{strides}, offset: {offset}>>"
    slices = f"[{first}, {last}] [{rows}, {columns}] [1, {step}]"
    text.add(0, f"%s = memref.subview %a{slices} : {text.row} to {view}")
    text.add(0, f"%u = memref.subview %b{slices} : {text.row} to {view}")
    text.add(0, f"affine.for %i = 0 to {rows} {{")
    text.add(1, f"affine.for %j = 0 to {columns} {{")
    value = text.name()
    text.add(2, f"{value} = affine.load %s[%i, %j] : {view}")
    other = text.name()
    at = generator.choice(("%i, %j", f"%i, {columns - 1} - %j", f"{rows - 1} - %i, %j"))
    text.add(2, f"{other} = affine.load {generator.choice(('%s', '%u'))}[{at}] : {view}")
    result = text.operation(2, value, other)
    text.add(2, f"affine.store {result}, %u[%i, %j] : {view}")
    text.add(1, "}")
    text.add(0, "}")
    text.add(0, "return")
    return text.function(f"%a: {text.row}, %b: {text.row}")


_DRAWS: dict[str, Callable[[random.Random], str]] = {
    "affine": _affine,
    "scf": _scf,
    "linalg": _linalg,
    "memref": _memref,
}
