"""The cache of compiled code on disk: one folder, one format of entries, one limit of size.

cache = Cache.of(OBJECTS)
data = cache.load(key)       # None where there is no entry that this user's compiler wrote for this very key
cache.store(key, [data])
"""

from .contents import Usage, clear, prune, usage
from .folder import (
    KERNELS,
    KINDS,
    OBJECTS,
    PROGRAMS,
    PTX,
    CacheFolder,
    Kind,
    configured_root,
    obstacle,
    private_folder,
    report_once,
)
from .store import Cache

__all__ = [
    "KERNELS",
    "KINDS",
    "OBJECTS",
    "PROGRAMS",
    "PTX",
    "Cache",
    "CacheFolder",
    "Kind",
    "Usage",
    "clear",
    "configured_root",
    "obstacle",
    "private_folder",
    "prune",
    "report_once",
    "usage",
]
