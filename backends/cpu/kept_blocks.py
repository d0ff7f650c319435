"""A caching allocator for buffers whose sizes are known at the call only: large blocks are reused by later calls.

The C library returns large blocks to the system when they are freed, and the system zeroes the pages of new ones, which
takes longer than many kernels. So `aligned_alloc` and `free` of programs in this process are replaced: a few large
blocks are kept, for the next request of as many bytes or somewhat fewer. All are freed when a program is dropped. A
header of one cache line precedes each block, with its size and a mark. The mark distinguishes these blocks from memory
of other allocators, which code that is linked into a program may free.
"""

from __future__ import annotations

import ctypes
from functools import cache

from ...runtime.buffers import ALIGNMENT
from ..cache import OBJECTS, Cache
from .host import host_features
from .jit import LoadedCode, cached_object, load_objects
from .llvm import CodeOptions

_BLOCKS = 8
"""Blocks that are kept."""

_LARGE = 1 << 17
"""Bytes from which a block is kept: smaller ones stay with the allocator of the system anyway."""

_MARK = 0x6B65_7074_5F74_7721
"""The mark of a block is its address with these bits flipped."""

_ALLOCATE, _FREE, _EMPTY = "tilewright_allocate", "tilewright_free", "tilewright_empty"

_TEXT = f"""
@kept = internal global [{_BLOCKS} x ptr] zeroinitializer
declare noalias ptr @aligned_alloc(i64, i64)
declare void @free(ptr)

define internal void @drop(ptr %block) {{
  %nothing = icmp eq ptr %block, null
  br i1 %nothing, label %done, label %erase

erase:
  %after = getelementptr i64, ptr %block, i64 1
  store volatile i64 0, ptr %after
  call void @free(ptr %block)
  br label %done

done:
  ret void
}}

define ptr @{_ALLOCATE}(i64 %alignment, i64 %size) {{
entry:
  %large = icmp uge i64 %size, {_LARGE}
  br i1 %large, label %search, label %make

search:
  %i = phi i64 [ 0, %entry ], [ %next, %on ]
  %slot = getelementptr [{_BLOCKS} x ptr], ptr @kept, i64 0, i64 %i
  %block = atomicrmw xchg ptr %slot, ptr null acq_rel
  %none = icmp eq ptr %block, null
  br i1 %none, label %on, label %look

look:
  %has = load i64, ptr %block
  %half = lshr i64 %has, 1
  %holds = icmp uge i64 %has, %size
  %near = icmp ule i64 %half, %size
  %fits = and i1 %holds, %near
  br i1 %fits, label %found, label %back

back:
  %other = atomicrmw xchg ptr %slot, ptr %block acq_rel
  call void @drop(ptr %other)
  br label %on

on:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, {_BLOCKS}
  br i1 %more, label %search, label %make

make:
  %total = call i64 @llvm.uadd.sat.i64(i64 %size, i64 {ALIGNMENT})
  %made = call ptr @aligned_alloc(i64 {ALIGNMENT}, i64 %total)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %nothing, label %new

nothing:
  ret ptr null

new:
  store i64 %size, ptr %made
  %address = ptrtoint ptr %made to i64
  %mark = xor i64 %address, {_MARK}
  %after = getelementptr i64, ptr %made, i64 1
  store i64 %mark, ptr %after
  br label %found

found:
  %line = phi ptr [ %made, %new ], [ %block, %look ]
  %data = getelementptr i8, ptr %line, i64 {ALIGNMENT}
  ret ptr %data
}}

define void @{_FREE}(ptr %data) {{
entry:
  %nothing = icmp eq ptr %data, null
  br i1 %nothing, label %done, label %align

align:
  %data.address = ptrtoint ptr %data to i64
  %rest = urem i64 %data.address, {ALIGNMENT}
  %aligned = icmp eq i64 %rest, 0
  br i1 %aligned, label %mark, label %others

mark:
  %block = getelementptr i8, ptr %data, i64 -{ALIGNMENT}
  %address = ptrtoint ptr %block to i64
  %expected = xor i64 %address, {_MARK}
  %after = getelementptr i64, ptr %block, i64 1
  %has.mark = load i64, ptr %after
  %marked = icmp eq i64 %has.mark, %expected
  br i1 %marked, label %look, label %others

others:
  call void @free(ptr %data)
  br label %done

look:
  %has = load i64, ptr %block
  %large = icmp uge i64 %has, {_LARGE}
  br i1 %large, label %search, label %drop

search:
  %i = phi i64 [ 0, %look ], [ %next, %on ]
  %slot = getelementptr [{_BLOCKS} x ptr], ptr @kept, i64 0, i64 %i
  %result = cmpxchg ptr %slot, ptr null, ptr %block acq_rel monotonic
  %put = extractvalue {{ ptr, i1 }} %result, 1
  br i1 %put, label %done, label %on

on:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, {_BLOCKS}
  br i1 %more, label %search, label %oldest

oldest:
  %old = atomicrmw xchg ptr @kept, ptr %block acq_rel
  call void @drop(ptr %old)
  br label %done

drop:
  call void @drop(ptr %block)
  br label %done

done:
  ret void
}}

define void @{_EMPTY}() {{
entry:
  br label %each

each:
  %i = phi i64 [ 0, %entry ], [ %next, %each ]
  %slot = getelementptr [{_BLOCKS} x ptr], ptr @kept, i64 0, i64 %i
  %block = atomicrmw xchg ptr %slot, ptr null acq_rel
  call void @drop(ptr %block)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, {_BLOCKS}
  br i1 %more, label %each, label %done

done:
  ret void
}}

declare i64 @llvm.uadd.sat.i64(i64, i64)
"""


def addresses() -> dict[str, int]:
    """Return the addresses of the replacements of C library functions, by the names of these functions."""
    code = _code()
    return {"aligned_alloc": code[_ALLOCATE], "free": code[_FREE]}


def free_kept_blocks() -> None:
    """Free the blocks that are kept and not in use; blocks in use are kept, or freed, when their calls end."""
    if _code.cache_info().currsize:
        ctypes.CFUNCTYPE(None)(_code()[_EMPTY])()


@cache
def _code() -> LoadedCode:
    """Return the library, kept for the life of the process."""
    options = CodeOptions(host_features())
    return load_objects([cached_object(_TEXT, options, Cache.of(OBJECTS))], {}, [_ALLOCATE, _FREE, _EMPTY])
