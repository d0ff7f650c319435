"""The converters of operators.

An operator that ONNX and the graph dialect have with the same operands, attributes and meaning names its ONNX operator
in its declaration (`onnx=`) and needs no converter. The converters of other operators are in a table of names; a file
of converters is imported on first use. Users register converters for operators of other domains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import onnx

from ...lazy import load
from ...operators.declaration import operators_of_onnx, registered
from ..user_converters import STANDARD_DOMAINS, user_converters
from .expansion import Functions, has_body
from .node import operator_name
from .subgraphs import all_nodes

if TYPE_CHECKING:
    from .node import Node, Value

_FILES: dict[str, str] = {
    "elementwise:variadic": "Max Mean Min Sum",
    "casting:cast": "Cast",
    "elementwise:bitcast": "BitCast",
    "elementwise:celu": "Celu",
    "elementwise:clip": "Clip",
    "elementwise:dropout": "Dropout",
    "elementwise:gelu": "Gelu",
    "elementwise:hard_sigmoid": "HardSigmoid",
    "elementwise:bit_shift": "BitShift",
    "elementwise:modulo": "Mod",
    "elementwise:power": "Pow",
    "elementwise:prelu": "PRelu",
    "branches:if_": "If",
    "counted:compress": "Compress",
    "counted:non_max_suppression": "NonMaxSuppression",
    "counted:nonzero": "NonZero",
    "counted:unique": "Unique",
    "constants:constant": "Constant",
    "constants:constant_of_shape": "ConstantOfShape",
    "constants:arange": "Range",
    "constants:shape_": "Shape",
    "constants:eye_like": "EyeLike",
    "constants:size": "Size",
    "neural:gemm": "Gemm",
    "neural:matmul": "MatMul",
    "neural:conv": "Conv",
    "neural:conv_transpose": "ConvTranspose",
    "neural:batch_norm": "BatchNormalization",
    "neural:group_norm": "GroupNormalization",
    "neural:layer_norm": "LayerNormalization",
    "neural:lp_norm": "LpNormalization",
    "neural:rms_norm": "RMSNormalization",
    "skipped:simplified_layer_norm": "SimplifiedLayerNormalization",
    "neural:softmax": "Hardmax LogSoftmax Softmax",
    "pooling:pool": "MaxPool AveragePool",
    "pooling:global_lp_pool": "GlobalLpPool",
    "pooling:lp_pool": "LpPool",
    "pooling:global_pool": "GlobalAveragePool GlobalMaxPool",
    "gradients:gradient": "ai.onnx.preview.training.Gradient",
    "image:depth_to_space": "DepthToSpace",
    "image:resize": "Resize",
    "image:space_to_depth": "SpaceToDepth",
    "image:upsample": "Upsample",
    "recurrent:gru": "GRU",
    "recurrent:lstm": "LSTM",
    "recurrent:rnn": "RNN",
    "quantized:conv_integer": "ConvInteger",
    "quantized:dequantize": "DequantizeLinear",
    "quantized:dynamic_quantize": "DynamicQuantizeLinear",
    "quantized:matmul_integer": "MatMulInteger",
    "quantized:qlinear_conv": "QLinearConv",
    "quantized:qlinear_matmul": "QLinearMatMul",
    "quantized:quantize": "QuantizeLinear",
    "random:multinomial": "Multinomial",
    "random:normal": "RandomNormal RandomNormalLike",
    "random:uniform": "RandomUniform RandomUniformLike",
    "sampling:affine_grid": "AffineGrid",
    "sampling:col2im": "Col2Im",
    "sampling:deform_conv": "DeformConv",
    "sampling:grid_sample": "GridSample",
    "sampling:max_roi_pool": "MaxRoiPool",
    "sampling:max_unpool": "MaxUnpool",
    "sampling:roi_align": "RoiAlign",
    "strings:concat": "StringConcat",
    "strings:full_match": "RegexFullMatch",
    "strings:normalize": "StringNormalizer",
    "strings:split": "StringSplit",
    "trees:tree_ensemble": "ai.onnx.ml.TreeEnsemble",
    "signal:dft": "DFT",
    "signal:mel_weights": "MelWeightMatrix",
    "signal:stft": "STFT",
    "reduction:arg": "ArgMax ArgMin",
    "reduction:running": "CumSum CumProd",
    "reduction:l1_norm": "ReduceL1",
    "reduction:l2_norm": "ReduceL2",
    "reduction:log_of_sum": "ReduceLogSum",
    "reduction:log_of_sum_of_powers": "ReduceLogSumExp",
    "reduction:sum_of_squares": "ReduceSumSquare",
    "reduction:reduce": "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum",
    "learning:array_features": "ai.onnx.ml.ArrayFeatureExtractor",
    "learning:binarizer": "ai.onnx.ml.Binarizer",
    "learning:label_encoder": "ai.onnx.ml.LabelEncoder",
    "learning:n_grams": "TfIdfVectorizer",
    "loops:loop": "Loop",
    "loops:scan": "Scan",
    "movement:concat": "Concat",
    "movement:expand": "Expand",
    "movement:flatten": "Flatten",
    "movement:gather": "Gather",
    "movement:gather_elements": "GatherElements",
    "movement:gather_nd": "GatherND",
    "movement:one_hot": "OneHot",
    "movement:reshape": "Reshape",
    "movement:reverse_sequence": "ReverseSequence",
    "movement:scatter_elements": "Scatter ScatterElements",
    "movement:scatter_nd": "ScatterND",
    "movement:squeeze": "Squeeze",
    "movement:tensor_scatter": "TensorScatter",
    "movement:tile": "Tile",
    "movement:topk": "TopK",
    "movement:transpose": "Transpose",
    "movement:trilu": "Trilu",
    "movement:unsqueeze": "Unsqueeze",
    "sequences:at": "SequenceAt",
    "sequences:concat": "ConcatFromSequence",
    "sequences:construct": "SequenceConstruct",
    "sequences:empty": "SequenceEmpty",
    "sequences:erase": "SequenceErase",
    "sequences:get_element": "OptionalGetElement",
    "sequences:has_element": "OptionalHasElement",
    "sequences:identity": "Identity",
    "sequences:insert": "SequenceInsert",
    "sequences:length": "SequenceLength",
    "sequences:optional": "Optional",
    "sequences:split": "SplitToSequence",
    "training:adagrad": "ai.onnx.preview.training.Adagrad",
    "training:adam": "ai.onnx.preview.training.Adam",
    "training:momentum": "ai.onnx.preview.training.Momentum",
    "cutting:pad": "Pad",
    "cutting:slice_": "Slice",
    "cutting:split": "Split",
}

_OF_ONNXRUNTIME: dict[str, str] = {
    "attention:attention": "Attention",
    "attention:multi_head_attention": "MultiHeadAttention",
    "attention:quantized_attention": "QAttention",
    "fused:bias_add": "BiasAdd",
    "fused:bias_split_gelu": "BiasSplitGelu",
    "fused:fast_gelu": "FastGelu",
    "fused:fused_conv": "FusedConv",
    "fused:fused_gemm": "FusedGemm",
    "fused:fused_matmul": "FusedMatMul TransposeMatMul",
    "fused:gelu": "BiasGelu Gelu",
    "fused:nhwc_conv": "NhwcConv",
    "fused:quick_gelu": "QuickGelu",
    "grouped_attention:group_query_attention": "GroupQueryAttention",
    "grouped_attention:rotary_embedding": "RotaryEmbedding",
    "quantized:dequantize": "DequantizeLinear",
    "quantized:quantize": "QuantizeLinear",
    "quantized_operators:binary": "QLinearAdd QLinearMul",
    "quantized_operators:concat": "QLinearConcat",
    "quantized_operators:conv": "QLinearConv",
    "quantized_operators:dynamic_matmul": "DynamicQuantizeMatMul",
    "quantized_operators:gemm": "QGemm",
    "quantized_operators:matmul_to_float": "MatMulIntegerToFloat",
    "quantized_operators:max_pool": "NhwcMaxPool",
    "quantized_operators:mean": "QLinearReduceMean",
    "quantized_operators:pool": "QLinearAveragePool QLinearGlobalAveragePool",
    "quantized_operators:unary": "QLinearLeakyRelu QLinearSigmoid QLinearSoftmax",
    "quantized_operators:where": "QLinearWhere",
    "quantized_recurrent:lstm": "DynamicQuantizeLSTM",
    "skipped:embed_layer_norm": "EmbedLayerNormalization",
    "skipped:quantized_embed_layer_norm": "QEmbedLayerNormalization",
    "skipped:skip_layer_norm": "SkipLayerNormalization SkipSimplifiedLayerNormalization",
}
"""The converters of operators of the domain com.microsoft."""

CONVERTERS: dict[str, str] = {
    f"{domain}{name}": function
    for domain, files in (("", _FILES), ("com.microsoft.", _OF_ONNXRUNTIME))
    for function, names in files.items()
    for name in names.split()
}
"""ONNX operator -> "module:function", relative to `converters`; one of another domain than the standard one with it."""

_DECLARED = "declared:same_operator"

BROADCASTING_OPSET = 7
"""The opset since which operators broadcast as numpy does; nodes of older ones become nodes of it."""


def supported_operators() -> set[str]:
    """Return the operators that can be imported: those of ONNX's standard domain, and "domain.name" of the others."""
    return {*user_converters(), *CONVERTERS, *operators_of_onnx()}


def converter(node: Node) -> Callable[[Node], Value | Sequence[Value]]:
    """Return the converter of a node. An operator that a user declares equal to ONNX's precedes the function here."""
    registered_converter = user_converters().get(node.operator)
    if registered_converter is not None:
        return registered_converter
    if node.opset < BROADCASTING_OPSET and node.proto.domain in STANDARD_DOMAINS:
        return load("older:convert", f"{__package__}")
    declared = operators_of_onnx().get(node.operator)
    is_users = declared is not None and declared.name in registered()
    name = _DECLARED if is_users else CONVERTERS.get(node.operator, _DECLARED)
    return load(name, f"{__package__}.converters")


def is_converted(node: onnx.NodeProto, functions: Functions) -> bool:
    """Return whether a converter knows a node's operator.

    An operator that the model defines as a function is the model's, except for operators of the standard: a function of
    the same name is not called, as in onnxruntime and the standard's reference.
    """
    is_of_model = (node.domain, node.op_type) in functions and node.domain not in STANDARD_DOMAINS
    return not is_of_model and operator_name(node) in supported_operators()


def unknown_operators(model: onnx.ModelProto, opset: int, functions: Functions) -> str | None:
    """Return a message that names every operator of the model which has no converter and no body, or None."""
    unknown = Counter[str]()
    example: dict[str, str] = {}
    for node in all_nodes(model.graph):
        if is_converted(node, functions) or has_body(node, opset, functions, lambda n: is_converted(n, functions)):
            continue
        name = operator_name(node)
        unknown[name] += 1
        example.setdefault(name, node.name or next(iter(node.output), ""))
    if not unknown:
        return None
    listed = ", ".join(f"{name} ({count}×, first at node '{example[name]}')" for name, count in unknown.items())
    return f"the model uses operators that are not supported at opset {opset}: {listed}"
