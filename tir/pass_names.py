"""Classic names of passes, and the passes of this compiler that do the same: `tir.transform.VectorizeLoop()`."""

from __future__ import annotations

from collections.abc import Mapping

SAME_AS: Mapping[str, str] = {
    "CommonSubexprElimTIR": "cse",
    "CompactBufferAllocation": "sink-allocations",
    "ConvertBlocksToOpaque": "",
    "ConvertSSA": "",
    "FlattenBuffer": "flatten-buffers",
    "ForceNarrowIndexToInt32": "narrow-datatypes",
    "HoistExpression": "hoist",
    "HoistIfThenElse": "hoist",
    "InjectDoubleBuffer": "double-buffer",
    "InjectPrefetch": "lower-prefetch",
    "InjectSoftwarePipeline": "software-pipeline",
    "InjectVirtualThread": "lower-vthread",
    "InstrumentBoundCheckers": "check-bounds",
    "LoopPartition": "partition-loops",
    "LowerCrossThreadReduction": "lower-cross-thread-reduction",
    "LowerIntrin": "lower-intrinsics",
    "LowerMatchBuffer": "",
    "LowerOpaqueBlock": "lower-blocks",
    "LowerWarpMemory": "expand-warp-memory",
    "NarrowDataType": "narrow-datatypes",
    "PlanAndUpdateBufferAllocationLocation": "sink-allocations",
    "RemoveNoOp": "remove-no-op",
    "RenormalizeSplitPattern": "simplify",
    "RewriteUnsafeSelect": "unsafe-select",
    "Simplify": "simplify",
    "StorageFlatten": "flatten-buffers",
    "StorageRewrite": "reuse-storage",
    "ThreadSync": "insert-barriers",
    "UnifyThreadBinding": "unify-thread-binding",
    "UnrollLoop": "unroll",
    "VectorizeLoop": "vectorize",
}
"""The pass, or passes in order, under its name here. Nothing is done where programs have that form from the start: the
axes of a block are their bindings, a part of a buffer is the buffer at other indices, and values are assigned
once."""

ARGUMENTS: Mapping[str, tuple[object, ...]] = {
    "CompactBufferAllocation": (True, False),
    "FlattenBuffer": (),
    "HoistIfThenElse": (None, "basic"),
    "NarrowDataType": (32,),
    "StorageFlatten": (64,),
    "ThreadSync": ("shared", "shared.dyn"),
    "VectorizeLoop": (True,),
}
"""The values of a classic pass's argument that ask for the only behaviour of the pass here."""

_HOST = "the program that a backend builds defines the interface to the host"
_BACKEND = "a backend does this while it emits code"
_STORAGE = "memory spaces and offsets of buffers are attributes of their allocations"

HAS_NO_MEANING: Mapping[str, str] = {
    "AnnotateDeviceRegions": _BACKEND,
    "AnnotateEntryFunc": _HOST,
    "BF16CastElimination": _BACKEND,
    "BF16ComputeLegalize": _BACKEND,
    "BF16Legalize": _BACKEND,
    "BF16Promote": _BACKEND,
    "BF16StorageLegalize": _BACKEND,
    "BF16TypeLowering": _BACKEND,
    "CoProcSync": "there are no co-processors that share memory with the program",
    "CombineContextCall": _HOST,
    "DecorateDeviceScope": _BACKEND,
    "InferFragment": _BACKEND,
    "InjectCopyIntrin": "tensorize replaces a copy by an intrinsic",
    "LegalizePackedCalls": _HOST,
    "LiftAttrScope": "attributes stand on operations and have no scope",
    "LiftThreadBinding": "unify-thread-binding makes one nest of threads",
    "LowerCustomDatatypes": "types are those of MLIR",
    "LowerDeviceKernelLaunch": _BACKEND,
    "LowerDeviceStorageAccessInfo": _STORAGE,
    "LowerTVMBuiltin": _HOST,
    "LowerThreadAllreduce": "lower-cross-thread-reduction lowers reductions to shuffles and shared memory at once",
    "MakePackedAPI": _HOST,
    "MakeUnpackedAPI": _HOST,
    "MergeDynamicSharedMemoryAllocations": _STORAGE,
    "SkipAssert": "bounds are checked once, at the start of a program; PassContext's `unchecked` leaves checks out",
    "SplitHostDevice": _BACKEND,
    "TextureFlatten": "no target here has textures",
}
"""Classic passes that have nothing to do here, with the reason that their refusal gives."""
