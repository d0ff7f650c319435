"""Classic names of relay passes, and the equivalent passes of this compiler."""

from __future__ import annotations

from collections.abc import Mapping

from ...tir import pass_names as of_tir

SAME_AS: Mapping[str, str] = {
    "AnnotateSpans": "",
    "BackwardFoldScaleAxis": "simplify-inference",
    "CanonicalizeCast": "",
    "CanonicalizeOps": "",
    "DeadCodeElimination": "dead-code",
    "DynamicToStatic": "infer-types,fold-constant",
    "EliminateCommonSubexpr": "eliminate-common-subexpressions",
    "FastMath": "",
    "FoldConstant": "fold-constant",
    "FoldScaleAxis": "simplify-inference",
    "FuseOps": "fuse",
    "InferType": "infer-types",
    "Inline": "",
    "Legalize": "",
    "RemoveUnusedFunctions": "dead-code",
    "SimplifyExpr": "simplify-inference,fold-constant",
    "SimplifyInference": "simplify-inference",
    "ToANormalForm": "",
    "ToBasicBlockNormalForm": "",
    "ToGraphNormalForm": "",
}
"""The pass, or passes in order, under its name here. Nothing is done where a module has that form from the start: the
IR assigns each value once, calls of functions are their bodies, and locations are always kept. `FastMath` finds no
operator that has a faster, less exact form: exp, tanh and erf are fast as they are."""

ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "DeadCodeElimination": ("inline_once", "ignore_impurity"),
    "EliminateCommonSubexpr": ("fskip",),
    "FoldConstant": ("fold_qnn",),
    "FuseOps": ("fuse_opt_level",),
    "Legalize": ("legalize_map_attr_name",),
    "RemoveUnusedFunctions": ("entry_functions",),
}
"""The parameters that a classic pass has beside those that `Sequential` has."""

_SPLIT = ("each operator is a kernel or part of one", "leave it out: kernels run on all threads")
_BYOC = (
    "there are no partitions for other compilers",
    "register an operator for what a library computes, tilewright.register_operator, or a backend, "
    "tilewright.register_backend",
)
_FUNCTIONAL = ("functions are first-order, and the IR assigns each value once", "leave it out")
_PRECISION = (
    "element types are those that the model states",
    "import a model of float16 from ONNX, or write relay.cast(x, 'float16')",
)

REFUSED: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("CombineParallelBatchMatmul", "CombineParallelConv2D", "CombineParallelDense"), _SPLIT),
    **dict.fromkeys(
        ("AnnotateCompiler", "AnnotateTarget", "MergeCompilerRegions", "MergeComposite", "OutlineCompilerFunctions",
         "PartitionGraph", "InlineCompilerFunctions"), _BYOC,
    ),
    **dict.fromkeys(
        ("Defunctionalization", "EtaExpand", "LambdaLift", "LazyGradientInit", "PartialEvaluate", "SplitArgs",
         "ToCPS", "un_cps"), _FUNCTIONAL,
    ),
    **dict.fromkeys(("FirstOrderGradient", "gradient"), (
        "gradients are taken of tensors of te", "te.gradient(output, inputs)")),
    "ToMixedPrecision": _PRECISION,
    "FakeQuantizationToInteger": (
        "integers are computed with where a model from ONNX states quantised operators (QLinearConv, QLinearMatMul, "
        "ConvInteger)", "export the model in that form, and import it",
    ),
    "FlattenAtrousConv": ("convolutions have dilations", "relay.nn.conv2d(x, w, dilation=(2, 2))"),
    "ForwardFoldScaleAxis": (
        "scales move into the weights before them", "SimplifyInference, or BackwardFoldScaleAxis"),
    "ManifestAlloc": ("memory is planned when a model is compiled", "compile it: relay.build"),
    "PlanDevices": ("a program runs on one device", "build it for that: relay.build(module, target)"),
    "RemoveStandaloneReshapes": ("a reshape is a view of its operand", "leave it out"),
}  # fmt: skip
"""Passes without a counterpart, with the reason and an alternative."""


def passes_of(name: str) -> tuple[str, ...] | None:
    """Return the names here of a pass that `relay.transform` or `tir.transform` has; None where neither has it."""
    if name == "AlterOpLayout":
        return ("block-channels",)
    given = SAME_AS.get(name, of_tir.SAME_AS.get(name))
    return None if given is None else tuple(each for each in given.split(",") if each)
