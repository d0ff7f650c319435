"""Whether kernels of OpenCL can run here."""

from __future__ import annotations

import pytest


def skip_without_opencl() -> None:
    """Skip the rest of a test where pyopencl or a device is missing. The text of kernels is checked before."""
    pyopencl = pytest.importorskip("pyopencl", reason="running kernels takes the extra `opencl`")
    try:
        pyopencl.create_some_context(interactive=False)
    except pyopencl.Error as error:
        pytest.skip(f"no OpenCL device: {error}")
