"""The floors of the house: who may import whom, and that packaging knows every folder."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

FLOORS: dict[str, int] = {
    "runtime": 0,  # what a compiled program needs to run: a distribution too, which has nothing else of this package
    "forks": 1,
    "hardware": 1,
    "traversal": 1,
    "diagnostics": 2,
    "renamed": 2,
    "lazy": 3,
    "ir": 4,
    "plugins": 4,
    "toolchain": 5,
    "dialects": 5,
    "analysis": 6,
    "semantics": 7,
    "te": 8,
    "operators": 9,
    "topi": 10,
    "schedule": 10,
    "passes": 11,
    "backends": 12,
    "frontends": 12,  # a frontend makes graph IR and needs no driver; the driver reads models through it
    "driver": 13,
    "tune": 14,  # compiles and measures what schedules may become
    "classic": 15,  # names of old programs, on everything that programs use
    "tools": 16,
    # names for users, each a face on what is below
    "script": 14,
    "tir": 14,
}
"""A part imports parts of lower floors and itself; a module that is named alone stands elsewhere than its part."""

FACES = {"__init__", "__main__", "renamed", "universe", "te/__init__"}
"""Modules that offer names of other parts to the outside; of `renamed` others import the tables alone."""

LEAVES: dict[str, set[str]] = {
    "dialects/target": {"hardware", "lazy", "diagnostics", "dialects"},
}
"""The parts that these may import, whatever their floor."""

REFERENCE = re.compile(r"^\.?[a-z_][\w.]*:[A-Za-z_]\w*$")
MAY_REFER = re.compile(r"""["']\.?[a-z_][\w.]*:[A-Za-z_]\w*["']""")
"""A pattern that each source with a reference matches, and some others; parsing all sources takes seconds."""


def modules() -> dict[str, Path]:
    """Return the modules of the package by path without suffix, tests, lit files and examples left out."""
    outside = {"tests", "lit", "benchmarks", "examples", "docs", "build"}
    return {
        str(path.relative_to(ROOT).with_suffix("")): path
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).parts[0] not in outside
        and not any(p.startswith(".") for p in path.relative_to(ROOT).parts)
    }


MODULES = modules()
PACKAGES = sorted({str(path.parent.relative_to(ROOT)) for path in MODULES.values()})


def imports(name: str) -> set[str]:
    """Return the parts of this package that a module imports, at its top or inside functions."""
    package = ["tilewright", *Path(name).parent.parts]
    found: set[str] = set()
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *(node.module.split(".") if node.module else [])])
            found |= {module} if node.module else {f"{module}.{alias.name}" for alias in node.names}
    parts = (module.split(".") for module in found if module.split(".")[0] == "tilewright")
    return {part[1] for part in parts if len(part) > 1 and not part[1].startswith("__")}


def references(name: str) -> list[str]:
    """Return the "module:Name" strings of a module, as full module names."""
    found: list[str] = []
    text = MODULES[name].read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if MAY_REFER.search(text) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and REFERENCE.match(node.value):
            found.append(node.value)
    return found


def resolve(name: str, reference: str) -> str | None:
    """Return the full name of the module that `reference`, found in module `name`, means; None where there is none."""
    module = reference.partition(":")[0].strip(".").replace(".", "/")
    here = Path(name).parent
    below = [Path(package) for package in PACKAGES if Path(package).parent == here]
    for folder in (here, *below, Path(".")):
        path = str(folder / module)
        if path in MODULES or f"{path}/__init__" in MODULES:
            return path
    return None


def part_of(name: str) -> str:
    return Path(name).parts[0]


@pytest.mark.each("name", MODULES)
def test_imports_go_down(name: str) -> None:
    if name in FACES:
        return
    reached = imports(name)
    reached |= {part_of(path) for text in references(name) if (path := resolve(name, text)) is not None}
    part = part_of(name)
    allowed = LEAVES.get(part) or LEAVES.get(name)
    if allowed is None:
        assert part in FLOORS, f"{name} belongs to no floor"
        limit = FLOORS.get(name, FLOORS[part])
        allowed = {other for other, floor in FLOORS.items() if floor < limit} | {part}
    assert reached <= allowed, f"{name} imports {sorted(reached - allowed)}, which stand above it"


def test_passes_never_import_a_backend_nor_one_backend_another() -> None:
    folders = {Path(name).parts[1] for name in MODULES if part_of(name) == "backends" and len(Path(name).parts) > 2}
    backends = folders - {"written", "cache", "rules"}  # what backends have in common
    for name in MODULES:
        if part_of(name) == "backends" and len(Path(name).parts) > 2:
            others = backends - {Path(name).parts[1]}
            text = MODULES[name].read_text(encoding="utf-8")
            assert not any(re.search(rf"\bbackends\.{other}\b|from \.+{other}\b", text) for other in others), name


@pytest.mark.each("name", [n for n in MODULES if MAY_REFER.search(MODULES[n].read_text(encoding="utf-8"))])
def test_references_resolve(name: str) -> None:
    for reference in references(name):
        path = resolve(name, reference)
        if path is None:
            assert name == "lazy", f"{name} names {reference}, which is no module of this package"
            continue
        module = import_module(".".join(["tilewright", *Path(path).parts]))
        assert hasattr(module, reference.partition(":")[2]), f"{name} names {reference}, which does not exist"


def test_packaging_lists_every_folder() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    expected = ["tilewright" if p == "." else "tilewright." + p.replace("/", ".") for p in PACKAGES]
    assert sorted(listed) == sorted(expected)


def test_the_folders_of_phases_list_their_passes() -> None:
    from tilewright.passes.framework.registry import BUILTIN

    known = {entry.module.partition(":")[0].replace(".", "/") for entry in BUILTIN.values()}
    found = {"/".join(Path(name).parts[:3]) for name in MODULES if re.match(r"passes/phase\d/(?!__init__)", name)}
    assert found == known


def test_beside_the_pipeline_stand_folders_of_passes() -> None:
    assert {path.name for path in (ROOT / "passes").glob("*.py")} == {"__init__.py", "pipeline.py"}


def test_every_folder_is_a_package() -> None:
    for package in PACKAGES:
        assert (ROOT / package / "__init__.py").exists(), package


def test_front_door_offers_what_it_says() -> None:
    import tilewright
    from tilewright.classic import import_paths

    parts = {*tilewright._MODULES, *import_paths.MODULES}
    assert set(tilewright.__all__) == {"__version__", *tilewright._EXPORTS, *parts}
    for name in tilewright.__all__:
        assert getattr(tilewright, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tilewright.nothing


@pytest.mark.parametrize("folder", ["diagnostics", "runtime", "dialects"])
def test_a_folder_of_the_checkout_is_no_top_level_module(folder: str) -> None:
    """Its classes would be others than those of the package, such as the error class."""
    run = subprocess.run([sys.executable, "-c", f"import {folder}"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1 and "ImportError" in run.stderr.splitlines()[-1]


def test_version_is_the_same_everywhere() -> None:
    import tilewright

    for folder, package in ((ROOT, "tilewright.runtime"), (ROOT / "runtime", "tilewright_runtime")):
        stated = tomllib.loads((folder / "pyproject.toml").read_text())
        assert "version" in stated["project"]["dynamic"]
        assert stated["tool"]["setuptools"]["dynamic"]["version"] == {"attr": f"{package}.__version__"}
    assert tilewright.__version__ is tilewright.runtime.__version__


HEAVY = ("numpy", "llvmlite", "numba", "onnx", "islpy", "ml_dtypes", "safetensors", "rich")


@pytest.mark.parametrize(
    "module",
    [
        "tilewright",
        "tilewright.diagnostics.parsing",
        "tilewright.dialects",
        "tilewright.passes.framework.registry",
        "tilewright.passes.pipeline",
        "tilewright.universe",
        "tilewright.tools.opt",
        "tilewright.tools.cli",
        "tilewright.tools.process",
    ],
)
def test_nothing_heavy_is_imported_early(module: str) -> None:
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


OF_USERS = {"ml_dtypes", "torch"}
"""Modules that the runtime imports where a program brings them: narrow floats, and tensors as arguments."""


def test_the_runtime_imports_itself_and_numpy() -> None:
    """By relative imports alone: the distribution of the runtime has another name."""
    allowed = {"numpy", *sys.stdlib_module_names, *OF_USERS}
    for name in (name for name in MODULES if part_of(name) == "runtime"):
        depth = len(Path(name).parts) - 1
        for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
            found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level <= depth, f"{name} imports from above the runtime"
                found = [] if node.level else [str(node.module)]
            assert {module.partition(".")[0] for module in found} <= allowed, f"{name} imports {found}"


def test_the_runtime_loads_nothing_of_the_compiler() -> None:
    modules = [name.replace("/", ".").removesuffix(".__init__") for name in MODULES if part_of(name) == "runtime"]
    code = f"""
import sys
from importlib import import_module
for module in {modules!r}:
    import_module(f"tilewright.{{module}}")
tables = {{"tilewright.classic", "tilewright.classic.import_paths", "tilewright.renamed"}}
loaded = {{name for name in sys.modules if name.startswith("tilewright.")}} - tables
print(sorted({{name.split(".")[1] for name in loaded}}), "xdsl" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['lazy', 'runtime'] False"
