"""Random loop programs for random schedules: nests over few buffers that share, reuse and overwrite memory.

Each program is text, so that a failure can be read and kept. All of them run in any machine's memory, read nothing that
was not written, and stay inside their buffers; what they compute is what the interpreter makes of them unscheduled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..choices import Choices, pick

NUMBERS = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class LoopProgram:
    """The function `k` of a module, its arguments in order, and the sizes that it is run at."""

    text: str
    arguments: tuple[tuple[str, tuple[str, ...]], ...]
    """Name and shape of each; an extent is a number or the name of a size."""
    outputs: int
    """The number of outputs, the last arguments. They are initialised before the call."""
    sizes: tuple[dict[str, int], ...]

    def calls(self) -> Iterator[list[np.ndarray]]:
        """Yield the arguments of each call."""
        for number, sizes in enumerate(self.sizes):
            rng = np.random.default_rng(number)
            yield [
                rng.integers(-3, 4, tuple(int(sizes.get(e, e)) for e in shape)).astype(np.float64)
                for _, shape in self.arguments
            ]


class Writer:
    """Writes a program statement by statement; every name is used once."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.count = 0
        self.lines: list[str] = []
        self.symbols = {s: self.chance(3) for s in ("n", "m")}
        rows = "n" if self.symbols["n"] else str(pick(choices, NUMBERS))
        columns = "m" if self.symbols["m"] else str(pick(choices, NUMBERS))
        self.rows, self.columns = rows, columns
        self.tables = ["%A"]
        """Buffers of rows and columns that are written and not written again."""
        self.vectors: list[str] = []
        """The same of rows alone."""

    def chance(self, of: int) -> bool:
        return self.choices.between(1, of) == 1

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def type(self, *shape: str) -> str:
        return f"memref<{''.join('?x' if e in self.symbols else f'{e}x' for e in shape)}f64>"

    def value(self, extent: str) -> str:
        return f"%{extent}" if extent in self.symbols else extent

    def alloc(self, name: str, *shape: str) -> str:
        dynamic = ", ".join(self.value(e) for e in shape if e in self.symbols)
        return f"{name} = loop.alloc {f'({dynamic}) ' if dynamic else ''}: {self.type(*shape)}"

    def bind(self, name: str, *shape: str) -> list[str]:
        if not any(e in self.symbols for e in shape):
            return []
        strides = [self.value(shape[1]), "1"] if len(shape) == 2 else ["1"]
        return [
            f"loop.bind {name} shape [{', '.join(map(self.value, shape))}] strides [{', '.join(strides)}] : "
            f"{self.type(*shape)}"
        ]

    def nest(self, label: str, axes: Sequence[tuple[str, str, str]], body: Sequence[str], where: str = "") -> None:
        """Write loops in a random order around one block. Axes are (iteration variable, extent, kind)."""
        names = {v: self.fresh("l") for v, _, _ in axes}
        for v, extent, _ in self.choices.permuted(list(axes)):
            self.lines.append(f"loop.for %{names[v]} = 0 to {self.value(extent)} {{")
        rows = ", ".join(f"%{v} = {kind}(%{names[v]}) in {self.value(extent)}" for v, extent, kind in axes)
        guard = f" where ({where.format(**{v: '%' + names[v] for v, _, _ in axes})})" if where else ""
        self.lines += [f'loop.block "{label}" ({rows}){guard} {{', *body, "}", "}" * len(axes)]

    # Statements

    def read(self, name: str, table: str, row: str, column: str) -> list[str]:
        """Return an element of a table: the same one, one from the other end, or the one before."""
        t, n, m = self.type(self.rows, self.columns), self.value(self.rows), self.value(self.columns)
        match self.choices.between(0, 5):
            case 0:
                return [f"%{name} = loop.load {table}[{n} - 1 - %{row}, %{column}] : {t}"]
            case 1:
                return [f"%{name} = loop.load {table}[%{row}, {m} - 1 - %{column}] : {t}"]
            case 2:
                return [f"%{name} = loop.load {table}[%{row} - 1, %{column}] where (%{row} >= 1) else %zero : {t}"]
            case _:
                return [f"%{name} = loop.load {table}[%{row}, %{column}] : {t}"]

    def elementwise(self, target: str, *, where: str = "", condition: str = "") -> None:
        t = self.type(self.rows, self.columns)
        body = self.read("a", pick(self.choices, self.tables), "i", "j")
        body += self.read("b", pick(self.choices, self.tables), "i", "j") + ["%s = arith.addf %a, %b : f64"]
        if self.vectors and self.chance(2):
            v = pick(self.choices, self.vectors)
            body += [f"%v = loop.load {v}[%i] : {self.type(self.rows)}", "%r = arith.subf %s, %v : f64"]
        else:
            body += ["%r = arith.mulf %s, %half : f64"]
        store = f"loop.store %r, {target}[%i, %j] : {t}"
        body.append(f"loop.if ({condition}) {{ {store} }}" if condition else store)
        axes = [("i", self.rows, "spatial"), ("j", self.columns, "spatial")]
        if self.chance(6):
            axes.append(("u", "1", "spatial"))
        self.nest(self.fresh("E"), axes, body, where)

    def table(self) -> None:
        name = "%" + self.fresh("T")
        self.lines.append(self.alloc(name, self.rows, self.columns))
        self.elementwise(name)
        self.tables.append(name)

    def row_sums(self) -> None:
        """Write sums along rows, over a second axis too, from a number or from what another vector holds."""
        name, t, v = "%" + self.fresh("S"), self.type(self.rows, self.columns), self.type(self.rows)
        self.lines.append(self.alloc(name, self.rows))
        start = ["%q = arith.constant 2.0 : f64"]
        if self.vectors and self.chance(3):
            start = [f"%q = loop.load {pick(self.choices, self.vectors)}[%i] : {v}"]
        axes = [("i", self.rows, "spatial"), ("k", self.columns, "reduce")]
        if self.chance(3):
            axes.append(("l", str(self.choices.between(1, 3)), "reduce"))
        combine = pick(self.choices, ("addf", "addf", "maximumf"))
        body = ["loop.init {", *start, f"loop.store %q, {name}[%i] : {v}", "}"]
        body += self.read("a", pick(self.choices, self.tables), "i", "k")
        body += [f"%c = loop.load {name}[%i] : {v}", f"%s = arith.{combine} %c, %a : f64"]
        if self.chance(6):  # a sum whose partial results are seen
            body += [
                f"%o = loop.load {name}[%i] : {v}",
                "%h = arith.mulf %o, %half : f64",
                "%s2 = arith.addf %s, %h : f64",
                f"loop.store %s2, {name}[%i] : {v}",
            ]
        else:
            body.append(f"loop.store %s, {name}[%i] : {v}")
        self.nest(self.fresh("R"), axes, body)
        assert t
        self.vectors.append(name)

    def running_sum(self) -> None:
        """Write U[i] = U[i - 1] + X[i, 0]: a block that reads its own buffer."""
        name, v = "%" + self.fresh("U"), self.type(self.rows)
        self.lines.append(self.alloc(name, self.rows))
        self.nest(self.fresh("Z"), [("i", self.rows, "spatial")], [f"loop.store %half, {name}[%i] : {v}"])
        source = [f"%a = loop.load {pick(self.choices, self.vectors)}[%i] : {v}"] if self.vectors else []
        back = pick(self.choices, ("%i - 1] where (%i >= 1) else %half", "%i]"))
        body = [*(source or ["%a = arith.constant 3.0 : f64"]), f"%u = loop.load {name}[{back} : {v}"]
        body += ["%s = arith.addf %u, %a : f64", f"loop.store %s, {name}[%i] : {v}"]
        self.nest(self.fresh("U"), [("i", self.rows, "spatial")], body)
        self.vectors.append(name)

    def last_row(self) -> None:
        """Write each row to L[j]; the last one stays."""
        if self.rows in self.symbols or self.columns in self.symbols:
            return self.table()
        name, t = "%" + self.fresh("L"), self.type(self.rows, self.columns)
        self.lines.append(self.alloc(name, self.columns))
        body = self.read("a", pick(self.choices, self.tables), "i", "j")
        body.append(f"loop.store %a, {name}[%j] : {self.type(self.columns)}")
        self.nest(self.fresh("L"), [("i", self.rows, "spatial"), ("j", self.columns, "spatial")], body)
        spread = "%" + self.fresh("T")
        self.lines.append(self.alloc(spread, self.rows, self.columns))
        body = [
            f"%a = loop.load {name}[{self.columns} - 1 - %j] : {self.type(self.columns)}",
            f"loop.store %a, {spread}[%i, %j] : {t}",
        ]
        self.nest(self.fresh("E"), [("i", self.rows, "spatial"), ("j", self.columns, "spatial")], body)
        self.tables.append(spread)
        return None

    def refilled(self) -> None:
        """Write scratch that each row fills anew, by a copy or a sum, and that the row then reads."""
        name, scratch = "%" + self.fresh("T"), "%" + self.fresh("W")
        t, w = self.type(self.rows, self.columns), self.type(self.columns)
        inside = self.chance(2)
        self.lines.append(self.alloc(name, self.rows, self.columns))
        if not inside:
            self.lines.append(self.alloc(scratch, self.columns))
        row = self.fresh("r")
        self.lines.append(f"loop.for %{row} = 0 to {self.value(self.rows)} {{")
        if inside:
            self.lines.append(self.alloc(scratch, self.columns))
        x, y, k = self.fresh("x"), self.fresh("y"), self.fresh("k")
        source = pick(self.choices, self.tables)
        bound = f"%i = spatial(%{row}) in {self.value(self.rows)}"
        m = self.value(self.columns)
        if self.chance(2):
            self.lines += [
                f"loop.for %{x} = 0 to {m} {{",
                f'loop.block "{self.fresh("W")}" ({bound}, %j = spatial(%{x}) in {m}) {{',
                *self.read("a", source, "i", "j"),
                f"loop.store %a, {scratch}[%j] : {w}",
                "}",
                "}",
            ]
        else:
            self.lines += [
                f"loop.for %{x} = 0 to {m} {{",
                f"loop.for %{k} = 0 to {m} {{",
                f'loop.block "{self.fresh("W")}" ({bound}, %j = spatial(%{x}) in {m}, %k = reduce(%{k}) in {m}) {{',
                f"loop.init {{ loop.store %zero, {scratch}[%j] : {w} }}",
                *self.read("a", source, "i", "k"),
                f"%c = loop.load {scratch}[%j] : {w}",
                "%s = arith.addf %c, %a : f64",
                f"loop.store %s, {scratch}[%j] : {w}",
                "}",
                "}",
                "}",
            ]
        index = pick(self.choices, (f"{m} - 1 - %j", "%j"))
        self.lines += [
            f"loop.for %{y} = 0 to {m} {{",
            f'loop.block "{self.fresh("V")}" ({bound}, %j = spatial(%{y}) in {m}) {{',
            f"%a = loop.load {scratch}[{index}] : {w}",
            f"loop.store %a, {name}[%i, %j] : {t}",
            "}",
            "}",
            "}",
        ]
        self.tables.append(name)

    def neighbours(self, target: str) -> None:
        """Write a sum into an output that reads other results too, as they are then."""
        v = self.type(self.rows)
        n = self.value(self.rows)
        other = pick(self.choices, (f"{n} - 1 - %i", f"{n} - 1", "0"))
        body = [f"loop.init {{ loop.store %half, {target}[%i] : {v} }}", *self.read("a", "%A", "i", "k")]
        body += [f"%o = loop.load {target}[{other}] : {v}", "%h = arith.addf %a, %o : f64"]
        body += [
            f"%c = loop.load {target}[%i] : {v}",
            "%s = arith.addf %c, %h : f64",
            "%q = arith.mulf %s, %half : f64",
        ]
        body.append(f"loop.store %{pick(self.choices, ('s', 's', 'q'))}, {target}[%i] : {v}")
        self.nest(self.fresh("N"), [("i", self.rows, "spatial"), ("k", self.columns, "reduce")], body)

    def rows_out(self, target: str) -> None:
        """Store a vector to the output; a part of it under a condition of the block."""
        v = self.type(self.rows)
        source = pick(self.choices, self.vectors) if self.vectors else None
        if source is None:
            return self.neighbours(target)
        where = pick(self.choices, ("", "", "{i} < 3", "2 * {i} >= 3"))
        body = [f"%a = loop.load {source}[%i] : {v}", f"loop.store %a, {target}[%i] : {v}"]
        axes = [("i", self.rows, "spatial")]
        if self.chance(6) and self.columns in self.symbols:
            idle = self.fresh("l")  # a loop that no variable is bound to
            self.lines.append(f"loop.for %{idle} = 0 to {self.value(self.columns)} {{")
            self.nest(self.fresh("O"), axes, body, where)
            self.lines.append("}")
            return None
        return self.nest(self.fresh("O"), axes, body, where)


def loop_program(choices: Choices) -> LoopProgram:
    """Return one to four statements on scratch, then one or two results."""
    writer = Writer(choices)
    for _ in range(choices.between(1, 4)):
        statements = (
            writer.table,
            writer.row_sums,
            writer.row_sums,
            writer.running_sum,
            writer.last_row,
            writer.refilled,
        )
        pick(choices, statements)()
    condition = pick(choices, ("", "", "", "%i mod 2 >= 1", "%j < 3"))
    where = pick(choices, ("", "", "", "{i} < 4", "{j} >= 1"))
    writer.elementwise("%C", where=where, condition=condition)
    pick(choices, (writer.rows_out, writer.neighbours))("%D")
    rows, columns = writer.rows, writer.columns
    arguments = (("A", (rows, columns)), ("C", (rows, columns)), ("D", (rows,)))
    head = ", ".join(
        f"%{name}: {writer.type(*shape)}{' {tw.output}' if name != 'A' else ''}" for name, shape in arguments
    )
    first = [
        f"%{e} = loop.dim %A, {d} : {writer.type(rows, columns)}" for d, e in enumerate((rows, columns)) if e in "nm"
    ]
    first += ["%zero = arith.constant 0.0 : f64", "%half = arith.constant 0.5 : f64"]
    first += [line for name, shape in arguments for line in writer.bind(f"%{name}", *shape)]
    text = "\n".join([f"func.func @k({head}) {{", *first, *writer.lines, "func.return", "}"])
    return LoopProgram(text, arguments, 2, _sizes(choices, rows, columns))


def _sizes(choices: Choices, rows: str, columns: str) -> tuple[dict[str, int], ...]:
    """Return the sizes of the calls: 0 and 1, separately and together, and others."""
    if rows != "n" and columns != "m":
        return ({},)
    pairs = [(0, 0), (1, 1), (0, 3), (3, 0), (choices.between(2, 7), choices.between(2, 7)), (choices.between(1, 9), 1)]
    return tuple({"n": n, "m": m} for n, m in dict.fromkeys(pairs))
