"""Matrix kernels that accumulate a tile of results in vector registers: their declaration and their LLVM text.

A step broadcasts four bytes of each row of the left operand, loads `vectors` vectors of the right operand, and updates
rows x vectors accumulators. A few steps, a part of a chunk, are unrolled as the body of a loop: more of them make LLVM
slower and the kernel no faster.

The last tile may have fewer rows. It is computed as a whole; its excess rows are stored to the address of the last
valid row, before that row is stored.

While a tile is computed, two kinds of data are prefetched that the hardware prefetcher does not predict: the cache
lines of the left operand, which are read four bytes at a time from all rows in turn, and the lines of the next tile's
results, for which its stores would wait. The latter are prefetched row by row, because prefetching all at once would
occupy the line fill buffers.

If the packed left operand holds its elements plus an offset, the products exceed the results by the offset times the
sum of each column of the right operand. One pass over the right operand computes this excess for all tiles of a call,
whose accumulators start with its negative. The pass also brings that part of the operand into the nearer caches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ....schedule.product_kernels import CHUNK_BYTES, GROUP_BYTES, ProductKernel
from ....schedule.tensor_intrinsics import TensorIntrin
from .declaration import PARAMETERS, declare
from .packing import declare_interleave

Pairs = tuple[tuple[str, str], ...]

BYTES = ("int8", "uint8")
ALL_BYTES: Pairs = tuple((left, right) for left in BYTES for right in BYTES)

_CHAINS = 2
"""Independent partial sums of the right operand's columns for each vector, so that an addition does not wait for the
previous one."""

_LINE_BYTES, _RESULT_BYTES = 64, 4
_CHUNKS_AHEAD = 2
_DECLARATIONS = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)", "declare i64 @llvm.smin.i64(i64, i64)"


@dataclass(frozen=True)
class RegisterTile:
    """A kernel, described by its extents and the instructions of one update."""

    rows: int
    vectors: int
    lanes: int
    result: str
    """LLVM's type of a result."""
    left_bytes: int
    """The bytes of an element of the packed left operand."""
    operand: str
    """LLVM's type of a vector of the right operand, and of four bytes of the left one in every lane."""
    declarations: tuple[str, ...]
    update: tuple[str, ...]
    """Lines that define `{new}` from `{old}`, `{left}` and `{right}`; names of temporaries start with `{new}`."""
    left_offset: int = 0
    """The constant that was added to the elements of the packed left operand; only for results that are integers."""
    steps: int = 4
    """The steps that are written out in the body of the loop; their number divides that of a chunk."""

    @property
    def columns(self) -> int:
        return self.vectors * self.lanes

    @property
    def part_bytes(self) -> int:
        """The bytes of the steps that are written out, of each row and column."""
        return self.steps * GROUP_BYTES

    @property
    def parts(self) -> int:
        """The number of times that the loop's body runs for a chunk."""
        return CHUNK_BYTES // self.part_bytes

    @property
    def accumulators(self) -> str:
        """LLVM's type of a vector of results."""
        return f"<{self.lanes} x {self.result}>"

    def text(self, name: str) -> str:
        """Return the module that defines the kernel."""
        return "\n".join((*self.declarations, *_DECLARATIONS, "", *self._function(name), ""))

    def _tile(self) -> Iterator[tuple[int, int, str]]:
        """Yield the row, vector and name of each accumulator."""
        for r in range(self.rows):
            for v in range(self.vectors):
                yield r, v, f"{r}.{v}"

    def _function(self, name: str) -> Iterator[str]:
        yield f"define void @{name}({PARAMETERS}) {{"
        yield "entry:"
        yield "  %row = sext i32 %stride to i64"
        yield "  %whole = sext i32 %chunks to i64"
        yield f"  %count = mul i64 %whole, {self.parts}"
        yield "  %height = sext i32 %rows to i64"
        yield "  %apart = sext i32 %distance to i64"
        yield f"  %a.distance = mul i64 %apart, {self.left_bytes}"
        yield f"  %c.distance = mul i64 %row, {self.rows}"
        yield "  %continues = icmp ne i32 %goes.on, 0"
        before = "entry"
        if self.left_offset:
            yield "  br label %columns"
            yield from self._sums_of_columns()
            before = "summed"
        yield "  br label %tile"
        yield "tile:"
        yield f"  %t = phi i64 [ 0, %{before} ], [ %t.next, %end ]"
        yield "  %a.offset = mul i64 %t, %a.distance"
        yield "  %a.tile = getelementptr i8, ptr %a, i64 %a.offset"
        yield "  %c.offset = mul i64 %t, %c.distance"
        yield f"  %c.tile = getelementptr {self.result}, ptr %c, i64 %c.offset"
        yield f"  %c.next = getelementptr {self.result}, ptr %c.tile, i64 %c.distance"
        yield from self._addresses()
        yield "  br i1 %continues, label %resume, label %steps"
        yield "resume:"
        for _, v, at in self._tile():
            before = f"%there.{at}" if self.left_offset else f"%before.{at}"
            yield f"  {before} = load {self.accumulators}, ptr %place.{at}, align 4"
            if self.left_offset:
                yield f"  %before.{at} = add {self.accumulators} {before}, %start.{v}"
        yield "  br label %steps"
        yield from self._part()
        yield "end:"
        for _, _, at in reversed([*self._tile()]):
            yield f"  store {self.accumulators} %sum.{self.steps}.{at}, ptr %place.{at}, align 4"
        yield "  %t.next = add i64 %t, 1"
        yield f"  %again = icmp sgt i64 %left, {self.rows}"
        yield "  br i1 %again, label %tile, label %done"
        yield "done:"
        yield "  ret void"
        yield "}"

    def _addresses(self) -> Iterator[str]:
        """Yield the lines that compute the addresses of the tile's results; `%left` rows are left, this tile's
        included."""
        yield f"  %done.rows = mul i64 %t, {self.rows}"
        yield "  %left = sub i64 %height, %done.rows"
        yield "  %bottom = sub i64 %left, 1"
        for r in range(self.rows):
            yield f"  %at.{r} = call i64 @llvm.smin.i64(i64 %bottom, i64 {r})"
            yield f"  %offset.{r} = mul i64 %row, %at.{r}"
            yield f"  %first.{r} = getelementptr {self.result}, ptr %c.tile, i64 %offset.{r}"
            for v in range(self.vectors):
                yield f"  %place.{r}.{v} = getelementptr {self.result}, ptr %first.{r}, i64 {v * self.lanes}"

    def _sums_of_columns(self) -> Iterator[str]:
        """Yield the loop over the right operand that defines `%start.{v}`, the initial values of the accumulators."""
        sums = [(chain, v) for chain in range(_CHAINS) for v in range(self.vectors)]
        bits = 8 * self.left_bytes
        signed = self.left_offset - (1 << bits)  # LLVM's integers have no signedness
        offsets = ", ".join([f"i{bits} {signed}"] * (32 * self.lanes // bits))
        yield "columns:"
        yield "  %m = phi i64 [ 0, %entry ], [ %m.next, %columns ]"
        for chain, v in sums:
            last = f"%with.{chain + self.steps}.{v}"
            yield f"  %with.{chain}.{v} = phi {self.accumulators} [ zeroinitializer, %entry ], [ {last}, %columns ]"
        yield f"  %s.offset = mul i64 %m, {self.columns * self.part_bytes}"
        yield "  %s.chunk = getelementptr i8, ptr %b, i64 %s.offset"
        for step in range(self.steps):
            for v in range(self.vectors):
                at, offset = f"{step}.{v}", (step * self.columns + v * self.lanes) * GROUP_BYTES
                yield f"  %s.place.{at} = getelementptr i8, ptr %s.chunk, i64 {offset}"
                yield f"  %s.right.{at} = load {self.operand}, ptr %s.place.{at}, align 4"
                names = {
                    "old": f"%with.{at}",
                    "new": f"%with.{step + _CHAINS}.{v}",
                    "left": f"<{offsets}>",
                    "right": f"%s.right.{at}",
                }
                for line in self.update:
                    yield "  " + line.format(**names)
        yield "  %m.next = add i64 %m, 1"
        yield "  %m.more = icmp slt i64 %m.next, %count"
        yield "  br i1 %m.more, label %columns, label %summed"
        yield "summed:"
        for v in range(self.vectors):
            total = "zeroinitializer"
            for chain in range(_CHAINS):
                name = f"%start.{v}" if chain == _CHAINS - 1 else f"%less.{chain}.{v}"
                yield f"  {name} = sub {self.accumulators} {total}, %with.{chain + self.steps}.{v}"
                total = name

    def _part(self) -> Iterator[str]:
        yield "steps:"
        yield "  %n = phi i64 [ 0, %tile ], [ 0, %resume ], [ %next, %steps ]"
        for _, v, at in self._tile():
            start = f"%start.{v}" if self.left_offset else "zeroinitializer"
            incoming = f"[ {start}, %tile ], [ %before.{at}, %resume ], [ %sum.{self.steps}.{at}, %steps ]"
            yield f"  %sum.0.{at} = phi {self.accumulators} {incoming}"
        yield f"  %of.chunk = udiv i64 %n, {self.parts}"
        yield f"  %part = urem i64 %n, {self.parts}"
        yield f"  %a.first = mul i64 %of.chunk, {self.rows * CHUNK_BYTES}"
        yield f"  %a.within = mul i64 %part, {self.part_bytes}"
        yield "  %a.step = add i64 %a.first, %a.within"
        yield f"  %b.offset = mul i64 %n, {self.columns * self.part_bytes}"
        yield "  %a.chunk = getelementptr i8, ptr %a.tile, i64 %a.step"
        yield "  %b.chunk = getelementptr i8, ptr %b, i64 %b.offset"
        yield from self._fetch()
        for step in range(self.steps):
            yield from self._step(step)
        yield "  %next = add i64 %n, 1"
        yield "  %more = icmp slt i64 %next, %count"
        yield "  br i1 %more, label %steps, label %end"

    def _fetch(self) -> Iterator[str]:
        """Fetch one row of the next tile's results, to be written, and the left operand's lines of two chunks later."""
        yield f"  %ahead = urem i64 %n, {self.rows}"
        yield "  %ahead.offset = mul i64 %row, %ahead"
        yield f"  %ahead.row = getelementptr {self.result}, ptr %c.next, i64 %ahead.offset"
        for byte in range(0, self.columns * _RESULT_BYTES, _LINE_BYTES):
            yield f"  %c.ahead.{byte} = getelementptr i8, ptr %ahead.row, i64 {byte}"
            yield f"  call void @llvm.prefetch.p0(ptr %c.ahead.{byte}, i32 1, i32 3, i32 1)"
        yield f"  %passed = mul i64 %n, {self.rows * self.part_bytes}"
        yield "  %a.now = getelementptr i8, ptr %a.tile, i64 %passed"
        later = _CHUNKS_AHEAD * self.rows * CHUNK_BYTES
        for byte in range(0, self.rows * self.part_bytes, _LINE_BYTES):
            yield f"  %a.ahead.{byte} = getelementptr i8, ptr %a.now, i64 {later + byte}"
            yield f"  call void @llvm.prefetch.p0(ptr %a.ahead.{byte}, i32 0, i32 3, i32 1)"

    def _step(self, step: int) -> Iterator[str]:
        for v in range(self.vectors):
            offset = (step * self.columns + v * self.lanes) * GROUP_BYTES
            yield f"  %b.place.{step}.{v} = getelementptr i8, ptr %b.chunk, i64 {offset}"
            yield f"  %right.{step}.{v} = load {self.operand}, ptr %b.place.{step}.{v}, align 4"
        whole = f"<{self.lanes} x i32>"
        for r in range(self.rows):
            at = f"{step}.{r}"
            yield f"  %a.place.{at} = getelementptr i8, ptr %a.chunk, i64 {r * CHUNK_BYTES + step * GROUP_BYTES}"
            yield f"  %four.{at} = load i32, ptr %a.place.{at}, align 4"
            yield f"  %one.{at} = insertelement {whole} poison, i32 %four.{at}, i64 0"
            yield f"  %all.{at} = shufflevector {whole} %one.{at}, {whole} poison, {whole} zeroinitializer"
            yield f"  %left.{at} = bitcast {whole} %all.{at} to {self.operand}"
            for v in range(self.vectors):
                names = {"old": f"%sum.{step}.{r}.{v}", "new": f"%sum.{step + 1}.{r}.{v}"}
                for line in self.update:
                    yield "  " + line.format(left=f"%left.{at}", right=f"%right.{step}.{v}", **names)


def register_kernel(
    name: str,
    features: tuple[str, ...],
    operands: Pairs,
    packed: tuple[str, str],
    result: str,
    speed: float,
    tile: RegisterTile,
) -> ProductKernel:
    """Register a kernel whose results stay in vector registers."""

    @cache
    def declared(kernel: ProductKernel, rows: int, depth: int) -> TensorIntrin:
        return declare(kernel, rows, depth, tile.text(name))

    left, right = packed
    return ProductKernel(
        name,
        features,
        operands,
        left,
        right,
        result,
        tile.rows,
        tile.columns,
        speed,
        declared,
        declare_interleave,
        tile.left_offset,
        partial_rows=True,
    )
