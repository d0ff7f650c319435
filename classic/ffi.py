"""Names of `tvm._ffi` that programs import: functions by name, and the base of errors as `base.TVMError`."""

from __future__ import annotations

from ..runtime.registry import get_global_func, list_global_func_names, register_func, remove_global_func
from . import error as base

__all__ = ["base", "get_global_func", "list_global_func_names", "register_func", "remove_global_func"]
