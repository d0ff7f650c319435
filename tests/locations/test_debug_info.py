"""Line tables of compiled code lead to the lines of loops: of the final IR, or of the source."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cpu.jit import object_key
from tilewright.backends.cpu.llvm import CodeOptions
from tilewright.backends.cpu.module import llvm_text
from tilewright.driver.lowering import lower_module
from tilewright.driver.programs import as_module
from tilewright.tools import cli, opt

N = 256
X, Y = te.placeholder((N,), name="X"), te.placeholder((N,), name="Y")
K = te.reduce_axis((0, N), "k")
DOT = te.compute(
    (N,),
    lambda i: te.sum(
        X[K] * Y[(i + K) % N],  # the product
        axis=K,
    ),
    name="dot",
)
DEBUG = {"debug_info": True}

needs_addr2line = pytest.mark.needs("addr2line")


def built(**config: object) -> tilewright.Module:
    with tilewright.PassContext(config={**DEBUG, **config}):
        return tilewright.build([X, Y, DOT], [X, Y, DOT])


def positions(library: Path) -> Iterator[tuple[str, int, str]]:
    """Yield file, line and instruction of the code of a library's functions."""
    listing = subprocess.run(["objdump", "-d", library], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^ +([0-9a-f]+):\t[0-9a-f ]+\t(\S+)", listing, re.MULTILINE)
    asked = "\n".join(address for address, _ in found)
    answer = subprocess.run(
        ["addr2line", "-e", library], input=asked, capture_output=True, text=True, check=True
    ).stdout
    for (_, instruction), position in zip(found, answer.splitlines(), strict=True):
        file, line = re.sub(r" \(discriminator \d+\)", "", position).rsplit(":", 1)
        if line.isdecimal() and int(line):
            yield file, int(line), instruction


@needs_addr2line
def test_ir_lines(tmp_path: Path) -> None:
    library = tmp_path / "dot.so"
    program = built()
    program.save(library)
    text = tmp_path / "dot.ir.mlir"
    assert text.read_text() == program.get_source("mlir")
    lines = text.read_text().splitlines()
    found = [position for position in positions(library) if not position[0].endswith("interface.c")]
    assert {file for file, _, _ in found} == {str(text)}
    products = {lines[line - 1].split("=")[1].split()[0] for _, line, code in found if re.match(r"v?(fm|mul)", code)}
    assert products <= {"math.fma", "arith.mulf"} and products
    loops = [line for line in range(1, len(lines) + 1) if "loop.for" in lines[line - 1]]
    x, y = (np.random.default_rng(seed).integers(-4, 5, N).astype(np.float32) for seed in range(2))
    np.testing.assert_array_equal(tilewright.load_module(library)(x, y), program(x, y))
    jumps = {line for _, line, code in found if code.startswith(("j", "b.", "cb"))}  # of x86 and of ARM
    assert jumps & set(loops)


@needs_addr2line
def test_source_lines(tmp_path: Path) -> None:
    library = tmp_path / "dot.so"
    built(debug_lines="source").save(library)
    product = next(n for n, line in enumerate(Path(__file__).read_text().splitlines(), 1) if "# the product" in line)
    found = {(file, line) for file, line, _ in positions(library)}
    assert (__file__, product) in found
    assert {file for file, _ in found if not file.endswith("interface.c")} == {__file__}


@pytest.mark.needs("gdb")
def test_gdb_stops_in_the_loop(tmp_path: Path) -> None:
    library = tmp_path / "dot.so"
    built().save(library)
    lines = (tmp_path / "dot.ir.mlir").read_text().splitlines()
    innermost = max(n for n, line in enumerate(lines, 1) if "math.fma" in line or "arith.mulf" in line)
    commands = ["set debuginfod enabled off", f"info line dot.ir.mlir:{innermost}"]
    arguments = [argument for command in commands for argument in ("-ex", command)]
    run = subprocess.run(["gdb", "-nx", "-batch", *arguments, library], capture_output=True, text=True, check=False)
    assert re.search(rf'Line {innermost} of "dot\.ir\.mlir" (starts at|is at) address', run.stdout), run.stderr


def test_code_in_this_process_is_a_library_that_tools_read() -> None:
    program = built()
    x, y = (np.random.default_rng(seed).integers(-4, 5, N).astype(np.float32) for seed in range(2))
    index = (np.arange(N)[:, None] + np.arange(N)) % N
    np.testing.assert_array_equal(program(x, y), (x * y[index]).sum(axis=1))
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith(".so")}
    texts = [Path(path).with_suffix(".mlir") for path in mapped]
    assert program.get_source("mlir") in [path.read_text() for path in texts if path.exists()]


def test_parallel_loops_calls_and_several_functions() -> None:
    a = te.placeholder((64, 64), name="A")
    b = te.compute((64, 64), lambda i, j: te.exp(a[i, j]), name="B")
    s = te.create_schedule(b.op)
    s[b].parallel(b.op.axis[0])
    with tilewright.PassContext(config=DEBUG):
        program = tilewright.build({"one": tilewright.lower(s, [a, b]), "two": tilewright.lower(s, [a, b])})
    x = np.linspace(-2, 2, 64 * 64, dtype=np.float32).reshape(64, 64)
    for name in ("one", "two"):
        np.testing.assert_allclose(program[name](x, threads=2), np.exp(x), rtol=1e-6)
    text = program.get_source("llvm")
    for define in re.findall(r"^define .*", text, re.MULTILINE):
        assert "!dbg" in define or ".team" in define
    assert 'DISubprogram(name: "one.parallel' in text


def test_without_debug_info_text_and_keys_stay() -> None:
    module = lower_module(as_module([X, Y, DOT]))
    plain = llvm_text(module)
    assert "!dbg" not in plain and "DIFile" not in plain and "llvm.module.flags" not in plain
    debug = llvm_text(module, "ir")
    assert object_key(plain, CodeOptions(())) != object_key(debug, CodeOptions(()))
    without = re.sub(r"(,)? !dbg !\d+", "", debug[: debug.index("!llvm.dbg.cu")])
    assert without.rstrip() == plain.rstrip()


def test_settings() -> None:
    with pytest.raises(tilewright.TilewrightError, match="TW0208.*expected ir or source, but got 'lines'"):
        built(debug_lines="lines")


@pytest.fixture
def doubling(tmp_path: Path) -> Path:
    path = tmp_path / "doubling.mlir"
    path.write_text("""\
func.func @main(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %v = loop.load %x[%i] : memref<16xf32>
    %w = arith.addf %v, %v : f32
    loop.store %w, %y[%i] : f32, memref<16xf32>
  }
  func.return
}
""")
    return path


def test_opt_tool(doubling: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert opt.main(["-g=source", "--emit", "llvm", str(doubling)]) == 0
    text = capsys.readouterr().out
    assert f'!DIFile(filename: "{doubling.name}", directory: "{doubling.parent}")' in text
    location = re.search(r"fadd <\d+ x float> .*!dbg !(\d+)|fadd float .*!dbg !(\d+)", text)
    assert location is not None
    assert f"!{location[1] or location[2]} = !DILocation(line: 4, column: 10," in text


def test_compile_and_run(doubling: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compile", "-g", str(doubling)]) == 0
    assert re.search(r"\.loc\s+1 \d+", capsys.readouterr().out)
    assert cli.main(["run", "-g", str(doubling)]) == 0
    assert "y: float32[16]" in capsys.readouterr().out
