"""Random loops that read and write at loaded indices, each with what it computes, iteration by iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .draw import Draw
from .index_values import Outside, Values, element, index_array

TRIPS = (0, 1, 1, 2, 3, 5, 8, 16)
ROWS = (1, 2, 4, 7, 8, 16)
LANES = 4

Environment = dict[str, int]
Run = Callable[[Environment, Values], None]
"""Does what an operation does, given the values of loop variables and loaded indices."""
Number = Callable[[Environment], int]


@dataclass(frozen=True)
class _Index:
    """An index expression: its text and its value."""

    text: str
    value: Number


@dataclass
class IndexedLoops:
    """A program as text, its arrays in the order of arguments, and what they hold afterwards."""

    text: str
    arrays: Values
    outputs: tuple[str, ...]
    expected: Values | None
    """None where an index is out of bounds."""
    can_be_refused: bool
    """True if some size may make the program invalid for all other sizes."""


@dataclass
class _Maker:
    draw: Draw
    arrays: Values = field(default_factory=dict[str, np.ndarray])
    types: dict[str, str] = field(default_factory=dict[str, str])
    written: set[str] = field(default_factory=set[str])
    lines: list[str] = field(default_factory=list[str])
    variables: dict[str, int] = field(default_factory=dict[str, int])
    """Loop variables and the extents that they run to."""
    sizes: dict[str, tuple[str, int, int]] = field(default_factory=dict[str, tuple[str, int, int]])
    """Symbolic sizes: the array and the dimension that has them, and their values."""
    loaded: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Loaded indices in scope and the dimension that they are for."""
    depth: int = 1

    def array(self, stem: str, values: np.ndarray, element_type: str, symbolic: int | None = None) -> str:
        """Add an argument, and return its name; dimension `symbolic` of it, if any, is known only when the program is
        called."""
        name = self.draw.name(stem)
        extents = ["?" if d == symbolic else str(n) for d, n in enumerate(values.shape)]
        self.arrays[name], self.types[name] = values, f"memref<{'x'.join([*extents, element_type])}>"
        return name

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    # Indices

    def affine(self, limit: int) -> _Index:
        """Return an expression of the loops' variables, below the limit as often as not."""
        inside = [name for name, extent in self.variables.items() if extent <= limit]
        if inside and self.draw.chance(0.85):
            name = self.draw.one_of(inside)
            room = limit - self.variables[name]
            step = self.draw.between(0, room) if self.draw.chance(0.9) else self.draw.between(-1, room + 1)
            return _Index(f"%{name} + {step}", lambda env: env[name] + step)
        number = self.draw.between(0, max(limit - 1, 0))
        return _Index(str(number), lambda env: number)

    def load_index(self, limit: int) -> tuple[_Index, Run]:
        """Return an index that is loaded here."""
        width = self.draw.one_of(("8", "16", "32", "64", "64"))
        count = self.draw.one_of(ROWS)
        numbers = index_array(self.draw, (count,), limit, f"int{width}", wrong=self.draw.chance(0.4))
        known = [n for n, t in self.types.items() if n.startswith("I") and self.arrays[n].shape == (count,)]
        array = self.draw.one_of(known) if known and self.draw.chance(0.4) else self.array("I", numbers, f"i{width}")
        width = self.types[array].rpartition("i")[2].rstrip(">")
        at = self.use_index(count) if self.loaded and self.draw.chance(0.3) else self.affine(count)
        raw, name = self.draw.name("raw"), self.draw.name("k")
        self.line(f"%{raw} = loop.load %{array}[{at.text}] : {self.types[array]}")
        self.line(f"%{name} = arith.index_cast %{raw} : i{width} to index")

        def run(env: Environment, values: Values) -> None:
            env[name] = int(element(values, array, (at.value(env),)))

        self.loaded.append((name, limit))
        step = self.draw.one_of((0, 0, 0, 1, -1))
        return _Index(f"%{name} + {step}" if step else f"%{name}", lambda env: env[name] + step), run

    def use_index(self, limit: int) -> _Index:
        """Return an index that was loaded before, for a dimension of any size."""
        fitting = [name for name, of in self.loaded if of <= limit] or [name for name, _ in self.loaded]
        name = self.draw.one_of(fitting)
        return _Index(f"%{name}", lambda env: env[name])

    def index(self, limit: int) -> tuple[_Index, Run]:
        if self.loaded and self.draw.chance(0.3):
            return self.use_index(limit), _nothing
        return self.load_index(limit) if self.draw.chance(0.7) else (self.affine(limit), _nothing)

    # Statements

    def statement(self, depth: int) -> Run:
        kind = self.draw.one_of(("loop", "loop", "copy", "copy", "copy", "add", "if", "vector", "renumber"))
        if depth > 0 and kind == "loop":
            return self.loop(depth)
        if depth > 0 and kind == "if":
            return self.conditional(depth)
        if kind == "vector":
            return self.vector()
        if kind == "renumber" and any(name.startswith("I") for name in self.arrays):
            return self.renumber()
        return self.copy(adds=kind == "add")

    def block(self, depth: int) -> Run:
        loaded = list(self.loaded)
        runs = [self.statement(depth) for _ in range(self.draw.between(1, 2))]
        self.loaded = loaded

        def run(env: Environment, values: Values) -> None:
            for each in runs:
                each(env, values)

        return run

    def loop(self, depth: int) -> Run:
        name = self.draw.name("i")
        extent = self.draw.one_of(TRIPS)
        upper = str(extent)
        if self.sizes and self.draw.chance(0.4):
            size = self.draw.one_of(list(self.sizes))
            upper, extent = f"%{size}", self.sizes[size][2]
        kind = self.draw.one_of(("", "", "", " kind unrolled")) if upper.isdecimal() else ""
        self.line(f"loop.for %{name} = 0 to {upper}{kind} {{")
        self.variables[name] = max(extent, 1)
        self.depth += 1
        body = self.block(depth - 1)
        self.depth -= 1
        del self.variables[name]
        self.line("}")

        def run(env: Environment, values: Values) -> None:
            for i in range(extent):
                body({**env, name: i}, values)

        return run

    def conditional(self, depth: int) -> Run:
        limit = self.draw.one_of(ROWS)
        at, load = self.index(limit)
        bound = self.draw.between(0, limit)
        low = self.draw.chance(0.7)
        self.line(f"loop.if ({at.text} < {bound}{f', {at.text} >= 0' if low else ''}) {{")
        self.depth += 1
        body = self.block(depth - 1)
        self.depth -= 1
        self.line("}")

        def run(env: Environment, values: Values) -> None:
            load(env, values)
            if at.value(env) < bound and (not low or at.value(env) >= 0):
                body(dict(env), values)

        return run

    def copy(self, *, adds: bool) -> Run:
        """Load an element, perhaps under a guard, and store it or add it to one."""
        source, target = self.table(), self.target()
        (rows, _), (positions, _) = self.arrays[source].shape, self.arrays[target].shape
        at, load = self.index(rows)
        column, position_column = self.affine(self.arrays[source].shape[1]), self.affine(self.arrays[target].shape[1])
        position, position_load = self.index(positions) if self.draw.chance(0.5) else (self.affine(positions), _nothing)
        guard = self.draw.one_of(("", "", f" where ({at.text} < {rows}, {at.text} >= 0) else %zero"))
        x, y = self.draw.name("x"), self.draw.name("y")
        self.line(f"%{x} = loop.load %{source}[{at.text}, {column.text}]{guard} : {self.types[source]}")
        if adds:
            old = self.draw.name("old")
            self.line(f"%{old} = loop.load %{target}[{position.text}, {position_column.text}] : {self.types[target]}")
            self.line(f"%{y} = arith.addf %{old}, %{x} : f32")
        stored = y if adds else x
        self.line(f"loop.store %{stored}, %{target}[{position.text}, {position_column.text}] : {self.types[target]}")

        def run(env: Environment, values: Values) -> None:
            load(env, values)
            position_load(env, values)
            chosen = (at.value(env), column.value(env))
            value = 0.0 if guard and not 0 <= chosen[0] < rows else float(element(values, source, chosen))
            _store(values, target, (position.value(env), position_column.value(env)), value, adds=adds)

        return run

    def vector(self) -> Run:
        """Copy lanes of a row whose number is data."""
        source, target = self.table(LANES), self.target(LANES)
        at, load = self.index(self.arrays[source].shape[0])
        position = self.affine(self.arrays[target].shape[0])
        x = self.draw.name("x")
        self.line(f"%{x} = loop.load %{source}[{at.text}, lane] : {self.types[source]}, vector<{LANES}xf32>")
        self.line(f"loop.store %{x}, %{target}[{position.text}, lane] : vector<{LANES}xf32>, {self.types[target]}")

        def run(env: Environment, values: Values) -> None:
            load(env, values)
            lanes = [float(element(values, source, (at.value(env), lane))) for lane in range(LANES)]
            for lane, value in enumerate(lanes):
                _store(values, target, (position.value(env), lane), value)

        return run

    def renumber(self) -> Run:
        """Write to an array of indices, so that what was looked at before is not what is used."""
        array = self.draw.one_of([name for name in self.arrays if name.startswith("I")])
        (count,) = self.arrays[array].shape
        at, number = self.affine(count), self.draw.one_of((0, 0, 1, -1, 5, 100))
        type_ = self.types[array].rpartition("x")[2].rstrip(">")
        value = self.draw.name("v")
        self.line(f"%{value} = arith.constant {number} : {type_}")
        self.line(f"loop.store %{value}, %{array}[{at.text}] : {self.types[array]}")
        self.written.add(array)

        def run(env: Environment, values: Values) -> None:
            _store(values, array, (at.value(env),), number)

        return run

    # Arrays

    def table(self, columns: int = 0) -> str:
        shape = self.draw.one_of(ROWS), max(columns, self.draw.one_of(ROWS))
        data = np.arange(1, 1 + shape[0] * shape[1], dtype=np.float32).reshape(shape)
        return self._some("A", data, columns)

    def target(self, columns: int = 0) -> str:
        shape = self.draw.one_of(ROWS), max(columns, self.draw.one_of(ROWS))
        name = self._some("C", np.zeros(shape, np.float32), columns)
        self.written.add(name)
        return name

    def _some(self, stem: str, data: np.ndarray, columns: int) -> str:
        known = [n for n in self.arrays if n.startswith(stem) and self.arrays[n].shape[1] >= columns]
        return self.draw.one_of(known) if known and self.draw.chance(0.5) else self.array(stem, data, "f32")


def _nothing(env: Environment, values: Values) -> None:
    """Do nothing: the index needs no operation."""


def _store(values: Values, name: str, index: tuple[int, ...], value: float, *, adds: bool = False) -> None:
    before = element(values, name, index)
    values[name][index] = before + np.float32(value) if adds else value


def indexed_loops(draw: Draw) -> IndexedLoops:
    """Return the program of a draw."""
    maker = _Maker(draw)
    for _ in range(draw.between(0, 2)):
        size = draw.one_of((0, 0, 1, 1, 2, 4, 8))
        data = np.arange(size * 3, dtype=np.float32).reshape(size, 3)
        name = maker.array("A", data, "f32", symbolic=0)
        maker.sizes[f"{name}_rows"] = (name, 0, size)
    for size, (name, dimension, _) in maker.sizes.items():
        maker.line(f"%{size} = loop.dim %{name}, {dimension} : {maker.types[name]}")
        maker.line(f"loop.bind %{name} shape [%{size}, 3] strides [3, 1] : {maker.types[name]}")
    maker.line("%zero = arith.constant 0.0 : f32")
    runs = [maker.loop(2) for _ in range(draw.between(1, 2))]
    if not maker.written:
        maker.target()
    outputs = tuple(name for name in maker.arrays if name in maker.written)
    order = [*(name for name in maker.arrays if name not in maker.written), *outputs]
    arguments = ", ".join(
        f'%{n}: {maker.types[n]} {{tw.name = "{n}"{", tw.output" if n in maker.written else ""}}}' for n in order
    )
    text = "\n".join([f"func.func @main({arguments}) {{", *maker.lines, "  func.return", "}", ""])
    after = {name: array.copy() for name, array in maker.arrays.items()}
    expected: Values | None = after
    try:
        for run in runs:
            run({}, after)
    except Outside:
        expected = None
    return IndexedLoops(text, {n: maker.arrays[n] for n in order}, outputs, expected, bool(maker.sizes))
