"""`--load FILE.py`: Python files that register passes."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from zlib import crc32

from ..diagnostics import TilewrightError, fail
from ..diagnostics.files import check_file
from ..diagnostics.locations import file_location, note_source


def load_file(path: str) -> ModuleType:
    """Import the Python file `path` under a unique module name. Raises TilewrightError TW0212."""
    check_file(path, "TW0212")
    note_source(path)
    name = _module_name(path)
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        fail("TW0212", f"cannot load '{path}': expected a file that ends in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except TilewrightError:
        raise
    except SyntaxError as error:
        location = file_location(error.filename or path, error.lineno or 1, error.offset or 1)
        fail("TW0212", f"cannot load '{path}': {error.msg}", location=location)
    except Exception as error:
        line = _line_in(path, error)
        fail("TW0212", f"cannot load '{path}': {type(error).__name__}: {error}", location=file_location(path, line, 1))
    return module


def _module_name(path: str) -> str:
    """Return a name that is the same for one file whenever it is loaded, another for a file of that name in another
    folder."""
    stem = "".join(c if c.isalnum() else "_" for c in Path(path).stem)
    return f"tilewright_user_{stem}_{crc32(str(Path(path).resolve()).encode()):08x}"


def _line_in(path: str, error: Exception) -> int:
    """Return the last line of the file that the exception passed through."""
    line = 1
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
