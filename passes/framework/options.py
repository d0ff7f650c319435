"""Pass options: from `name{option=value}` to a pass. Values are checked against the fields of the pass's dataclass."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.hints import isa, type_repr

from ...diagnostics import TilewrightError, fail
from ...diagnostics.text import did_you_mean


class Option(NamedTuple):
    """One option of a pass."""

    name: str
    type: Any
    default: Any
    required: bool

    @property
    def type_name(self) -> str:
        """The type as it is written in Python."""
        return type_repr(self.type).replace("|", " | ")


@cache
def options_of(cls: type[ModulePass]) -> Mapping[str, Option]:
    """Return the options of a pass by name, in the order of its fields. Names are written with `-` for `_`."""
    hints = get_type_hints(cls)
    result: dict[str, Option] = {}
    for field in dataclasses.fields(cls):
        if field.init:
            factory = field.default_factory
            default = factory() if factory is not dataclasses.MISSING else field.default
            name = field.name.replace("_", "-")
            result[name] = Option(name, hints[field.name], default, default is dataclasses.MISSING)
    return result


def instantiate(cls: type[ModulePass], spec: ArgSpec) -> ModulePass:
    """Return the pass with the options of `spec`. Raises TilewrightError TW0202."""
    options = options_of(cls)
    values: dict[str, Any] = {}
    for written, given in spec.parameters.items():
        name = written.replace("_", "-")
        if name not in options:
            fail("TW0202", f"pass '{cls.name}' has no option '{written}'{_alternatives(written, options)}")
        values[name.replace("-", "_")] = _convert(given, options[name], cls)
    for option in options.values():
        if option.required and option.name.replace("-", "_") not in values:
            fail("TW0202", f"pass '{cls.name}' needs option '{option.name}' ({option.type_name})")
    try:
        return cls(**values)
    except TilewrightError:
        raise
    except ValueError as error:  # from the pass's own __post_init__
        fail("TW0202", f"pass '{cls.name}': {error}")


def instantiate_default(cls: type[ModulePass]) -> ModulePass:
    """Return the pass with default options. Raises TilewrightError TW0202 if an option has no default."""
    return instantiate(cls, ArgSpec(cls.name, {}))


def spec_of(pass_: ModulePass) -> str:
    """Return the pass as text of a pipeline, without the options that have their default."""
    options = options_of(type(pass_))
    parts: list[str] = []
    for option in options.values():
        value = getattr(pass_, option.name.replace("-", "_"))
        if value != option.default:
            parts.append(f"{option.name}={_written(value)}")
    return f"{pass_.name}{{{' '.join(parts)}}}" if parts else pass_.name


def _written(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return value if value.replace("-", "_").isidentifier() else f'"{value}"'
        case tuple() | list():
            return ",".join(_written(item) for item in value)
        case _:
            return str(value)


def _alternatives(name: str, options: Mapping[str, Option]) -> str:
    near = did_you_mean(name, options)
    if near or not options:
        return near
    return f"; its options are {', '.join(options)}"


def _convert(given: ParameterListType, option: Option, cls: type[ModulePass]) -> Any:
    hint = option.type
    members = get_args(hint)
    if not given and (hint is bool or bool in members):
        return True  # a flag: `pass{full}`
    if len(given) == 1:
        (single,) = given
        if isa(single, hint) and not (isinstance(single, bool) and not _takes(bool, hint)):
            return single
        if isinstance(single, int) and not isinstance(single, bool) and _takes(float, hint):
            return float(single)
    if given and isa(given, hint):
        return given
    got = ",".join(_written(value) for value in given) or "nothing"
    fail("TW0202", f"option '{option.name}' of pass '{cls.name}': expected {option.type_name}, but got {got}")


def _takes(type: type, hint: Any) -> bool:
    return hint is type or type in get_args(hint)
