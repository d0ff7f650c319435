"""The native entry for calls from Python, as LLVM text: one function for all programs.

`runtime.native_call` documents its behaviour and the layout of its tables. It is LLVM text rather than C, because LLVM
is always available and a C compiler may not be. It refers to no external symbol: the functions of the Python
interpreter are passed in a table, so that libraries with this entry can be linked into programs without Python.
"""

from __future__ import annotations

from functools import cache

from ...dialects.target_features import baseline
from ...runtime import native_call as n
from ...runtime import object_layout as o
from ..cache import OBJECTS, Cache
from .jit import LoadedCode, cached_object, load_objects
from .llvm import CodeOptions


@cache
def call_entry_text() -> str:
    """Return the LLVM module."""
    return "\n".join([_HEAD, _arguments(), _overlaps(), _outputs(), _arena(), _run(), _leave(), "}", _FUNCTIONS])


def call_entry_object(triple: str = "") -> bytes:
    """Return the object file of `call_entry_text`, for that kind of machine. The function moves pointers: instructions
    that all such machines have will do."""
    features = baseline(triple.partition("-")[0]) if triple else ()
    return cached_object(call_entry_text(), CodeOptions(features, triple=triple), Cache.of(OBJECTS))


@cache
def call_entry_address() -> int:
    """Return the address of the call entry in this process."""
    return _call_entry()[n.SYMBOL]


@cache
def _call_entry() -> LoadedCode:
    """Return the library, kept for the life of the process."""
    return load_objects([call_entry_object()], {}, [n.SYMBOL])


_HEAD = f"""\
; ptr self, ptr args, i64 count, ptr names: a function of CPython's METH_FASTCALL | METH_KEYWORDS.
define weak_odr ptr @{n.SYMBOL}(ptr %self, ptr %args, i64 %count, ptr %names) #0 {{
entry:
  %pointers = alloca [{n.MAX_ARGUMENTS} x ptr], align 16
  %lows = alloca [{n.MAX_ARGUMENTS} x ptr], align 16
  %highs = alloca [{n.MAX_ARGUMENTS} x ptr], align 16
  %table.object = call ptr @item(ptr %self, i64 0)
  %table = call ptr @field(ptr %table.object, i64 {o.ARRAY_DATA})
  %interface = call ptr @word.ptr(ptr %table, i64 {n.INTERFACE})
  %inputs = call i64 @word(ptr %table, i64 {n.INPUTS})
  %all = call i64 @word(ptr %table, i64 {n.ARGUMENTS})
  %array.type = call ptr @word.ptr(ptr %interface, i64 {n.ARRAY_TYPE})
  %positional = icmp eq ptr %names, null
  br i1 %positional, label %counted, label %checked
counted:
  %is.all = icmp eq i64 %count, %all
  %is.inputs = icmp eq i64 %count, %inputs
  %fits = or i1 %is.all, %is.inputs
  br i1 %fits, label %ordered, label %checked
ordered:
  %order.start = select i1 %is.all, i64 {n.ALL_ORDER}, i64 {n.INPUT_ORDER}
  %order = getelementptr i64, ptr %table, i64 %order.start
  %has.arguments = icmp sgt i64 %count, 0
  br i1 %has.arguments, label %argument, label %accepted
"""


def _arguments() -> str:
    """Compare each argument with its record; note where its data lies."""
    return f"""\
argument:
  %position = phi i64 [ 0, %ordered ], [ %position.next, %argument.fits ]
  %object.slot = getelementptr ptr, ptr %args, i64 %position
  %object = load ptr, ptr %object.slot, align 8
  %number = call i64 @word(ptr %order, i64 %position)
  %record.start = mul i64 %number, {n.RECORD_WORDS}
  %record.word = add i64 %record.start, {n.RECORDS}
  %record = getelementptr i64, ptr %table, i64 %record.word
  %type = call ptr @field(ptr %object, i64 {o.OBJECT_TYPE})
  %is.array = icmp eq ptr %type, %array.type
  br i1 %is.array, label %array, label %checked
array:
  %dtype = call ptr @field(ptr %object, i64 {o.ARRAY_DTYPE})
  %dtype.wanted = call ptr @word.ptr(ptr %record, i64 {n.DTYPE})
  %dtype.fits = icmp eq ptr %dtype, %dtype.wanted
  %rank = call i64 @small(ptr %object, i64 {o.ARRAY_RANK})
  %rank.wanted = call i64 @word(ptr %record, i64 {n.RANK})
  %rank.fits = icmp eq i64 %rank, %rank.wanted
  %flags = call i64 @small(ptr %object, i64 {o.ARRAY_FLAGS})
  %flags.wanted = call i64 @word(ptr %record, i64 {n.FLAGS})
  %flags.set = and i64 %flags, %flags.wanted
  %flags.fit = icmp eq i64 %flags.set, %flags.wanted
  %head.fits.0 = and i1 %dtype.fits, %rank.fits
  %head.fits = and i1 %head.fits.0, %flags.fit
  br i1 %head.fits, label %shaped, label %checked
shaped:
  %shape = call ptr @field(ptr %object, i64 {o.ARRAY_SHAPE})
  %shape.wanted = call ptr @word.ptr(ptr %record, i64 {n.SHAPE})
  %steps = call ptr @field(ptr %object, i64 {o.ARRAY_STRIDES})
  %steps.wanted = call ptr @word.ptr(ptr %record, i64 {n.STRIDES})
  %is.dense = icmp eq ptr %steps.wanted, null
  %has.dimensions = icmp sgt i64 %rank, 0
  br i1 %has.dimensions, label %dimension, label %argument.fits
dimension:
  %d = phi i64 [ 0, %shaped ], [ %d.next, %dimension.fits ]
  %extent = call i64 @word(ptr %shape, i64 %d)
  %extent.wanted = call i64 @word(ptr %shape.wanted, i64 %d)
  %extent.fits = icmp eq i64 %extent, %extent.wanted
  br i1 %extent.fits, label %extent.known, label %checked
extent.known:
  %is.one = icmp sle i64 %extent, 1
  %no.step = or i1 %is.dense, %is.one
  br i1 %no.step, label %dimension.fits, label %step
step:
  %stride = call i64 @word(ptr %steps, i64 %d)
  %stride.wanted = call i64 @word(ptr %steps.wanted, i64 %d)
  %stride.fits = icmp eq i64 %stride, %stride.wanted
  br i1 %stride.fits, label %dimension.fits, label %checked
dimension.fits:
  %d.next = add nuw i64 %d, 1
  %d.more = icmp slt i64 %d.next, %rank
  br i1 %d.more, label %dimension, label %argument.fits
argument.fits:
  %data = call ptr @field(ptr %object, i64 {o.ARRAY_DATA})
  %low.offset = call i64 @word(ptr %record, i64 {n.LOW})
  %high.offset = call i64 @word(ptr %record, i64 {n.HIGH})
  %low = getelementptr i8, ptr %data, i64 %low.offset
  %high = getelementptr i8, ptr %data, i64 %high.offset
  call void @set(ptr %pointers, i64 %number, ptr %data)
  call void @set(ptr %lows, i64 %number, ptr %low)
  call void @set(ptr %highs, i64 %number, ptr %high)
  %position.next = add nuw i64 %position, 1
  %position.more = icmp slt i64 %position.next, %count
  br i1 %position.more, label %argument, label %accepted
"""


def _overlaps() -> str:
    """Return the code that checks that no output overlaps an argument before it in memory."""
    return """\
accepted:
  %has.outputs = icmp slt i64 %inputs, %count
  br i1 %has.outputs, label %output, label %disjoint
output:
  %out = phi i64 [ %inputs, %accepted ], [ %out.next, %output.disjoint ]
  %out.low = call ptr @item.at(ptr %lows, i64 %out)
  %out.high = call ptr @item.at(ptr %highs, i64 %out)
  %has.others = icmp sgt i64 %out, 0
  br i1 %has.others, label %other, label %output.disjoint
other:
  %o = phi i64 [ 0, %output ], [ %o.next, %other.disjoint ]
  %other.low = call ptr @item.at(ptr %lows, i64 %o)
  %other.high = call ptr @item.at(ptr %highs, i64 %o)
  %begins.before = icmp ult ptr %other.low, %out.high
  %ends.after = icmp ult ptr %out.low, %other.high
  %overlap = and i1 %begins.before, %ends.after
  br i1 %overlap, label %checked, label %other.disjoint
other.disjoint:
  %o.next = add nuw i64 %o, 1
  %o.more = icmp slt i64 %o.next, %out
  br i1 %o.more, label %other, label %output.disjoint
output.disjoint:
  %out.next = add nuw i64 %out, 1
  %out.more = icmp slt i64 %out.next, %all
  br i1 %out.more, label %output, label %disjoint
"""


def _outputs() -> str:
    """Have outputs made where none were passed."""
    return f"""\
disjoint:
  br i1 %is.all, label %complete, label %fresh
fresh:
  %allocate = call ptr @item(ptr %self, i64 3)
  %vectorcall = call ptr @word.ptr(ptr %interface, i64 {n.VECTORCALL})
  %made = call ptr %vectorcall(ptr %allocate, ptr null, i64 0, ptr null)
  %is.made = icmp ne ptr %made, null
  br i1 %is.made, label %fresh.output, label %error
fresh.output:
  %f = phi i64 [ 0, %fresh ], [ %f.next, %fresh.output ]
  %fresh.object = call ptr @item(ptr %made, i64 %f)
  %fresh.data = call ptr @field(ptr %fresh.object, i64 {o.ARRAY_DATA})
  %f.number = add nuw i64 %f, %inputs
  call void @set(ptr %pointers, i64 %f.number, ptr %fresh.data)
  %f.next = add nuw i64 %f, 1
  %f.end = add nuw i64 %f.next, %inputs
  %f.more = icmp slt i64 %f.end, %all
  br i1 %f.more, label %fresh.output, label %complete
error:
  ret ptr null
"""


def _arena() -> str:
    """Take the last block of the list of arenas, which nobody changes while the lock is held."""
    return f"""\
complete:
  %result = phi ptr [ null, %disjoint ], [ %made, %fresh.output ]
  %has.arena = call i64 @word(ptr %table, i64 {n.HAS_ARENA})
  %wants.arena = icmp ne i64 %has.arena, 0
  %arenas = call ptr @item(ptr %self, i64 2)
  br i1 %wants.arena, label %lease, label %ready
lease:
  %list.size = call ptr @word.ptr(ptr %interface, i64 {n.LIST_SIZE})
  %blocks = call i64 %list.size(ptr %arenas)
  %has.block = icmp sgt i64 %blocks, 0
  br i1 %has.block, label %take, label %abandoned
take:
  %last = sub i64 %blocks, 1
  %list.item = call ptr @word.ptr(ptr %interface, i64 {n.LIST_ITEM})
  %block = call ptr %list.item(ptr %arenas, i64 %last)
  call void @own(ptr %interface, i64 {n.INCREF}, ptr %block)
  %list.set = call ptr @word.ptr(ptr %interface, i64 {n.LIST_SET_SLICE})
  %removed = call i32 %list.set(ptr %arenas, i64 %last, i64 %blocks, ptr null)
  %block.data = call ptr @field(ptr %block, i64 {o.ARRAY_DATA})
  %is.removed = icmp eq i32 %removed, 0
  br i1 %is.removed, label %ready, label %kept
kept:
  call void @own(ptr %interface, i64 {n.DECREF}, ptr %block)
  br label %failed
"""


def _run() -> str:
    """Run the kernel without the interpreter's lock."""
    return f"""\
ready:
  %leased = phi ptr [ null, %complete ], [ %block, %take ]
  %arena = phi ptr [ null, %complete ], [ %block.data, %take ]
  %native = call ptr @word.ptr(ptr %table, i64 {n.ENTRY})
  %constants = call ptr @word.ptr(ptr %table, i64 {n.CONSTANTS})
  %threads.wanted = call i64 @word(ptr %table, i64 {n.THREADS})
  %limit.cell = call ptr @word.ptr(ptr %table, i64 {n.LIMIT})
  %limit = call i64 @small(ptr %limit.cell, i64 0)
  %within = icmp slt i64 %threads.wanted, %limit
  %threads.long = select i1 %within, i64 %threads.wanted, i64 %limit
  %threads = trunc i64 %threads.long to i32
  %save = call ptr @word.ptr(ptr %interface, i64 {n.SAVE_THREAD})
  %restore = call ptr @word.ptr(ptr %interface, i64 {n.RESTORE_THREAD})
  %state = call ptr %save()
  %status = call i32 %native(ptr %pointers, ptr null, ptr %constants, ptr %arena, i32 %threads)
  call void %restore(ptr %state)
  %has.leased = icmp ne ptr %leased, null
  br i1 %has.leased, label %give.back, label %ran
give.back:
  %append = call ptr @word.ptr(ptr %interface, i64 {n.LIST_APPEND})
  %appended = call i32 %append(ptr %arenas, ptr %leased)
  call void @own(ptr %interface, i64 {n.DECREF}, ptr %leased)
  %is.back = icmp eq i32 %appended, 0
  br i1 %is.back, label %ran, label %failed
failed:
  call void @own(ptr %interface, i64 {n.DECREF}, ptr %result)
  ret ptr null
ran:
  %succeeded = icmp eq i32 %status, 0
  br i1 %succeeded, label %done, label %abandoned
"""


def _leave() -> str:
    """Answer with None, the output or the tuple of outputs; or hand the call over."""
    return f"""\
done:
  %has.result = icmp ne ptr %result, null
  br i1 %has.result, label %results, label %nothing
nothing:
  %none = call ptr @word.ptr(ptr %interface, i64 {n.NONE})
  call void @own(ptr %interface, i64 {n.INCREF}, ptr %none)
  ret ptr %none
results:
  %inputs.and.one = add i64 %inputs, 1
  %is.single = icmp eq i64 %all, %inputs.and.one
  br i1 %is.single, label %single, label %several
single:
  %only = call ptr @item(ptr %result, i64 0)
  call void @own(ptr %interface, i64 {n.INCREF}, ptr %only)
  call void @own(ptr %interface, i64 {n.DECREF}, ptr %result)
  ret ptr %only
several:
  ret ptr %result
abandoned:
  call void @own(ptr %interface, i64 {n.DECREF}, ptr %result)
  br label %checked
checked:
  %call = call ptr @item(ptr %self, i64 1)
  %call.vectorcall = call ptr @word.ptr(ptr %interface, i64 {n.VECTORCALL})
  %answer = call ptr %call.vectorcall(ptr %call, ptr %args, i64 %count, ptr %names)
  ret ptr %answer
"""


_FUNCTIONS = f"""\

; The pointer at a byte of an object.
define private ptr @field(ptr %object, i64 %offset) alwaysinline #0 {{
  %address = getelementptr i8, ptr %object, i64 %offset
  %value = load ptr, ptr %address, align 8
  ret ptr %value
}}

; The 32-bit number at a byte of an object.
define private i64 @small(ptr %object, i64 %offset) alwaysinline #0 {{
  %address = getelementptr i8, ptr %object, i64 %offset
  %value = load i32, ptr %address, align 4
  %wide = sext i32 %value to i64
  ret i64 %wide
}}

; A word of a table.
define private i64 @word(ptr %table, i64 %number) alwaysinline #0 {{
  %address = getelementptr i64, ptr %table, i64 %number
  %value = load i64, ptr %address, align 8
  ret i64 %value
}}

define private ptr @word.ptr(ptr %table, i64 %number) alwaysinline #0 {{
  %address = getelementptr i64, ptr %table, i64 %number
  %value = load ptr, ptr %address, align 8
  ret ptr %value
}}

; An item of a tuple.
define private ptr @item(ptr %tuple, i64 %number) alwaysinline #0 {{
  %items = getelementptr i8, ptr %tuple, i64 {o.TUPLE_ITEMS}
  %value = call ptr @item.at(ptr %items, i64 %number)
  ret ptr %value
}}

define private ptr @item.at(ptr %items, i64 %number) alwaysinline #0 {{
  %address = getelementptr ptr, ptr %items, i64 %number
  %value = load ptr, ptr %address, align 8
  ret ptr %value
}}

define private void @set(ptr %items, i64 %number, ptr %value) alwaysinline #0 {{
  %address = getelementptr ptr, ptr %items, i64 %number
  store ptr %value, ptr %address, align 8
  ret void
}}

; Take or give up a reference, which may be null.
define private void @own(ptr %interface, i64 %which, ptr %object) alwaysinline #0 {{
  %function = call ptr @word.ptr(ptr %interface, i64 %which)
  call void %function(ptr %object)
  ret void
}}

attributes #0 = {{ nounwind }}
"""
