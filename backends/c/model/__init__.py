"""Whole models as one C99 file and its header, for programs without an operating system.

The file allocates no memory and keeps no state: a call gets the arrays of its inputs and outputs and an arena. A call
runs serially; any number of calls may run at once, each with a separate arena.
"""

from .file import ModelSizes as ModelSizes
from .file import write_model as write_model
