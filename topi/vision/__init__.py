"""Operators on boxes and regions of images."""

from . import rcnn
from .boxes import all_class_non_max_suppression
from .rcnn import roi_align_nchw, roi_align_nhwc, roi_pool_nchw
from .reorg import reorg

__all__ = [
    "all_class_non_max_suppression",
    "rcnn",
    "reorg",
    "roi_align_nchw",
    "roi_align_nhwc",
    "roi_pool_nchw",
]
