"""Instructions of a body: cycles on each execution port, dependence chains, and register pressure.

An operation is counted once for each value of the unrolled or vectorized loops that it depends on: a value that is
invariant in an unrolled loop is loaded or computed once, and a value that is invariant in the vectorized loop is a
scalar.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, gcd, prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import LANE, Index, Variable
from .coefficients import (
    CALL_INSTRUCTIONS,
    CODE_BYTES,
    FORWARDING_LATENCY,
    FREE_OPERATIONS,
    FUNCTION_INSTRUCTIONS,
    GATHER_CYCLES,
    INIT_CYCLES,
    INSTRUCTION_BYTES,
    LOOP_INSTRUCTIONS,
    MASKED_LATENCY,
    NEAR_STRIDE,
    ODD_VECTOR,
    PARTIAL_OVERLAP,
    REORDER_WINDOW,
    SCATTER_CYCLES,
    SLOW_CODE,
    SPILL_CYCLES,
)
from .machine import Machine
from .nests import Body, Nests, Reference, Statement, element_bytes

FEWEST_PARTITIONED = 3
"""Iterations of a loop from which on pass `partition-loops` separates those that need no conditions."""

Dependences = frozenset[Variable]


@dataclass
class Work:
    """Cycles of one iteration of a body, by resource."""

    arithmetic: float = 0.0
    loads: float = 0.0
    stores: float = 0.0
    strided: float = 0.0
    """Loads and stores of elements that are not neighbours."""
    chain: float = 0.0
    """The longest chain of dependent operations from one iteration to the next."""
    instructions: float = 0.0
    accumulators: float = 0.0
    """Vector registers that values keep from one iteration to the next."""
    operand_registers: float = 0.0
    """Vector registers for the other operands."""
    memory_accumulators: float = 0.0
    """Vectors that are accumulated in memory: loaded and stored in each iteration."""
    tails: float = 0.0
    """Cycles for accumulators in memory under masks, where a vector reaches beyond the results."""
    tests: float = 0.0
    """Cycles for tests of the first term."""
    elements: float = 0.0
    """Operations on single elements: the work without vectors and without padding."""
    once: float = 0.0
    """Cycles before and behind the loop, for values that stay in registers meanwhile."""

    @property
    def registers(self) -> float:
        return self.accumulators + self.operand_registers

    def spills(self, machine: Machine) -> float:
        """Return values that find no register."""
        return max(0.0, self.registers - machine.registers)

    def cycles(self, machine: Machine) -> float:
        """Return the cycles of the bottleneck, and those that the other resources add to it."""
        issue = self.instructions / machine.issue
        if self.instructions * INSTRUCTION_BYTES > CODE_BYTES:
            issue *= SLOW_CODE
        # Chains of neighbouring iterations overlap only where these are independent: `chain` is carried by the loop.
        limits = (self.arithmetic, self.loads + self.strided, self.stores, self.chain, issue)
        rest = sum(limits) - max(limits) - self.chain - issue + (self.chain if max(limits) == self.chain else 0.0)
        rest += issue if max(limits) == issue else 0.0
        return (
            max(limits)
            + PARTIAL_OVERLAP * max(0.0, rest)
            + SPILL_CYCLES * self.spills(machine)
            + self.tests
            + self.tails
        )


@dataclass
class _Life:
    """The parts of a body between the first and the last use of a buffer, and the registers that it fills."""

    first: int
    last: int
    vectors: float = 0.0


class Counter:
    """Counts the instructions of the bodies of a function."""

    def __init__(self, nests: Nests, machine: Machine) -> None:
        self.nests = nests
        self.machine = machine

    def work(self, body: Body) -> Work:
        """Return the work of one iteration of a body without its inner loops."""
        work = Work(instructions=LOOP_INSTRUCTIONS if body.loop is not None else 0.0)
        for statement in body.statements:
            _StatementCounter(self, body, statement, work).count()
        work.accumulators, work.operand_registers = self._registers(body)
        return work

    def _registers(self, body: Body) -> tuple[float, float]:
        """Return accumulators that live in registers, and operands beside them.

        Vectors that do not move along the outermost written-out loop stay while it advances; of the others, and of
        scalars, which instructions read from memory, one is there at a time.
        """
        lives: dict[SSAValue, _Life] = {}
        for position, part in enumerate(body.parts):
            for statement in [part] if isinstance(part, Statement) else part.all_statements:
                for reference in statement.references:
                    if reference.in_registers or self.is_promoted(body, statement, reference):
                        life = lives.setdefault(reference.buffer, _Life(position, position))
                        life.last = position
                        life.vectors = max(life.vectors, self.vectors_of(statement, reference))
        carried = [life for buffer, life in lives.items() if not _is_allocated_in(buffer, body)]
        for life in carried:
            life.first, life.last = 0, len(body.parts)
        most = (0.0, 0.0)
        for position, part in enumerate(body.parts):
            if isinstance(part, Statement):
                live = sum(life.vectors for life in lives.values() if life.first <= position <= life.last)
                held = 1.0 + sum(self.vectors_of(part, r) for r in part.references if self._is_operand(body, part, r))
                most = max(most, (live, held), key=sum)
        return most

    def _is_operand(self, body: Body, statement: Statement, reference: Reference) -> bool:
        """Return True for a load of vectors that stay in registers while a tile is computed."""
        if reference.is_write or reference.in_registers or self.is_promoted(body, statement, reference):
            return False
        return self._is_held(statement, reference)

    def _is_held(self, statement: Statement, reference: Reference) -> bool:
        """Return True where each iteration of the outermost written-out loop uses the same vectors of an operand."""
        tile = [op for op in statement.unrolled if self.nests.trips[op.induction_variable] > 1]
        is_vector = self._moves_in_lanes(statement, reference)
        return bool(tile) and is_vector and not reference.strides.get(tile[0].induction_variable)

    def vectors_of(self, statement: Statement, reference: Reference) -> float:
        """Return vectors, or scalars, that an access moves over in one iteration of its body."""
        times = prod(
            self.nests.trips[op.induction_variable]
            for op in statement.unrolled
            if reference.strides.get(op.induction_variable)
        )
        return times * self.pieces(statement, reference.element_bytes, self._moves_in_lanes(statement, reference))

    def pieces(self, statement: Statement, size: int, is_vector: bool) -> float:
        """Return the number of registers for the lanes of one value."""
        if not is_vector:
            return 1.0
        lanes = self.lanes_of(statement)
        full = self.machine.lanes(8 * size)
        return float(ceil(lanes / full))

    def is_odd(self, statement: Statement, size: int) -> bool:
        """Return True for vectors that are longer than a register, and no multiple of it."""
        lanes, full = self.lanes_of(statement), self.machine.lanes(8 * size)
        return lanes > full and lanes % full != 0

    def lanes_of(self, statement: Statement) -> float:
        """Return lanes of the vectors of a statement; 1 where it has none."""
        op = statement.vector_loop
        if op is not None:
            return self.nests.trips[op.induction_variable]
        return float(max((_lanes_of(op) for op in statement.operations), default=1))

    def lane_variable(self, statement: Statement) -> Variable:
        """Return the variable along which lanes lie."""
        op = statement.vector_loop
        return LANE if op is None else op.induction_variable

    def _moves_in_lanes(self, statement: Statement, reference: Reference) -> bool:
        return bool(reference.strides.get(self.lane_variable(statement)))

    def is_promoted(self, body: Body, statement: Statement, reference: Reference) -> bool:
        """Return True where an element in memory that each iteration updates stays in a register during the loop.

        Code generators do that where the address is the same in all iterations of an innermost loop.
        """
        if body.loop is None or reference.in_registers or not is_accumulator(statement, reference):
            return False
        if reference.strides.get(body.loop.induction_variable) or body.bodies or statement.share < 1.0:
            return False
        return self.vectors_of(statement, reference) <= self.machine.registers


def is_accumulator(statement: Statement, reference: Reference) -> bool:
    """Return True where a statement loads and stores the same element of a buffer."""
    kinds = {
        r.is_write for r in statement.references if r.buffer is reference.buffer and r.strides == reference.strides
    }
    return len(kinds) == 2 and not reference.is_random


def _is_allocated_in(buffer: SSAValue, body: Body) -> bool:
    """Return True where each iteration of a body allocates the buffer."""
    owner = buffer.owner
    if not isinstance(owner, loop.AllocOp) or body.loop is None:
        return False
    return next(loop.enclosing(owner, loop.ForOp), None) is body.loop


def _has_init(statement: Statement) -> bool:
    return statement.block is not None and statement.block.init is not None


def _lanes_of(op: Operation) -> int:
    types = [value.type for value in (*op.results, *op.operands) if isinstance(value.type, VectorType)]
    return max((prod(t.get_shape()) for t in types), default=1)


def _tail_share(statement: Statement, lane: Variable, lanes: float) -> float:
    """Return the part of a statement's tiles that run under a condition for each vector.

    Pass `partition-loops` separates the full tiles from the last one where there are several; in the last one the
    conditions of whole vectors are known.
    """
    if statement.block is None:
        return float(any(reference.is_write and reference.op.conditions for reference in statement.references))
    return max((_conditional(statement, e, lane, lanes) for e in statement.block.conditions), default=0.0)


def _conditional(statement: Statement, condition: Index, lane: Variable, lanes: float) -> float:
    count, run = statement.tiles(condition)
    if 1 < count < FEWEST_PARTITIONED:
        return 1.0
    others = gcd(condition.constant + 1, *(c for atom, c in condition.terms if atom is not lane))
    is_cut = lane in condition.variables and others % max(1, int(lanes)) != 0
    return 1.0 / run if is_cut else 0.0


class _StatementCounter:
    """Adds the operations of one statement to the work of its body."""

    def __init__(self, counter: Counter, body: Body, statement: Statement, work: Work) -> None:
        self.counter = counter
        self.machine = counter.machine
        self.body = body
        self.statement = statement
        self.work = work
        self.references = {r.op: r for r in statement.references}
        self.unrolled = {op.induction_variable: counter.nests.trips[op.induction_variable] for op in statement.unrolled}
        self.lane = counter.lane_variable(statement)
        self.dependences: dict[SSAValue, Dependences] = {}

    @cached_property
    def fused(self) -> frozenset[Operation]:
        """Products that are one instruction with the sum that takes them."""
        if not self.machine.has_fma:
            return frozenset()
        return frozenset(
            op
            for op in self.statement.operations
            if isinstance(op, arith.MulfOp)
            and op.results[0].has_one_use()
            and isinstance(next(iter(op.results[0].uses)).operation, (arith.AddfOp, arith.SubfOp))
        )

    def count(self) -> None:
        share = self.statement.share
        for op in self.statement.operations:
            match op:
                case loop.LoadOp() | loop.StoreOp():
                    self._access(self.references[op], share)
                case _ if op.name in FREE_OPERATIONS or not op.results:
                    self._note(op)
                case _:
                    self._arithmetic(op, share)
        self._chains()
        if _has_init(self.statement) and share == 1.0:
            self.work.tests += INIT_CYCLES * prod(self.unrolled.values())

    def _note(self, op: Operation) -> Dependences:
        """Record the written-out variables that an operation's results depend on, and return them."""
        found: Dependences = frozenset().union(*(self._of(value) for value in op.operands))
        for value in op.results:
            self.dependences[value] = found
        return found

    def _of(self, value: SSAValue) -> Dependences:
        if value in self.dependences:
            return self.dependences[value]
        written_out = {self.lane, *self.unrolled}
        owner = value.owner
        if isinstance(owner, loop.ForOp) or not isinstance(owner, Operation):
            block = self.statement.block
            if block is not None and value in block.variables:
                binding = next(e for v, _, e, _ in block.iteration() if v is value)
                return frozenset(v for v in binding.variables if v in written_out)
            return frozenset((value,)) if value in written_out else frozenset()
        return frozenset()

    def _times(self, dependences: Dependences) -> float:
        return prod(trips for variable, trips in self.unrolled.items() if variable in dependences)

    def _arithmetic(self, op: Operation, share: float) -> None:
        found = self._note(op)
        is_vector = self.lane in found or _lanes_of(op) > 1
        weight = FUNCTION_INSTRUCTIONS.get(op.name, CALL_INSTRUCTIONS if "call" in op.name else 1.0)
        size = max((element_bytes(value.type) for value in op.results), default=4)
        times = self._times(found) * share
        lanes = self.counter.lanes_of(self.statement) if is_vector else 1.0
        if op in self.fused:
            return
        self.work.elements += times * lanes * weight / self.machine.lanes(8 * size)
        count = times * self.counter.pieces(self.statement, size, is_vector)
        if is_vector and self.counter.is_odd(self.statement, size):
            count *= ODD_VECTOR
        bits = 8 * size * lanes
        self.work.arithmetic += count * weight / self.machine.rate(self.machine.arithmetic, bits)
        self.work.instructions += count * weight

    def _access(self, reference: Reference, share: float) -> None:
        written_out = {self.lane, *self.unrolled}
        moving = frozenset(v for v in reference.strides if v in written_out and reference.strides[v])
        for value in reference.op.results:
            self.dependences[value] = moving
        if reference.in_registers:
            return
        is_vector = self.lane in moving
        times = self._times(moving) * share
        pieces = self.counter.pieces(self.statement, reference.element_bytes, is_vector)
        if self.counter.is_promoted(self.body, self.statement, reference):
            ports = self.machine.stores if reference.is_write else self.machine.loads
            self.work.once += times * pieces / ports / self._promoting_executions(reference)
            return
        if self._is_hoisted(reference):
            self.work.once += times * pieces / self.machine.loads
            return
        self._memory(reference, times, pieces, is_vector)

    def _promoting_executions(self, reference: Reference) -> float:
        """Return the executions of the body's loop between two values of a promoted accumulator.

        Loops further out that hold nothing but the loop, and do not move the accumulator, keep it in its register.
        """
        executions = 1.0
        for op in reversed(self.body.outer[:-1]):
            inside = [inner for inner in op.body.block.ops if not isinstance(inner, arith.ConstantOp)]
            if len(inside) > 1 or op.kind != loop.SERIAL or reference.strides.get(op.induction_variable):
                break
            executions *= self.counter.nests.trips[op.induction_variable]
        return executions

    def _is_hoisted(self, reference: Reference) -> bool:
        """Return True for a load that is the same in all iterations of its body, and that nothing writes."""
        op = self.body.loop
        if op is None or reference.is_write or reference.is_random or reference.strides.get(op.induction_variable):
            return False
        written = {r.buffer for s in self.body.all_statements for r in s.references if r.is_write}
        return reference.buffer not in written and self.counter.vectors_of(self.statement, reference) <= 4

    def _memory(self, reference: Reference, times: float, pieces: float, is_vector: bool) -> None:
        step = abs(reference.strides.get(self.lane, 0.0)) / reference.element_bytes
        lanes = self.counter.lanes_of(self.statement)
        ports = self.machine.stores if reference.is_write else self.machine.loads
        ports = self.machine.rate(ports, 8 * reference.element_bytes * (lanes if is_vector else 1.0))
        if not is_vector:
            cycles, count = times / ports, times
        elif step == 1 and not reference.is_random:
            cycles, count = times * pieces * self._crossing(reference) / ports, times * pieces
        elif step <= NEAR_STRIDE and not reference.is_random and not reference.is_write:
            cycles, count = times * pieces * 2 * step / ports, times * pieces * 2 * step
            self.work.strided += cycles - times * pieces / ports
            cycles = times * pieces / ports
        else:
            each = SCATTER_CYCLES if reference.is_write else GATHER_CYCLES
            self.work.strided += times * lanes * each
            cycles, count = 0.0, times * lanes * 2
        if reference.is_write:
            self.work.stores += cycles
        else:
            self.work.loads += cycles
        self.work.instructions += count

    def _crossing(self, reference: Reference) -> float:
        """Return the mean number of lines that a vector lies in."""
        size, line = reference.element_bytes, self.machine.line
        vector = min(self.machine.vector_bits // 8, round(self.counter.lanes_of(self.statement) * size), line)
        shift = gcd(
            *(round(abs(s)) for v, s in reference.strides.items() if v != self.lane), round(reference.start), line
        )
        shift = max(shift, 1)
        starts = range(0, line, shift)
        return 1.0 + sum(start + vector > line for start in starts) / len(starts)

    def _chains(self) -> None:
        """Record the chain of updates of one accumulator in one iteration, and accumulators that pass through
        memory."""
        for reference in self.statement.references:
            if not reference.is_write or not is_accumulator(self.statement, reference):
                continue
            body = self.body
            in_registers = reference.in_registers or self.counter.is_promoted(body, self.statement, reference)
            repeats = prod(n for v, n in self.unrolled.items() if not reference.strides.get(v))
            carried = body.loop is not None and not reference.strides.get(body.loop.induction_variable)
            vectors = self.counter.vectors_of(self.statement, reference)
            latency = self.machine.latency
            if carried and not isinstance(
                reference.buffer.owner, loop.AllocOp
            ):  # guards of private buffers are relaxed
                self.work.tails += (
                    _tail_share(self.statement, self.lane, self.counter.lanes_of(self.statement))
                    * repeats
                    * MASKED_LATENCY
                )
            if not in_registers:
                latency += FORWARDING_LATENCY
                self.work.memory_accumulators += vectors
            if carried:
                self.work.chain = max(self.work.chain, repeats * latency)
            elif repeats > 1:
                overlapping = max(1.0, REORDER_WINDOW / max(self.work.instructions, 1.0))
                self.work.chain = max(self.work.chain, repeats * latency / overlapping)
