"""The thread pool of this process that runs parallel loops, as LLVM text.

A call of `tilewright_share` takes free members, starts new threads where there are too few, and gives each member a
share of the iterations, divided into a few ranges that a counter hands out. A member that has finished its share takes
ranges of other shares. So a member that the scheduler has preempted delays only its current range: the caller runs all
other ranges, and withdraws the call from members that have not started. A team of OpenMP waits for each of its threads
instead, which costs a time slice of the scheduler if as many other programs run as there are cores.

Each member has a slot, whose state counts its calls:

    free -> claimed (a caller writes the job) -> posted -> running -> free, one call later
                                                        \\-> free, one call later (the caller has taken it back)

A member that waits for a call, and a caller that waits for a member's last range, spin for a while and then sleep. On a
quiet machine the spinning time is longer than the pauses between the kernels of a call. On a crowded machine a spinning
thread uses up its time slice and is preempted when work arrives, whereas a sleeping thread is scheduled among the
first. A machine counts as crowded while the system preempts threads of this process: callers check the number of
involuntary context switches now and then (`getrusage`).

A sleeping member is woken on another processor than its caller's (`keep_off`), among the processors of the caller's
affinity mask.

Members are started with all signals blocked and live as long as the process. A forked child starts with an empty pool.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import time
from functools import cache

from ...hardware import MOST_CPU_THREADS
from ...runtime.openmp import spin_microseconds
from ..cache import OBJECTS, Cache
from .emit.parallel import SHARE
from .host import host_features
from .jit import LoadedCode, cached_object, load_objects
from .llvm import CodeOptions

_SLOTS = 1024
"""The most members of all teams together."""

LIMIT = ctypes.c_int32(MOST_CPU_THREADS)
"""The most threads of a parallel loop."""

_RANGES = 4
"""Ranges of a share."""

_FREE, _CLAIMED, _POSTED, _RUNNING = range(4)
"""The low two bits of a state; the higher bits count calls."""

_SLOT_BYTES, _MUTEX, _WAKE, _DONE = 512, 128, 256, 384
"""A slot: state, asleep, waiting callers and member (i32), the job, the thread, and the processor, counted from 1, that
the thread keeps off (i32); a mutex and conditions of the C library."""

_THREAD, _AWAY = 24, 32

_MASK_BYTES = 128
"""A set of processors, a bit each, as the system's C library has it."""

_SHARE_BYTES = 64
"""A cache line for the counter of each share, and for the job before them."""

_LOOKS = 32
"""The number of calls between two reads of the count of context switches, each of which takes half a microsecond."""

_SWITCHES = 136
"""The offset of `ru_nivcsw` in the `struct rusage` of systems of 64 bits."""

_FORGET, _SPIN, _PAUSE = "tilewright_forget", "tilewright_spin", "tilewright_pause"

_PAUSES = {"x86_64": "call void @llvm.x86.sse2.pause()", "aarch64": "call void @llvm.aarch64.hint(i32 1)"}
"""Spin-wait hint instructions."""


_HAS_AFFINITY = platform.system() == "Linux"
_DECLARED_AFFINITY = """\
declare i32 @sched_getcpu()
declare i32 @sched_getaffinity(i32, i64, ptr)
declare i32 @pthread_setaffinity_np(i64, i64, ptr)
declare i64 @llvm.vector.reduce.or.v16i64(<16 x i64>)"""


def addresses() -> dict[str, int]:
    """Return the address of the function that parallel loops call, by its name."""
    return {SHARE: _code()[SHARE]}


@cache
def _code() -> LoadedCode:
    """Return the library, kept for the life of the process."""
    options = CodeOptions(host_features())
    code = load_objects([cached_object(_text(), options, Cache.of(OBJECTS))], {}, [SHARE, _FORGET, _SPIN, _PAUSE])
    spin = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32)(code[_SPIN])
    spin(*(_pauses(code, microseconds) for microseconds in spin_microseconds(os.environ)))
    os.register_at_fork(after_in_child=ctypes.CFUNCTYPE(None)(code[_FORGET]))
    _kept.append(code)
    return code


_kept: list[LoadedCode] = []


def _pauses(code: LoadedCode, microseconds: float) -> int:
    """Return the number of pauses that take so long, by the clock: the least of a few measurements."""
    pause, count = ctypes.CFUNCTYPE(None, ctypes.c_int32)(code[_PAUSE]), 1000
    seconds: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        pause(count)
        seconds.append(time.perf_counter() - start)
    return min(int(1e-6 * microseconds * count / max(min(seconds), 1e-9)), (1 << 31) - 1)


def _field(name: str, slot: str, offset: int) -> str:
    return f"%{name} = getelementptr i8, ptr {slot}, i64 {offset}"


def _text() -> str:
    """Return the LLVM module for this machine."""
    pause = _PAUSES.get(platform.machine(), "")
    declared = pause.replace("call", "declare").replace("i32 1", "i32")
    return f"""
@slots = internal global [{_SLOTS * _SLOT_BYTES} x i8] zeroinitializer, align 128
@made = internal global i32 0
; Pauses of a thread that waits: those that hold at present, of a quiet and of a crowded machine.
@spins = internal global i32 0
@quiet.spins = internal global i32 0
@crowded.spins = internal global i32 0
@calls = internal global i32 0
@switches = internal global i64 0
declare i32 @getrusage(i32, ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
{_DECLARED_AFFINITY if _HAS_AFFINITY else ""}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
{declared}
{_member_text()}
{_waiting_text(pause)}
{_affinity_text() if _HAS_AFFINITY else ""}
{_caller_text()}
{_pausing(pause)}{_forgetting()}"""


def _pausing(pause: str) -> str:
    """Return the code of the pauses of threads that wait, and of the choice of their number."""
    return f"""\
define void @{_PAUSE}(i32 %count) {{
entry:
  br label %each
each:
  %i = phi i32 [ 0, %entry ], [ %next, %each ]
  %seen = load atomic i32, ptr @made acquire, align 4
  {pause}
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %each, label %done
done:
  ret void
}}

define void @{_SPIN}(i32 %quiet, i32 %crowded) {{
  store i32 %quiet, ptr @quiet.spins
  store i32 %crowded, ptr @crowded.spins
  call void @observe()
  call void @observe()
  ret void
}}

; Let threads that wait spin for as long as it is good, by whether threads were taken from processors meanwhile.
define internal void @observe() {{
  %usage = alloca [256 x i8], align 8
  call i32 @getrusage(i32 0, ptr %usage)
  {_field("switches.at", "%usage", _SWITCHES)}
  %switches = load i64, ptr %switches.at
  %before = atomicrmw xchg ptr @switches, i64 %switches monotonic
  %is.crowded = icmp ne i64 %switches, %before
  %quiet = load i32, ptr @quiet.spins
  %crowded = load i32, ptr @crowded.spins
  %spins = select i1 %is.crowded, i32 %crowded, i32 %quiet
  store atomic i32 %spins, ptr @spins monotonic, align 4
  ret void
}}

"""


def _forgetting() -> str:
    """Return the code of the start of a forked child, which has none of its parent's members."""
    return f"""\
define void @{_FORGET}() {{
  call void @llvm.memset.p0.i64(ptr @slots, i8 0, i64 {_SLOTS * _SLOT_BYTES}, i1 false)
  store i32 0, ptr @made
  ret void
}}
"""


def _member_text() -> str:
    """Return the functions of members: their work on a job, which callers do too, their loop, and their start."""
    return f"{_working()}{_looping()}{_beginning()}"


def _working() -> str:
    """Return the code of the work of a member or a caller on a job."""
    return f"""
; Run ranges of a job: those of the member's share, then those of the shares behind it.
define internal void @work(ptr %job, i64 %member) {{
entry:
  {_field("context.at", "%job", 8)}
  {_field("members.at", "%job", 16)}
  {_field("range.at", "%job", 24)}
  %team = load ptr, ptr %job
  %context = load ptr, ptr %context.at
  %members = load i64, ptr %members.at
  %range = load i64, ptr %range.at
  br label %share
share:
  %k = phi i64 [ 0, %entry ], [ %k.next, %empty ]
  %sum = add i64 %member, %k
  %owner = urem i64 %sum, %members
  %behind = add i64 %owner, 1
  %offset = mul i64 %behind, {_SHARE_BYTES}
  %next = getelementptr i8, ptr %job, i64 %offset
  {_field("end.at", "%next", 8)}
  %end = load i64, ptr %end.at
  br label %look
look:
  %seen = load atomic i64, ptr %next monotonic, align 8
  %is.left = icmp slt i64 %seen, %end
  br i1 %is.left, label %take, label %empty
take:
  %first = atomicrmw add ptr %next, i64 %range monotonic
  %is.taken = icmp slt i64 %first, %end
  br i1 %is.taken, label %run, label %empty
run:
  %reach = add i64 %first, %range
  %last = call i64 @llvm.smin.i64(i64 %reach, i64 %end)
  call void %team(ptr %context, i64 %first, i64 %last, i64 %member)
  br label %look
empty:
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %members
  br i1 %more, label %share, label %done
done:
  ret void
}}
"""


def _looping() -> str:
    """Return the code of the loop of a member."""
    return f"""
define internal ptr @run_member(ptr %slot) {{
entry:
  {_field("waiting.at", "%slot", 8)}
  {_field("member.at", "%slot", 12)}
  {_field("job.at", "%slot", 16)}
  {_field("mutex", "%slot", _MUTEX)}
  {_field("done", "%slot", _DONE)}
  br label %wait
wait:
  %posted = call i32 @await_call(ptr %slot)
  %running = or i32 %posted, {_RUNNING}
  %swap = cmpxchg ptr %slot, i32 %posted, i32 %running acq_rel monotonic
  %is.entered = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.entered, label %run, label %wait
run:
  %job = load ptr, ptr %job.at
  %member32 = load i32, ptr %member.at
  %member = zext i32 %member32 to i64
  call void @work(ptr %job, i64 %member)
  %free = add i32 %running, {4 - _RUNNING}
  %old = atomicrmw xchg ptr %slot, i32 %free seq_cst
  %waiting = load atomic i32, ptr %waiting.at seq_cst, align 4
  %is.awaited = icmp ne i32 %waiting, 0
  br i1 %is.awaited, label %wake, label %wait
wake:
  call i32 @pthread_mutex_lock(ptr %mutex)
  call i32 @pthread_mutex_unlock(ptr %mutex)
  call i32 @pthread_cond_broadcast(ptr %done)
  br label %wait
}}
"""


def _beginning() -> str:
    """Return the code of the start of a member's thread."""
    return f"""
; Begin the member of a slot with all signals blocked. Where the system has no further thread, callers do its work.
define internal void @make(ptr %slot) {{
  {_field("mutex", "%slot", _MUTEX)}
  {_field("wake", "%slot", _WAKE)}
  {_field("done", "%slot", _DONE)}
  call i32 @pthread_mutex_init(ptr %mutex, ptr null)
  call i32 @pthread_cond_init(ptr %wake, ptr null)
  call i32 @pthread_cond_init(ptr %done, ptr null)
  %all = alloca [128 x i8], align 8
  %before = alloca [128 x i8], align 8
  {_field("thread", "%slot", _THREAD)}
  call void @llvm.memset.p0.i64(ptr %all, i8 -1, i64 128, i1 false)
  call i32 @pthread_sigmask(i32 {int(signal.SIG_SETMASK)}, ptr %all, ptr %before)
  %failed = call i32 @pthread_create(ptr %thread, ptr null, ptr @run_member, ptr %slot)
  call i32 @pthread_sigmask(i32 {int(signal.SIG_SETMASK)}, ptr %before, ptr null)
  %is.made = icmp eq i32 %failed, 0
  br i1 %is.made, label %detach, label %end
detach:
  %number = load i64, ptr %thread
  call i32 @pthread_detach(i64 %number)
  br label %end
end:
  ret void
}}
"""


def _waiting_text(pause: str) -> str:
    """Return the code of a member that waits for a call, and of a caller that waits for a member."""
    return f"{_awaiting_call(pause)}{_awaiting_member(pause)}"


def _awaiting_call(pause: str) -> str:
    """Return the code of a member that waits for a call."""
    spins = f"""\
  %phase = and i32 %state, 3
  %is.posted = icmp eq i32 %phase, {_POSTED}
  br i1 %is.posted, label %found, label %again"""
    sleeps = f"""\
  %later.phase = and i32 %later, 3
  %is.later = icmp eq i32 %later.phase, {_POSTED}
  br i1 %is.later, label %awake, label %doze"""
    return f"""
; The state of a slot once a call is posted in it.
define internal i32 @await_call(ptr %slot) {{
entry:
  {_field("asleep", "%slot", 4)}
  {_field("mutex", "%slot", _MUTEX)}
  {_field("wake", "%slot", _WAKE)}
{_spinning(pause, spins)}
  %old = atomicrmw xchg ptr %asleep, i32 1 seq_cst
{_sleeping("wake", sleeps)}
  store atomic i32 0, ptr %asleep seq_cst, align 4
  call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %found
found:
  %posted = phi i32 [ %state, %spin ], [ %later, %awake ]
  ret i32 %posted
}}
"""


def _awaiting_member(pause: str) -> str:
    """Return the code of a caller that waits for a member."""
    spins = """\
  %runs = icmp eq i32 %state, %running
  br i1 %runs, label %again, label %ended"""
    sleeps = """\
  %runs.on = icmp eq i32 %later, %running
  br i1 %runs.on, label %doze, label %awake"""
    return f"""
; Return once the state of a slot is no longer this one, of a member that runs.
define internal void @await_member(ptr %slot, i32 %running) {{
entry:
  {_field("waiting", "%slot", 8)}
  {_field("mutex", "%slot", _MUTEX)}
  {_field("done", "%slot", _DONE)}
{_spinning(pause, spins)}
  %old = atomicrmw add ptr %waiting, i32 1 seq_cst
{_sleeping("done", sleeps)}
  %less = atomicrmw sub ptr %waiting, i32 1 seq_cst
  call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %ended
ended:
  ret void
}}
"""


def _spinning(pause: str, test: str) -> str:
    """Return the code that polls the state of a slot with spin-wait hints, and then locks the slot's mutex. `test` ends
    an iteration: it branches to `%again` unless `%state` ends the wait."""
    return f"""\
  br label %spin
spin:
  %i = phi i32 [ 0, %entry ], [ %i.next, %again ]
  %state = load atomic i32, ptr %slot acquire, align 4
{test}
again:
  {pause}
  %i.next = add i32 %i, 1
  %spins = load atomic i32, ptr @spins monotonic, align 4
  %spins.on = icmp slt i32 %i.next, %spins
  br i1 %spins.on, label %spin, label %sleep
sleep:
  call i32 @pthread_mutex_lock(ptr %mutex)"""


def _sleeping(condition: str, test: str) -> str:
    """Return the code that checks the state of a slot under its mutex, and sleeps on a condition variable in between.
    `test` ends a check: it branches to `%doze` unless `%later` ends the wait, then to `%awake`."""
    return f"""\
  br label %look
look:
  %later = load atomic i32, ptr %slot seq_cst, align 4
{test}
doze:
  call i32 @pthread_cond_wait(ptr %{condition}, ptr %mutex)
  br label %look
awake:"""


def _affinity_text() -> str:
    """Return the code of a caller's step before it wakes a member."""
    return f"""
; Let a member that sleeps run on any processor of the caller's set but for the one that the caller is on. The system
; wakes a thread on the processor that it ran on last, and may leave it there behind a caller that goes on.
define internal void @keep_off(ptr %slot) {{
entry:
  {_field("thread.at", "%slot", _THREAD)}
  {_field("away.at", "%slot", _AWAY)}
  %mask = alloca [{_MASK_BYTES} x i8], align 128
  %cpu = call i32 @sched_getcpu()
  %numbered = add i32 %cpu, 1
  %away = load i32, ptr %away.at
  %is.away = icmp eq i32 %away, %numbered
  %is.known = icmp ult i32 %cpu, {8 * _MASK_BYTES}
  %is.new = xor i1 %is.away, true
  %moves = and i1 %is.known, %is.new
  br i1 %moves, label %ask, label %end
ask:
  call void @llvm.memset.p0.i64(ptr %mask, i8 0, i64 {_MASK_BYTES}, i1 false)
  %failed = call i32 @sched_getaffinity(i32 0, i64 {_MASK_BYTES}, ptr %mask)
  %is.set = icmp eq i32 %failed, 0
  br i1 %is.set, label %exclude, label %end
exclude:
  %byte = lshr i32 %cpu, 3
  %byte64 = zext i32 %byte to i64
  %bits.at = getelementptr i8, ptr %mask, i64 %byte64
  %bits = load i8, ptr %bits.at
  %bit32 = and i32 %cpu, 7
  %bit = trunc i32 %bit32 to i8
  %one = shl i8 1, %bit
  %others.bits = xor i8 %one, -1
  %left = and i8 %bits, %others.bits
  store i8 %left, ptr %bits.at
  %all = load <16 x i64>, ptr %mask
  %any = call i64 @llvm.vector.reduce.or.v16i64(<16 x i64> %all)
  %has.others = icmp ne i64 %any, 0
  br i1 %has.others, label %set, label %end
set:
  %thread = load i64, ptr %thread.at
  call i32 @pthread_setaffinity_np(i64 %thread, i64 {_MASK_BYTES}, ptr %mask)
  store i32 %numbered, ptr %away.at
  br label %end
end:
  ret void
}}
"""


def _caller_text() -> str:
    """Return the function that a parallel loop calls."""
    return f"""
define void @{SHARE}(ptr %team, ptr %context, i64 %begin, i64 %end, i32 %threads) {{
entry:
  %calls = atomicrmw add ptr @calls, i32 1 monotonic
  %turn = urem i32 %calls, {_LOOKS}
  %looks = icmp eq i32 %turn, 0
  br i1 %looks, label %observe, label %start
observe:
  call void @observe()
  br label %start
start:
  %count = sub i64 %end, %begin
  %threads64 = sext i32 %threads to i64
  %fewer = call i64 @llvm.smin.i64(i64 %count, i64 %threads64)
  %few = call i64 @llvm.smin.i64(i64 %fewer, i64 {_SLOTS})
  %most = call i64 @llvm.smax.i64(i64 %few, i64 1)
  %lines = add i64 %most, 1
  %bytes = mul i64 %lines, {_SHARE_BYTES}
  %job = alloca i8, i64 %bytes, align {_SHARE_BYTES}
  %taken = alloca ptr, i64 %most, align 8
  %states = alloca i32, i64 %most, align 8
  br label %seek

{_claiming()}{_dividing()}{_posting()}{_collecting()}"""


def _claiming() -> str:
    """Return the code of the caller's search for members."""
    return f"""\
; Claim free slots, in order, so that a program meets the members of its last call.
seek:
  %i = phi i64 [ 0, %start ], [ %i.next, %on ]
  %members = phi i64 [ 1, %start ], [ %members.next, %on ]
  %made = load atomic i32, ptr @made acquire, align 4
  %made64 = sext i32 %made to i64
  %last.slot = call i64 @llvm.smin.i64(i64 %made64, i64 {_SLOTS - 1})
  %wants = icmp slt i64 %members, %most
  %has.slot = icmp sle i64 %i, %last.slot
  %seeks = and i1 %wants, %has.slot
  br i1 %seeks, label %look, label %staffed
look:
  %slot.offset = mul i64 %i, {_SLOT_BYTES}
  %slot = getelementptr i8, ptr @slots, i64 %slot.offset
  %state = load atomic i32, ptr %slot monotonic, align 4
  %phase = and i32 %state, 3
  %is.free = icmp eq i32 %phase, {_FREE}
  br i1 %is.free, label %claim, label %on
claim:
  %claimed = or i32 %state, {_CLAIMED}
  %swap = cmpxchg ptr %slot, i32 %state, i32 %claimed acq_rel monotonic
  %is.claimed = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.claimed, label %first, label %on
first:
  ; Nobody else makes the member of a claimed slot.
  %i32 = trunc i64 %i to i32
  %made.by.now = load atomic i32, ptr @made acquire, align 4
  %is.new = icmp eq i32 %made.by.now, %i32
  br i1 %is.new, label %make, label %note
make:
  call void @make(ptr %slot)
  %made.next = add i32 %i32, 1
  store atomic i32 %made.next, ptr @made release, align 4
  br label %note
note:
  {_field("member.at", "%slot", 12)}
  {_field("job.at", "%slot", 16)}
  %member = trunc i64 %members to i32
  store i32 %member, ptr %member.at
  store ptr %job, ptr %job.at
  %taken.at = getelementptr ptr, ptr %taken, i64 %members
  store ptr %slot, ptr %taken.at
  %states.at = getelementptr i32, ptr %states, i64 %members
  store i32 %claimed, ptr %states.at
  %members.more = add i64 %members, 1
  br label %on
on:
  %members.next = phi i64 [ %members, %look ], [ %members, %claim ], [ %members.more, %note ]
  %i.next = add i64 %i, 1
  br label %seek

"""


def _dividing() -> str:
    """Return the code of the members' shares in the job."""
    return f"""\
staffed:
  {_field("context.at", "%job", 8)}
  {_field("members.at", "%job", 16)}
  {_field("range.at", "%job", 24)}
  %least = sdiv i64 %count, %members
  %rest = srem i64 %count, %members
  %has.rest = icmp ne i64 %rest, 0
  %rest.one = zext i1 %has.rest to i64
  %longest = add i64 %least, %rest.one
  %rounds = add i64 %longest, {_RANGES - 1}
  %range = sdiv i64 %rounds, {_RANGES}
  store ptr %team, ptr %job
  store ptr %context, ptr %context.at
  store i64 %members, ptr %members.at
  store i64 %range, ptr %range.at
  br label %divide
divide:
  %d = phi i64 [ 0, %staffed ], [ %d.next, %divide ]
  %first.of = phi i64 [ %begin, %staffed ], [ %last, %divide ]
  %is.longer = icmp slt i64 %d, %rest
  %one = zext i1 %is.longer to i64
  %size = add i64 %least, %one
  %last = add i64 %first.of, %size
  %d.next = add i64 %d, 1
  %offset = mul i64 %d.next, {_SHARE_BYTES}
  %share = getelementptr i8, ptr %job, i64 %offset
  {_field("end.at", "%share", 8)}
  store i64 %first.of, ptr %share
  store i64 %last, ptr %end.at
  %divides = icmp slt i64 %d.next, %members
  br i1 %divides, label %divide, label %divided
divided:
  %has.others = icmp sgt i64 %members, 1
  br i1 %has.others, label %post, label %alone
alone:
  call void @work(ptr %job, i64 0)
  ret void

"""


def _posting() -> str:
    """Return the code of the caller's post of the job, and of its part of the work."""
    return f"""\
post:
  %p = phi i64 [ 1, %divided ], [ %p.next, %posted ]
  %p.at = getelementptr ptr, ptr %taken, i64 %p
  %p.slot = load ptr, ptr %p.at
  {_field("asleep.at", "%p.slot", 4)}
  %p.old = atomicrmw add ptr %p.slot, i32 {_POSTED - _CLAIMED} seq_cst
  %asleep = load atomic i32, ptr %asleep.at seq_cst, align 4
  %sleeps = icmp ne i32 %asleep, 0
  br i1 %sleeps, label %wake, label %posted
wake:
  {_field("mutex", "%p.slot", _MUTEX)}
  {_field("wake.at", "%p.slot", _WAKE)}
  {"call void @keep_off(ptr %p.slot)" if _HAS_AFFINITY else ""}
  call i32 @pthread_mutex_lock(ptr %mutex)
  call i32 @pthread_mutex_unlock(ptr %mutex)
  call i32 @pthread_cond_broadcast(ptr %wake.at)
  br label %posted
posted:
  %p.next = add i64 %p, 1
  %posts = icmp slt i64 %p.next, %members
  br i1 %posts, label %post, label %started
started:
  call void @work(ptr %job, i64 0)
  br label %collect

"""


def _collecting() -> str:
    """Return the code of the end of a call."""
    return f"""\
; Take the job back from members that have not started, and wait for the others.
collect:
  %e = phi i64 [ 1, %started ], [ %e.next, %ended ]
  %e.at = getelementptr ptr, ptr %taken, i64 %e
  %e.slot = load ptr, ptr %e.at
  %e.state.at = getelementptr i32, ptr %states, i64 %e
  %e.claimed = load i32, ptr %e.state.at
  %e.posted = add i32 %e.claimed, {_POSTED - _CLAIMED}
  %e.free = add i32 %e.posted, {4 - _POSTED}
  %e.swap = cmpxchg ptr %e.slot, i32 %e.posted, i32 %e.free acq_rel acquire
  %is.back = extractvalue {{ i32, i1 }} %e.swap, 1
  br i1 %is.back, label %ended, label %await
await:
  %e.running = or i32 %e.posted, {_RUNNING}
  call void @await_member(ptr %e.slot, i32 %e.running)
  br label %ended
ended:
  %e.next = add i64 %e, 1
  %ends = icmp slt i64 %e.next, %members
  br i1 %ends, label %collect, label %all.ended
all.ended:
  ret void
}}
"""
