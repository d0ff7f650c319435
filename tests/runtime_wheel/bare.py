"""Run by a Python that has numpy and the runtime's wheel: loads each program of a folder, compares bit for bit.

`bare.py FOLDER PATH...` looks for modules in the paths too. It prints JSON: the outcome of each program and of each
mistake, and the modules that are neither numpy's, the runtime's nor of the standard library. It is written for the
oldest Python that the runtime supports.
"""

import json
import logging
import os
import sys

at_start = set(sys.modules)
sys.path.extend(sys.argv[2:])
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402
import tilewright_runtime  # noqa: E402
import tilewright_runtime.openmp  # noqa: E402
import tilewright_runtime.params  # noqa: E402


def arrays(path, kind):
    found = np.load(path)
    return {key[len(kind) :]: found[key] for key in found.files if key.startswith(kind)}


def outcome(folder, name):
    """Return an empty text where all outputs have the bits that are expected."""
    program = tilewright_runtime.load(os.path.join(folder, name))
    beside = os.path.join(folder, os.path.splitext(name)[0] + ".npz")
    expected = arrays(beside, "out ")
    for threads in (None, 1):
        outputs = program.run(arrays(beside, "in "), threads=threads)
        if list(outputs) != list(expected):
            return f"outputs {list(outputs)} in place of {list(expected)}"
        for key, value in outputs.items():
            if value.dtype != expected[key].dtype or value.tobytes() != expected[key].tobytes():
                return f"other bits of {key} ({value.dtype})"
    return executed(program, arrays(beside, "in "), list(expected.values()))


def executed(program, inputs, expected):
    """Return an empty text where a graph executor gives the expected bits, or where no graph states the program."""
    try:
        executor = program["default"](tilewright_runtime.cpu())
    except tilewright_runtime.TilewrightError as error:
        return "" if error.code == "TW0781" else str(error)
    executor.load_params(tilewright_runtime.params.pack_params({}))
    executor.run(**inputs)
    found = [executor.get_output(number) for number in range(executor.get_num_outputs())]
    return "" if [a.tobytes() for a in found] == [a.tobytes() for a in expected] else "other bits of the executor"


def mistake(folder, name, program):
    try:
        tilewright_runtime.load(os.path.join(folder, program + ".so")).run(
            arrays(os.path.join(folder, name + ".mistake.npz"), "")
        )
    except tilewright_runtime.TilewrightError as error:
        return str(error)
    return ""


def foreign():
    """Return the modules with a file that is not numpy's, the runtime's or the standard library's, loaded since
    Python's start."""
    library = os.path.dirname(os.__file__)
    found = set()
    for name, module in list(sys.modules.items()):
        if name in at_start:
            continue
        path = getattr(module, "__file__", None)
        if path is None or name.split(".")[0] in ("numpy", "tilewright_runtime", "__main__"):
            continue
        if not path.startswith(library + os.sep) or "site-packages" in path:
            found.add(name)
    return sorted(found)


def kernels(folder):
    path = os.path.join(folder, "kernels.ptx")
    if not os.path.exists(path):
        return None
    program = tilewright_runtime.load(path)
    try:
        program.run({"A": np.zeros(64, np.float32)})
    except tilewright_runtime.TilewrightError as error:
        return [str(program.signature), error.code]
    return [str(program.signature), ""]


def main(folder):
    warnings = []
    handler = logging.Handler()
    handler.emit = lambda record: warnings.append(record.getMessage())
    logging.getLogger().addHandler(handler)
    if "WITHOUT_OPENMP" in os.environ:
        tilewright_runtime.openmp._candidates = lambda _: iter(())
    names = sorted(name for name in os.listdir(folder) if name.endswith((".so", ".tar")))
    with open(os.path.join(folder, "mistakes.json")) as file:
        mistakes = json.load(file)
    print(
        json.dumps(
            {
                "programs": {name: outcome(folder, name) for name in names},
                "mistakes": {name: mistake(folder, name, program) for name, (program, _) in mistakes.items()},
                "kernels": kernels(folder),
                "foreign": foreign(),
                "warnings": warnings,
                "python": sys.version.split()[0],
                "numpy": np.__version__,
                "file": tilewright_runtime.__file__,
            }
        )
    )


main(sys.argv[1])
