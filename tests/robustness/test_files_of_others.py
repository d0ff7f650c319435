"""Permissions of foreign files: without one they read no other files, write nowhere and run no code."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import tilewright
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save_file
from tilewright import PassContext, Schedule, TilewrightError, te
from tilewright.frontends.onnx import import_model
from tilewright.schedule.trace import Trace
from tilewright.tools.execute import safe_member

from .command import error, output, run
from .test_ir_files import MODULE, WEIGHT

FLOAT = np.float32


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(path))


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "fifo": (fifo, "it is a pipe"),
    "device": (device, "it is a device"),
    "folder": (Path.mkdir, "it is a folder"),
    "loop": (link_to_itself, "Too many levels of symbolic links"),
    "socket": (listening, "No such device or address"),
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "m.mlir": ("tilewright", "run", "m.mlir"),
    "m.onnx": ("tilewright", "run", "m.onnx"),
    "i.onnx": ("tilewright", "import", "i.onnx"),
    "c.mlir": ("tilewright", "compile", "c.mlir"),
    "x.npz": ("tilewright", "run", "good.mlir", "--input", "x.npz"),
    "o.mlir": ("opt-tool", "o.mlir"),
    "s.schedule": ("opt-tool", "--schedule", "s.schedule", "good.mlir"),
    "p.py": ("opt-tool", "--load", "p.py", "good.mlir"),
    "r.mlir": ("tilewright", "reduce", "r.mlir", "--test", "true"),
}


@pytest.mark.each("kind", KINDS)
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_no_file_is_not_waited_for(kind: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "good.mlir").write_text(MODULE.replace(' attributes {tw.weights = "m.safetensors"}', ""))
    make, words = KINDS[kind]
    make(tmp_path / name)
    assert words in error(tmp_path, *COMMANDS[name])


@pytest.mark.parametrize("kind", ["fifo", "folder"])
@pytest.mark.parametrize("name", ["m.safetensors", "program.so", "kernels.ptx"])
def test_what_libraries_would_open_is_a_file(kind: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(MODULE)
    make, words = KINDS[kind]
    make(tmp_path / name)
    path = tmp_path / ("m.mlir" if name == "m.safetensors" else name)
    with pytest.raises(TilewrightError, match=words) as caught:
        tilewright.load_module(path)
    assert caught.value.code == ("TW0705" if name == "m.safetensors" else "TW0204")


def weights_at(folder: Path, location: str) -> str:
    """Put the weights outside of the folder; what the module calls them."""
    outside = folder.parent / "outside.safetensors"
    save_file({"w": WEIGHT}, outside)
    match location:
        case "absolute":
            return str(outside)
        case "above":
            return "../outside.safetensors"
        case "link":
            (folder / "link.safetensors").symlink_to(outside)
            return "link.safetensors"
        case _:
            (folder / "sub").symlink_to(folder.parent)
            return "sub/outside.safetensors"


@pytest.mark.parametrize("location", ["absolute", "above", "link", "linked folder"])
def test_weights_are_in_the_folder_of_their_module(location: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    name = weights_at(folder, location)
    (folder / "m.mlir").write_text(MODULE.replace("m.safetensors", name))
    message = error(folder, "tilewright", "run", "m.mlir")
    assert f"error[TW0709]: expected the weights file in the folder of the model, but it names '{name}'" in message
    assert "--weights-outside" in message
    assert output(folder, "tilewright", "run", "m.mlir", "--weights-outside").startswith("y: float32[2, 4]")
    with PassContext(config={"weights_outside": True}):
        x = np.ones((2, 3), FLOAT)
        np.testing.assert_array_equal(tilewright.compile(folder / "m.mlir")(x), x @ WEIGHT)


def test_weights_below_the_folder_are_in_it(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    save_file({"w": WEIGHT}, tmp_path / "parts" / "w.safetensors")
    (tmp_path / "m.mlir").write_text(MODULE.replace("m.safetensors", "parts/w.safetensors"))
    assert output(tmp_path, "tilewright", "run", "m.mlir").startswith("y: float32[2, 4]")


def external_model(folder: Path, location: str) -> Path:
    value = helper.make_tensor_value_info
    weight = numpy_helper.from_array(WEIGHT, "w")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "g",
        [value("x", TensorProto.FLOAT, [2, 3])],
        [value("y", TensorProto.FLOAT, None)],
        [weight],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (initializer,) = model.graph.initializer
    initializer.ClearField("raw_data")
    initializer.data_location = TensorProto.EXTERNAL
    for key, text in (("location", location), ("offset", "16"), ("length", str(WEIGHT.nbytes))):
        entry = initializer.external_data.add()
        entry.key, entry.value = key, text
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


@pytest.mark.parametrize("location", ["../w.bin", "/etc/hostname", "link.bin", "a\0b"])
def test_external_data_is_in_the_folder_of_its_model(location: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "w.bin").write_bytes(bytes(16) + WEIGHT.tobytes())
    (folder / "link.bin").symlink_to(tmp_path / "w.bin")
    external_model(folder, location)
    assert "error[TW0709]: " in error(folder, "tilewright", "run", "m.onnx")
    if location in ("../w.bin", "link.bin"):
        with PassContext(config={"weights_outside": True}):
            program = tilewright.compile(import_model(folder / "m.onnx"))
        np.testing.assert_array_equal(program(np.ones((2, 3), FLOAT)), np.ones((2, 3), FLOAT) @ WEIGHT)


@pytest.mark.parametrize(
    ("key", "text"), [("offset", "-1"), ("offset", "1e3"), ("length", str(1 << 70)), ("length", "²")]
)
def test_external_data_with_odd_numbers(key: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "w.bin").write_bytes(bytes(16) + WEIGHT.tobytes())
    path = external_model(tmp_path, "w.bin")
    x = np.ones((2, 3), FLOAT)
    np.testing.assert_array_equal(tilewright.compile(import_model(path))(x), x @ WEIGHT)
    model = onnx.load(path, load_external_data=False)
    (entry,) = (e for e in model.graph.initializer[0].external_data if e.key == key)
    entry.value = text
    path.write_bytes(model.SerializeToString())
    assert f"its {key} is {text!r}" in error(tmp_path, "tilewright", "run", "m.onnx")


def test_outputs_called_like_paths(tmp_path: Path) -> None:
    """Whoever unpacks the archive writes below the folder that he chose."""
    names = ["../../x", "/etc/x", "C:\\x", "..\\x", "a/../../b", "__/__/x", "bell\a"]
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])
    nodes = [helper.make_node("Identity", ["x"], [name]) for name in names]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in names]
    graph = helper.make_graph(nodes, "g", [value], results)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "m.onnx")
    np.savez(tmp_path / "x.npz", x=np.array([1, 2, 3], FLOAT))
    result = run(tmp_path, "tilewright", "run", "m.onnx", "--input", "x.npz", "--output", "y.npz")
    assert result.status == 0 and "note: output '../../x' is called '__/__/x_' in the file" in result.err
    assert "\a" not in result.out + result.err
    with np.load(tmp_path / "y.npz") as found:
        assert len(found.files) == len(names)
        for name in found.files:
            np.testing.assert_array_equal(found[name], [1, 2, 3])
            parts = Path(name.replace("\\", "/")).parts
            assert ".." not in parts and not name.startswith(("/", "\\")) and ":" not in parts[0] and name.isprintable()


@pytest.mark.parametrize("name", ["x", "a/b", "...", "a..b", "out 0", "naïve"])
def test_other_names_stay(name: str) -> None:
    assert safe_member(name) == name


CALLS: dict[str, str] = {
    "a call": """
func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
  loop.call_extern "system" (read %x[0] box [4] : memref<4xf32>, write %y[0] box [4] : memref<4xf32>)
  func.return
}""",
    "a scalar call": """
func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
  %a = loop.load %x[0] : memref<4xf32>
  %b = loop.call_pure_extern "sinf"(%a) : (f32) -> f32
  loop.store %b, %y[0] : memref<4xf32>
  func.return
}""",
    "code": """
func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) attributes {
    tw.foreign = [#loop.foreign<"c", "__attribute__((constructor)) void f(void) {}">]} {
  %a = loop.load %x[0] : memref<4xf32>
  loop.store %a, %y[0] : memref<4xf32>
  func.return
}""",
}


def foreign_module(name: str) -> str:
    return f"builtin.module {{{CALLS[name]}\n}}\n"


@pytest.mark.each("name", CALLS)
@pytest.mark.parametrize(
    "command",
    [
        ("tilewright", "run"),
        ("tilewright", "run", "--backend", "interpreter"),
        ("tilewright", "compile"),
        ("opt-tool", "--emit", "asm"),
        ("opt-tool", "--validate", "--pass", "simplify"),
        ("opt-tool", "--bisect", "--pass", "simplify"),
        ("opt-tool", "--trace", "pages"),
    ],
)
def test_foreign_code_of_a_file_takes_permission(name: str, command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(foreign_module(name))
    message = error(tmp_path, *command, "m.mlir")
    assert "error[TW0670]: expected no foreign code in a file, but this " in message and "--allow-foreign" in message
    assert output(tmp_path, "opt-tool", "m.mlir").startswith("builtin.module {"), "it can be read without being run"


def test_foreign_code_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(foreign_module("a scalar call"))
    x = np.full(4, 0.5, FLOAT)
    expected = np.sin(FLOAT(0.5))
    assert output(tmp_path, "tilewright", "run", "--allow-foreign", "m.mlir").startswith("y: float32[4]")
    with pytest.raises(TilewrightError, match="TW0670"):
        tilewright.compile(path)
    programs = [tilewright.compile(path, allow_foreign=True)]
    with PassContext(config={"allow_foreign": True}):
        programs.append(tilewright.compile(path))
    for program in programs:
        np.testing.assert_allclose(np.asarray(program(x))[0], expected, rtol=1e-6)


def test_programs_of_the_user_call_foreign_code_as_they_are() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: te.call_pure_extern("float32", "sinf", a[i]), name="B")
    x = np.linspace(0, 1, 4, dtype=FLOAT)
    np.testing.assert_allclose(tilewright.build([a, b], [a, b])(x), np.sin(x), rtol=1e-6)


def scheduled() -> Schedule:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    return Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b])}))


@pytest.mark.parametrize("how", ["import_foreign", "pragma"])
def test_schedules_of_files_bring_no_foreign_code(how: str, tmp_path: Path) -> None:
    schedule = scheduled()
    code = "void f(void) {}"
    if how == "pragma":
        schedule.pragma(schedule.get_loops(schedule.get_block("B"))[0], "import_c", code)
    else:
        schedule.import_foreign("c", code)
    trace = schedule.trace
    for read, text in ((Trace.from_json, trace.as_json()), (Trace.from_mlir, trace.as_mlir())):
        with pytest.raises(TilewrightError, match=rf"TW0670.*{how} adds foreign code"):
            read(text)
        again = scheduled()
        read(text, allow_foreign=True).apply_to(again)
        assert str(again.func) == str(schedule.func)
    (tmp_path / "s.schedule").write_text(trace.as_mlir("main"))
    (tmp_path / "m.mlir").write_text(f"{scheduled().mod}\n")
    message = error(tmp_path, "opt-tool", "--schedule", "s.schedule", "m.mlir")
    assert message.startswith("s.schedule:") and "error[TW0670]" in message
    assert code in output(tmp_path, "opt-tool", "--allow-foreign", "--schedule", "s.schedule", "m.mlir")


@pytest.mark.parametrize("name", ["x = 1", "__import__('os')", "class", ""])
def test_handles_of_traces_are_names(name: str) -> None:
    """They stand in the Python form of a trace."""
    schedule = scheduled()
    schedule.get_block("B")
    text = schedule.trace.as_json()
    with pytest.raises(TilewrightError, match="TW0408"):
        Trace.from_json(text.replace('"b0"', repr(name).replace("'", '"')))


def test_a_reproducer_names_python_files_and_does_not_load_them(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    text = "// tilewright-reproducer "
    (tmp_path / "plain.mlir").write_text("func.func @main() {\n  func.return\n}\n")
    (tmp_path / "broken.py").write_text(
        "from dataclasses import dataclass\nimport tilewright\n\n\n"
        "@tilewright.register_pass(phase=2)\n@dataclass(frozen=True)\n"
        "class Broken(tilewright.Pass):\n    name = 'broken-pass'\n\n"
        "    def apply(self, ctx, op):\n        raise RuntimeError('no')\n"
    )
    run(tmp_path, "opt-tool", "--load", "broken.py", "--pass", "broken-pass", "--reproducer", "r.mlir", "plain.mlir")
    text = (tmp_path / "r.mlir").read_text().replace("broken.py", "evil.py")
    (tmp_path / "r.mlir").write_text(text)
    message = error(tmp_path, "opt-tool", "--run-reproducer", "r.mlir")
    assert "error[TW0671]" in message and "--load evil.py" in message
    assert not (tmp_path / "ran").exists()


def test_errors_quote_no_file_that_ir_names_as_its_location(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret line\n")
    location = f'loc("{secret}":1:1)'
    text = f"func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {{\n  func.return %x : tensor<4xf32> {location}\n}}\n"
    (tmp_path / "m.mlir").write_text(text)
    message = error(tmp_path, "opt-tool", "m.mlir")
    assert "secret.txt:1:1: error" in message and "the secret line" not in message
    shutil.copy(tmp_path / "m.mlir", tmp_path / "n.mlir")
    (tmp_path / "n.mlir").write_text(text.replace(str(secret), "/dev/zero"))
    assert "/dev/zero:1:1: error" in error(tmp_path, "opt-tool", "n.mlir")


def test_messages_of_assertions_are_no_format_strings(tmp_path: Path) -> None:
    message = "{0.__class__.__init__.__globals__} {name} { {} }"
    text = (
        "func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {\n"
        f'  loop.assert (0 > 0), "{message}" (7)\n  func.return\n}}\n'
    )
    (tmp_path / "m.mlir").write_text(text)
    for words in ((), ("--backend", "interpreter")):
        found = error(tmp_path, "tilewright", "run", *words, "m.mlir")
        assert "error[TW0730]: {0.__class__.__init__.__globals__} {name} { 7 }" in found


def test_names_act_on_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text('"unknown\x1b]0;title\a.op"() : () -> ()\n')
    assert not {"\x1b", "\a"} & set(error(tmp_path, "opt-tool", "m.mlir"))
