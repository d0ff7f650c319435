"""What the tables of error codes hold."""

from __future__ import annotations

from typing import NamedTuple


class ErrorCode(NamedTuple):
    """What an error code stands for."""

    title: str
    """A few words, lower case, no full stop."""
    explanation: str
    """Sentences for the user: what it means, what to do about it."""
    remedy: str = ""
    """What to do about it, lower case, no full stop: the `help` of errors whose place of origin knows nothing better.
    Empty for remarks."""
    also: type[Exception] | None = None
    """Python's own exception for such errors, which they are too: ValueError, TypeError, IndexError."""
