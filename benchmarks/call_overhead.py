"""The cost of a call of a compiled function beside its kernel, and the cost of a parallel region.

    python benchmarks/call_overhead.py [--repeat 101]

The program adds 1 to 16 numbers. Each way to call it is timed in turns with numpy's call of a ufunc on the same arrays
(`np.add(x, one, y)`); printed are the least and the median nanoseconds of a call and the median of the ratios of
neighbours, numpy's time over ours. A sample takes half a millisecond, so that some of them escape other programs.

    function.call     the native entry, as `f = module.entry.call` keeps it
    module(x, y)      the same through the module object
    module(x)         a fresh output array
    with an arena     module(x, y) of a program that has one
    checked           the way of arguments that need a look, which is entered through ctypes
    ctypes alone      a foreign function of five arguments, called with numbers: no check at all

A region is one of a thousand parallel loops over two numbers in a program; its cost is the time of a thousand of them,
by two threads, over a thousand. Threads that wait for the next one spin: with less than two processors free, the cost
of a region depends on the system's scheduler.
"""

from __future__ import annotations

import argparse
import ctypes
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import tilewright
from paired import machine, measure, seconds
from tilewright import te
from tilewright.backends.cpu.module import build
from tilewright.dialects import context
from tilewright.runtime import Module
from tilewright.runtime.executable import CtypesCall
from tilewright.runtime.openmp import openmp
from xdsl.parser import Parser

REGIONS = 1000
X = np.arange(16, dtype=np.float32)
Y = np.empty_like(X)
ONE = np.ones_like(X)


def add_one() -> Module:
    a = te.placeholder((16,), name="a")
    return tilewright.build([a, te.compute((16,), lambda i: a[i] + 1, name="b")], threads=1)


def with_arena() -> Module:
    """Build the loop with its intermediate results in a buffer."""
    vector = "memref<16xf32>"
    return built(f"""
      func.func @main(%x: {vector}, %y: {vector} {{tw.output}}) {{
        %one = arith.constant 1.0 : f32
        %t = loop.alloc : {vector}
        loop.for %i = 0 to 16 {{
          %v = loop.load %x[%i] : {vector}
          %w = arith.addf %v, %one : f32
          loop.store %w, %t[%i] : {vector}
        }}
        loop.for %i = 0 to 16 {{
          %v = loop.load %t[15 - %i] : {vector}
          loop.store %v, %y[15 - %i] : {vector}
        }}
        func.return
      }}""")


def regions(threads: int) -> Module:
    """Return a row of parallel loops that write two numbers each."""
    return built(
        f"""
      func.func @main(%y: memref<{2 * REGIONS}xi32> {{tw.output}}) {{
        %c = arith.constant 1 : i32
        loop.for %r = 0 to {REGIONS} {{
          loop.for %i = 0 to 2 kind parallel {{ loop.store %c, %y[%r * 2 + %i] : memref<{2 * REGIONS}xi32> }}
        }}
        func.return
      }}""",
        threads,
    )


def built(function: str, threads: int = 1) -> Module:
    return build(Parser(context(), f"builtin.module {{ {function} }}").parse_module(), threads)


def repeated(call: Callable[[], object]) -> tuple[Callable[[], object], int]:
    """Return a function that makes so many calls that it takes half a millisecond, and how many these are."""
    call()
    single = min(seconds(call) for _ in range(50))
    calls = max(1, int(5e-4 / single))

    def run() -> None:
        for _ in range(calls):
            call()

    return run, calls


def ways() -> dict[str, Callable[[], object]]:
    module, arena = add_one(), with_arena()
    call = module.entry.call
    checked = CtypesCall(module.entry.executable, 1)
    pointer = ctypes.c_void_p
    bare = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, pointer, pointer, ctypes.c_int32)(
        module.entry.executable.address
    )
    pointers = (pointer * 2)(X.ctypes.data, Y.ctypes.data)
    for way in (module, arena, checked):
        way(X, Y)
        np.testing.assert_array_equal(Y, X + 1)
    return {
        "function.call": lambda: call(X, Y),
        "module(x, y)": lambda: module(X, Y),
        "module(x)": lambda: module(X),
        "with an arena": lambda: arena(X, Y),
        "checked": lambda: checked(X, Y),
        "ctypes alone": lambda: bare(pointers, None, None, None, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=101, metavar="N", help="pairs of samples (default: 101)")
    arguments = parser.parse_args()
    print(f"{machine()}; numpy {np.__version__}")
    print(f"{'':16} {'least ns':>9} {'median ns':>10} {'numpy / ours':>13}")
    ufunc, ufunc_calls = repeated(lambda: np.add(X, ONE, Y))
    empty, empty_calls = repeated(lambda: None)
    nothing = min(measure(empty, empty, 50).ours) / empty_calls
    theirs: list[float] = []
    for name, call in ways().items():
        run, calls = repeated(call)
        pairs = measure(run, ufunc, arguments.repeat)
        ours = [s / calls - nothing for s in pairs.ours]
        numpys = [s / ufunc_calls - nothing for s in pairs.theirs]
        theirs += numpys
        ratio = median(t / o for o, t in zip(ours, numpys, strict=True))
        print(f"{name:16} {1e9 * min(ours):9.0f} {1e9 * median(ours):10.0f} {ratio:13.2f}")
    print(f"{'np.add(x, o, y)':16} {1e9 * min(theirs):9.0f} {1e9 * median(theirs):10.0f}")
    report_regions(arguments.repeat)


def report_regions(repeat: int) -> None:
    """Print the microseconds of a region of one and of two threads."""
    library = openmp().library or "none"
    output = np.empty(2 * REGIONS, np.int32)
    for threads in (1, 2):
        module = regions(threads)
        module(output)
        samples: list[float] = []
        for _ in range(8 * repeat):
            start = time.perf_counter()
            module(output)
            samples.append(1e6 * (time.perf_counter() - start) / REGIONS)
        least, middle = min(samples), median(samples)
        print(f"a region of {threads} threads ({library}): least {least:.3f} us, median {middle:.3f} us")


if __name__ == "__main__":
    main()
