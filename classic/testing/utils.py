"""Set-up functions that the programs of TVM's gallery call first."""

from __future__ import annotations

from ...diagnostics.expectations import expect_type


def install_request_hook(depth: int) -> None:
    """Do nothing: in TVM it redirects the downloads of the gallery's tests, and this package downloads nothing."""
    expect_type("depth", depth, int)
