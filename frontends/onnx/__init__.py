"""
ONNX models as modules of the graph dialect.

`import_model` reads opset 1 to the newest opset of the installed onnx package. Values that depend on constants alone
are folded while importing if shapes and sizes need them; the passes do the rest of constant folding.
"""

from .importer import import_model
from .random_weights import with_random_weights

__all__ = ["import_model", "with_random_weights"]
