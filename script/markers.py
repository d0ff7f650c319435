"""Names of the language as Python objects, because Python evaluates annotations and decorators before the script is
parsed."""

from __future__ import annotations

from typing import Any


class Marker:
    """A name such as `T.exp`. A call or an index returns a marker again; only the parser interprets the text of the
    script."""

    def __init__(self, name: str) -> None:
        self.__tvmscript__ = name
        self.__name__ = name.rpartition(".")[2]

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self

    def __getitem__(self, item: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Marker:
        if name.startswith("__"):
            raise AttributeError(name)
        return Marker(f"{self.__tvmscript__}.{name}")

    def _with(self, other: Any) -> Marker:
        """Return a name in an expression, such as that of an extent."""
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __rfloordiv__ = _with
    __truediv__ = __rtruediv__ = __mod__ = __rmod__ = __lt__ = __le__ = __gt__ = __ge__ = _with

    def __neg__(self) -> Marker:
        return self

    def __repr__(self) -> str:
        return f"T.{self.__tvmscript__}"
