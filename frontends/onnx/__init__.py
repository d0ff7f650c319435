"""
ONNX models as modules of the graph dialect.

`import_model` reads opset 1 to the newest that the installed onnx package knows. What depends on constants alone is
computed while importing, as far as shapes and sizes need it; the rest of constant folding is left to the passes.
"""

from .importer import import_model
from .random_weights import with_random_weights

__all__ = ["import_model", "with_random_weights"]
