"""Frontends: TW03xx."""

from __future__ import annotations

from .entry import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0301": ErrorCode(
        "model cannot be read",
        "The file is not a model of the expected format, or it is truncated or damaged.",
        remedy="export or download the model again; `onnx.checker.check_model` says what is wrong with a file",
    ),
    "TW0302": ErrorCode(
        "unsupported operator",
        "The model uses an operator, or a version of it, that the importer does not know. The message "
        "names the node, the operator and the opset.",
        remedy="export the model with another opset, or replace the operator before the export",
    ),
    "TW0303": ErrorCode(
        "invalid node in a model",
        "A node of the model breaks the rules of its operator: inputs are missing, of the wrong type or "
        "shape, or an attribute has a value that the operator does not have.",
        remedy="correct the node in the program that exported the model; `onnx.checker.check_model` says more",
    ),
    "TW0304": ErrorCode(
        "model needs a shape or value that is not known",
        "A shape, axis or size is computed from the values of the model's inputs, or a size left open by "
        "the model meets an operator that needs a number. `--shape NAME=1,3,224,224` fixes the sizes of an"
        " input.",
        remedy="fix the sizes of the inputs: `--shape NAME=1,3,224,224`",
    ),
    "TW0305": ErrorCode(
        "unsupported feature of a model format",
        "The model is valid but uses a type or a feature of its format that the importer does not read: "
        "sequences, sparse tensors, strings, control flow.",
        remedy="export the model without this feature",
    ),
    "TW0306": ErrorCode(
        "unsupported attribute of a node",
        "The importer knows the operator but not this attribute of it, and the value is not the default. What the "
        "attribute asks for would be left out of the result. Where the attribute does not matter for inference, remove "
        "it from the node, or export the model for an older opset.",
        remedy="remove the attribute from the node where it does not matter for inference, or export for an "
        "older opset",
    ),
}
