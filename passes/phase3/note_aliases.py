"""Pass `note-aliases`: states which arguments of a function may share memory."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp

from ...analysis.aliases import callees_first, overlapping_arguments
from ...dialects.loop.overlap import MAY_OVERLAP, overlap_attribute
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class NoteAliasesPass(Pass):
    """State for each function that is called which of its arguments may share memory.

    ```mlir
    func.func private @shift(%x: memref<63xf32>, %y: memref<63xf32> {tw.output}) { ... }
    ...
    %a = loop.view %m[0] : memref<64xf32> to memref<63xf32>
    %b = loop.view %m[4] : memref<64xf32> to memref<63xf32>
    func.call @shift(%a, %b) : (memref<63xf32>, memref<63xf32>) -> ()
    // becomes
    func.func private @shift(...) attributes {tw.may_overlap = array<i64: 0, 1>} { ... }
    ```
    An argument that is not in the list shares no memory with another one if one of the two is written, so that emitters
    may keep loaded values across stores to other arguments. The interpreter checks this at each call. Arguments of a
    function without the attribute may share memory. An entry, which no function calls, gets disjoint arguments from the
    runtime.

    Needs: loop level. No later pass adds a call or a view.
    Grants: emitters promise `noalias` by this attribute alone.
    """

    name = "note-aliases"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = callees_first(op)
        overlapping = overlapping_arguments(functions)
        called = {n.callee.root_reference.data for n in operations(op) if isinstance(n, CallOp)}
        for function in functions:
            positions = overlap_attribute(k for k, a in enumerate(function.body.block.args) if a in overlapping)
            is_known = function.attributes.get(MAY_OVERLAP) == positions
            if function.sym_name.data in called and not is_known and may_rewrite("note aliases", function):
                edit.change(function).attributes[MAY_OVERLAP] = positions
