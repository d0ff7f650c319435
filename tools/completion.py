"""`tilewright completion SHELL`: completion of both command lines, for bash, zsh and fish.

The scripts are generated from the argument parsers: they contain commands, options, choices and the compiler's passes.
Completion does not start Python.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..passes.framework.registry import BUILTIN
from . import cli, opt

SHELLS = ("bash", "zsh", "fish")


class _Option(NamedTuple):
    """One option: its names, its help, and the candidates for its value; None if it takes no value."""

    names: tuple[str, ...]
    sentence: str
    values: tuple[str, ...] | None


class _Command(NamedTuple):
    """A program or one of its commands; the name is empty for the program itself."""

    name: str
    sentence: str
    options: tuple[_Option, ...]


def completion(shell: str) -> str:
    """Return the script for one of `SHELLS`, to be read by the shell when it starts."""
    programs = {"tilewright": _commands(cli.argument_parser()), "opt-tool": _commands(opt.argument_parser())}
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](programs)


def _commands(parser: argparse.ArgumentParser) -> list[_Command]:
    """Return the program and its commands."""
    found = [_Command("", "", _options(parser))]
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]  (argparse has no other way to list them)
        if isinstance(action, argparse._SubParsersAction):  # pyright: ignore[reportPrivateUsage]
            parts: Any = action
            sentences = {choice.dest: choice.help for choice in parts._choices_actions}
            found += [_Command(name, sentences[name] or "", _options(each)) for name, each in parts.choices.items()]
    return found


def _options(parser: argparse.ArgumentParser) -> tuple[_Option, ...]:
    actions = parser._actions  # pyright: ignore[reportPrivateUsage]
    return tuple(
        _Option(tuple(action.option_strings), (action.help or "").replace("%%", "%"), _values(action))
        for action in actions
        if action.option_strings
    )


def _values(action: argparse.Action) -> tuple[str, ...] | None:
    """Return the words that a value may be: choices, those that braces list, or passes."""
    if action.nargs == 0:
        return None
    if action.choices:
        return tuple(str(choice) for choice in action.choices)
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if listed := re.fullmatch(r"\{(.*)\}", metavar):
        return tuple(listed[1].split(","))
    return tuple(sorted(BUILTIN)) if metavar in ("PASS", "PIPELINE") else ()


def _bash(programs: dict[str, list[_Command]]) -> str:
    return "\n".join([_BASH_HEAD, *(_bash_function(name, commands) for name, commands in programs.items())])


_BASH_HEAD = '# Completion for bash: eval "$(tilewright completion bash)"'


def _bash_function(program: str, commands: list[_Command]) -> str:
    function = f"_{program.replace('-', '_')}_completion"
    names = " ".join(command.name for command in commands if command.name)
    lines = [
        f"{function}() {{",
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= values= options=",
        '  [[ $before == "=" ]] && before=${COMP_WORDS[COMP_CWORD-2]}',
        '  [[ $word == "=" ]] && before=${COMP_WORDS[COMP_CWORD-1]} word=',
        "  COMPREPLY=()",
    ]
    if names:
        lines += ["  (( COMP_CWORD > 1 )) && command=${COMP_WORDS[1]}"]
    lines += ["  case $command in"]
    for command in commands:
        words = " ".join(name for option in command.options for name in option.names)
        lines += [f"    '{command.name}') options='{words}'", "      case $before in"]
        for option in command.options:
            if option.values is not None:
                pattern = "|".join(option.names)
                lines += [f"        {pattern}) values='{' '.join(option.values) or '-'}' ;;"]
        lines += ["      esac ;;"]
    lines += [
        "  esac",
        '  if [[ $values == "-" ]]; then COMPREPLY=($(compgen -f -- "$word"))',
        '  elif [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$word"))',
        '  elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))',
    ]
    if names:
        lines += [f"  elif [[ -z $command ]]; then COMPREPLY=($(compgen -W '{names}' -- \"$word\"))"]
    lines += ['  else COMPREPLY=($(compgen -f -- "$word")); fi', "}", f"complete -o filenames -F {function} {program}"]
    return "\n".join(lines)


def _zsh(programs: dict[str, list[_Command]]) -> str:
    """Return the script for zsh, which reads bash's functions."""
    head = '# Completion for zsh: eval "$(tilewright completion zsh)"\nautoload -U +X bashcompinit && bashcompinit'
    return _bash(programs).replace(_BASH_HEAD, head)


def _fish(programs: dict[str, list[_Command]]) -> str:
    return "\n".join(["# Completion for fish: tilewright completion fish | source", *_fish_lines(programs)])


def _fish_lines(programs: dict[str, list[_Command]]) -> Iterator[str]:
    for program, commands in programs.items():
        for command in commands:
            if command.name:
                yield f"complete -c {program} -n __fish_use_subcommand -a {command.name} -d {_quoted(command.sentence)}"
            has_others = len(commands) > 1
            when = f"'__fish_seen_subcommand_from {command.name}'" if command.name else "__fish_use_subcommand"
            for option in command.options:
                names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
                value = "" if option.values is None else f" -x -a {_quoted(' '.join(option.values))}"
                value = " -r" if option.values == () else value
                condition = f" -n {when}" if has_others else ""
                yield f"complete -c {program}{condition} {names}{value} -d {_quoted(option.sentence)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
