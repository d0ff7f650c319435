"""Programs as libraries with weights beside them and as packages: written, read, built again, refused where damaged."""

from __future__ import annotations

import hashlib
import json
import pickle
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.runtime import Module, load_module
from tilewright.runtime.buffers import is_aligned
from tilewright.runtime.package_info import package_info
from tilewright.runtime.params import unpack_params

from .network import TARGET, X, network


@pytest.fixture(scope="module")
def program() -> Module:
    return tilewright.compile(network(), target=TARGET)


@pytest.fixture(scope="module")
def folder(program: Module, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save the program in each form that can be loaded."""
    folder = tmp_path_factory.mktemp("packages")
    program.save(folder / "inside.so")
    program.save(folder / "beside.so", weights="beside")
    program.save(folder / "package.tar")
    return folder


def refusal(path: Path) -> str:
    """Return the code that loading a file and running it ends in."""
    with pytest.raises(TilewrightError) as caught:
        load_module(path)(X)
    return caught.value.code


def test_each_form_gives_the_bits_of_the_program(program: Module, folder: Path) -> None:
    for name in ("inside.so", "beside.so", "package.tar"):
        loaded = load_module(folder / name)
        for _ in range(2):
            np.testing.assert_array_equal(loaded(X), program(X))
        np.testing.assert_array_equal(loaded.run({"x": X})["y"], program(X))


def test_a_library_that_is_rewritten_by_tools_keeps_its_constants(
    program: Module, folder: Path, tmp_path: Path
) -> None:
    subprocess.run(["strip", "-o", tmp_path / "stripped.so", folder / "inside.so"], check=True)
    np.testing.assert_array_equal(load_module(tmp_path / "stripped.so")(X), program(X))
    program.save(tmp_path / "x.o")
    subprocess.run(["cc", "-shared", "-o", tmp_path / "linked.so", tmp_path / "x.o", "-lm"], check=True)
    np.testing.assert_array_equal(load_module(tmp_path / "linked.so")(X), program(X))


def test_weights_beside_are_safetensors_at_multiples_of_64(folder: Path) -> None:
    data = (folder / "beside.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    assert (8 + length) % 64 == 0
    header = json.loads(data[8 : 8 + length])
    assert [entry["data_offsets"][0] % 64 for name, entry in header.items() if "padding" not in name] == [0, 0, 0]
    assert sorted(a.size for name, a in safetensors.numpy.load(data).items() if "padding" not in name) == [3, 60, 120]


def test_weights_that_another_tool_wrote_are_copied(program: Module, folder: Path, tmp_path: Path) -> None:
    arrays = safetensors.numpy.load_file(folder / "beside.safetensors")
    kept = {name: array for name, array in reversed(arrays.items()) if "padding" not in name}
    (tmp_path / "beside.so").write_bytes((folder / "beside.so").read_bytes())
    safetensors.numpy.save_file(kept, tmp_path / "beside.safetensors")
    np.testing.assert_array_equal(load_module(tmp_path / "beside.so")(X), program(X))
    safetensors.numpy.save_file({name: array + 1 for name, array in kept.items()}, tmp_path / "beside.safetensors")
    assert refusal(tmp_path / "beside.so") == "TW0711"
    safetensors.numpy.save_file({"p0": kept["p0"]}, tmp_path / "beside.safetensors")
    assert refusal(tmp_path / "beside.so") == "TW0711"
    (tmp_path / "beside.safetensors").unlink()
    assert refusal(tmp_path / "beside.so") == "TW0711"


def test_a_package_has_the_files_of_the_classic_one(program: Module, folder: Path) -> None:
    with tarfile.open(folder / "package.tar") as tar:
        files = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]
    assert [*files] == ["manifest.json", "mod.so", "mod.o", "mod.json", "mod.mlir", "mod.params"]
    params = unpack_params(files["mod.params"])
    graph = json.loads(files["mod.json"])
    assert [node["name"] for node in graph["nodes"]] == ["x", *params, "tvmgen_default_main"]
    assert graph["attrs"]["shape"][1][0] == [2, 6]
    executor = load_module(folder / "package.tar")["default"](tilewright.runtime.cpu(0))
    executor.set_input("x", X)
    executor.run()
    np.testing.assert_array_equal(executor.get_output(0), program(X))


def test_large_constants_of_a_package_are_those_of_its_mapping(tmp_path: Path) -> None:
    program = tilewright.compile(network(width=401), target=TARGET)  # 6 * 401 and 401 * 3 floats: not multiples of 64
    program.save(tmp_path / "x.tar")
    program.save(tmp_path / "x.so")
    package = load_module(tmp_path / "x.tar")
    mapping = np.frombuffer(package.origin.files[0][1], np.uint8)  # type: ignore[call-overload]
    for fresh, one, other in zip(
        program.entry.constants, package.entry.constants, load_module(tmp_path / "x.so").entry.constants, strict=True
    ):
        np.testing.assert_array_equal(one, other, strict=True)
        np.testing.assert_array_equal(one, fresh, strict=True)
        assert np.shares_memory(one, mapping) and not one.flags.writeable
        assert is_aligned(one) == (one.nbytes > 1000), "which calls of it copy"
    assert sorted(c.nbytes for c in package.entry.constants) == [12, 401 * 12, 401 * 24]
    for _ in range(2):
        np.testing.assert_array_equal(package(X), program(X))
    with tarfile.open(tmp_path / "x.tar") as tar:
        params = tar.extractfile("mod.params").read()  # type: ignore[union-attr]
    assert [*unpack_params(params)] == ["p0", "p1", "p2"]
    executor = package["default"]()
    executor.load_params(params)  # which refuses parameters that the graph does not have
    executor.run(x=X)
    np.testing.assert_array_equal(executor.get_output(0), program(X))


def test_a_mapped_constant_that_is_damaged_is_found_at_the_first_call(tmp_path: Path) -> None:
    tilewright.compile(network(width=401), target=TARGET).save(tmp_path / "x.tar")
    data = bytearray((tmp_path / "x.tar").read_bytes())
    data[data.rindex(b"mod.params") + 8000] ^= 1
    (tmp_path / "flipped.tar").write_bytes(data)
    loaded = load_module(tmp_path / "flipped.tar")
    for call in (lambda: loaded(X), lambda: loaded.run({"x": X})):
        with pytest.raises(TilewrightError, match=r"TW0711.*flipped.tar.*constant p\d"):
            call()


def test_a_package_outlives_its_file(tmp_path: Path) -> None:
    program = tilewright.compile(network(width=401), target=TARGET)
    program.save(tmp_path / "x.tar")
    package = load_module(tmp_path / "x.tar")
    tilewright.compile(network(width=402), target=TARGET).save(tmp_path / "x.tar")
    np.testing.assert_array_equal(package(X), program(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(package))(X), program(X))


def test_one_program_gives_the_same_bytes(program: Module, folder: Path, tmp_path: Path) -> None:
    program.save(tmp_path / "again.tar")
    digests = {hashlib.sha256(path.read_bytes()).digest() for path in (tmp_path / "again.tar", folder / "package.tar")}
    assert len(digests) == 1


def test_a_package_is_built_again_for_another_machine(program: Module, folder: Path) -> None:
    again = tilewright.compile(folder / "package.tar", target="llvm -mcpu=x86-64-v3")
    np.testing.assert_allclose(again(X), program(X), rtol=1e-5)
    assert not np.shares_memory(again(X), program(X))


def test_a_package_from_the_cache_of_programs_has_its_ir(tmp_path: Path) -> None:
    model = network()
    with tilewright.PassContext(config={"cache_dir": str(tmp_path / "cache")}):
        tilewright.compile(model, target=TARGET)
        from tilewright.driver.program_cache import finish_writing

        finish_writing()
        tilewright.compile(model, target=TARGET).save(tmp_path / "cached.tar")
    again = tilewright.compile(tmp_path / "cached.tar", target=TARGET)
    np.testing.assert_array_equal(again(X), load_module(tmp_path / "cached.tar")(X))


def test_programs_of_other_levels_and_versions_are_packages_too(tmp_path: Path) -> None:
    n = tilewright.te.var("n")
    A = tilewright.te.placeholder((n,), name="A")
    B = tilewright.te.compute((n,), lambda i: A[i] + 1, name="B")
    tilewright.build([A, B], [A, B], target=TARGET).save(tmp_path / "open.tar")
    with tarfile.open(tmp_path / "open.tar") as tar:
        assert "mod.json" not in tar.getnames()
    x = np.arange(7, dtype=np.float32)
    np.testing.assert_array_equal(load_module(tmp_path / "open.tar")(x), x + 1)
    np.testing.assert_array_equal(tilewright.compile(tmp_path / "open.tar", target=TARGET)(x), x + 1)


def rewritten(source: Path, target: Path, **changed: bytes | None) -> Path:
    """Return a package with other files: a name's dot is an underscore in `changed`; None leaves a file out."""
    changes = {name.replace("_", "."): content for name, content in changed.items()}
    with tarfile.open(source) as old, tarfile.open(target, "w") as new:
        for member in old:
            content = old.extractfile(member).read()  # type: ignore[union-attr]
            content = changes.pop(member.name, content) if member.name in changes else content
            if content is not None:
                add(new, member.name, content)
        for name, content in changes.items():
            assert content is not None
            add(new, name, content)
    return target


def add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    from io import BytesIO

    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, BytesIO(content))


def test_damaged_packages_are_refused(folder: Path, tmp_path: Path) -> None:
    source = folder / "package.tar"
    whole = source.read_bytes()
    with tarfile.open(source) as tar:
        library = tar.extractfile("mod.so").read()  # type: ignore[union-attr]
        params = tar.extractfile("mod.params").read()  # type: ignore[union-attr]
        manifest = json.loads(tar.extractfile("manifest.json").read())  # type: ignore[union-attr]
    flipped = bytearray(params)
    flipped[-1] ^= 1
    newer = json.dumps({**manifest, "version": 99}).encode()
    cases: dict[str, tuple[Any, str]] = {
        "short": (whole[: len(whole) // 2], "TW0711"),
        "empty": (b"", "TW0711"),
        "text": (b"hello" * 300, "TW0711"),
        "library": ({"mod_so": library[:-1] + b"x"}, "TW0711"),
        "constant": ({"mod_params": bytes(flipped)}, "TW0711"),
        "params": ({"mod_params": params[:100]}, "TW0777"),
        "version": ({"manifest_json": newer}, "TW0711"),
        "no library": ({"mod_so": None}, "TW0711"),
        "another file": ({"evil_sh": b"true"}, "TW0711"),
        "manifest": ({"manifest_json": b"{}"}, "TW0711"),
    }
    found: dict[str, str] = {}
    for name, (change, _) in cases.items():
        path = tmp_path / f"{name}.tar"
        if isinstance(change, dict):
            rewritten(source, path, **change)
        else:
            path.write_bytes(change)
        found[name] = refusal(path)
    assert found == {name: code for name, (_, code) in cases.items()}


def test_members_that_lead_elsewhere_are_refused(folder: Path, tmp_path: Path) -> None:
    for name in ("../mod.so", "/mod.so", "x/../../mod.so"):
        with tarfile.open(tmp_path / "evil.tar", "w") as tar:
            add(tar, name, b"x")
        assert refusal(tmp_path / "evil.tar") == "TW0711", name
    with tarfile.open(tmp_path / "link.tar", "w") as tar:
        link = tarfile.TarInfo("mod.so")
        link.type, link.linkname = tarfile.SYMTYPE, str(folder / "inside.so")
        tar.addfile(link)
    assert refusal(tmp_path / "link.tar") == "TW0711"


def test_a_damaged_constant_is_found_at_the_first_call(folder: Path, tmp_path: Path) -> None:
    data = bytearray((folder / "inside.so").read_bytes())
    data[-200] ^= 1
    (tmp_path / "flipped.so").write_bytes(data)
    loaded = load_module(tmp_path / "flipped.so")
    for call in (lambda: loaded(X), lambda: loaded.run({"x": X}), lambda: loaded(X, out=np.empty((2, 3), np.float32))):
        with pytest.raises(TilewrightError, match=r"TW0711.*constant p\d"):
            call()


def test_info_of_each_form(program: Module, folder: Path, tmp_path: Path) -> None:
    program.save(tmp_path / "x.o")
    for path in (*map(folder.joinpath, ("inside.so", "beside.so", "package.tar")), tmp_path / "x.o"):
        info = package_info(path)
        (entry,) = info.entries
        assert [str(a) for a in entry.signature.inputs] == ["x: float32[2, 6]"]
        assert info.constant_bytes == 512 + 256 + 64
        assert info.machine == "x86_64"
        assert "sse4.2" in info.features
        assert "avx" not in info.features
        assert "-mcpu=x86-64-v2" in info.made_for
        json.dumps(info.as_json())
    assert package_info(folder / "beside.so").weights == "beside.safetensors"
    (tmp_path / "none.so").write_bytes(b"\x7fELF")
    with pytest.raises(TilewrightError, match="TW0711"):
        package_info(tmp_path / "none.so")


def test_weights_are_said_of_libraries_only(program: Module, tmp_path: Path) -> None:
    for path, weights in (("x.o", "beside"), ("x.tar", "inside"), ("x.so", "elsewhere")):
        with pytest.raises(TilewrightError, match="TW0725"):
            program.save(tmp_path / path, weights=weights)
