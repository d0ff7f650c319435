"""Names of the language as objects of Python: annotations and decorators are evaluated before a script is read."""

from __future__ import annotations

from typing import Any


class Marker:
    """A name such as `T.exp`. Calling or indexing it gives a marker again: the script's text says what is meant."""

    def __init__(self, name: str) -> None:
        self.__tvmscript__ = name

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self

    def __getitem__(self, item: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Marker:
        if name.startswith("__"):
            raise AttributeError(name)
        return Marker(f"{self.__tvmscript__}.{name}")

    def __repr__(self) -> str:
        return f"T.{self.__tvmscript__}"
