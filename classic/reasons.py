"""Reasons why modules and names of TVM are missing from this package, each with an alternative.

`MODULES` are missing modules. Programs import more than they use, so these and names in them can be imported, and each
use raises an error. `NAMES` are missing from existing modules; accessing or importing one raises an error.
`HAS_NO_MEANING` and `PRAGMAS` have the reasons why methods and pragmas of schedules have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

Reason: TypeAlias = tuple[str, str]
"""The reason, and the alternative, as phrases."""

_TUNING = (
    "the workloads are those of the original's tests of tuners",
    "register a template or a workload: autotvm.template, auto_scheduler.register_workload",
)
_REMOTE = ("programs run in the process that loads them", "save the program, and load it with load_module over there")
_PRODUCT = (
    "products of matrices are compiled like everything else",
    "write topi.matmul or te.compute; contrib.cblas calls numpy's library, te.extern and tir.call_extern any other",
)
_MODELS = ("models are read from ONNX and MLIR files", "compile the file: tilewright.compile('model.onnx')")
_MACHINE = ("code is made for CPUs, CUDA and OpenCL, and as C", 'write C for other machines: build with target="c"')
_CONVOLUTION = (
    "convolutions are compiled like everything else",
    "write topi.nn.conv2d, or call the library with te.extern and tir.call_extern",
)
_CONVOLUTION_OF_GRAPH = (
    "the graph dialect has no such operator",
    "declare it: tilewright.register_operator; topi lists those that tensors have",
)
_TIMES = (
    "programs are measured by methods of the program",
    "call program.time_evaluator(name, device), or `run --profile`",
)
_FILES = (
    "files and archives are those of Python's standard library",
    "take urllib.request, tarfile and concurrent.futures",
)
_TREE = ("operations of xDSL are the only tree", "tir.stmt_functor visits it, and script.from_source and str() keep it")
_INDICES = (
    "index arithmetic is part of the passes that need it",
    "run the pass simplify, and ask te.Expr.equal, tir.analysis or tilewright.analysis",
)
_TYPES = ("values of te and tir have a dtype as their type", 'write the dtype: te.var("n", "int64"), tir.decl_buffer')
_GRAPH_TYPES = ("types of tensors are those of xDSL", "build tensors with topi, or a module of the dialect graph")
_TEXT = ("programs are read as MLIR or TVMScript", "read them with tilewright.script.from_source(text)")
_STEPS = ("a schedule becomes a function in one step", "read the loops: tilewright.lower(schedule, args)")
_LAYOUTS = ("layouts are given to the operators that use them", "topi.layout_transform rearranges a tensor")
_FFI = (
    "there is no runtime in C++ whose objects Python holds",
    "objects are plain Python objects; tvm.register_func takes functions",
)
_ENTRY = ("the program that a backend builds defines the interface to the host", "call the function: program(*arrays)")

_FIRST_ORDER = ("functions are of tensors, and of the first order", "write Python functions that make expressions")
_ONE_DEVICE = ("a program runs on one device", "build it for that: relay.build(module, target)")
_PARTITIONS = (
    "there are no partitions for other compilers",
    "register an operator for what a library computes: tilewright.register_operator",
)
_COMPILED = (
    "operators are lowered by the records that they are declared with",
    "declare one: tilewright.register_operator",
)
_EXECUTOR = ("one executor calls compiled models", 'take relay.build(module, target)["default"](device)')
_SPARSE = ("sparse matrices are operands in three tensors", "write relay.nn.sparse_dense(x, (data, indices, indptr))")
_OPEN_SIZES = (
    "operators take sizes that are known while compiling",
    "import the model from ONNX, whose programs may depend on values: tilewright.compile('model.onnx')",
)
_CONTROL = ("loops of models are operations of the graph dialect", "import a model with Loop or Scan from ONNX")
_NUMBERS = ("random numbers are arguments", "draw them with numpy")
_QUANTISED = (
    "integers are computed with where a model from ONNX states quantised operators",
    "quantise the model with onnxruntime.quantization, and import it: relay.frontend.from_onnx",
)
_NETWORKS = (
    "networks to try programs with are mlp, resnet and mobilenet",
    "take one of these, or a model from ONNX: relay.frontend.from_onnx",
)
_FRAMEWORKS = ("models are read from ONNX", "write the model as ONNX, and read it: relay.frontend.from_onnx")

MODULES: dict[str, Reason] = {
    "_ffi.libinfo": _FFI,
    "_ffi.runtime_ctypes": _FFI,
    "contrib.coreml_runtime": _MODELS,
    "contrib.cublas": _PRODUCT,
    "contrib.cublaslt": _PRODUCT,
    "contrib.cuda_graph": _MODELS,
    "contrib.cudnn": _CONVOLUTION,
    "contrib.cutlass": _PRODUCT,
    "contrib.dlpack": ("kernels take arrays of torch, cupy and numba as they are", "call the program with the tensor"),
    "contrib.dnnl": _PRODUCT,
    "contrib.download": _FILES,
    "contrib.emcc": _MACHINE,
    "contrib.hexagon": _MACHINE,
    "contrib.miopen": _CONVOLUTION,
    "contrib.mkl": _PRODUCT,
    "contrib.mkldnn": _PRODUCT,
    "contrib.mps": _PRODUCT,
    "contrib.mxnet": _MODELS,
    "contrib.ndk": _MACHINE,
    "contrib.nnpack": _CONVOLUTION,
    "contrib.peak": ("the target of a machine states its peak", "run `tilewright target --measure`"),
    "contrib.pipeline_executor": _MODELS,
    "contrib.popen_pool": _FILES,
    "contrib.rocblas": _PRODUCT,
    "contrib.rocm": _MACHINE,
    "contrib.rpc": _REMOTE,
    "contrib.sdaccel": _MACHINE,
    "contrib.spirv": _MACHINE,
    "contrib.stackvm": ("the interpreter runs every program", 'build with target="interpreter"'),
    "contrib.tar": _FILES,
    "contrib.target": _MODELS,
    "contrib.tedd": (
        "pages in HTML show schedules and passes",
        "show a schedule in a notebook, or run opt-tool --trace",
    ),
    "contrib.tf_op": _MODELS,
    "contrib.tflite_runtime": _MODELS,
    "contrib.thrust": ("sorts and scans are compiled like everything else", "write topi.sort, topi.cumsum"),
    "contrib.torch": _MODELS,
    "contrib.xcode": _MACHINE,
    "exec": _REMOTE,
    "ir.adt": _MODELS,
    "ir.affine_type": _MODELS,
    "ir.json_compact": _TEXT,
    "ir.type_relation": _MODELS,
    "micro": ("microcontrollers are no target", 'write C for them: build with target="c", and save to x.c'),
    "parser": _TEXT,
    "relax": _MODELS,
    "relay.adt": _FIRST_ORDER,
    "relay.annotation": _ONE_DEVICE,
    "relay.backend.contrib": _PARTITIONS,
    "relay.backend.te_compiler": _COMPILED,
    "relay.backend.vm": _EXECUTOR,
    "relay.collage": _PARTITIONS,
    "relay.data_dep_optimization": _SPARSE,
    "relay.dataflow_pattern": (
        "patterns are those of xDSL",
        "write a RewritePattern on operations of the graph dialect: tilewright.pattern_pass",
    ),
    "relay.debug": ("values are followed through passes and kernels by the tools", "see docs/debugging.md"),
    "relay.dyn": _OPEN_SIZES,
    "relay.loops": _CONTROL,
    "relay.memory": ("memory is planned when a model is compiled", "compile it: relay.build"),
    "relay.op.annotation": _ONE_DEVICE,
    "relay.op.contrib": _PARTITIONS,
    "relay.op.dyn": _OPEN_SIZES,
    "relay.op.memory": ("memory is planned when a model is compiled", "compile it: relay.build"),
    "relay.op.random": _NUMBERS,
    "relay.op.strategy": _COMPILED,
    "relay.prelude": _FIRST_ORDER,
    "relay.qnn": _QUANTISED,
    "relay.quantize": _QUANTISED,
    "relay.random": _NUMBERS,
    "relay.scope_builder": ("values are assigned once, without scopes", "name them in Python"),
    "relay.sparse": _SPARSE,
    "relay.testing.darknet": _NETWORKS,
    "relay.testing.dcgan": _NETWORKS,
    "relay.testing.densenet": _NETWORKS,
    "relay.testing.dqn": _NETWORKS,
    "relay.testing.inception_v3": _NETWORKS,
    "relay.testing.lstm": _NETWORKS,
    "relay.testing.nat": _NETWORKS,
    "relay.testing.py_converter": _NETWORKS,
    "relay.testing.squeezenet": _NETWORKS,
    "relay.testing.synthetic": _NETWORKS,
    "relay.testing.temp_op_attr": _COMPILED,
    "relay.testing.tf": _NETWORKS,
    "relay.testing.tflite": _NETWORKS,
    "relay.testing.vgg": _NETWORKS,
    "relay.testing.yolo_detection": _NETWORKS,
    "relay.vm": _EXECUTOR,
    "rpc": _REMOTE,
    "runtime.ObjectPath": (
        "differences of programs are reported as the first line that differs",
        "call tilewright.ir.assert_structural_equal(a, b)",
    ),
    "runtime.profiler_vm": _MODELS,
    "runtime.profiling": _TIMES,
    "runtime.vm": _MODELS,
    "script.context_maintainer": _TEXT,
    "script.core": _TEXT,
    "script.highlight": ("programs are shown in notebooks in colours", "print mod.script(), or show the module"),
    "script.ir_builder": (
        "statements are collected by one builder",
        "collect them with tir.ir_builder.create(), or write TVMScript",
    ),
    "script.parser": _TEXT,
    "script.printer": ("programs are printed as a whole", 'call mod.script("tvmscript")'),
    "script.relax": _MODELS,
    "script.registry": _TEXT,
    "support": ("there is no library in C++ that has settings", "run `tilewright doctor`"),
    "testing.tir": (
        "instructions of one machine are tensor intrinsics",
        "register yours with tir.TensorIntrin.register",
    ),
    "tir.tensor_intrin": (
        "default schedules choose instructions for products themselves",
        "register a user intrinsic with tir.TensorIntrin.register, and name it in sch.tensorize",
    ),
    "tir.usmp": ("the pass plan-arena gives buffers their offsets in one arena", "read them in the lowered module"),
}
"""Modules that have no counterpart here."""


def _grouped(groups: Iterable[tuple[str, Reason, str]]) -> dict[str, Reason]:
    return {f"{module}.{name}".lstrip("."): reason for module, reason, names in groups for name in names.split()}


NAMES: Mapping[str, Reason] = _grouped(
    [
        ("", _FFI, "Object DataTypeCode generic register_extension register_object tvm_wrap_excepthook"),
        (
            "_ffi",
            _FFI,
            "c_array c_str check_call convert_to_tvm_func get_last_ffi_error py_str register_extension"
            " register_object ERROR_TYPE _init_api extract_ext_funcs",
        ),
        ("contrib.cc", _MACHINE, "get_target_by_dump_machine"),
        (
            "contrib.nvcc",
            ("libdevice comes with numba", "build for cuda"),
            "callback_libdevice_path find_libdevice_path",
        ),
        ("contrib.nvcc", ("kernels are Python for numba.cuda", "read them: get_source()"), "tvm_callback_cuda_compile"),
        ("contrib.random", ("arrays are numpy's", "fill them: array[...] = numpy's random numbers"), "random_fill"),
        (
            "contrib.sparse",
            ("rows of CSR are three tensors", "take the tensors of the placeholder"),
            "SparsePlaceholderOp",
        ),
        ("driver.build_module", _ENTRY, "get_binds"),
        (
            "driver.build_module",
            ("a module is lowered as a whole", "call tilewright.lower(schedule, args)"),
            "form_irmodule",
        ),
        ("ir", _TREE, "Attrs BaseFunc CallingConv DictAttrs EnvFunc Node SourceName Span make_node"),
        (
            "ir",
            (
                "functions are called by their names, and user intrinsics are registered by name",
                "call te.call_intrin(dtype, name, ...), and register with tilewright.register_intrinsic",
            ),
            "Op register_op_attr_map",
        ),
        ("ir", _TYPES, "PointerType Type TypeKind TypeVar IncompleteType"),
        (
            "ir",
            _GRAPH_TYPES,
            "Constructor GlobalTypeVar RelayRefType TensorAffineType TupleAffineType TypeCall"
            " TypeConstraint TypeData TypeRelation",
        ),
        ("nd", ("arrays of the CPU are numpy's", "numpy.from_dlpack takes them"), "from_dlpack numpyasarray"),
        ("relay", _FIRST_ORDER, "Match Clause RefCreate RefRead RefWrite RefType Prelude"),
        ("relay", _FIRST_ORDER, "GlobalTypeVar TypeCall TypeConstraint TypeData TypeFunction TypeRelation TypeVar"),
        ("relay", ("values are assigned once, without scopes", "name them in Python"), "ScopeBuilder"),
        ("relay", _TEXT, "fromtext parse"),
        ("relay", _OPEN_SIZES, "argwhere sparse_fill_empty_rows sparse_reshape segment_sum stft dft"),
        (
            "relay",
            ("it is a product and a shift of integers", "write relay.right_shift(relay.cast(x, 'int64') * y, s)"),
            "fixed_point_multiply",
        ),
        ("relay.frontend", _FRAMEWORKS, "from_caffe from_caffe2 from_coreml from_darknet from_mxnet from_oneflow"),
        ("relay.frontend", _FRAMEWORKS, "from_paddle from_pytorch from_tflite quantize_conv_bn"),
        ("relay.nn", _CONVOLUTION_OF_GRAPH, "bitpack bitserial_conv2d bitserial_dense correlation deformable_conv2d"),
        ("relay.nn", _COMPILED, "contrib_conv2d_NCHWc contrib_conv2d_winograd_without_weight_transform"),
        (
            "relay.nn",
            _COMPILED,
            "contrib_conv2d_winograd_weight_transform contrib_dense_pack contrib_depthwise_conv2d_NCHWc",
        ),
        ("relay.nn", _SPARSE, "internal_sparse_dense sparse_add sparse_conv2d"),
        ("relay.image", _CONVOLUTION_OF_GRAPH, "dilation2d"),
        ("relay.op", _COMPILED, "OpPattern OpStrategy register register_alter_op_layout register_compute"),
        ("relay.op", _COMPILED, "register_gradient register_legalize register_pattern register_strategy"),
        (
            "relay.vision",
            ("boxes of these detectors are computed by plain operators", "import the model from ONNX"),
            "multibox_prior multibox_transform_loc nms proposal yolo_reorg",
        ),
        (
            "runtime",
            _FFI,
            "Object ObjectGeneric ObjectTypes PackedFunc DataTypeCode convert_to_object _ffi_api _ffi_node_api ADT"
            " tuple_object",
        ),
        ("runtime", _TIMES, "Report"),
        ("runtime", ("programs are loaded by their file", "call tilewright.load_module(path)"), "system_lib"),
        ("script", _TEXT, "diagnostics meta_unparser utils"),
        ("target", _MACHINE, "arm_isa list_tags tag register_tag"),
        (
            "target",
            ("a target and its host are one object", 'write Target("cuda", host="llvm")'),
            "compilation_config make_compilation_config make_se_scope se_scope",
        ),
        (
            "target",
            ("types are numpy's and those of ml_dtypes", "convert to one of them with astype"),
            "datatype",
        ),
        ("target", ("lowering rules are registered by name", "tilewright.register_lowering"), "intrin"),
        (
            "te",
            ("programs hold one version of a kernel", "build one program for each size"),
            "SpecializedCondition",
        ),
        (
            "te.schedule",
            ("programs hold one version of a kernel", "build one program for each size"),
            "SpecializedCondition",
        ),
        (
            "te.schedule",
            _STEPS,
            "SchedulePostProcToPrimFunc SchedulePostProcRewriteForTensorCore VerifyCompactBuffer",
        ),
        (
            "te.schedule",
            (
                "a stage keeps its calls and its axes, not a graph of relations",
                "print the schedule, or s[T].leaf_iter_vars",
            ),
            "Rebase",
        ),
        ("te.tensor", _TREE, "DataProducer TensorIntrinCall"),
        (
            "te.hybrid",
            ("a script is read when it is called", "call the function"),
            "calls module parser preprocessor utils",
        ),
        ("tir", _LAYOUTS, "BijectiveLayout Layout bijective_layout data_layout layout"),
        (
            "tir",
            _TREE,
            "DataProducer MatchBufferRegion stmt_list stmt_seq BinaryOpExpr CmpExpr LogicalExpr ConstExpr"
            " EqualOp ExprOp NotEqualOp PrimExprWithOp",
        ),
        (
            "tir",
            ("indices are rewritten by a function", "call sch.transform_layout(block, buffer, function)"),
            "IndexMap",
        ),
        (
            "tir",
            (
                "intrinsics of LLVM are called where code for it is emitted",
                "register_lowering, or LLVM text in foreign code",
            ),
            "call_llvm_intrin call_llvm_pure_intrin",
        ),
        ("tir", ("a body is the value of its function", "store the value"), "ret"),
        ("tir", ("it is a product and a shift of integers", "write (x.astype('int64') * y) >> s"), "q_multiply_shift"),
        (
            "tir.analysis",
            ("memory is stated by allocations of the lowered module", "read them: tilewright.lower(schedule, args)"),
            "calculate_workspace_bytes detect_buffer_access_lca",
        ),
        (
            "tir.analysis",
            ("limits of a GPU are those of its target", "lower for the target, which refuses what does not fit"),
            "verify_gpu_code",
        ),
        (
            "testing",
            _FFI,
            "ErrorTest FrontendTestModule device_test echo nop object_use_count run_check_signal"
            " test_check_eq_callback test_raise_error_callback test_wrap_callback identity_cpp call_cpp_ffi call_py_ffi"
            " call_cpp_py_ffi register_ffi",
        ),
        ("testing", _FILES, "after_initializer fast_summation initializer popen_pool slow_summation timeout_job"),
        ("testing", _INDICES, "check_bool_expr_is_true check_int_constraints_trans_consistency"),
        ("testing", _TUNING, "auto_scheduler autotvm"),
        ("tir.ir_builder", _TREE, "WithScope"),
        (
            "tir.transform",
            ("tiles are placed by compute_at", "sch.compute_at, then the pass fold-storage"),
            "InjectRollingBuffer",
        ),
        ("tir.transform", _TREE, "PrimFuncPass BF"),
        ("transform", _TREE, "ModulePass module_pass"),
    ]
)
"""Names that modules of this package do not have."""

FIELDS: Mapping[str, Reason] = _grouped(
    [
        (
            "runtime.Device",
            ("a call takes the stream that its kernels run in", "program(a, b, stream=torch.cuda.Stream())"),
            "create_raw_stream create_stream free_raw_stream set_raw_stream set_stream",
        ),
        ("runtime.Device", ("no kernel uses textures", "leave it out"), "texture_spatial_limit"),
    ]
)
"""Names that objects do not have, by their classes."""

_HANDLES = "operations are the only tree, and sch.get(handle) is the one behind a handle"
_SAMPLES = "sample_perfect_tile draws the factors of a loop, from the seed of the schedule"
_ACCESSES = "what a block accesses follows from its loads and stores, and is not declared beside them"

HAS_NO_MEANING: Mapping[str, str] = {
    "annotate_buffer_access": _ACCESSES,
    "fork_seed": _SAMPLES,
    "get_sref": _HANDLES,
    "sample_partitioned_tile": _SAMPLES,
    "state": _HANDLES,
    "unsafe_hide_buffer_access": _ACCESSES,
    "work_on": "a schedule transforms one function, which Schedule(module, function=name) chooses",
}
"""Methods of the classic schedule that have no meaning here, with the reasons."""

PRAGMAS: Mapping[str, str] = {
    "parallel_launch_point": "threads wait for work between parallel loops, so that starting them costs little",
    "parallel_stride_pattern": "each thread takes iterations that follow one another",
    "parallel_barrier_when_finish": "a parallel loop ends when all of its threads do",
}
"""Pragmas on how threads share a loop, which have no meaning here, with the reasons."""


def reason_of(path: str) -> Reason | None:
    """Return the reason for a path below the package: that of the path, or of the module that would contain it."""
    while path:
        if (found := NAMES.get(path) or FIELDS.get(path) or MODULES.get(path)) is not None:
            return found
        path = path.rpartition(".")[0]
    return None
