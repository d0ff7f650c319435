"""Calls with arguments that do not fit, refused by the runtime."""

from __future__ import annotations

from ..runtime.calls import coded as coded
from ..runtime.calls import coded_methods as coded_methods
from ..runtime.calls import coded_names as coded_names
from ..runtime.calls import public as public
