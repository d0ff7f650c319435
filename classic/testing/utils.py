"""Functions that programs of the classic gallery call first."""

from __future__ import annotations

from ...diagnostics.expectations import expect_type


def install_request_hook(depth: int) -> None:
    """Do nothing: it places downloads of the gallery's own tests elsewhere, and this package downloads nothing."""
    expect_type("depth", depth, int)
