"""Targets: the properties of the machine that passes query.

A target is an attribute of the module (`tw.target`), so that a dump states its target, and passes never query the
machine on which the compiler runs. A target holds capabilities (features, widths, sizes), not the name of a CPU: under
virtualisation names may be wrong, but feature lists are right. The dialect has no operations, and this module imports
only facts and constants of hardware from the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..hardware import (
    DEFAULT_ARCH,
    MOST_BLOCK_THREADS,
    SHARED_BYTES_OF_ARCH,
    STATIC_SHARED_BYTES,
    THREAD_ACCESS_BYTES,
    WARP_THREADS,
)
from .target_facts import (
    CPU_FACTS,
    CUDA_FACTS,
    DEFAULT,
    MEASURED,
    SYSTEM,
    FactAttr,
    FactKind,
    checked_facts,
    ordered,
    parse_fact,
    text_of,
)

TARGET_ATTRIBUTE = "tw.target"
"""The module's attribute that holds its target."""

LLVM = "llvm"
LANGUAGES = (LLVM, "c")
"""The languages of the source text of programs for a CPU."""

X86_64, AARCH64, RISCV64, WASM32 = "x86_64", "aarch64", "riscv64", "wasm32"
ARCHITECTURES = (X86_64, AARCH64, RISCV64, WASM32)
"""The architectures with machine code, by LLVM's names."""

_RISCV_FLOATS = "d"
"""RISC-V's instruction set of double precision, which all that run Linux have: multiply-add and rounding are in it."""
_CACHE_LEVELS = 3
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
"""The form of LLVM's names of instruction sets and kinds of machines."""


def capability_of(arch: str) -> tuple[int, int]:
    """Return the compute capability of a kind of GPU: (9, 0) for sm_90 and sm_90a."""
    number = int(arch.removeprefix("sm_").removesuffix("a"))
    return number // 10, number % 10


KIND_ALIASES = {"llvm": "cpu"}
"""Further names of kinds of targets."""

DEFAULT_VECTOR_BITS = 256
"""The width of vectors where no target says one."""


class TargetAttr(ParametrizedAttribute):
    """The target of a module. Passes query only these properties.

    A user target is an attribute of a user dialect, derives from this class, and overrides the properties that it has.
    The defaults assume no capability.
    """

    @property
    def kind(self) -> str:
        """The name of the backend that serves this target, and of the rules for intrinsics."""
        raise NotImplementedError

    @property
    def core(self) -> CpuTargetAttr | None:
        """The processor that default schedules plan for where loops run on cores: caches, vectors, registers,
        threads."""
        return None

    @property
    def multiprocessor(self) -> CudaTargetAttr | None:
        """The device that default schedules plan for where loops are bound to blocks and threads; None without one."""
        return None

    @property
    def fact_kinds(self) -> Mapping[str, FactKind]:
        """The facts that a target of this kind may state, by name."""
        return {}

    @property
    def facts(self) -> Sequence[FactAttr]:
        """The facts that this target states; of the others the defaults hold."""
        return ()

    def numbers_of(self, fact: str) -> tuple[float, ...]:
        """Return the numbers of one of `fact_kinds`: those that the target states, else its default."""
        stated = next((each.numbers for each in self.facts if each.fact == fact), None)
        return self.fact_kinds[fact].default if stated is None else stated

    def number_of(self, fact: str) -> float:
        """Return the number of a fact that has one."""
        (number,) = self.numbers_of(fact)
        return number

    def source_of(self, fact: str) -> str:
        """Return the source of the numbers of a fact: "default", "stated", "measured" or the name of a datasheet."""
        return next((each.source for each in self.facts if each.fact == fact), DEFAULT)

    @property
    def without_measured_facts(self) -> TargetAttr:
        """The target without the facts that were read from a machine: two measurements of one differ in them."""
        return self

    @property
    def prefers_blocked_channels(self) -> bool:
        """True if images are fastest with their channels in blocks of a vector, and weights packed for them."""
        return self.core is not None

    @property
    def vector_bits(self) -> int:
        """The width of the vectors that passes should make."""
        return DEFAULT_VECTOR_BITS

    @property
    def has_fma(self) -> bool:
        """True if a product and a sum are one instruction."""
        return False

    def computes_in(self, element: Attribute) -> bool:
        """Return whether arithmetic on a 16-bit float type is one instruction each; otherwise f32 arithmetic is
        used."""
        return False

    @property
    def warp(self) -> int:
        """The number of threads that run in step and exchange values of registers; 0 where no threads do."""
        return 0

    @property
    def has_async_copies(self) -> bool:
        """True if copies from global to shared memory run beside other instructions."""
        return False

    @property
    def gives_threads_memory(self) -> bool:
        """True if each thread of a team that runs a parallel loop has private memory."""
        return False

    @property
    def launches_kernels(self) -> bool:
        """True if nests of thread-bound loops are kernels, which a host launches."""
        return False

    @property
    def kernels_report(self) -> bool:
        """True if faults in a kernel are reported to the caller."""
        return True


def target_of(op: Operation) -> TargetAttr | None:
    """Return the target of the module that `op` is, or stands in; None where it has none."""
    at: Operation | None = op
    while at is not None:
        target = at.attributes.get(TARGET_ATTRIBUTE)
        if isinstance(target, TargetAttr):
            return target
        at = at.parent_op()
    return None


@irdl_attr_definition
class CpuTargetAttr(TargetAttr):
    """A CPU.

    ```mlir
    #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 33554432], threads 2>
    ```

    `features` are LLVM's names of the instruction sets that may be used; `vector_bits` is the width of the
    vectors that passes should make; `caches` are the bytes of the first to third level that one core can use
    (0 where there is none); `threads` is how many threads a parallel loop should count on. Code for a machine of
    another kind names the triple, `…, threads 4, triple "aarch64-linux-gnu">`. A program that is emitted as C names the
    language: `…, threads 2, language "c">`.

    Facts about the machine follow with their unit and source, each of `CPU_FACTS` at most once:
    `…, threads 2, facts [multiply_add_latency [4] "cycle" "measured", loads [2] "1/cycle" "stated"]>`.
    """

    name = "target.cpu"

    features: ArrayAttr[StringAttr] = param_def()
    vector_width: IntAttr = param_def()
    cache_sizes: ArrayAttr[IntAttr] = param_def()
    thread_count: IntAttr = param_def()
    language: StringAttr = param_def()
    named_triple: StringAttr = param_def()
    stated_facts: ArrayAttr[FactAttr] = param_def()

    @staticmethod
    def get(
        features: Sequence[str],
        vector_bits: int,
        caches: Sequence[int],
        threads: int,
        language: str = LLVM,
        triple: str = "",
        facts: Sequence[FactAttr] = (),
    ) -> CpuTargetAttr:
        """Return the attribute for Python values. `caches` holds the bytes of levels one to three."""
        return CpuTargetAttr(
            ArrayAttr(StringAttr(f) for f in features),
            IntAttr(vector_bits),
            ArrayAttr(IntAttr(c) for c in caches),
            IntAttr(threads),
            StringAttr(language),
            StringAttr(triple),
            ArrayAttr(ordered(facts, CPU_FACTS)),
        )

    @property
    def fact_kinds(self) -> Mapping[str, FactKind]:
        return CPU_FACTS

    @property
    def facts(self) -> Sequence[FactAttr]:
        return self.stated_facts.data

    @property
    def kind(self) -> str:
        return "cpu" if self.language.data == LLVM else self.language.data

    @property
    def core(self) -> CpuTargetAttr:
        return self

    @property
    def vector_bits(self) -> int:
        return self.vector_width.data

    @property
    def caches(self) -> tuple[int, ...]:
        """Bytes of the first, second and third level."""
        return tuple(c.data for c in self.cache_sizes)

    @property
    def threads(self) -> int:
        return self.thread_count.data

    def with_threads(self, threads: int) -> CpuTargetAttr:
        """Return the same machine for another number of threads."""
        return self._changed(threads, self.facts)

    @property
    def without_measured_facts(self) -> CpuTargetAttr:
        facts = [fact for fact in self.facts if fact.source not in (MEASURED, SYSTEM)]
        return self if len(facts) == len(self.facts) else self._changed(self.threads, facts)

    def _changed(self, threads: int, facts: Sequence[FactAttr]) -> CpuTargetAttr:
        features = [feature.data for feature in self.features]
        return CpuTargetAttr.get(
            features, self.vector_bits, self.caches, threads, self.language.data, self.triple, facts
        )

    def has(self, feature: str) -> bool:
        """Return whether the instruction set that LLVM calls `feature` may be used."""
        return StringAttr(feature) in self.features.data

    def lanes(self, element_bits: int) -> int:
        """Return the number of elements of that size in one vector; at least 1."""
        return max(1, self.vector_bits // element_bits)

    @property
    def triple(self) -> str:
        """LLVM's name of the kind of machine; empty where it is that of the machine that compiles."""
        return self.named_triple.data

    @property
    def architecture(self) -> str:
        """The architecture of machine code, by the name that triples begin with: one of `ARCHITECTURES`."""
        if self.triple:
            return self.triple.partition("-")[0]
        if self.has("neon"):
            return AARCH64
        return RISCV64 if self.has(_RISCV_FLOATS) else X86_64

    @property
    def pointer_bits(self) -> int:
        """The width of an address."""
        return 32 if self.architecture == WASM32 else 64

    @property
    def has_fma(self) -> bool:
        """True if a product and a sum are one instruction, on scalars and on vectors."""
        return self.has("fma") or self.has("neon") or self.has(_RISCV_FLOATS)

    @property
    def has_roundings(self) -> bool:
        """True where instructions round a float to an integer in every direction."""
        return any(map(self.has, ("sse4.1", "neon", "simd128", _RISCV_FLOATS)))

    @property
    def multiplies_bytes(self) -> bool:
        """True where instructions sum the products of bytes of vectors of words (`dot4`)."""
        return self.has("ssse3") or self.has("dotprod")

    @property
    def converts_f16(self) -> bool:
        """True where an instruction converts f16 to f32, and another one back."""
        return any(map(self.has, ("f16c", "neon", "zfhmin")))

    @property
    def permutes_bytes(self) -> bool:
        """True where an instruction chooses each of 64 bytes out of two vectors of them."""
        return self.has("avx512vbmi") and self.language.data == LLVM

    @property
    def summed_bytes(self) -> str | None:
        """The type of bytes whose products with int8 are summed fastest, where that of the other sign takes longer."""
        if self.architecture == X86_64:
            return None if self.has("avxvnniint8") else "uint8"
        return "int8" if self.has("dotprod") and not self.has("i8mm") else None

    @property
    def sums_bytes(self) -> bool:
        """True where instructions sum products of bytes in words."""
        return any(map(self.has, ("ssse3", "avx2", "dotprod")))

    @property
    def gives_threads_memory(self) -> bool:
        return self.language.data == LLVM

    @property
    def vector_registers(self) -> int:
        """The number of registers of `vector_bits` in which a kernel can keep values.

        AVX-512 has 32, for vectors of less than 512 bits only with the extension VL; other x86-64 has 16, and
        instructions read one operand from memory. NEON and RISC-V have 32, two of which hold operands that are loaded
        from memory; RISC-V has as many for scalars. If a product and a sum are two instructions, the product needs one
        register. WebAssembly has as many as the executing machine: the least number is assumed.
        """
        if self.has("neon") or self.has(_RISCV_FLOATS):
            return 30
        doubled = self.has("avx512vl") or (self.has("avx512f") and self.vector_bits >= 512)
        registers = 32 if doubled else 16
        return registers if self.has_fma else registers - 1

    @property
    def multiply_adds(self) -> float:
        """Vectors of f32 multiply-adds that begin in a cycle."""
        return self.number_of("multiply_adds")

    @property
    def multiply_add_latency(self) -> float:
        """Cycles from a multiply-add to one that takes its result."""
        return self.number_of("multiply_add_latency")

    @property
    def loads(self) -> float:
        """Vectors that are loaded from the first cache in a cycle."""
        return self.number_of("loads")

    @property
    def bandwidths(self) -> tuple[float, ...]:
        """Bytes a cycle that one core reads of a stream from the second cache, the third one, and memory."""
        return self.numbers_of("bandwidths")

    @property
    def memory_latency(self) -> float:
        """Cycles of a load from memory."""
        return self.numbers_of("latencies")[-1]

    @property
    def line_bytes(self) -> int:
        """Bytes of a cache line."""
        return int(self.number_of("line"))

    @property
    def page_bytes(self) -> int:
        """Bytes of a page.

        A first cache finds a set by an address within one, so it has a line of each set for every page of its size.
        """
        return int(self.number_of("page"))

    @property
    def page_reach(self) -> int:
        """Pages whose addresses the processor keeps."""
        return int(self.number_of("page_reach"))

    def verify(self) -> None:
        if names := [f.data for f in self.features if _NAME.fullmatch(f.data) is None]:
            raise VerifyException(f"expected names of instruction sets, but got {', '.join(map(repr, names))}")
        if self.language.data not in LANGUAGES:
            raise VerifyException(f"expected a language of {', '.join(LANGUAGES)}, but got {self.language.data}")
        if self.vector_bits < 8 or self.vector_bits & (self.vector_bits - 1):
            raise VerifyException(f"expected vector_bits to be a power of two, but got {self.vector_bits}")
        if len(self.caches) != _CACHE_LEVELS or min(self.caches) < 0:
            raise VerifyException(f"expected {_CACHE_LEVELS} cache sizes, but got {[*self.caches]}")
        if self.threads < 1:
            raise VerifyException(f"expected threads to be at least 1, but got {self.threads}")
        if self.architecture not in ARCHITECTURES or _NAME.fullmatch(self.triple or "none") is None:
            raise VerifyException(f"expected a triple of {', '.join(ARCHITECTURES)}, but got {self.triple}")
        checked_facts(self.facts, self.fact_kinds)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[ArrayAttr | IntAttr | StringAttr]:
        with parser.in_angle_brackets():
            parser.parse_keyword("features")
            features = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_str_literal)
            parser.parse_punctuation(",")
            parser.parse_keyword("vector_bits")
            bits = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            parser.parse_keyword("caches")
            caches = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            parser.parse_punctuation(",")
            parser.parse_keyword("threads")
            threads = parser.parse_integer(allow_boolean=False)
            options = {"triple": "", "language": LLVM}
            facts: list[FactAttr] = []
            while parser.parse_optional_punctuation(","):
                if parser.parse_optional_keyword("facts"):
                    facts = _facts(parser)
                    continue
                name = parser.expect(lambda: _optional_keyword(parser, options), "expected triple, language or facts")
                options[name] = parser.parse_str_literal()
        return (
            ArrayAttr(StringAttr(f) for f in features),
            IntAttr(bits),
            ArrayAttr(IntAttr(c) for c in caches),
            IntAttr(threads),
            StringAttr(options["language"]),
            StringAttr(options["triple"]),
            ArrayAttr(ordered(facts, CPU_FACTS)),
        )

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            features = ", ".join(f'"{f.data}"' for f in self.features)
            caches = ", ".join(str(c) for c in self.caches)
            printer.print_string(
                f"features [{features}], vector_bits {self.vector_bits}, caches [{caches}], threads {self.threads}"
            )
            if self.triple:
                printer.print_string(f', triple "{self.triple}"')
            if self.language.data != LLVM:
                printer.print_string(f', language "{self.language.data}"')
            _print_facts(printer, self.facts)


def _optional_keyword(parser: AttrParser, keywords: Iterable[str]) -> str | None:
    """Parse one of the keywords, if one comes."""
    return next((word for word in keywords if parser.parse_optional_keyword(word)), None)


def _facts(parser: AttrParser) -> list[FactAttr]:
    """Parse the facts in brackets after the keyword."""
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_fact(parser))


def _print_facts(printer: Printer, facts: Sequence[FactAttr]) -> None:
    if facts:
        printer.print_string(f", facts [{', '.join(map(text_of, facts))}]")


@irdl_attr_definition
class OpenClTargetAttr(TargetAttr):
    """A device that runs OpenCL C: `#target.opencl`. It executes the loops that are bound to its threads."""

    name = "target.opencl"

    @property
    def kind(self) -> str:
        return "opencl"

    @property
    def launches_kernels(self) -> bool:
        return True

    @property
    def kernels_report(self) -> bool:
        return False


@irdl_attr_definition
class CudaTargetAttr(TargetAttr):
    """A GPU that runs kernels of CUDA.

    ```mlir
    #target.cuda<arch "sm_90", max_threads 1024, shared 49152, warp 32>
    ```

    `arch` is the oldest kind of GPU that the code runs on, by the name that CUDA's tools give it, or with an "a" at its
    end the only kind; `max_threads` is how
    many threads a block may have; `shared` is how many bytes of shared memory a block may have; `warp` is how many
    threads run in step. Facts of `CUDA_FACTS` follow with their unit and source:
    `…, warp 32, facts [processors [78] "1" "stated"]>`.
    """

    name = "target.cuda"

    named_arch: StringAttr = param_def()
    thread_limit: IntAttr = param_def()
    shared_limit: IntAttr = param_def()
    warp_size: IntAttr = param_def()
    stated_facts: ArrayAttr[FactAttr] = param_def()

    @staticmethod
    def get(
        arch: str = DEFAULT_ARCH,
        max_threads: int = MOST_BLOCK_THREADS,
        shared: int = STATIC_SHARED_BYTES,
        warp: int = WARP_THREADS,
        facts: Sequence[FactAttr] = (),
    ) -> CudaTargetAttr:
        """Return the attribute for Python values."""
        known = ArrayAttr(ordered(facts, CUDA_FACTS))
        return CudaTargetAttr(StringAttr(arch), IntAttr(max_threads), IntAttr(shared), IntAttr(warp), known)

    @property
    def fact_kinds(self) -> Mapping[str, FactKind]:
        return CUDA_FACTS

    @property
    def facts(self) -> Sequence[FactAttr]:
        return self.stated_facts.data

    @property
    def kind(self) -> str:
        return "cuda"

    @property
    def multiprocessor(self) -> CudaTargetAttr:
        return self

    @property
    def launches_kernels(self) -> bool:
        return True

    @property
    def has_async_copies(self) -> bool:
        return self.capability >= (8, 0)

    @property
    def arch(self) -> str:
        return self.named_arch.data

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability: (9, 0) for sm_90."""
        return capability_of(self.arch)

    @property
    def max_threads(self) -> int:
        return self.thread_limit.data

    @property
    def shared(self) -> int:
        """Bytes. Above `STATIC_SHARED_BYTES` a kernel has to ask for it as it is launched."""
        return self.shared_limit.data

    @property
    def processors(self) -> int:
        """The number of multiprocessors to fill. A program that is divided for more multiprocessors than there are
        still runs well."""
        return int(self.number_of("processors"))

    @property
    def resident_threads(self) -> int:
        """Threads that a multiprocessor keeps at a time, which hide how long memory takes."""
        return int(self.number_of("resident_threads"))

    @property
    def registers(self) -> int:
        """Registers of a multiprocessor."""
        return int(self.number_of("registers"))

    @property
    def warp(self) -> int:
        return self.warp_size.data

    @property
    def vector_bits(self) -> int:
        """The number of bits that one thread loads or stores at once, at most."""
        return 8 * THREAD_ACCESS_BYTES

    @property
    def has_fma(self) -> bool:
        return True

    def verify(self) -> None:
        if self.arch not in SHARED_BYTES_OF_ARCH:
            raise VerifyException(f"expected an arch of {', '.join(SHARED_BYTES_OF_ARCH)}, but got {self.arch}")
        if not 1 <= self.max_threads <= MOST_BLOCK_THREADS:
            raise VerifyException(f"expected max_threads from 1 to {MOST_BLOCK_THREADS}, but got {self.max_threads}")
        if not 0 <= self.shared <= SHARED_BYTES_OF_ARCH[self.arch]:
            most = SHARED_BYTES_OF_ARCH[self.arch]
            raise VerifyException(f"expected shared from 0 to {most} bytes on {self.arch}, but got {self.shared}")
        if self.warp != WARP_THREADS:
            raise VerifyException(f"expected a warp of {WARP_THREADS} threads, but got {self.warp}")
        checked_facts(self.facts, self.fact_kinds)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[ArrayAttr | IntAttr | StringAttr]:
        with parser.in_angle_brackets():
            parser.parse_keyword("arch")
            arch = parser.parse_str_literal()
            numbers: list[IntAttr] = []
            for word in ("max_threads", "shared", "warp"):
                parser.parse_punctuation(",")
                parser.parse_keyword(word)
                numbers.append(IntAttr(parser.parse_integer(allow_boolean=False)))
            facts: list[FactAttr] = []
            if parser.parse_optional_punctuation(","):
                parser.parse_keyword("facts")
                facts = _facts(parser)
        return StringAttr(arch), *numbers, ArrayAttr(ordered(facts, CUDA_FACTS))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(
                f'arch "{self.arch}", max_threads {self.max_threads}, shared {self.shared}, warp {self.warp}'
            )
            _print_facts(printer, self.facts)


Target = Dialect("target", [], [CpuTargetAttr, OpenClTargetAttr, CudaTargetAttr, FactAttr])
