"""The schedule dialect: the calls of a schedule as operations, so that a schedule is a file.

```mlir
schedule.sequence @kernel {
  %C = schedule.get_block "C"
  %i, %j, %k = schedule.get_loops %C
  %io, %ii = schedule.split %i factors [?, 32]
  schedule.reorder %io, %j, %ii
  schedule.parallel %io
}
```

There is one operation for each method of a schedule, and all of them are generated: a `PrimitiveSignature` has the
parameters and results of a method, and `primitive_class` makes the operation class. This package has the syntax and the
verification rules of all operations. The scheduling engine, a layer above the dialects, supplies the signatures.

Blocks and loops are values of type `!schedule.block` and `!schedule.loop`, numbers that a schedule draws of type
`!schedule.value`. All other arguments are attributes. In the text the required arguments come first, separated by
commas, then optional arguments by name; `?` is Python's None. In a sequence the name of the dialect may be left out.

Invariants, each checked by a verifier:

- the operands of a primitive are the handles that its arguments mention, each mentioned once and in order;
- it has the arguments that its method needs and no others, of a kind that the method accepts;
- it has results of the types that the method gives;
- primitives stand in a `schedule.sequence`.
"""

from __future__ import annotations

from ...lazy import exports
from .handle_types import BLOCK as BLOCK
from .handle_types import LOOP as LOOP
from .handle_types import BlockType as BlockType
from .handle_types import HandleAttr as HandleAttr
from .handle_types import LoopType as LoopType
from .handle_types import ValueType as ValueType
from .primitive import PrimitiveOp as PrimitiveOp
from .primitive import SequenceOp as SequenceOp
from .primitive import primitive_class as primitive_class
from .primitive_signature import Parameter as Parameter
from .primitive_signature import PrimitiveSignature as PrimitiveSignature

ATTRIBUTES = (BlockType, LoopType, ValueType, HandleAttr)
"""The types and attributes of the dialect."""

__getattr__, __dir__ = exports(__name__, {})
