"""The table of builtin passes agrees with the classes, and a compilation imports the passes that it runs, no others."""

from __future__ import annotations

import subprocess
import sys

from tilewright import PassContext, build, te
from tilewright.passes import Instrument
from tilewright.passes.framework.registry import BUILTIN, get_pass
from tilewright.passes.framework.table import PASSES, PassEntry
from tilewright.tools.pass_descriptions import of_class, of_source
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

PROGRAM = """\
import sys
from tilewright import build, te

A = te.placeholder((16,), name="A")
B = te.compute((16,), lambda i: A[i] + 1, name="B")
build(te.create_schedule(B.op), [A, B])
print("\\n".join(name for name in sys.modules if name.startswith("tilewright.")))
"""

UNUSED = (
    "operators.", "passes.upstream.", "dialects.upstream.", "passes.phase0.convert_",
    # other targets, frontends and tools
    "backends.c.", "backends.cuda.", "schedule.rules.cuda.", "frontends.onnx.", "topi.", "tools.", "tune.",
)  # fmt: skip
"""Parts that a build of a tensor expression for the CPU does not use, as the beginnings of modules' names."""


class Recorder(Instrument):
    """The names of the passes that run."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.names.add(pass_.name)


def module_of(entry: PassEntry) -> str:
    return f"tilewright.{entry.module.partition(':')[0]}"


def test_entries_equal_classes() -> None:
    """Facts, docstrings and options that listings read from the table and from sources are those of the classes."""
    wrong = [e.name for e in PASSES if e != PassEntry.of(e.load()) or of_source(e) != of_class(get_pass(e.name))]
    assert not wrong, f"these entries differ from their classes: {wrong}"


def test_entries_are_ordered_and_unique() -> None:
    assert list(PASSES) == sorted(PASSES, key=lambda entry: (entry.phase, entry.name))
    assert len(BUILTIN) == len(PASSES)


def test_the_first_build_imports_only_what_it_runs() -> None:
    """No operator, nothing of upstream MLIR or another target, and no pass that does not run on the module."""
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    imported = set(run.stdout.split())
    found = [name for name in imported if f"{name}.".startswith(tuple(f"tilewright.{part}" for part in UNUSED))]
    assert not found, f"the first build imports {sorted(found)}"
    recorder = Recorder()
    a = te.placeholder((16,), name="A")
    b = te.compute((16,), lambda i: a[i] + 1, name="B")
    with PassContext(instruments=[recorder]):
        build(te.create_schedule(b.op), [a, b])
    assert {"lower-te", "auto-schedule", "cse"} <= recorder.names
    assert {entry.name for entry in PASSES if module_of(entry) in imported} == recorder.names


def test_listing_imports_no_pass() -> None:
    script = (
        "import sys\nfrom tilewright.tools.pass_descriptions import list_passes\nassert 'vectorize' in list_passes()\n"
        "print('\\n'.join(name for name in sys.modules if name.startswith('tilewright.passes.phase')))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == {f"tilewright.passes.phase{phase}" for phase in range(4)}
