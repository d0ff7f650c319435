"""Python's cyclic garbage collector, at rest while a module is compiled.

Operations, blocks and values refer to one another, so that the collector walks all of the IR each time it looks for
cycles, and finds few: what passes throw away is little beside what they keep. On networks of hundreds of layers that
is a fifth of the time of the passes.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Generator[None]:
    """Pause the collector; who paused it resumes it, so that compilations may nest, and run in several threads."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
