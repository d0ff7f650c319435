"""A compiled module: its functions by name, its texts, files, profiles and timings."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, overload, runtime_checkable

from .arguments import Signature
from .buffers import Array
from .calls import coded_methods
from .checked_call import Outputs
from .devices import Device
from .errors import UnknownNameError, fail
from .expectations import expect_type
from .function import Entered, Function
from .lazy import exports
from .pickling import Origin, reduced_module
from .profile import Profile
from .text import did_you_mean
from .timing import Evaluator
from .versions import versioned

if TYPE_CHECKING:
    from .graph_executor import ExecutorFactory


class Code(Protocol):
    """The code behind a module, kept by the backend that built it."""

    type_key: ClassVar[str]
    """The language that calls enter: "llvm", "c", "cuda" or "opencl"."""

    def source(self, kind: str) -> str:
        """Return the module's text as "mlir", "llvm" or "asm"."""
        ...

    def save(self, path: Path) -> None:
        """Write the module in the form that the suffix of `path` names."""
        ...


@runtime_checkable
class LibraryCode(Protocol):
    """Code that is saved as libraries."""

    def save_library(self, path: Path, weights: str | None) -> None:
        """Write a shared library, its constants "inside" or "beside" it; for None, beside where they are large."""
        ...


class Profiler(Protocol):
    """A function that measures a module's entry."""

    def __call__(self, inputs: Mapping[str, object] | Sequence[object], repeat: int, threads: int | None) -> Profile:
        """Return the profile of `repeat` runs."""
        ...


class DeviceCode(Protocol):
    """Code that runs on a device."""

    type_key: ClassVar[str]
    """Its language: "cuda" or "opencl"."""

    def save(self, path: Path) -> None:
        """Write it in the form that the suffix of `path` names."""
        ...

    def get_source(self) -> str:
        """Return the text of the code."""
        ...


@coded_methods
class Module(Entered):
    """Compiled functions. Calling the module calls its entry, which is `main` or else the first function.

    `module["name"]` is a function by name. See `Function` for calls.
    """

    def __init__(
        self, functions: Mapping[str, Function], code: Code | None = None, imported: Sequence[DeviceCode] = ()
    ) -> None:
        self.functions = versioned(functions)
        self.entry_name = "main" if "main" in self.functions else next(iter(self.functions))
        self.entry = self.functions[self.entry_name]
        self.entry.let_enter(self)
        self.origin = Origin(code)
        for name, function in self.functions.items():
            function.origin = self.origin, name
        self.imported_modules = list(imported)
        """The code for devices that the functions launch, each with `get_source()`, `save(path)` and `type_key`."""
        self.profiler: Profiler | None = None
        """The function that profiles the entry, if the driver supplied one."""
        self.packager: Callable[[Module, Path], None] | None = None
        """Writes the module as a package, where its builder supports that."""
        self.importer: Callable[[Module, Module], None] | None = None
        """Gives the module the kernels of another one, where it was loaded with kernels."""

    @property
    def code(self) -> Code | None:
        """The code that the functions were made from; None where they were loaded."""
        return self.origin.code

    @code.setter
    def code(self, code: Code | None) -> None:
        self.origin.code = code

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickle the files that `save` writes (`runtime.pickling`). Raises TilewrightError TW0614 for a module that has
        none."""
        return reduced_module(self, protocol)

    def __dask_tokenize__(self) -> object:
        """Return the identity of the program, by which dask recognises tasks."""
        return self.origin.digest, self.threads

    @property
    def type_key(self) -> str:
        """The language that it was compiled from, "llvm", "c", "cuda" or "opencl"; "library" where it was loaded, and
        "interpreter" where nothing was compiled."""
        if self.code is not None:
            return self.code.type_key
        return "library" if hasattr(self.entry, "executable") else "interpreter"

    def enter_checked(self) -> None:
        """Let all calls of all functions go through Python code."""
        for function in self.functions.values():
            function.enter_checked()
        self.enter_by(self.entry.call)

    @property
    def signature(self) -> Signature:
        """The arguments and results of the entry."""
        return self.entry.signature

    @property
    def threads(self) -> int:
        """Threads of a parallel loop of the entry, unless a call says otherwise."""
        return self.entry.threads

    def run(
        self, inputs: Mapping[str, object], out: Outputs | None = None, threads: int | None = None
    ) -> dict[str, Array]:
        """Run the entry on inputs by name; the outputs by name."""
        return self.entry.run(inputs, out, threads)

    @overload
    def __getitem__(self, name: Literal["default"]) -> ExecutorFactory: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def __getitem__(self, name: str) -> Function: ...
    def __getitem__(self, name: str) -> Any:
        """Return the function of that name. Where no function has it, "default" makes executors of the entry
        (`runtime.graph_executor`): `module["default"](cpu(0))`, or `module["debug_create"]("default", cpu(0))`.
        Raises TilewrightError TW0713 for other names.

        """
        expect_type("name", name, str)
        if name not in self.functions:
            if name in ("default", "debug_create"):
                from .graph_executor import ExecutorFactory

                factory = ExecutorFactory(self)
                return factory if name == "default" else factory.create
            fail("TW0713", f"expected a function of the module, but got '{name}'{did_you_mean(name, self.functions)}")
        return self.functions[name]

    get_function = __getitem__

    def __contains__(self, name: str) -> bool:
        return name in self.functions

    def get_source(self, kind: str = "llvm") -> str:
        """Return the module's text: "llvm", "asm", or "mlir" for the loops that the code was emitted from. A module for
        the targets `c` and `opencl` has "c" or "cl" instead of the first two, one for `cuda` has "cuda-python" and
        "ptx"; the first of them is the default.

        Raises TilewrightError TW0209 for another kind, TW0614 for a module that has no text, as a loaded one.
        """
        expect_type("kind", kind, str)
        return self._require_code("shown").source(kind)

    def save(self, path: str | Path, *, weights: str | None = None) -> None:
        """Write the module to a file: `.so` or `.tar` (what `load_module` reads), `.o`, `.s`, `.ll` or `.mlir`; kernels
        for `cuda` to `.so`, `.tar`, `.o`, `.ptx` (which `load_module` reads, its constants beside it), `.py` or
        `.mlir`; a program for `c` to `.c`, one C99 file for programs without an operating system, with a header and
        large weights beside it.

        Beside `x.so` and `x.o` of machine code comes `x.h`, which declares the functions for C. `weights` is the
        position of the constants of `x.so`: "inside", or "beside" it in `x.safetensors`; by default they lie beside
        where they have more than 2 GB. A `.tar` has the library, the constants and the IR in one file.

        Raises TilewrightError TW0614 for another suffix or a loaded module, TW0613 where the C compiler is missing or
        fails, TW0204 where the file cannot be written, TW0725 for another value of `weights`.
        """
        expect_type("path", path, str, PurePath)
        expect_type("weights", weights, str, type(None))
        path, code = Path(path), self._require_code("saved")
        if weights not in (None, "inside", "beside"):
            fail("TW0725", f"expected argument 'weights' to be 'inside' or 'beside', but got {weights!r}")
        if weights is None and path.suffix == ".tar" and self.packager is not None:
            self.packager(self, path)
        elif weights is None:
            code.save(path)
        elif path.suffix == ".so" and isinstance(code, LibraryCode):
            code.save_library(path, weights)
        else:
            fail(
                "TW0725", f"expected argument 'weights' for libraries (.so) only, but got '{path}'", help="leave it out"
            )

    def export_library(
        self,
        file_name: str | Path,
        fcompile: Callable[..., object] | None = None,
        addons: Sequence[str] | None = None,
        workspace_dir: str | None = None,
        **options: Any,
    ) -> None:
        """Save the module. With `fcompile` a linker of the caller's writes the file: it is called with the name, a list
        of the module's object file and `addons`, and the options. `workspace_dir` is where that object file stays.

            lib.export_library("x.so", fcompile=cc.create_shared, addons=["more.o"])

        Raises TilewrightError TW0725 for addons and options without `fcompile`, and what `save` raises.
        """
        if fcompile is None:
            if addons or workspace_dir or options.keys() - {"weights"}:
                fail("TW0725", "expected argument 'fcompile' beside others", help="give fcompile=cc.create_shared")
            self.save(file_name, **options)
            return
        expect_type("file_name", file_name, str, PurePath)
        expect_type("workspace_dir", workspace_dir, str, PurePath, type(None))
        with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
            objects = Path(workspace_dir or folder) / "lib0.o"
            self.save(objects)
            fcompile(str(file_name), [str(objects), *(addons or ())], **options)

    def import_module(self, module: object) -> None:
        """Let this program, which was loaded from a library of kernels, run those of `module`: a file of kernels of the
        same program, which may be for another architecture.

            fadd = load_module("fadd.so")
            fadd.import_module(load_module("fadd.ptx"))

        Raises TilewrightError TW0768 where the kernels are of another program, TW0251 for a program without kernels:
        each is a separate library, which nothing is linked into.
        """
        if self.importer is not None:
            expect_type("module", module, Module)
            assert isinstance(module, Module)
            self.importer(self, module)
            return
        if isinstance(module, Module) and module.importer is not None:
            what = "has the kernels that it was built with" if self.imported_modules else "launches no kernels"
            fail(
                "TW0768",
                f"expected a program that was loaded from a library of kernels, but this one {what}",
                help="load the library that the program for cuda was saved to",
            )
        raise UnknownNameError(
            "TW0251",
            "'Module.import_module' is not part of this package: each program is a separate library",
            help="build the functions together, from a mapping or a list of modules",
        )

    def time_evaluator(
        self,
        func_name: str | None = None,
        dev: Device | None = None,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: int = 0,
        limit_zero_time_iterations: int = 100,
        cooldown_interval_ms: int = 0,
        repeats_to_cooldown: int = 1,
        cache_flush_bytes: int = 0,
        f_preproc: str = "",
    ) -> Evaluator:
        """Return a callable that times the function `func_name` (by default the entry): `number` calls, `repeat` times,
        with more calls where they take less than `min_repeat_ms` milliseconds. The other parameters are those of
        `timing.Evaluator`.

        Raises TilewrightError TW0725 for a device `dev` of a kind that the function does not run on.
        """
        function = self[func_name or self.entry_name]
        expect_type("dev", dev, Device, type(None))
        if dev is not None and dev.kind not in function.device_kinds:
            kinds = " or ".join(function.device_kinds) or "left out"
            fail("TW0725", f"expected argument 'dev' to be {kinds}, but got {dev}", help="leave it out")
        return Evaluator(
            function,
            number,
            repeat,
            min_repeat_ms,
            limit_zero_time_iterations,
            cooldown_interval_ms,
            repeats_to_cooldown,
            cache_flush_bytes,
            f_preproc,
        )

    def profile(
        self, inputs: Mapping[str, object] | Sequence[object], repeat: int = 10, threads: int | None = None
    ) -> Profile:
        """Measure the times of each kernel that the entry calls, over `repeat` runs on `inputs`, by name or by
        position.

        Raises TilewrightError TW0734 for a program that was loaded from a file or is not for the target "cpu".
        """
        if self.profiler is None:
            fail("TW0734", "expected a program that was built for the CPU in this process, but this one was not")
        expect_type("inputs", inputs, Mapping, Sequence)
        expect_type("repeat", repeat, int)
        return self.profiler(inputs, repeat, threads)

    def __repr__(self) -> str:
        if len(self.functions) == 1:
            return f"<tilewright module {self.signature}>"
        return f"<tilewright module of {', '.join(self.functions)}>"

    def _require_code(self, what: str) -> Code:
        if self.code is None:
            fail("TW0614", f"expected a module that was built in this process to be {what}, but this one was not")
        return self.code


__getattr__, __dir__ = exports(__name__, {})
