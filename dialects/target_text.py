"""CPU targets as text: `llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=4`, read and written.

The text states everything on which plans depend. Missing properties come from the level that `-mcpu=` names, or from
the baseline of the triple. Only a target without either, and `-mcpu=native`, query the present machine, which the
caller passes as a function. Facts about the machine are stated with their source, `-loads=2@measured`; the defaults of
`target_facts` hold for the others.

A file may hold the text, on any number of lines, with comments:

    # this machine
    llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=4
    -loads=2@measured       # 1/cycle: vectors that are loaded from the first cache in a cycle

Its name ends in `.target`. The name may be used wherever the text of a target is expected, and options may follow it:
`machine.target -threads=1`. `tilewright target --measure -o machine.target` writes one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from ..diagnostics import fail
from ..diagnostics.files import read_text
from ..hardware import MOST_CPU_THREADS
from .target import AARCH64, ARCHITECTURES, RISCV64, WASM32, X86_64, CpuTargetAttr
from .target_facts import CPU_FACTS, CUDA_FACTS, FactAttr, FactKind, option_name, option_text
from .target_features import (
    LEVELS,
    MOST_THREADS,
    USUAL_CACHES,
    USUAL_THREADS,
    baseline,
    belongs_elsewhere,
    highest_level,
    with_implied,
    without,
)
from .target_processors import PROCESSORS, Processor, features_of, processor

Host = Callable[[], CpuTargetAttr]
"""Answers with the machine that code is made for where a target does not say."""

NATIVE = "native"
"""The level of targets that ask for the machine at hand."""
C = "c"

SUFFIX = ".target"
"""The end of the name of a file that holds the text of a target."""

_SCALAR_BITS = 8
"""The width of vectors where no instruction set has any: one element."""
_VECTOR_BITS = (
    *(("avx512f", 512), ("avx2", 256), ("avx", 256), ("sse2", 128)),
    *(("zvl512b", 512), ("zvl256b", 256), ("v", 128), ("neon", 128), ("simd128", 128)),
)
_VECTOR_WIDTHS = tuple(1 << n for n in range(3, 12))
"""Bits. The shortest is no vector at all: every element is computed by itself."""
_SUFFIXES = {"": 0, "K": 10, "M": 20, "G": 30}
"""Units of sizes -> their powers of two."""
_SIZE = re.compile(r"([0-9]{1,9})([KMG]?)")
_NUMBER = re.compile(r"[0-9]{1,9}")
_FEATURE = re.compile(r"[+-][\w.-]+")


class Option(NamedTuple):
    """One option of a target: the test of a value, and the text of the expectation for errors."""

    fits: Callable[[str], bool]
    expected: str


def is_number(text: str, least: int, most: int) -> bool:
    """Return whether `text` is a decimal number from `least` to `most`."""
    return _NUMBER.fullmatch(text) is not None and least <= int(text) <= most


def _is_triple(text: str) -> bool:
    architecture, *system = text.split("-")
    if architecture == WASM32:
        return bool(system) and {*system} <= {"unknown", "wasi"}
    return architecture in ARCHITECTURES and "linux" in system


TRIPLES: Mapping[str, str] = {
    **{name: f"{name}-linux-gnu" for name in (X86_64, AARCH64, RISCV64)},
    WASM32: f"{WASM32}-unknown-unknown",
}
"""Architecture -> its triple if a target names no other."""


def with_triple(target: str) -> str:
    """Return the text of a target whose first word may be an architecture or a triple: `riscv64 -threads=2` stands for
    `llvm -mtriple=riscv64-linux-gnu -threads=2`."""
    kind, _, options = target.strip().partition(" ")
    triple = TRIPLES.get(kind) or (kind if _is_triple(kind) else None)
    return target if triple is None else f"llvm -mtriple={triple} {options}".strip()


_LEVELS = tuple(level for levels in LEVELS.values() for level in levels)
_PROCESSORS = frozenset(name for names in PROCESSORS.values() for name in names)
_THREADS = Option(lambda v: is_number(v, 1, MOST_CPU_THREADS), f"-threads= with a number from 1 to {MOST_CPU_THREADS}")
_CACHES = Option(
    lambda v: len(v.split(",")) <= 3 and all(map(_SIZE.fullmatch, v.split(","))),
    "-caches= with the sizes of one to three levels, the nearest first, as in 48K,2M,32M",
)


def fact_options(kinds: Mapping[str, FactKind]) -> dict[str, Option]:
    """Return the options that state facts of a machine: `-page-reach=1536`, `-bandwidths=40,10,5@measured`."""
    return {
        option_name(kind.name): Option(
            lambda v, kind=kind: kind.read(v) is not None,
            f"-{option_name(kind.name)}= with {kind.expected}; @ and a name after it say the source",
        )
        for kind in kinds.values()
    }


def stated_facts(options: Mapping[str, str], kinds: Mapping[str, FactKind]) -> list[FactAttr]:
    """Return the facts that the options of a target state."""
    given = [(kind, options[name]) for kind in kinds.values() if (name := option_name(kind.name)) in options]
    return [FactAttr.get(kind, *read) for kind, text in given if (read := kind.read(text)) is not None]


_MACHINE = {"caches": _CACHES, "threads": _THREADS, "num-cores": _THREADS, **fact_options(CPU_FACTS)}

CPU_OPTIONS: Mapping[str, Option] = {
    "mtriple": Option(_is_triple, f"-mtriple= with one as {', '.join(TRIPLES.values())}"),
    "mcpu": Option(
        lambda v: v == NATIVE or v in _LEVELS or v in _PROCESSORS,
        f"-mcpu={NATIVE}, a level ({', '.join(_LEVELS)}) or a processor as haswell, skylake-avx512, znver4 and "
        "neoverse-n1; -mattr=+avx2,… names other instruction sets",
    ),
    "mattr": Option(
        lambda v: all(_FEATURE.fullmatch(item) for item in v.split(",") if item),
        "-mattr= with instruction sets marked + or -",
    ),
    "vector-width": Option(
        lambda v: _NUMBER.fullmatch(v) is not None and int(v) in _VECTOR_WIDTHS,
        f"-vector-width= with a power of two from {_VECTOR_WIDTHS[0]} to {_VECTOR_WIDTHS[-1]}",
    ),
    **_MACHINE,
}
"""The options of a CPU. `num-cores` is another name of `threads`."""

C_OPTIONS: Mapping[str, Option] = {"vector-width": CPU_OPTIONS["vector-width"], **_MACHINE}
"""The options of C source, whose instruction sets are its compiler's business."""

_WORDS = Option(lambda v: bool(v), "a word after it, as in -keys=arm_cpu,cpu, -device=arm_cpu and -model=rasp4b")
LABELS: Mapping[str, Option] = {"device": _WORDS, "keys": _WORDS, "model": _WORDS}
"""Options of every target that name it for programs (`Target.keys`) and say nothing about its machine."""


def read_options(target: str, known: Mapping[str, Option]) -> dict[str, str]:
    """Read the options after a target's first word; of one that is given twice, the last.

    Raises TilewrightError TW0612 for an option that is neither `known` nor of `LABELS`, and for a value that does not
    fit.
    """
    options: dict[str, str] = {}
    for word in target.split()[1:]:
        name, _, value = word.lstrip("-").partition("=")
        option = known.get(name) or LABELS.get(name)
        if option is None:
            fail("TW0612", f"expected {_among(known)}, but got '{word}' in target '{target}'")
        if not option.fits(value):
            fail("TW0612", f"expected {option.expected}, but got '{word}' in target '{target}'")
        options["threads" if name == "num-cores" else name] = value
    return options


def cpu_target(target: str, architecture: str, host: Host) -> CpuTargetAttr:
    """Return the CPU that `target` names: its kind, and options of `CPU_OPTIONS`.

    `architecture` is the architecture of the code if there is no triple. `host` is asked where the target names neither
    a level nor a triple, or `-mcpu=native`. Raises TilewrightError TW0612 for options that make no sense.
    """
    options = read_options(target, CPU_OPTIONS)
    described = processor_of(target, options, architecture)
    triple = options.get("mtriple", "")
    if described is None:
        machine = host()
        triple = triple or machine.triple
        before, width = {f.data for f in machine.features}, machine.vector_bits
        features = _changed(before, options, machine.architecture, target)
        width = width if features == before else vector_bits(features)
        caches, threads, machine_facts = machine.caches, machine.threads, machine.facts
    else:
        architecture = triple.partition("-")[0] or architecture
        features = _changed(features_of(described, architecture), options, architecture, target)
        threads = min(USUAL_THREADS, MOST_THREADS.get(architecture, USUAL_THREADS))
        width, caches, machine_facts = vector_bits(features), USUAL_CACHES[described.level], ()
    caches, threads = _stated(options, caches, threads)
    if threads > (most := MOST_THREADS.get(architecture, threads)):
        fail("TW0612", f"expected {most} thread on {architecture}, but got '-threads={threads}' in target '{target}'")
    width = int(options.get("vector-width", width))
    facts = {fact.fact: fact for fact in (*machine_facts, *stated_facts(options, CPU_FACTS))}
    return CpuTargetAttr.get(sorted(features), width, caches, threads, triple=triple, facts=[*facts.values()])


def processor_of(target: str, options: Mapping[str, str], architecture: str) -> Processor | None:
    """Return the processor that a target names; None for the machine at hand, which is of `architecture`.

    Raises TilewrightError TW0612 for a processor of another architecture than the triple's.
    """
    triple = options.get("mtriple", "")
    wanted = triple.partition("-")[0] or architecture
    name = options.get("mcpu", next(iter(LEVELS[wanted])) if triple else NATIVE)
    described = processor(name, wanted)
    if described is None and (name != NATIVE or wanted != architecture):
        names = ", ".join([*LEVELS[wanted], *PROCESSORS[wanted]])
        others = [a for a in ARCHITECTURES if a != wanted and processor(name, a) is not None]
        remedy = f"add -mtriple={TRIPLES[others[0]]}" if others and not triple else f"name one of {names}"
        fail("TW0612", f"expected a processor of {wanted}, but got '-mcpu={name}' in target '{target}'", help=remedy)
    return described


def c_target(target: str) -> CpuTargetAttr:
    """Return the target of C source for a machine of the caches and threads that `target` states, else of the usual
    ones of a baseline.

    Loops over the lanes of vectors are as long as `-vector-width=` says. Without it there are no vectors.
    """
    options = read_options(target, C_OPTIONS)
    caches, threads = _stated(options, next(iter(USUAL_CACHES.values())), USUAL_THREADS)
    width, facts = int(options.get("vector-width", _SCALAR_BITS)), stated_facts(options, CPU_FACTS)
    return CpuTargetAttr.get([], width, caches, threads, C, facts=facts)


def stated(machine: CpuTargetAttr) -> str | None:
    """Return the text of a target that states everything about `machine`; None where text cannot say it.

    Text cannot name instruction sets without those that they build upon, nor a machine below its baseline.
    """
    rest = machine_words(machine)
    if machine.language.data == C:
        words = ["c"] + ([f"-vector-width={machine.vector_bits}"] if machine.vector_bits != _SCALAR_BITS else [])
        text, again = " ".join([*words, *rest]), c_target
    else:
        features, architecture = {f.data for f in machine.features}, machine.architecture
        level = highest_level(features, architecture)
        if level is None:
            return None
        words = ["llvm"] + ([f"-mtriple={machine.triple}"] if machine.triple else []) + [f"-mcpu={level}"]
        more = sorted(features.difference(LEVELS[architecture][level]))
        words += [f"-mattr={','.join(f'+{f}' for f in more)}"] if more else []
        words += [f"-vector-width={machine.vector_bits}"] if machine.vector_bits != vector_bits(features) else []
        text, again = " ".join([*words, *rest]), lambda text: cpu_target(text, architecture, lambda: machine)
    return text if again(text) == machine else None


def machine_words(machine: CpuTargetAttr) -> list[str]:
    """Return the options that state everything about a machine but its instruction sets."""
    facts = [f"-{option_name(fact.fact)}={option_text(fact)}" for fact in machine.facts]
    return [f"-caches={','.join(map(_size, machine.caches))}", f"-threads={machine.threads}", *facts]


def vector_bits(features: Collection[str]) -> int:
    """Return the width of the widest vectors that these instruction sets compute on."""
    return next((width for name, width in _VECTOR_BITS if name in features), _SCALAR_BITS)


def parse_size(text: str) -> int:
    """Return the bytes of a number with a unit: `512K`. Raises ValueError for other text."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a size as 512K, but got '{text}'")
    return int(match[1]) << _SUFFIXES[match[2]]


def _size(size: int) -> str:
    """Return `size` bytes with the largest unit that divides them."""
    unit = next((u for u in "GMK" if size and size % (1 << _SUFFIXES[u]) == 0), "")
    return f"{size >> _SUFFIXES[unit]}{unit}"


def _stated(options: Mapping[str, str], caches: tuple[int, ...], threads: int) -> tuple[tuple[int, ...], int]:
    """Return the caches and threads that the options state, else these. Levels that are not stated are not there."""
    if "caches" in options:
        sizes = [parse_size(size) for size in options["caches"].split(",")]
        caches = (*sizes, *[0] * (3 - len(sizes)))
    return caches, int(options.get("threads", threads))


def _changed(features: set[str], options: Mapping[str, str], architecture: str, target: str) -> set[str]:
    """Return the instruction sets after `-mattr=`. Raises TilewrightError TW0612 for those that make no sense."""
    for item in filter(None, options.get("mattr", "").split(",")):
        feature = item[1:]
        if belongs_elsewhere(feature, architecture):
            fail("TW0612", f"expected instruction sets of {architecture}, but got '{item}' in '{target}'")
        if item[0] == "+":
            features = features | with_implied([feature], architecture)
        elif feature in baseline(architecture):
            fail("TW0612", f"expected to keep what every {architecture} has, but got '{item}' in '{target}'")
        else:
            features = without(features, feature, architecture)
    return features


def _among(options: Mapping[str, Option]) -> str:
    """Return the list of options after the name of a target, for messages."""
    if not options:
        return "no options"
    facts = {option_name(name) for name in (*CPU_FACTS, *CUDA_FACTS)}.intersection(options)
    *others, last = (f"-{name}=" for name in options if name != "num-cores" and name not in facts)
    words = f"{', '.join(others)} or {last}" if others else last
    return f"{words}, or a fact of the machine (`tilewright target`)" if facts else words


def with_file(target: str) -> str:
    """Return the text of a target, with a file's name as the first word replaced by the text of the file.

    Raises TilewrightError TW0204 for a file that cannot be read, TW0860 for one that holds no target.
    """
    text = target.strip()
    path, _, options = (text, "", "") if text.endswith(SUFFIX) and Path(text).exists() else text.partition(" ")
    if not path.endswith(SUFFIX):
        return target
    words = [word for line in read_text(path).splitlines() for word in line.partition("#")[0].split()]
    if not words or words[0].startswith("-") or words[0].endswith(SUFFIX):
        got = f"'{words[0]}'" if words else "no text"
        fail("TW0860", f"expected '{path}' to begin with the kind of a target, but got {got}")
    return " ".join([*words, *options.split()])


def file_text(machine: CpuTargetAttr, title: str) -> str:
    """Return the text of a file for a target, with a fact on each line.

    Where no text says which instruction sets the machine has, they are those of the machine that reads the file.
    """
    first = [] if stated(machine) else ["# instruction sets are those of the machine that reads this file"]
    facts = {f"-{option_name(fact.fact)}={option_text(fact)}": machine.fact_kinds[fact.fact] for fact in machine.facts}
    commented = [f"{option:44} # {kind.unit}: {kind.meaning}" for option, kind in facts.items()]
    return "\n".join([f"# {title}", *first, without_facts(machine), *commented, ""])


def without_facts(machine: CpuTargetAttr) -> str:
    """Return the text of a target up to its facts; for instruction sets that no text says, `llvm` alone."""
    words = (stated(machine) or " ".join(["llvm", *machine_words(machine)])).split()
    return " ".join(words[: len(words) - len(machine.facts)])
