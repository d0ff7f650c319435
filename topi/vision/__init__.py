"""Operators on boxes and regions of images."""

from typing import Any

from ...lazy import unknown_name
from ..refusals import refused_name
from . import rcnn
from .boxes import all_class_non_max_suppression, get_valid_counts, non_max_suppression
from .rcnn import roi_align_nchw, roi_align_nhwc, roi_pool_nchw
from .reorg import reorg

__all__ = [
    "all_class_non_max_suppression",
    "get_valid_counts",
    "non_max_suppression",
    "rcnn",
    "reorg",
    "roi_align_nchw",
    "roi_align_nhwc",
    "roi_pool_nchw",
]


def __getattr__(name: str) -> Any:
    """Return the refused function of a name, which raises when it is called."""
    if (refused := refused_name("topi.vision", name)) is not None:
        return refused
    raise unknown_name(__name__, name, __all__)
