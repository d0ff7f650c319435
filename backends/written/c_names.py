"""Reserved identifiers of C and OpenCL C, which values of the IR may not be named after."""

from __future__ import annotations

from .c_library_words import C_WORDS, OPENCL_WORDS
from .fresh_names import Reserved

_KEYWORDS = """
alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false float
for fortran goto if inline int long main nullptr register restrict return short signed sizeof static static_assert
struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while
"""
KEYWORDS = frozenset(_KEYWORDS.split())
"""Keywords of C99 to C23 and of GNU C, and the function that programs start with."""
_CPLUSPLUS_KEYWORDS = """
and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept const_cast
consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq
operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid
typename using virtual wchar_t xor xor_eq
"""
CPLUSPLUS_KEYWORDS = frozenset(_CPLUSPLUS_KEYWORDS.split())
"""Keywords that C++ adds: headers are included by both languages."""
_OPENCL_KEYWORDS = """
clk_event_t complex constant event_t generic global half imaginary kernel local ndrange_t pipe private quad queue_t
read_only read_write reserve_id_t sampler_t uniform vec_step write_only
"""
OPENCL_KEYWORDS = frozenset(_OPENCL_KEYWORDS.split())
"""Keywords and types that OpenCL C adds."""
_PREDEFINED = frozenset(
    {"arm", "hppa", "hpux", "i386", "i860", "linux", "m68k", "mips", "pixel", "sparc", "sun", "unix"}
)
"""Macros that compilers define for some machines."""
_WRITTEN = frozenset({"arena", "arguments", "constants", "failed", "lane", "record", "sizes", "status", "threads"})
"""Names that written functions use."""
_FAMILIES = ("GOMP_", "TW_", "omp_", "tilewright_", "tw_")
"""Prefixes of helpers, of entries, and of the functions of OpenMP that libraries bring."""
OPENCL_FAMILIES = (
    *("CLK_", "CL_", "as_", "async_work_group_", "atom_", "atomic_", "cl_", "convert_", "enqueue_", "get_image_"),
    *("half_", "image1d_", "image2d_", "image3d_", "intel_", "native_", "read_image", "sub_group_", "vload", "vstore"),
    *("work_group_", "write_image"),
)
"""Prefixes of functions and macros of OpenCL C, which has one of each for every type."""

RESERVED = Reserved(KEYWORDS | C_WORDS | _PREDEFINED | _WRITTEN, _FAMILIES)
"""Words of C, identifiers of its library, and names that written programs use."""
OPENCL_RESERVED = Reserved(RESERVED.words | OPENCL_WORDS | OPENCL_KEYWORDS, (*RESERVED.prefixes, *OPENCL_FAMILIES))
"""The same for OpenCL C."""
HEADER_RESERVED = Reserved(RESERVED.words | CPLUSPLUS_KEYWORDS, RESERVED.prefixes)
"""The same for declarations that C and C++ read."""
