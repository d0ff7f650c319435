"""`te.tag_scope`: the tag of the computes that are defined within."""

from __future__ import annotations

from contextlib import ContextDecorator

from .te_errors import te_error

_current: list[str] = []


class TagScope(ContextDecorator):
    """A `with`, or a decorator of a function, whose computes have a tag."""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def __enter__(self) -> TagScope:
        if _current:
            te_error(
                "TW0453",
                f"expected one tag for a compute, but te.tag_scope({self.tag!r}) stands in that of {_current[-1]!r}",
            )
        _current.append(self.tag)
        return self

    def __exit__(self, *error: object) -> None:
        _current.pop()


def tag_scope(tag: str) -> TagScope:
    """Return a scope that tags computes: `with te.tag_scope("gemm"):`, or `@te.tag_scope("conv")`. Raises TW0453 within
    another."""
    return TagScope(tag)


def current_tag() -> str:
    """Return the tag of the scope around; empty where there is none."""
    return _current[-1] if _current else ""
