"""The settings of `PassContext(config=...)`: one typed table.

Each setting has an environment variable, `TILEWRIGHT_` and the name in capitals, for programs whose source cannot be
changed. A value in the context takes precedence. The variable of added passes has the form
`1:my-pass;3:other-pass{width=8}`; dictionaries are written as JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from ...diagnostics import fail
from ...diagnostics.text import did_you_mean


class Setting(NamedTuple):
    """One configuration key."""

    type: type
    default: Any
    doc: str


USER_CACHE = "<user>"
"""Stands for the folder `tilewright` in the user's cache folder (XDG_CACHE_HOME)."""

SETTINGS: dict[str, Setting] = {
    "verify_each": Setting(bool, True, "verify the module after every pass, dominance included"),
    "rewrite_budget": Setting(
        int, 50, "the limit of rewrites by one call of `rewrite`, for each operation of the module"
    ),
    "check_bounds": Setting(
        bool, False, "check indices that are not proved to be in bounds; takes precedence over `unchecked`"
    ),
    "unchecked": Setting(bool, False, "check no index at run time: the caller guarantees that indices are in bounds"),
    "fast": Setting(
        bool, False, "allow sums of two products of bytes to saturate at 16 bits where that saves instructions"
    ),
    "max_unrolled_ops": Setting(int, 1 << 18, "the largest number of operations to which a nest is unrolled"),
    "max_vector_lanes": Setting(int, 1 << 18, "the largest number of iterations of a vectorized loop with masks"),
    "debug_info": Setting(bool, False, "add line tables for debuggers and profilers to compiled code"),
    "debug_lines": Setting(str, "ir", "the lines of line tables: `ir`, the final IR, or `source`, the user's source"),
    "program_cache": Setting(
        bool, True, "load models that were compiled before from the cache, without running passes"
    ),
    "records": Setting(str, "", "the file of tuning records that schedule functions; empty: default schedules"),
    "cache_dir": Setting(str, USER_CACHE, "the folder of the cache of compiled code; empty: no cache"),
    "cache_size": Setting(int, 8192, "the limit of the cache in MiB; the least recently used code is deleted"),
    "weights_outside": Setting(bool, False, "allow models to name files of weights outside of the folder of the model"),
    "allow_foreign": Setting(bool, False, "run foreign code that files contain or call"),
    "tir.disable_vectorize": Setting(bool, False, "run the iterations of vectorized loops sequentially"),
    "tir.LoopPartition": Setting(dict, {}, "partition_const_loop, True: partition loops of constant extent, too"),
    "tir.UnrollLoop": Setting(
        dict, {}, "auto_max_step, 0, and auto_max_extent, 0: unroll nests, and loops, of at most so many iterations"
    ),
    "tir.add_lower_pass": Setting(list, [], "pairs (phase, pass) to run at the end of a phase"),
}

_ENTRIES: dict[str, dict[str, type]] = {
    "tir.LoopPartition": {
        "partition_const_loop": bool,
        "no_unroll_loop_with_extent_one": bool,
        "unroll_loop_with_partition_hint_no_interval": bool,
    },
    "tir.UnrollLoop": {
        "auto_max_step": int,
        "auto_max_depth": int,
        "auto_max_extent": int,
        "explicit_unroll": bool,
        "unroll_local_access": bool,
    },
}
"""The entries of settings that are dictionaries. Settings without a description in `SETTINGS` have no effect."""

_TRUTH = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}


def check(key: str, value: object, given: str | None = None) -> None:
    """Check one entry of a configuration, that was `given` by another name. Raises TilewrightError TW0207 or TW0208."""
    if key not in SETTINGS:
        fail("TW0207", f"unknown configuration key '{key}'{did_you_mean(str(key), SETTINGS)}")
    _check_type(f"configuration key '{given or key}'", SETTINGS[key].type, value)
    if isinstance(value, Mapping):
        for name, entry in value.items():
            if name not in _ENTRIES[key]:
                near = did_you_mean(str(name), _ENTRIES[key])
                fail("TW0207", f"unknown entry '{name}' of configuration key '{key}'{near}")
            _check_type(f"entry '{name}' of configuration key '{key}'", _ENTRIES[key][name], entry)


def _check_type(what: str, expected: type, value: object) -> None:
    accepted: Any = {list: (list, tuple), dict: Mapping}.get(expected, expected)
    if not isinstance(value, accepted) or (expected is int and isinstance(value, bool)):
        _fail_value(what, expected.__name__, repr(value))


def default(key: str) -> Any:
    """Return the value of a key that no context sets: its environment variable, or the table's default."""
    setting = SETTINGS[key]
    variable = environment_variable(key)
    text = os.environ.get(variable)
    if text is None:
        return setting.default
    if setting.type is str:
        return text
    if setting.type is bool and text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    if setting.type is int and text.lstrip("-").isdecimal():
        return int(text)
    if setting.type is dict:
        return _entries(key, variable, text)
    if setting.type is list:
        return [_pair(variable, entry.strip()) for entry in text.split(";") if entry.strip()]
    _fail_value(f"environment variable {variable}", setting.type.__name__, repr(text))


def environment_variable(key: str) -> str:
    """Return the environment variable of a key."""
    return "TILEWRIGHT_" + key.upper().replace(".", "_")


def _entries(key: str, variable: str, text: str) -> dict[str, Any]:
    """Return the value of a variable that is a dictionary, as JSON writes it."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        _fail_value(f"environment variable {variable}", "a dictionary in JSON", repr(text))
    check(key, value)
    return value  # pyright: ignore[reportUnknownVariableType]


def _pair(variable: str, entry: str) -> tuple[int, str]:
    phase, separator, name = entry.partition(":")
    if not separator or not phase.strip().isdecimal():
        _fail_value(f"environment variable {variable}", "phase:pass, with ';' between them", repr(entry))
    return int(phase), name.strip()


def _fail_value(what: str, expected: str, got: str) -> NoReturn:
    fail("TW0208", f"{what}: expected {expected}, but got {got}")
