"""The cache of compiled code: whose entries are used, who may write to it, and what goes when it is full."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import PassContext, te
from tilewright.backends.cache import OBJECTS, PROGRAMS, Cache, CacheFolder, contents, folder, store
from tilewright.tools import cli

KEY, OTHER = "ab" + "0" * 62, "cd" + "1" * 62


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(folder, "_reported", set[object]())
    monkeypatch.setattr(store, "_unpruned", dict[object, int]())
    return tmp_path / "cache"


def kept(key: str = KEY, data: bytes = b"object code", kind: object = OBJECTS) -> Path:
    cache = Cache.of(kind)  # type: ignore[arg-type]
    cache.store(key, [data])
    path = cache.path(key)
    assert path is not None and path.is_file()
    return path


def load(key: str = KEY, kind: object = OBJECTS) -> bytes | None:
    found = Cache.of(kind).load(key)  # type: ignore[arg-type]
    return None if found is None else found.tobytes()


def scaled(factor: float) -> np.ndarray:
    a = te.placeholder((6,), name="A")
    b = te.compute((6,), lambda i: a[i] * factor, name="B")
    return np.asarray(tilewright.build([a, b], [a, b], target="cpu")(np.ones(6, np.float32)))


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def test_what_is_kept_comes_back_aligned_and_read_only() -> None:
    cache = Cache.of(OBJECTS)
    assert cache.load(KEY) is None
    cache.store(KEY, [b"two ", b"pieces"])
    found = cache.load(KEY)
    assert found is not None and found.tobytes() == b"two pieces"
    assert found.ctypes.data % 64 == 0 and not found.flags.writeable


def test_a_program_is_the_one_that_was_asked_for_though_objects_are_exchanged(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each object is whole, and was written by this very compiler, but for another program."""
    np.testing.assert_array_equal(scaled(2.0), np.full(6, 2.0, np.float32))
    first = set(root.rglob("*.o"))
    np.testing.assert_array_equal(scaled(3.0), np.full(6, 3.0, np.float32))
    second = set(root.rglob("*.o")) - first
    assert second
    for path in first:
        shutil.copy(next(iter(second)), path)
    with caplog.at_level(logging.WARNING):
        np.testing.assert_array_equal(scaled(2.0), np.full(6, 2.0, np.float32))
    assert "is damaged and is compiled again" in caplog.text


@pytest.mark.parametrize(
    "how", ["other key", "other kind", "other secret", "flipped", "cut", "longer", "empty", "link"]
)
def test_entries_that_were_not_written_for_this_key_here(how: str, root: Path, tmp_path: Path) -> None:
    path = kept()
    whole = path.read_bytes()
    if how == "other key":
        shutil.copy(kept(OTHER, b"other code"), path)
    elif how == "other kind":
        shutil.copy(kept(KEY, b"a program", PROGRAMS), path)
    elif how == "other secret":
        (root / "secret").unlink()
    elif how == "link":
        outside = tmp_path / "outside"
        os.mkfifo(outside)
        path.unlink()
        path.symlink_to(outside)
    else:
        changed = {"flipped": whole[:-1] + b"!", "cut": whole[:-1], "longer": whole + b"\0", "empty": b""}
        path.write_bytes(changed[how])
    assert load() is None
    Cache.of(OBJECTS).store(KEY, [b"object code"])
    assert load() == b"object code"


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
@pytest.mark.parametrize("folder", ["", "objects"])
def test_a_folder_that_others_can_write_to_is_not_used(
    mode: int, folder: str, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept()
    (root / folder).chmod(mode)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            Cache.of(OBJECTS).store(OTHER, [b"code"])
    assert load(OTHER) is None and not [*root.rglob(f"{OTHER[2:]}*")]
    assert caplog.text.count("other users may write to it") == 1, "it is said once"
    np.testing.assert_array_equal(scaled(5.0), np.full(6, 5.0, np.float32))


def test_a_folder_of_another_user_is_not_used(
    root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept()
    monkeypatch.setattr(os, "geteuid", lambda: root.stat().st_uid + 1)
    with caplog.at_level(logging.WARNING):
        assert CacheFolder.current() is None and load() is None
    assert f"belongs to another user ({root.stat().st_uid})" in caplog.text


@pytest.mark.parametrize("mask", [0, 0o022, 0o077, 0o777])
def test_what_is_made_is_for_its_user_alone(mask: int, root: Path) -> None:
    root.parent.chmod(0o755)
    with umask(mask):
        if mask == 0o777:
            root.parent.mkdir(exist_ok=True)
        path = kept()
    modes = {p: stat.S_IMODE(p.stat().st_mode) for p in (root, root / "objects", path.parent, path, root / "secret")}
    assert modes[root] == modes[root / "objects"] == modes[path.parent] == 0o700
    assert modes[path] & 0o077 == 0 and modes[root / "secret"] & 0o077 == 0


def test_a_secret_that_others_can_read_is_replaced(root: Path) -> None:
    kept()
    (root / "secret").chmod(0o644)
    assert load() is None, "whoever read it could have written the entry"
    assert stat.S_IMODE((root / "secret").stat().st_mode) == 0o600
    kept()
    assert load() == b"object code"


def test_threads_and_processes_agree_on_one_secret(root: Path) -> None:
    code = (
        "from tilewright.backends.cache import OBJECTS, Cache\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        f"store = lambda k: Cache.of(OBJECTS).store(f'{{k:02x}}' + '{KEY}', [b'code'])\n"
        "list(ThreadPoolExecutor(4).map(store, range(40)))\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert [load(f"{k:02x}{KEY}") for k in range(40)] == [b"code"] * 40
    assert not [*root.rglob("*.part")]


def test_what_was_unused_for_longest_goes(root: Path) -> None:
    keys = [f"{k:02x}{KEY}" for k in range(6)]
    paths = [kept(key, bytes(300_000), OBJECTS if k % 2 else PROGRAMS) for k, key in enumerate(keys)]
    for age, path in enumerate(paths):
        os.utime(path, (1000 + age, 1000 + age))
    assert load(keys[0], PROGRAMS) is not None, "the oldest is used"
    contents.prune(root, 1_000_000)
    assert [path.exists() for path in paths] == [True, False, False, False, True, True]


def test_a_process_that_writes_keeps_to_the_limit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1")
    for k in range(12):
        kept(f"{k:02x}{KEY}", bytes(200_000))
    total = sum(found.size for found in contents.usage(root))
    assert 0 < total <= 1 << 20
    with PassContext(config={"cache_size": 0}):
        Cache.of(OBJECTS).store(OTHER, [b"code"])
    assert load(OTHER) is None


def test_files_of_writers_that_died_go_and_those_of_others_stay(root: Path) -> None:
    old, new, user = (kept().parent / name for name in (".1.part", ".2.part", "notes.txt"))
    for path in (old, new, user):
        path.write_bytes(b"")
    os.utime(old, (1000, 1000))
    contents.prune(root, 1 << 30)
    assert (old.exists(), new.exists(), user.exists()) == (False, True, True)
    contents.clear(root)
    assert user.exists() and load() is None and (root / "secret").exists()


def test_a_full_disk_does_no_harm(
    root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Cache.of(OBJECTS)  # which makes the secret

    def full(self: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with caplog.at_level(logging.WARNING):
        np.testing.assert_array_equal(scaled(7.0), np.full(6, 7.0, np.float32))
        np.testing.assert_array_equal(scaled(8.0), np.full(6, 8.0, np.float32))
    assert caplog.text.count("No space left on device") == 1
    assert not [*root.rglob("*.o")] and not [*root.rglob("*.part")]


def test_a_file_where_the_folder_should_be(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    root.write_text("")
    with caplog.at_level(logging.WARNING):
        np.testing.assert_array_equal(scaled(9.0), np.full(6, 9.0, np.float32))
    assert "it is no folder" in caplog.text


def test_which_folder_it_is(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder.configured_root() == root
    with PassContext(config={"cache_dir": str(tmp_path / "other")}):
        assert folder.configured_root() == tmp_path / "other"
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", "")
    assert folder.configured_root() is None and CacheFolder.current() is None
    monkeypatch.delenv("TILEWRIGHT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder.configured_root() == tmp_path / "xdg" / "tilewright"


def test_the_command(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    kept(KEY, bytes(3 << 20))
    kept(OTHER, bytes(10), PROGRAMS)
    assert cli.main(["cache", "--info"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{root}: in use, 3.0 of 8192 MiB\n")
    assert "object file" in text and "program" in text
    assert cli.main(["cache", "--clear"]) == 0
    assert capsys.readouterr().out == f"{root}: 2 files deleted, 3.0 MiB\n" and load() is None
    root.chmod(0o777)
    assert cli.main(["cache", "--info"]) == 0
    assert "not used: other users may write to it" in capsys.readouterr().out
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", "")
    assert cli.main(["cache", "--info"]) == 0
    assert capsys.readouterr().out == "no cache: the setting cache_dir (TILEWRIGHT_CACHE_DIR) is empty\n"
    assert cli.main(["cache"]) == 2
    assert "error[TW0209]" in capsys.readouterr().err


def test_a_secret_that_another_thread_has_just_made_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The other one's file appears after this one has looked for it."""
    other = bytes(range(32))
    asked = folder._read_secret  # pyright: ignore[reportPrivateUsage]
    looks: list[Path] = []

    def look(path: Path) -> bytes | None:
        looks.append(path)
        if len(looks) == 1:
            assert asked(path) is None
            path.write_bytes(other)
            path.chmod(0o600)
            return None
        return asked(path)

    monkeypatch.setattr(folder, "_read_secret", look)
    assert folder._secret_of(tmp_path) == other  # pyright: ignore[reportPrivateUsage]
    assert (tmp_path / folder.SECRET).read_bytes() == other


def test_many_threads_store_and_load_at_once() -> None:
    def work(k: int) -> bool:
        key = f"{k % 5:02x}{KEY}"
        Cache.of(OBJECTS).store(key, [bytes([k % 5]) * 1000])
        return load(key) == bytes([k % 5]) * 1000

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(60)))
