"""The interface of a model to C programs: structs, macros and functions, all prefixed by its name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ....runtime.arguments import Argument, Signature
from ....runtime.buffers import ALIGNMENT
from ....runtime.checks import Check
from ....runtime.extent import Extent
from ...written.c_declarations import (
    argument_names,
    comment_text,
    element_type,
    identifier,
    size_names,
    size_text,
    stride_names,
    string_text,
)
from .function import FIRST_CHECK, NAMES
from .weights import HEADER, MAGIC, Weights

BAD_ARGUMENT, BAD_WEIGHTS = 1, 2
"""Statuses of a call."""
LARGEST_SIZE = "INT32_MAX"
"""The largest open size: of two of them the product fits."""


@dataclass(frozen=True)
class Entry:
    """A function of the model that C programs call."""

    prefix: str
    """The beginning of its names."""
    signature: Signature
    main: str
    """The function that it enters. It takes strides, then arguments, each with its open sizes behind it."""
    extra: tuple[str, ...]
    """Its parameters after the arguments: `top`, `weights`."""
    arena_size: int
    """Bytes of buffers whose sizes are known."""
    uses_arena: bool
    counts_bytes: str | None
    """The function that counts the bytes of other buffers; None where there are none."""
    can_fail: bool

    @property
    def macro(self) -> str:
        return self.prefix.upper()

    @cached_property
    def inputs(self) -> list[Argument]:
        """The inputs that callers pass: all but the inputs with one fixed value."""
        return [a for a in self.signature.inputs if a.value is None]

    @cached_property
    def _names(self) -> tuple[dict[str, str], dict[str, str]]:
        return argument_names(self.signature, NAMES)

    @property
    def fields(self) -> dict[str, str]:
        """The C names of the arguments."""
        return self._names[0]

    @property
    def numbers(self) -> dict[str, str]:
        """The C names of open sizes and strides."""
        return self._names[1]

    @cached_property
    def output_sizes(self) -> dict[str, str]:
        """The open sizes of outputs, by their names in the struct of outputs, as expressions over sizes of inputs."""
        taken = {*self.fields.values()}
        sizes: dict[str, str] = {}
        for output in self.signature.outputs:
            for dimension, size in enumerate(output.shape):
                if isinstance(size, Extent):
                    sizes[identifier(f"{self.fields[output.name]}_size{dimension}", taken)] = size_text(
                        size, self.numbers
                    )
        return sizes

    @property
    def has_arena(self) -> bool:
        return self.uses_arena or self.counts_bytes is not None

    @property
    def run(self) -> str:
        weights = ", const void *weights" if "weights" in self.extra else ""
        structs = f"const struct {self.prefix}_inputs *inputs, struct {self.prefix}_outputs *outputs"
        return f"int {self.prefix}_run({structs}, void *arena{weights})"

    @property
    def counter(self) -> str:
        """The function that says how large the arena of a call has to be."""
        return f"int64_t {self.prefix}_arena_bytes(const struct {self.prefix}_inputs *inputs)"

    @property
    def sizes(self) -> str:
        return (
            f"int {self.prefix}_sizes(const struct {self.prefix}_inputs *inputs, struct {self.prefix}_outputs *outputs)"
        )

    # Declarations

    def declarations(self) -> list[str]:
        """Return the lines of the header."""
        lines = ["", f"/* {comment_text(str(self.signature))} */", f"struct {self.prefix}_inputs {{"]
        lines += [f"  const {element_type(a.dtype)} *{self.fields[a.name]};{_shape(a)}" for a in self.inputs]
        lines += [f"  int64_t {name};" for name in self.numbers.values()]
        lines += ["};", f"struct {self.prefix}_outputs {{"]
        lines += [f"  {element_type(a.dtype)} *{self.fields[a.name]};{_shape(a)}" for a in self.signature.outputs]
        lines += [f"  int64_t {name};" for name in self.output_sizes] + ["};"]
        if not self.inputs and not self.numbers:
            lines.insert(3, "  int64_t unused;")
        if self.counts_bytes is None:
            lines.append(f"#define {self.macro}_ARENA_BYTES {self.fixed_bytes}")
        else:
            lines += [
                "/* The bytes of the arena for inputs of these sizes, of which only the sizes are read; negative where",
                "   a size is out of range. */",
                f"{self.counter};",
            ]
        if self.output_sizes:
            lines += ["/* Sets the sizes of outputs. Reads only the sizes of inputs. */", f"{self.sizes};"]
        lines += ["/* Also sets the sizes of outputs. */"] if self.output_sizes else []
        return [*lines, f"{self.run};"]

    @property
    def fixed_bytes(self) -> int:
        """The bytes of the arena that every call needs, padding for alignment included."""
        return self.arena_size + ALIGNMENT - 1 if self.has_arena else 0

    # Definitions

    def definitions(self) -> list[str]:
        """Return the functions."""
        functions = [] if self.counts_bytes is None else [self._counter()]
        functions += [self._sizes()] if self.output_sizes else []
        return [*functions, self._run()]

    def _counter(self) -> str:
        sizes = ", ".join(size for argument in self.signature.arguments for size in self._sizes_of(argument))
        return "\n".join(
            [
                f"{self.counter} {{",
                *self._read_sizes(-1),
                f"  return tw_plus({self.fixed_bytes}, {self.counts_bytes}({sizes}));",
                "}",
            ]
        )

    def _sizes(self) -> str:
        return "\n".join([f"{self.sizes} {{", *self._read_sizes(BAD_ARGUMENT), *self._set_sizes(), "  return 0;", "}"])

    def _set_sizes(self) -> list[str]:
        lines = [f"  outputs->{name} = {text};" for name, text in self.output_sizes.items()]
        return lines + [f"  if (outputs->{name} < 0) return {BAD_ARGUMENT};" for name in self.output_sizes]

    def _read_sizes(self, refusal: int) -> list[str]:
        """Open sizes and strides as variables. Sizes out of range are refused."""
        lines = [f"  const int64_t {name} = inputs->{name};" for name in self.numbers.values()]
        lines += [f"  (void){self.numbers[name]};" for name in stride_names(self.signature)]
        for name in map(self.numbers.__getitem__, size_names(self.signature)):
            lines.append(f"  if ({name} < 0 || {name} > {LARGEST_SIZE}) return {refusal};")
        return lines

    def _sizes_of(self, argument: Argument) -> list[str]:
        """Return the open sizes that the entered function takes behind an argument."""
        return [size_text(d, self.numbers) for d in argument.shape if isinstance(d, Extent)]

    def _run(self) -> str:
        lines = [f"{self.run} {{", *self._read_sizes(BAD_ARGUMENT), *self._check_pointers()]
        if "weights" in self.extra:
            lines.append(f"  if (!tw_weights_fit(weights)) return {BAD_WEIGHTS};")
        lines += self._set_sizes()
        if self.has_arena:
            lines.append(f"  arena = (char *)arena + (-(uintptr_t)arena & {ALIGNMENT - 1});")
        else:
            lines.append("  (void)arena;")
        call = f"{self.main}({', '.join(self._passed())});"
        lines += [f"  return {call}"] if self.can_fail else [f"  {call}", "  return 0;"]
        return "\n".join([*lines, "}"])

    def _check_pointers(self) -> list[str]:
        """Refuse null for arrays that have elements at any size."""
        needed = [f"inputs->{self.fields[a.name]}" for a in self.inputs if _has_elements(a)]
        needed += [f"outputs->{self.fields[a.name]}" for a in self.signature.outputs if _has_elements(a)]
        needed += ["arena"] if self.has_arena else []
        needed += ["weights"] if "weights" in self.extra else []
        lines = [] if self.inputs or self.numbers else ["  (void)inputs;"]
        return [*lines, *(f"  if (!{pointer}) return {BAD_ARGUMENT};" for pointer in needed)]

    def _passed(self) -> list[str]:
        passed = [self.numbers[name] for name in stride_names(self.signature)]
        for argument in self.signature.arguments:
            struct, type_ = ("outputs", "void *") if argument in self.signature.outputs else ("inputs", "const void *")
            pointer = "0" if argument.value is not None else f"{struct}->{self.fields[argument.name]}"
            passed.append(f"({type_}){pointer}" if argument.value is not None or argument.dtype == bool else pointer)
            passed += self._sizes_of(argument)
        for name in self.extra:
            passed.append(f"(char *)arena + {self.arena_size}" if name == "top" else f"(const char *){name}")
        return [*passed, "arena"] if self.uses_arena else passed


def _shape(argument: Argument) -> str:
    return f"  /* {comment_text(str(argument))} */"


def _has_elements(argument: Argument) -> bool:
    return all(isinstance(size, int) and size > 0 for size in argument.shape)


def weights_functions(prefix: str, weights: Weights) -> list[str]:
    """Return the functions that check the file of weights: its header, for each call, and all of it, for callers."""
    total = weights.offsets[-1]
    header = ", ".join(f"UINT64_C({word})" for word in (MAGIC, total, weights.digest, 0))
    return [
        f"""\
static bool tw_weights_fit(const void *weights) {{
  static const uint64_t expected[{HEADER.size // 8}] = {{{header}}};
  return memcmp(weights, expected, sizeof expected) == 0;
}}""",
        f"""\
{weights_check(prefix)} {{
  const char *words = (const char *)weights + {ALIGNMENT};
  uint64_t sum = 0, word;
  if (!weights) return {BAD_ARGUMENT};
  if (bytes < {total} || !tw_weights_fit(weights)) return {BAD_WEIGHTS};
  for (uint64_t i = 0; i < {(total - ALIGNMENT) // 8}; ++i) {{
    memcpy(&word, words + i * 8, 8);
    sum += word * (((i + 1) * UINT64_C(0x9E3779B97F4A7C15)) | 1);
  }}
  return sum == UINT64_C({weights.digest}) ? 0 : {BAD_WEIGHTS};
}}""",
    ]


def weights_check(prefix: str) -> str:
    """Return the function that looks at all weights."""
    return f"int {prefix}_check_weights(const void *weights, size_t bytes)"


def message_function(prefix: str, checks: tuple[Check, ...]) -> str:
    """Return the function that explains each status."""
    texts = {0: "no error", BAD_ARGUMENT: "a pointer is null or a size is out of range"}
    texts[BAD_WEIGHTS] = "the weights are those of another model"
    texts |= {FIRST_CHECK + number: _check_text(check) for number, check in enumerate(checks)}
    cases = "".join(f"    case {status}: return {string_text(text)};\n" for status, text in texts.items())
    return f'{message(prefix)} {{\n  switch (status) {{\n{cases}    default: return "unknown status";\n  }}\n}}'


def message(prefix: str) -> str:
    """Return the function that explains a status."""
    return f"const char *{prefix}_message(int status)"


def _check_text(check: Check) -> str:
    position = f"{check.file}:{check.line}:{check.column}: " if check.file else ""
    return position + check.message.replace("{}", "…")
