"""Compiled programs in pickles: other processes, programs that were loaded, refusals."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import onnx.parser
import pytest
import tilewright
from small_network import network
from tilewright import te
from tilewright.runtime import pickling
from tilewright.runtime.pickling import MOST_RESTORED, restored_module

X = np.random.default_rng(0).standard_normal((1, 3, 16, 16), np.float32)
SUM = """<ir_version: 10, opset_import: ["" : 21]>
g (float[4, 6] x, int64[k] axes) => (y) { y = ReduceSum(x, axes) }"""


@pytest.fixture(autouse=True)
def nothing_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickling, "_restored", type(pickling._restored)())


@pytest.fixture(scope="module")
def program() -> Any:
    return tilewright.compile(network())


def scaled(factor: float, name: str = "scale") -> Any:
    A = te.placeholder((4,), name="A")
    B = te.compute((4,), lambda i: A[i] * factor, name="B")
    return tilewright.build([A, B], name=name)


def there_and_back(value: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_a_program_built_in_this_process(program: Any, protocol: int) -> None:
    back = there_and_back(program, protocol)
    assert str(back.signature) == str(program.signature)
    np.testing.assert_array_equal(back(X), program(X))
    assert back is not program and there_and_back(program, protocol) is back


def test_contents_need_not_be_copied(program: Any) -> None:
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(program, 5, buffer_callback=buffers.append)
    assert len(text) < 1000 < sum(len(buffer.raw()) for buffer in buffers)
    np.testing.assert_array_equal(pickle.loads(text, buffers=buffers)(X), program(X))


@pytest.mark.parametrize("form", ["inside", "beside", "tar"])
def test_a_program_that_was_loaded(program: Any, form: str, tmp_path: Path) -> None:
    """Its files may be gone, and others lie in their place."""
    path = tmp_path / ("p.tar" if form == "tar" else "p.so")
    program.save(path, weights=None if form == "tar" else form)
    loaded = tilewright.load_module(path)
    assert sorted(name for name, _ in loaded.origin.files) == sorted(
        file for file in os.listdir(tmp_path) if file != "p.h"
    )
    for file in tmp_path.iterdir():
        file.unlink()
    scaled(2).save(path)
    back = there_and_back(loaded)
    again = there_and_back(back)
    for each in (loaded, back, again):
        np.testing.assert_array_equal(each(X), program(X))


def test_functions(program: Any) -> None:
    both = tilewright.build({"double": tilewright.lower(*_scale(2)), "triple": tilewright.lower(*_scale(3))})
    double, triple = there_and_back([both["double"], both["triple"]])
    ones = np.ones(4, np.float32)
    assert double(ones)[0] == 2 and triple(ones)[0] == 3
    assert double.origin[0] is triple.origin[0]
    np.testing.assert_array_equal(there_and_back(program["main"])(X), program(X))


def _scale(factor: float) -> Any:
    A = te.placeholder((4,), name="A")
    B = te.compute((4,), lambda i: A[i] * factor, name="B")
    return te.create_schedule(B.op), [A, B]


def test_versions_and_what_they_are_for() -> None:
    program = tilewright.compile(onnx.parser.parse_model(SUM), specialise=[{"axes": [0]}, {"axes": [1]}])
    back = there_and_back(program)
    x = np.random.default_rng(1).random((4, 6), np.float32)
    for axes in ([0], [1]):
        np.testing.assert_array_equal(back(x, np.array(axes)), program(x, np.array(axes)))
    with pytest.raises(tilewright.TilewrightError, match="TW0714"):
        back(x, np.array([-1]))


def test_kernels_of_a_gpu(tmp_path: Path) -> None:
    A = te.placeholder((64,), name="A")
    B = te.compute((64,), lambda i: A[i] * 2.0, name="B")
    schedule = te.create_schedule(B.op)
    schedule[B].bind(B.op.axis[0], te.thread_axis("threadIdx.x"))
    try:
        built = tilewright.build(schedule, [A, B], "cuda")
        back = there_and_back(built)
    except tilewright.TilewrightError as error:
        assert error.code == "TW0635"  # nothing here makes PTX
        pytest.skip("no compiler of PTX is installed")
    assert back.get_source("ptx") == built.get_source("ptx")
    assert str(there_and_back(back).signature) == str(built.signature)


def test_threads_are_those_that_were_stated() -> None:
    """A program for all threads of a process has all of the process that it comes to."""
    A = te.placeholder((4,), name="A")
    B = te.compute((4,), lambda i: A[i] * 2.0, name="B")
    schedule = te.create_schedule(B.op)
    assert there_and_back(tilewright.build(schedule, [A, B], threads=7)).threads == 7
    restore, arguments = tilewright.build(schedule, [A, B]).__reduce_ex__(4)
    assert restore is restored_module and arguments[2] is None


def test_a_process_loads_a_program_once() -> None:
    data = pickle.dumps(scaled(2))
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(pickle.loads(data))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len({id(each) for each in found}) == 1


def test_programs_make_room() -> None:
    first = pickle.dumps(scaled(2, "first"))
    kept = pickle.loads(first)
    _, (_, files, _) = scaled(3).__reduce_ex__(4)
    for number in range(MOST_RESTORED):
        restored_module(f"{number}", files, None)
    assert len(pickling._restored) == MOST_RESTORED
    assert pickle.loads(first) is not kept and kept(np.ones(4, np.float32))[0] == 2


def test_what_has_no_machine_code_is_refused() -> None:
    interpreted = tilewright.compile(network(), "interpreter")
    no_version = tilewright.compile(onnx.parser.parse_model(SUM))
    for value in (interpreted, interpreted.entry, no_version):
        with pytest.raises(tilewright.TilewrightError, match="TW0614"):
            pickle.dumps(value)


def test_a_damaged_pickle_is_refused() -> None:
    _, (digest, files, threads) = scaled(2).__reduce_ex__(4)
    (name, content), *_ = files
    for damaged in (content[:-100], content[: len(content) // 2] + b"?" + content[len(content) // 2 + 1 :], b""):
        with pytest.raises(tilewright.TilewrightError, match="TW0711"):
            restored_module(f"{digest} {len(damaged)}", [(name, damaged)], threads)


def test_copies_compute(program: Any) -> None:
    for each in (copy.copy(program), copy.deepcopy(program)):
        np.testing.assert_array_equal(each(X), program(X))


def test_a_process_without_the_compiler(program: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "p.pickle").write_bytes(pickle.dumps(program))
    code = """
import pickle, sys
import numpy as np
program = pickle.load(open("p.pickle", "rb"))
np.save("y.npy", program(np.load("x.npy")))
print([m for m in ("xdsl", "llvmlite", "islpy", "numba", "onnx") if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), program(X))


def _run(function: Any, images: Any) -> tuple[int, int, Any]:
    return os.getpid(), len(pickling._restored), np.stack([function(image) for image in images])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes(program: Any, method: str) -> None:
    images = np.random.default_rng(2).standard_normal((6, 2, 1, 3, 16, 16), np.float32)
    with ProcessPoolExecutor(2, get_context(method)) as pool:
        answers = list(pool.map(_run, [program] * len(images), images))
    expected = [np.stack([program(image) for image in batch]) for batch in images]
    assert {loaded for _, loaded, _ in answers} == {1}
    assert os.getpid() not in {process for process, _, _ in answers}
    np.testing.assert_array_equal([found for _, _, found in answers], expected)
