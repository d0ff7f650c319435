"""tilewright: a tensor compiler on xDSL.

The names below are the front door. Each is imported on first use: `import tilewright` costs next to nothing.
"""

# Names are imported when they are first asked for.
# pyright: reportUnsupportedDunderAll=false

from __future__ import annotations

from importlib import import_module
from typing import Any

from .lazy import fill_slots, load, name_elsewhere, place_elsewhere
from .runtime import __version__ as __version__
from .runtime import slots

_EXPORTS: dict[str, str] = {
    "Backend": "backends:Backend",
    "IRModule": "dialects.ir_module:IRModule",
    "Pass": "passes.base:Pass",
    "PassContext": "passes.context:PassContext",
    "PassManager": "passes.manager:PassManager",
    "Schedule": "schedule:Schedule",
    "Target": "driver:Target",
    "TilewrightError": "diagnostics:TilewrightError",
    "build": "driver:build",
    "compile": "driver:compile",
    "cpu": "runtime:cpu",
    "cuda": "runtime:cuda",
    "decide": "schedule.decisions:decide",
    "device": "runtime:device",
    "get_include": "backends.library_exports:get_include",
    "load_module": "driver:load_module",
    "lower": "driver:lower",
    "pattern_pass": "passes.custom:pattern_pass",
    "register_backend": "backends:register_backend",
    "register_dialect": "passes.own_dialects:register_dialect",
    "register_frontend": "frontends.registry:register_frontend",
    "register_intrinsic": "semantics:register_intrinsic",
    "register_lowering": "passes.intrinsics:register_lowering",
    "register_onnx_converter": "frontends.own_converters:register_onnx_converter",
    "register_operator": "operators:register_operator",
    "register_pass": "passes.registry:register_pass",
    "register_primitive": "schedule:register_primitive",
    "register_schedule_rule": "schedule.rules.registered:register_schedule_rule",
    "unregister_backend": "backends:unregister_backend",
    "unregister_dialect": "passes.own_dialects:unregister_dialect",
    "unregister_frontend": "frontends.registry:unregister_frontend",
    "unregister_intrinsic": "semantics.intrinsics:unregister_intrinsic",
    "unregister_lowering": "passes.intrinsics:unregister_lowering",
    "unregister_onnx_converter": "frontends.own_converters:unregister_onnx_converter",
    "unregister_operator": "operators:unregister_operator",
    "unregister_pass": "passes.registry:unregister_pass",
    "unregister_primitive": "schedule:unregister_primitive",
    "unregister_schedule_rule": "schedule.rules.registered:unregister_schedule_rule",
}
_HANDED_ON: dict[str, str] = {
    "te.create_prim_func": "passes.prim_func:create_prim_func",
    "te.create_schedule": "schedule.stages:create_schedule",
    "te.decl_tensor_intrin": "passes.tensor_intrin:decl_tensor_intrin",
    "te.described": "passes.tensor_intrin:described",
    "te.trace": "tir.packed:trace",
}
"""Names of lower modules for what stands above them."""
_MODULES = (
    "analysis", "driver", "instrument", "ir", "nd", "passes", "runtime", "script", "target", "te", "testing", "tir",
    "topi", "transform", "tune",
)  # fmt: skip

_TIR_TYPES = (
    "Add", "AllocateConst", "And", "Any", "AssertStmt", "AttrStmt", "BlockRealize", "Broadcast", "BufferRealize",
    "Call", "Cast", "CommReducer", "Div", "EQ", "Evaluate", "FloatImm", "FloorDiv", "FloorMod", "GE", "GT", "IterVar",
    "LE", "LT", "Let", "LetStmt", "Load", "Max", "Min", "Mod", "Mul", "NE", "Not", "Or", "Prefetch", "PrimExpr",
    "ProducerLoad", "ProducerRealize", "ProducerStore", "Ramp", "Reduce", "Select", "Shuffle", "SizeVar", "Store",
    "StringImm", "Sub", "While",
)  # fmt: skip
_TE_TYPES = (
    "BaseComputeOp", "ComputeOp", "ExternOp", "HybridOp", "Operation", "PlaceholderOp", "ScanOp", "TensorComputeOp",
)  # fmt: skip
"""Names of classes that programs test by isinstance, of expressions, statements and definitions of tensors."""

_REFUSED = (
    "_ffi.libinfo", "_ffi.runtime_ctypes", "contrib.coreml_runtime",
    "contrib.cublas", "contrib.cublaslt", "contrib.cuda_graph", "contrib.cudnn", "contrib.cutlass",
    "contrib.dlpack", "contrib.dnnl", "contrib.download", "contrib.emcc",
    "contrib.hexagon", "contrib.miopen", "contrib.mkl",
    "contrib.mkldnn", "contrib.mps", "contrib.mxnet", "contrib.ndk", "contrib.nnpack", "contrib.peak",
    "contrib.pipeline_executor", "contrib.popen_pool", "contrib.rocblas", "contrib.rocm", "contrib.rpc",
    "contrib.sdaccel", "contrib.spirv", "contrib.stackvm", "contrib.tar", "contrib.target", "contrib.tedd",
    "contrib.tf_op", "contrib.tflite_runtime", "contrib.thrust", "contrib.torch", "contrib.xcode",
    "exec", "ir.adt", "ir.affine_type", "ir.json_compact", "ir.type_relation",
    "micro", "parser", "relax",
    "relay.adt", "relay.annotation", "relay.backend.contrib", "relay.backend.te_compiler", "relay.backend.vm",
    "relay.collage", "relay.data_dep_optimization", "relay.dataflow_pattern", "relay.debug", "relay.dyn",
    "relay.loops", "relay.memory", "relay.op.annotation", "relay.op.contrib", "relay.op.dyn", "relay.op.memory",
    "relay.op.random", "relay.op.strategy", "relay.prelude", "relay.qnn", "relay.quantize", "relay.random",
    "relay.scope_builder", "relay.sparse", "relay.testing.darknet", "relay.testing.dcgan", "relay.testing.densenet",
    "relay.testing.dqn", "relay.testing.inception_v3", "relay.testing.lstm", "relay.testing.nat",
    "relay.testing.py_converter", "relay.testing.squeezenet", "relay.testing.synthetic",
    "relay.testing.temp_op_attr", "relay.testing.tf", "relay.testing.tflite", "relay.testing.vgg",
    "relay.testing.yolo_detection", "relay.vm",
    "rpc", "runtime.profiler_vm", "runtime.profiling", "runtime.vm",
    "runtime.ObjectPath", "script.context_maintainer", "script.core", "script.highlight",
    "script.ir_builder", "script.parser", "script.printer", "script.registry", "script.relax", "support",
    "testing.tir", "tir.tensor_intrin", "tir.usmp",
)  # fmt: skip
"""Classic modules that can be imported, and of which each name is refused (`classic.reasons`)."""


def _face(name: str) -> str:
    """Where a module is imported from: `contrib` is a package of the classic folder."""
    return f"classic.{name}" if name.startswith("contrib.") else name


_SAME_MODULE = {
    "_ffi.base": "classic.error",
    "_ffi.registry": "classic.ffi",
    "ir.attrs": "ir",
    "ir.base": "ir",
    "ir.container": "classic.container",
    "ir.expr": "ir",
    "ir.function": "ir",
    "ir.instrument": "classic.instrument",
    "ir.tensor_type": "ir",
    "ir.transform": "classic.transform",
    "ir.type": "ir",
    "runtime.container": "runtime",
    "runtime.object": "runtime",
    "runtime.object_generic": "runtime",
    "runtime.packed_func": "runtime",
    "script.parser": "script",
    "target.target": "classic.target",
    "te.autodiff": "te",
    "te.operation": "te",
    "te.tag": "te",
    "te.tensor_intrin": "te",
    "tir.analysis.analysis": "tir.analysis",
    "tir.buffer": "tir",
    "tir.expr": "tir",
    "tir.function": "tir",
    "tir.generic": "tir",
    "tir.op": "tir",
    "tir.schedule.block_scope": "classic.schedule",
    "tir.schedule.instruction": "classic.schedule",
    "tir.schedule.schedule": "classic.schedule",
    "tir.schedule.trace": "classic.schedule",
    "tir.stmt": "tir",
    "tir.transform.function_pass": "tir.transform",
    "tir.transform.transform": "tir.transform",
}
"""Modules that the original splits a package into, by the module that has their names here."""

_DEVICES = ("cl", "ext_dev", "hexagon", "metal", "mtl", "opencl", "rocm", "vpi", "vulkan")

_CLASSIC: dict[str, str] = {
    "DataType": "classic.ir_names:DataType",
    "TVMError": "classic.error:TVMError",
    "_ffi": "classic.ffi",
    **_SAME_MODULE,
    "arith": "classic.arith",
    "container": "classic.container",
    "auto_scheduler": "classic.auto_scheduler",
    "autotvm": "classic.autotvm",
    "autotvm.task": "classic.autotvm.task",
    "autotvm.task.dispatcher": "classic.autotvm.dispatcher",
    "autotvm.task.space": "classic.autotvm.configs",
    "autotvm.task.task": "classic.autotvm.task",
    "autotvm.tophub": "classic.autotvm:tophub",
    "autotvm.tuner": "classic.autotvm.tuner",
    "autotvm.tuner.callback": "classic.autotvm.callback",
    "compiler": "classic.executor.compiler",
    "contrib": "classic.contrib",
    "contrib.debugger": "classic.executor.debugger",
    "contrib.debugger.debug_executor": "classic.executor.debugger",
    "contrib.debugger.debug_runtime": "classic.executor.debugger",
    "contrib.graph_executor": "classic.executor.graph_executor",
    "contrib.graph_runtime": "classic.executor.graph_executor",
    "driver.build_module": "classic.build_module",
    "driver.tvmc": "classic.tvmc",
    "error": "classic.error",
    "frontend": "classic.frontend",
    "get_global_func": "runtime.registry:get_global_func",
    "gpu": "runtime.devices:cuda",
    "instrument": "classic.instrument",
    "ir.BaseExpr": "classic.type_names:BaseExpr",
    "ir.Array": "classic.ir_names:Array",
    "ir.GlobalVar": "classic.ir_names:GlobalVar",
    "ir.Map": "classic.ir_names:Map",
    "ir.PrimExpr": "classic.type_names:PrimExpr",
    "ir.PrimType": "classic.ir_names:DataType",
    "ir.FuncType": "classic.relay.types:FuncType",
    "ir.Range": "te.ranges:Range",
    "ir.RelayExpr": "classic.relay.expr:Expr",
    "ir.TensorType": "classic.relay.types:TensorType",
    "ir.TupleType": "classic.relay.types:TupleType",
    "ir.assert_structural_equal": "classic.structural:assert_structural_equal",
    "ir.structural_equal": "classic.structural:structural_equal",
    "ir.diagnostics": "classic.script_errors",
    "ir.structural_hash": "classic.structural:structural_hash",
    "ir.load_json": "schedule.stages.saved:load_json",
    "ir.save_json": "schedule.stages.saved:save_json",
    "meta_schedule": "classic.meta_schedule",
    "meta_schedule.database": "classic.meta_schedule.database",
    "meta_schedule.space_generator": "classic.meta_schedule.space_generator",
    "meta_schedule.tir_integration": "classic.meta_schedule.tir_integration",
    "nd": "classic.nd",
    "register_func": "runtime.registry:register_func",
    "relay": "classic.relay",
    "relay.GlobalVar": "classic.ir_names:GlobalVar",
    "relay.expr_functor": "classic.relay.functor",
    "relay.function": "classic.relay.functions",
    "relay.image": "classic.relay.op.image",
    "relay.load_param_dict": "classic.executor.params:load_param_dict",
    "relay.nn": "classic.relay.op.nn",
    "relay.param_dict": "classic.executor.params",
    "relay.save_param_dict": "classic.executor.params:save_param_dict",
    "relay.ty": "classic.relay.types",
    "relay.vision": "classic.relay.op.vision",
    "runtime.DataType": "classic.ir_names:DataType",
    "runtime.NDArray": "classic.nd:NDArray",
    "runtime.ShapeTuple": "classic.ir_names:ShapeTuple",
    "runtime.String": "classic.ir_names:String",
    "runtime.TVMError": "classic.error:TVMError",
    "runtime.const": "classic.runtime_names:const",
    "runtime.convert": "classic.runtime_names:convert",
    "runtime.create": "classic.executor.graph_executor:create",
    "runtime.enabled": "classic.runtime_names:enabled",
    "runtime.gpu": "runtime.devices:cuda",
    "runtime.load_param_dict": "classic.executor.params:load_param_dict",
    "runtime.ndarray": "classic.nd",
    "runtime.save_param_dict": "classic.executor.params:save_param_dict",
    "target": "classic.target",
    "te.Schedule": "schedule.stages:Schedule",
    "te.Stage": "schedule.stages:Stage",
    "te.hybrid": "classic.hybrid",
    "te.hybrid.runtime": "classic.hybrid_runtime",
    "te.schedule": "classic.te_schedule",
    "testing": "classic.testing",
    "tir.BlockRV": "schedule:BlockRV",
    "tir.LoopRV": "schedule:LoopRV",
    "tir.Schedule": "classic.schedule:Schedule",
    "tir.ScheduleError": "diagnostics:TilewrightError",
    "tir.analysis.expr_deep_equal": "classic.structural:structural_equal",
    "tir.schedule": "classic.schedule",
    **{f"{place}{name}": f"classic.ir_names:{name}" for place in ("", "nd.", "runtime.") for name in _DEVICES},
    **{f"tir.{name}": f"classic.type_names:{name}" for name in _TIR_TYPES},
    **{_face(name): f"classic.refused:{name.replace('.', '_')}" for name in _REFUSED},
    "topi.arm_cpu": "classic.topi.targets:arm_cpu",
    "topi.arm_cpu.conv2d_gemm": "classic.topi.internals:arm_cpu_conv2d_gemm",
    "topi.bifrost": "classic.topi.targets:bifrost",
    "topi.cuda": "classic.topi.targets:cuda",
    "topi.cuda.depthwise_conv2d": "classic.topi.internals:cuda_depthwise_conv2d",
    "topi.generic": "classic.topi.targets:generic",
    "topi.generic.conv2d": "classic.topi.internals:generic_conv2d",
    "topi.gpu": "classic.topi.targets:gpu",
    "topi.hls": "classic.topi.targets:hls",
    "topi.intel_graphics": "classic.topi.targets:intel_graphics",
    "topi.mali": "classic.topi.targets:mali",
    "topi.nn.conv2d": "classic.topi.internals:nn_conv2d",
    "topi.nn.depthwise_conv2d": "classic.topi.internals:nn_depthwise_conv2d",
    "topi.nn.utils": "classic.topi.nn_utils",
    "topi.rocm": "classic.topi.targets:rocm",
    "topi.testing": "classic.topi.testing",
    "topi.utils": "classic.topi.utils",
    "topi.x86": "classic.topi.targets:x86",
    "topi.x86.conv2d_avx_common": "classic.topi.internals:x86_conv2d_avx_common",
    "topi.x86.depthwise_conv2d": "classic.topi.internals:x86_depthwise_conv2d",
    "topi.cuda.tensor_intrin": "classic.topi.cuda_intrinsics",
    "topi.x86.tensor_intrin": "classic.topi.tensor_intrin",
    "transform": "classic.transform",
    **{f"{place}.{name}": f"classic.type_names:{name}" for place in ("te", "te.tensor") for name in _TE_TYPES},
}
"""Where modules and names of old programs stand, by the path under which they are imported (`lazy.place_elsewhere`)."""

__all__ = [
    "Backend",
    "IRModule",
    "Pass",
    "PassContext",
    "PassManager",
    "Schedule",
    "Target",
    "TilewrightError",
    "analysis",
    "build",
    "compile",
    "cpu",
    "cuda",
    "decide",
    "device",
    "driver",
    "get_include",
    "instrument",
    "ir",
    "load_module",
    "lower",
    "nd",
    "passes",
    "pattern_pass",
    "register_backend",
    "register_dialect",
    "register_frontend",
    "register_intrinsic",
    "register_lowering",
    "register_onnx_converter",
    "register_operator",
    "register_pass",
    "register_primitive",
    "register_schedule_rule",
    "runtime",
    "script",
    "target",
    "te",
    "testing",
    "tir",
    "topi",
    "transform",
    "tune",
    "unregister_backend",
    "unregister_dialect",
    "unregister_frontend",
    "unregister_intrinsic",
    "unregister_lowering",
    "unregister_onnx_converter",
    "unregister_operator",
    "unregister_pass",
    "unregister_primitive",
    "unregister_schedule_rule",
    "__version__",
]

place_elsewhere(__name__, {**_HANDED_ON, **_CLASSIC})
slots.RENDER.install(lambda: load("diagnostics.rendering:render", __name__))
slots.MORE_CODES.install(lambda: load("diagnostics.codes:CODES", __name__))
slots.MISSING_NAME.install(lambda: name_elsewhere)
slots.REMARK.install(lambda: load("diagnostics.remarks:remark", __name__))
slots.PACKED_ARRAYS.install(lambda: load("classic.nd:NDArray", __name__))
slots.FUNCTIONS.install(lambda: load("classic.contrib.functions:FUNCTIONS", __name__))
slots.LAUNCHER.install(lambda: load("backends.cuda.launcher:launcher", __name__)())
fill_slots(
    __name__,
    {
        "analysis.block_reductions:BROKEN_LAW": "semantics.combiner_laws:broken_law",
        "dialects.graph.operations:OPERATORS": "operators.table:load_operators",
        "dialects.ir_module:FUNCTION_FIELDS": "tir.function_fields:function_field",
        "dialects.ir_module:HTML": "tools.notebook.html:module_html",
        "dialects.ir_module:TVMSCRIPT": "frontends.tvmscript.printer:script",
        "frontends.onnx.backend:COMPILE": "driver:compile",
        "lazy:_REFUSAL": "classic.refused:refusal",
        "passes.context:CLASSIC_PASSES": "classic.relay.pass_names:passes_of",
        "passes.tuned:COMPILER": "driver.compiler_state:compiler_of_records",
        "schedule.schedule:HTML": "tools.notebook.html:schedule_html",
        "schedule.trace:HTML": "tools.notebook.html:trace_html",
        "te.whole_tensors:ARITHMETIC": "topi.broadcast:operate",
        "tir.bodies:EXPRESSION": "classic.relay.functions:expression_of",
    },
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _EXPORTS:
        return name_elsewhere(__name__, name, __all__)
    from .diagnostics.calls import public

    value = public(load(_EXPORTS[name], __name__))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS, *_MODULES])
