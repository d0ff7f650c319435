"""Declaration of an operator: a class of operations of the graph dialect, a reference and a lowering to te.

```python
@tilewright.register_operator(
    kind="elementwise",
    reference=lambda x, cap: cap * np.tanh(x / cap),
    te=lambda x, cap: te.compute(x.shape, lambda *i: cap * te.tanh(x(*i) / cap), name="soft_cap"),
)
class SoftCapOp(graph.GraphOp):
    \"\"\"cap * tanh(x / cap).\"\"\"

    name = "graph.soft_cap"

    x = operand_def()
    y = result_def()

    cap = float_prop(30.0)

    def infer_types(self):
        return (graph.tensor_type(self.x),)
```
From the declaration follow the operation's syntax, its verifier, the types of its results, `topi.soft_cap(x, cap=...)`,
its evaluation in the interpreter, its lowering, its fusion, the conversion of the ONNX operator of the same operands
and attributes (`onnx=`), and its entry in `operators.describe`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import isabstract, signature
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import PyRDLOpDefinitionError

from ..diagnostics import fail
from ..diagnostics.locations import caller_location
from ..diagnostics.text import did_you_mean
from ..dialects.graph.base import GraphOp
from ..dialects.graph.operations import register_operation, unregister_operation
from .record import OPERATORS, Accumulator, FusionKind, InBlocks, Operator, load_operators

if TYPE_CHECKING:
    import numpy as np

    from ..dialects.graph import Elements
    from ..te import Tensor

OpT = TypeVar("OpT", bound=GraphOp)


def register_operator(
    *,
    kind: str | FusionKind,
    reference: Callable[..., np.ndarray | Sequence[np.ndarray]],
    te: Callable[..., Tensor | Sequence[Tensor]],
    te_on_cpu: Callable[..., Tensor | Sequence[Tensor]] | None = None,
    accumulator: Accumulator | None = None,
    in_blocks: InBlocks | None = None,
    onnx: str = "",
) -> Callable[[type[OpT]], type[OpT]]:
    """Return a decorator that registers a class of operations as an operator.

    The class declares operands, properties and `infer_types`. `reference` and `te` take the operands in order and the
    properties by name. `kind` is a `FusionKind` or its name. `te_on_cpu`, `accumulator` and `in_blocks` are as in
    `Operator`. `onnx` is the operator of ONNX's standard domain with the same operands, attributes and meaning.

    Raises TilewrightError TW0226 for a name that is taken or not of the dialect, TW0227 for an unknown kind. A class
    with the same module and qualified name replaces the earlier one. TW0228 for a class that is no operation of the
    graph dialect, or for functions that do not take its operands and properties.
    """

    def decorate(operation: type[OpT]) -> type[OpT]:
        operation = _defined(operation)
        _check_call(operation, reference, "reference")
        _check_call(operation, te, "te", *(["sums"] if accumulator is not None else []))
        name = operation.name.removeprefix("graph.")
        record = Operator(name, _kind(kind), reference, te, in_blocks, accumulator, onnx=onnx, te_on_cpu=te_on_cpu)
        return register(record, operation)

    return decorate


def register(record: Operator, operation: type[OpT], elements: Elements | None = None) -> type[OpT]:
    """Make a class of operations the operation of a record: both get into the tables, or neither."""
    operation = _defined(operation)
    _make_room(record.name, operation)
    register_operation(operation)
    OPERATORS[record.name] = replace(record, operation=operation, elements=elements)
    return operation


def _defined(operation: type[OpT]) -> type[OpT]:
    """Return the class after xDSL has read its definition, once."""
    if not (isinstance(operation, type) and issubclass(operation, GraphOp)):  # pyright: ignore[reportUnnecessaryIsInstance]
        _refuse_class(f"expected a class of graph.GraphOp, but got {operation!r}")
    if "name" not in vars(operation) or isabstract(operation):
        missing = "a name" if "name" not in vars(operation) else "infer_types"
        _refuse_class(f"expected class {operation.__name__} to have {missing}")
    if "get_irdl_definition" in vars(operation):
        return operation
    try:
        return irdl_op_definition(operation)
    except PyRDLOpDefinitionError as error:
        _refuse_class(f"class {operation.__name__} is no operation: {error}")


def _check_call(operation: type[GraphOp], function: Callable[..., Any], role: str, *more: str) -> None:
    """Refuse a function of the user's that does not take an operation's operands and properties."""
    if _is_builtin(operation):
        return
    definition = operation.get_irdl_definition()
    try:
        signature(function).bind(*definition.operands, **dict.fromkeys((*definition.properties, *more)))
    except TypeError as error:
        _refuse_class(f"{role} of {operation.name} takes other arguments than the operation has: {error}")
    except ValueError:  # a function of numpy or of C, which has no signature
        return


def _refuse_class(message: str) -> NoReturn:
    fail("TW0228", message, location=caller_location())


def register_for_topi(operator: Operator) -> None:
    """Add a builtin operator that the graph dialect has no operation for."""
    OPERATORS[operator.name] = operator


def unregister_operator(name: str) -> None:
    """Forget an operator that was registered. Raises TilewrightError TW0227 where there is none of that name, and for
    those of the compiler."""
    if name not in registered():
        guess = did_you_mean(name, registered())
        fail("TW0227", f"expected a registered operator, but got '{name}'{guess}", location=caller_location())
    _forget(name)


def registered() -> list[str]:
    """Return the names of operators that were registered by others than the compiler itself."""
    return [name for name, operator in OPERATORS.items() if operator.operation and not _is_builtin(operator.operation)]


def operators_of_onnx() -> dict[str, Operator]:
    """Return the operators by the name of the ONNX operator that each was declared as."""
    return {operator.onnx: operator for operator in load_operators().values() if operator.onnx}


def _is_builtin(operation: type[GraphOp]) -> bool:
    """Return whether an operation is builtin: declared in this package."""
    return operation.__module__.startswith(f"{__package__}.")


def _make_room(name: str, operation: type[GraphOp]) -> None:
    known = OPERATORS if _is_builtin(operation) else load_operators()
    if name not in known:
        return
    earlier = known[name].operation
    if earlier is None or _definition(earlier) != _definition(operation):
        where = f", by {'.'.join(_definition(earlier))}" if earlier is not None else ""
        fail("TW0226", f"an operator of the name '{name}' is registered already{where}", location=caller_location())
    _forget(name)


def _forget(name: str) -> None:
    del OPERATORS[name]
    unregister_operation(name)


def _definition(operation: type[GraphOp]) -> tuple[str, str]:
    return operation.__module__, operation.__qualname__


def _kind(kind: str | FusionKind) -> FusionKind:
    names = {each.name.lower(): each for each in FusionKind}
    if isinstance(kind, FusionKind):
        return kind
    if kind not in names:
        message = f"expected a fusion kind of {', '.join(names)}, but got '{kind}'{did_you_mean(kind, names)}"
        fail("TW0227", message, location=caller_location())
    return names[kind]
