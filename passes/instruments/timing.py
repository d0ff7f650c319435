"""Reports of a compilation's times, under their public path."""

from ..framework.instruments.timing import time_report as time_report
