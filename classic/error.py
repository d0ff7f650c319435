"""Exceptions under the names that old programs catch.

`TVMError` is the base of the errors of this package, `TilewrightError` with a code, and programs may raise it. The
errors of single operators belong to TVM's graph level: this package does not raise them.
"""

from __future__ import annotations

from ..diagnostics.errors import ReportedError
from ..diagnostics.errors import TilewrightError as TilewrightError

TVMError = ReportedError
DiagnosticError = TilewrightError
"""An error in a script, as it is raised here."""


class InternalError(TVMError):
    """An internal error of TVM. Internal errors of this compiler are builtin exceptions of Python."""


class RPCError(TVMError):
    """A remote process failed. There are none here."""


class OpError(TVMError):
    """An operator of a model cannot be converted; here TW0302 to TW0306."""


class OpNotImplemented(OpError, NotImplementedError):
    """An operator is not known; here TW0302."""


class OpAttributeRequired(OpError, AttributeError):
    """An attribute of an operator is missing; here TW0303."""


class OpAttributeInvalid(OpError, AttributeError):
    """An attribute of an operator has a value that it cannot have; here TW0303."""


class OpAttributeUnImplemented(OpError, NotImplementedError):
    """An attribute of an operator is not known; here TW0306."""


def register_error(func_name: object = None, cls: type | None = None) -> object:
    """Return a class of errors as it is, or a decorator that does: exceptions pass as they are."""
    if isinstance(func_name, type):
        return func_name
    return cls if cls is not None else lambda made: made
