"""The coverage of a model by the importer, operator by operator, before anything is imported: `tilewright import
--report`."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import onnx

from .expansion import functions_of, has_body
from .model_file import OLDEST_OPSET, opset_of, read_model
from .node import operator_name
from .registry import is_converted
from .subgraphs import all_nodes


@dataclass
class Coverage:
    """The nodes of a model, those of branches and loop bodies among them, counted by operator.

    An operator counts as covered by its name and opset; only the import checks attributes, types and sizes.
    """

    opset: int
    supported: Counter[str] = field(default_factory=Counter[str])
    """The operators with a converter."""
    expanded: Counter[str] = field(default_factory=Counter[str])
    """The operators that are replaced by their definition in the standard or in the model."""
    missing: Counter[str] = field(default_factory=Counter[str])
    examples: dict[str, str] = field(default_factory=dict[str, str])
    """A node of each operator that is missing."""

    @property
    def is_opset_known(self) -> bool:
        """True if the importer reads the model's opset."""
        return OLDEST_OPSET <= self.opset <= onnx.defs.onnx_opset_version()

    @property
    def is_complete(self) -> bool:
        """True if no operator is missing and the importer reads the opset."""
        return self.is_opset_known and not self.missing

    def __str__(self) -> str:
        known = "" if self.is_opset_known else f", expected {OLDEST_OPSET} to {onnx.defs.onnx_opset_version()}"
        lines = [f"opset {self.opset}{known}"]
        for label in ("supported", "expanded", "missing"):
            counts: Counter[str] = getattr(self, label)
            lines.append(f"{label} nodes: {counts.total()}, operators: {len(counts)}")
            for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
                example = f", first at node '{self.examples[name]}'" if label == "missing" else ""
                lines.append(f"  {count:5} {name}{example}")
        return "\n".join(lines)


def coverage(model: str | os.PathLike[str] | onnx.ModelProto) -> Coverage:
    """Return the coverage of a model. Data beside the file is not read. Raises TW0301 for a file that is no model."""
    proto = model if isinstance(model, onnx.ModelProto) else read_model(Path(model))[0]
    functions, found = functions_of(proto), Coverage(opset_of(proto))
    for node in all_nodes(proto.graph):
        name = operator_name(node)
        if is_converted(node, functions):
            found.supported[name] += 1
        elif has_body(node, found.opset, functions, lambda n: is_converted(n, functions)):
            found.expanded[name] += 1
        else:
            found.missing[name] += 1
            found.examples.setdefault(name, node.name or next(iter(node.output), ""))
    return found
