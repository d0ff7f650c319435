"""
One generated program for each operator, schema version, element type and form, compiled, run and compared.

    python tests/onnx_suite/type_campaign.py [--match TEXT] [--every N] [--imports-only] [--jobs N]
    python tests/onnx_suite/type_campaign.py --write docs/onnx.md

A program is named by its operator, schema version, constraint, element type and form, such as `Pad-19 T bool 2`.

`specimens.py` says which programs there are. The judge is onnxruntime, else the evaluator that comes with the standard,
else both on the same program in wider types, rounded to the types that were asked for. Where the first of them differs,
a program is right if it agrees with another. A program that the checker refuses, or that no judge runs, is counted as
left out, with the reason.

`refusals.txt` lists the programs that may be refused, and the codes. The exit status is 1 where a result is wrong,
where something is raised that is no error of ours, and where a program is refused that the list does not have.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

os.environ.setdefault("TILEWRIGHT_PROGRAM_CACHE", "0")

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, shape_inference
from onnx.reference import ReferenceEvaluator
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.graph import ConstantOp
from tilewright.frontends.onnx import backend
from tilewright.frontends.onnx.importer import import_model
from tilewright.toolchain.forks import Ended, run_forked

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    __package__ = "onnx_suite"

from .page import write_part
from .specimen_makers import program_of
from .specimens import FORMS, NoForm, Program, Triple, triples

SAME, WRONG, RAW, REFUSED, LEFT_OUT, UNJUDGED = "same", "wrong", "raw error", "refused", "left out", "not judged"
VERDICTS = (SAME, WRONG, RAW, REFUSED, LEFT_OUT, UNJUDGED)

TOLERANCES: dict[str, tuple[float, float]] = {
    "float64": (1e-6, 1e-6),
    "float32": (1e-5, 1e-5),
    "float16": (2**-9, 2**-10),
    "bfloat16": (2**-6, 2**-7),
}
"""The greatest differences of a result, relative and absolute, by element type; others have to be equal.
Some operators compute float64 in float32, as the attribute stash_type says."""

_RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
_RECURRENT = {"GRU", "LSTM", "RNN"}
_NATIVE = {"bool", "float16", "float32", "float64", "object"} | {
    f"{s}int{n}" for s in ("", "u") for n in (8, 16, 32, 64)
}
_INVALID = (onnx.checker.ValidationError, shape_inference.InferenceError, RuntimeError, TypeError, ValueError)
_SECONDS = 60
_HERE = Path(__file__).resolve().parent
REFUSALS = _HERE / "refusals.txt"


@dataclass(frozen=True)
class Verdict:
    """The outcome of a program."""

    triple: Triple
    form: str
    outcome: str
    detail: str = ""
    code: str = ""

    def __str__(self) -> str:
        return f"{self.outcome}: {self.triple} {self.form}: {self.code} {self.detail}"


def judge(triple: Triple, form: str, imports_only: bool = False) -> Verdict:
    """Check the program of a triple and a form. Nothing that it raises gets out.

    With `imports_only` a program that the importer takes counts as the same.
    """
    try:
        program = program_of(triple, form)
        if imports_only and _is_imported(program):
            return Verdict(triple, form, SAME)
        wanted = _expected(triple, form, program)
        _check(program.model, None if isinstance(wanted, str) else wanted.results)
    except NoForm as error:
        return Verdict(triple, form, LEFT_OUT, str(error))
    except _INVALID as error:
        return Verdict(triple, form, LEFT_OUT, f"the checker refuses it: {_first_line(error)}")
    try:
        found = _results(program)
    except TilewrightError as error:
        if isinstance(wanted, str):
            return Verdict(triple, form, LEFT_OUT, wanted)
        return Verdict(triple, form, REFUSED, _reason(error), error.code)
    except Exception as error:  # the campaign looks for these
        return Verdict(triple, form, RAW, f"{type(error).__name__}: {_first_line(error)}")
    if isinstance(wanted, str):
        return Verdict(triple, form, UNJUDGED, wanted)
    problem = _first_problem(triple, found, wanted.results)
    if problem:
        for other in (_by_reference(program), _by_wider(triple, form, program)):
            if other is not None and not _first_problem(triple, found, other):
                return Verdict(triple, form, SAME, "as another judge")
    return Verdict(triple, form, WRONG, problem) if problem else Verdict(triple, form, SAME)


def _reason(error: TilewrightError) -> str:
    """Return the reason of a refusal, without names, sizes and types."""
    text = re.sub(r"^node '[^']*' \([^)]*\): ", "", _first_line(error.message))
    text = re.sub(r"has element type \w+", "has an element type", text)
    text = re.sub(r"( at opset \d+: |, but got ).*", "", text)
    return re.sub(r"'[^']*'|\[[^]]*\]", "…", text)


def _is_imported(program: Program) -> bool:
    try:
        import_model(program.model)
    except Exception:
        return False
    return True


def _results(program: Program) -> Sequence[Any]:
    """Return the results of the compiled program. Programs of one module and equal inputs are compiled and run once."""
    try:
        module = import_model(program.model)
    except TilewrightError:
        return list(backend.prepare(program.model).run(program.inputs))
    constants = [op.array for op in module.walk() if isinstance(op, ConstantOp)]
    return _of_module(_Once((str(module), *map(_digest, [*constants, *program.inputs.values()])), program))


@dataclass(frozen=True)
class _Once:
    """A program that equals those of the same key."""

    key: tuple[str, ...]
    program: Program = field(compare=False)


@lru_cache(64)
def _of_module(once: _Once) -> Sequence[Any]:
    return list(backend.prepare(once.program.model).run(once.program.inputs))


def _digest(array: np.ndarray) -> str:
    return f"{array.dtype}{array.shape}{array.tolist()}"


def _without_judge(triple: Triple, form: str, program: Program, reason: str) -> Verdict:
    """Check a program that no judge runs: it may be refused with any code, but may not end in another error."""
    try:
        backend.prepare(program.model).run(program.inputs)
    except TilewrightError:
        return Verdict(triple, form, LEFT_OUT, reason)
    except Exception as error:
        return Verdict(triple, form, RAW, f"{type(error).__name__}: {_first_line(error)} ({reason})")
    return Verdict(triple, form, UNJUDGED, reason)


@dataclass(frozen=True)
class Expected:
    """The results of a judge."""

    results: Sequence[np.ndarray]


def _expected(triple: Triple, form: str, program: Program) -> Expected | str:
    """Return the results of the first judge that runs the program, or the reason of the last."""
    if all(array.dtype.name in _NATIVE for array in program.inputs.values()):
        results = _by_onnxruntime(program)
        if not isinstance(results, str):
            return Expected(results)
    else:
        results = "onnxruntime takes no such arrays"
    if (other := _by_reference(program)) is not None and _has_stated_types(program.model, other):
        return Expected(other)
    if (wide := _by_wider(triple, form, program)) is not None:
        return Expected(wide)
    return results


def _has_stated_types(model: onnx.ModelProto, results: Sequence[np.ndarray]) -> bool:
    """Tell if results have the element types that the standard infers: the evaluator computes some in wider ones."""
    try:
        inferred = shape_inference.infer_shapes(model, data_prop=True).graph.output
    except _INVALID:
        return True
    codes = [value.type.tensor_type.elem_type for value in inferred]
    types = [helper.tensor_dtype_to_np_dtype(code) if code not in (0, TensorProto.STRING) else None for code in codes]
    return all(stated in (None, found.dtype) for stated, found in zip(types, results, strict=True))


def _check(model: onnx.ModelProto, results: Sequence[np.ndarray] | None = None) -> None:
    """Check a model, with the types of its outputs, which are inferred, or else those of results."""
    inferred = shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    for number, value in enumerate(inferred.graph.output):
        is_tensor = value.type.WhichOneof("value") in (None, "tensor_type")
        if results is not None and is_tensor and not value.type.tensor_type.HasField("shape"):
            text = results[number].dtype.kind in "OUT"
            code = TensorProto.STRING if text else helper.np_dtype_to_tensor_dtype(results[number].dtype)
            value.CopyFrom(helper.make_tensor_value_info(value.name, code, results[number].shape))
    del model.graph.output[:]
    model.graph.output.extend(inferred.graph.output)
    onnx.checker.check_model(model, full_check=True)


def _by_onnxruntime(program: Program) -> list[np.ndarray] | str:
    """Return the results of onnxruntime, without rewriting, or why it does not run the model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    if program.model.graph.node[-1].op_type in _RECURRENT and not all(each.size for each in program.inputs.values()):
        return "onnxruntime ends the process where a sequence has no element"
    try:
        session = onnxruntime.InferenceSession(
            program.model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        return [np.asarray(each) for each in session.run(None, program.inputs)]
    except Exception as error:  # its exceptions have no class of their own in common
        return f"onnxruntime: {_first_line(error)}"


def _by_reference(program: Program) -> list[np.ndarray] | None:
    try:
        with np.errstate(all="ignore"):
            results: list[Any] = ReferenceEvaluator(program.model).run(None, program.inputs)
            return [np.asarray(each[0] if isinstance(each, list) else each) for each in results]
    except Exception:  # an operator or type that it lacks ends in exceptions of every class
        return None


def _by_wider(triple: Triple, form: str, program: Program) -> list[np.ndarray] | None:
    """Return the results of the same program in wider types, rounded to its own."""
    try:
        _check(program.model)
        wide = program_of(triple, form, wide=True)
        _check(wide.model)
    except (NoForm, *_INVALID):
        return None
    wide.inputs = {
        name: program.inputs[name].astype(array.dtype) for name, array in wide.inputs.items() if name in program.inputs
    }
    results = _by_onnxruntime(wide)
    if isinstance(results, str) and (results := _by_reference(wide)) is None:
        return None
    elements = [value.type.tensor_type.elem_type for value in program.model.graph.output]
    types = [helper.tensor_dtype_to_np_dtype(element) for element in elements]
    with np.errstate(all="ignore"):
        return [each.astype(dtype) for each, dtype in zip(results, types, strict=True)]


def _first_problem(triple: Triple, found: Sequence[Any], wanted: Sequence[np.ndarray]) -> str:
    if len(found) != len(wanted):
        return f"{len(found)} results, not {len(wanted)}"
    pairs = zip(found, wanted, strict=True)
    problems = (_problem(np.asarray(a), b, triple.operator in _RANDOM) for a, b in pairs)
    return next((problem for problem in problems if problem), "")


def _problem(found: np.ndarray, wanted: np.ndarray, is_random: bool) -> str:
    is_text = found.dtype.kind in "OUST" and wanted.dtype.kind in "OUST"
    if found.dtype != wanted.dtype and not is_text:
        return f"dtype {found.dtype}, not {wanted.dtype}"
    if found.shape != wanted.shape:
        return f"shape {found.shape}, not {wanted.shape}"
    if is_random:
        return ""
    if is_text:
        return "" if found.astype(str).tolist() == wanted.astype(str).tolist() else f"{found}, not {wanted}"
    relative, absolute = TOLERANCES.get(found.dtype.name, (0.0, 0.0))
    a, b = (each.astype(np.float64) if each.dtype.name in TOLERANCES else each for each in (found, wanted))
    with np.errstate(all="ignore"):
        equal = (a == b) | ((a != a) & (b != b))
        if relative:
            equal |= np.abs(a - b) <= absolute + relative * np.abs(b)
    if np.all(equal):
        return ""
    at = tuple(int(k) for k in np.argwhere(~equal)[0])
    return f"{found[at]} at {list(at)}, not {wanted[at]}; {np.count_nonzero(~equal)} of {found.size}"


def _first_line(error: object) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), "")[:200]


# All programs


def programs(match: str = "", every: int = 1) -> list[tuple[Triple, str]]:
    """Return the triples and forms with `match` in their names, one of `every`. Versions of a triple follow one
    another."""
    found = [(triple, form) for triple in triples() for form in FORMS if match in f"{triple} {form}"]
    found.sort(key=lambda each: (each[0].operator, each[0].constraint, each[0].element, each[1], each[0].version))
    return found[::every]


def _judge_all(chunk: Sequence[tuple[Triple, str]], imports_only: bool) -> list[Verdict]:
    return [judge(*each, imports_only) for each in chunk]


def _judge_alone(each: tuple[Triple, str], imports_only: bool) -> Verdict:
    found = run_forked(lambda: judge(*each, imports_only), _SECONDS)
    return Verdict(*each, LEFT_OUT, f"a judge or the program {found}") if isinstance(found, Ended) else found


def verdicts(listed: Sequence[tuple[Triple, str]], jobs: int, imports_only: bool = False) -> Iterator[Verdict]:
    """Yield the verdicts in order. Where a process ends, as onnxruntime's may, its programs run in processes of their
    own."""
    chunks = [listed[k : k + 40] for k in range(0, len(listed), 40)]
    while chunks:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            waiting = [pool.submit(_judge_all, chunk, imports_only) for chunk in chunks]
            try:
                for future in waiting:
                    yield from future.result()
                    chunks = chunks[1:]
            except BrokenProcessPool:
                yield from (_judge_alone(each, imports_only) for each in chunks[0])
                chunks = chunks[1:]


# The list of refusals


@dataclass(frozen=True)
class Refusal:
    """The code and the reason of a program that is refused."""

    code: str
    reason: str


Refusals: TypeAlias = "dict[tuple[Triple, str], Refusal]"
_HEAD = """\
# The generated programs that are refused: operator, schema version, type constraint, element types; forms; code;
# reason. `make onnx-types` takes away what is refused no longer. No line may be added.
"""


def refused(found: Iterable[Verdict]) -> Refusals:
    """Return the programs that are refused."""
    return {(each.triple, each.form): Refusal(each.code, each.detail) for each in found if each.outcome == REFUSED}


def write_refusals(listed: Refusals, path: Path = REFUSALS) -> None:
    """Write the list: a line for an operator, version, constraint, reason and forms, with all element types."""
    rows: dict[tuple[str, int, str, str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (triple, form), refusal in listed.items():
        row = triple.operator, triple.version, triple.constraint, refusal.code, refusal.reason
        rows[row][triple.element].append(form)
    lines: list[str] = []
    for (operator, version, constraint, code, reason), by_element in sorted(rows.items()):
        by_forms: dict[str, list[str]] = defaultdict(list)
        for element, forms in by_element.items():
            by_forms[",".join(sorted(forms))].append(element)
        for forms, elements in sorted(by_forms.items()):
            lines.append(f"{operator}-{version} {constraint} {','.join(sorted(elements))}; {forms}; {code}; {reason}")
    path.write_text(_HEAD + "\n".join(lines) + "\n")


def listed_refusals() -> Refusals:
    """Return the programs that may be refused."""
    found: Refusals = {}
    for line in REFUSALS.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        names, forms, code, reason = line.split("; ", 3)
        head, constraint, elements = names.split(" ")
        operator, _, version = head.rpartition("-")
        for element in elements.split(","):
            for form in forms.split(","):
                found[Triple(operator, int(version), constraint, element), form] = Refusal(code, reason)
    return found


def not_allowed(found: Iterable[Verdict], listed: Refusals) -> list[Verdict]:
    """Return the verdicts that fail a campaign: wrong results, errors without a code, refusals that are new or blame a
    valid node."""
    bad: list[Verdict] = []
    for each in found:
        is_new = each.outcome == REFUSED and (each.code == "TW0303" or (each.triple, each.form) not in listed)
        if is_new or each.outcome in (WRONG, RAW):
            bad.append(each)
    return bad


# The part of the page

_PAGE = """\
## Element types

`make onnx-types` compiles and runs one program for each operator of the standard, version of its schema from opset 7
on, and element type that a constraint of the schema allows: one for each rank from 0 to 4, and one with a size of 0.
The judge is onnxruntime, else the evaluator that comes with the standard, else one of them on the same program in wider
types. Programs that the checker refuses, or that no judge runs, are left out.

A result may differ by so much, relative and absolute; results of other types are equal.

{tolerances}

Of {total} programs {count} are refused. tests/onnx_suite/refusals.txt lists them, and may only shrink; these are the
reasons.

{reasons}
"""


def page_of(found: Sequence[Verdict]) -> str:
    """Return the part of docs/onnx.md on element types."""
    tolerances = ["| type | relative | absolute |", "|---|---|---|"]
    tolerances += [f"| {name} | {a:.2g} | {b:.2g} |" for name, (a, b) in TOLERANCES.items()]
    return _PAGE.format(
        tolerances="\n".join(tolerances),
        total=len(programs()),
        count=len(refused(found)),
        reasons=table_of_reasons(refused(found)),
    )


def table_of_reasons(listed: Refusals) -> str:
    """Return a row for each reason, the most frequent first: the operators and the element types that it is given
    for."""
    rows: dict[Refusal, list[Triple]] = defaultdict(list)
    for (triple, _), refusal in listed.items():
        rows[refusal].append(triple)
    lines = ["| programs | operators | types | refused with |", "|---|---|---|---|"]
    for refusal, triples_ in sorted(rows.items(), key=lambda row: -len(row[1])):
        operators = ", ".join(sorted({each.operator for each in triples_}))
        elements = ", ".join(sorted({each.element for each in triples_}))
        lines.append(f"| {len(triples_)} | {operators} | {elements} | {refusal.code}: {refusal.reason} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--match", default="", metavar="TEXT", help="only programs with this in their names")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one program of so many")
    parser.add_argument("--imports-only", action="store_true", help="import alone: what is refused, in minutes")
    parser.add_argument("--listed", action="store_true", help="only programs of the list of refusals")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write a line for each program that is not the same")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table there, and the shorter list")
    args = parser.parse_args()
    if args.write is not None and (args.match or args.every > 1):
        parser.error("--write needs all programs")
    found: list[Verdict] = []
    listed = listed_refusals()
    chosen = [each for each in programs(args.match, args.every) if not args.listed or each in listed]
    with args.log.open("w") if args.log else nullcontext() as log:
        for verdict in verdicts(chosen, args.jobs, args.imports_only):
            found.append(verdict)
            if log is not None and verdict.outcome != SAME:
                print(verdict, file=log, flush=True)
    bad = not_allowed(found, listed)
    print(*bad, sep="\n")
    count = Counter(each.outcome for each in found)
    print(", ".join(f"{count[each]} {each}" for each in VERDICTS))
    if args.write is not None:
        write_refusals({key: refusal for key, refusal in refused(found).items() if key in listed})
        write_part(args.write, "## Element types", page_of(found))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
