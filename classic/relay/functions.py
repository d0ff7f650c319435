"""Functions of expressions, which are functions of the IR, and functions of modules as expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ...diagnostics import fail
from ...diagnostics.expectations import expect_type
from ...diagnostics.locations import caller_location
from ...dialects.ir_module import Function as ModuleFunction
from ...dialects.ir_module import operation_of
from ...dialects.ir_module import view_of as module_view
from ...dialects.names import NAME_ATTRIBUTE, value_name
from ...tir.bodies import BodyView
from ...tir.function_fields import attributes_of, with_attributes
from .expr import Expr, FreeVariable, Tuple, Var, expression, function_type, handle
from .types import BAD_TYPE, FuncType, Type, type_of

NO_EXPRESSION = "TW0322"
FREE_VARIABLE = "TW0323"

_Mapping: TypeAlias = dict[SSAValue, SSAValue]


class Function(Expr):
    """A function of parameters. `op` is the function of the IR, `@main`, that has them as its arguments."""

    def __init__(
        self,
        params: Sequence[Var],
        body: Any,
        ret_type: Type | None = None,
        type_params: object = None,
        attrs: Mapping[str, Any] | None = None,
        span: object = None,
    ) -> None:
        """Check `ret_type` where it is given. Raises TW0321 for another type, and at `op` TW0323 for a variable of
        the body that is no parameter."""
        expect_type("params", params, list, tuple)
        self.params = [_variable(each) for each in params]
        self.body = expression(body)
        self.attrs = dict(attrs or {})
        self._made_at = caller_location()
        self._op: FuncOp | None = None
        if ret_type is not None and ret_type != self.body.checked_type:
            found = self.body.checked_type
            fail(BAD_TYPE, f"expected a body of type {ret_type}, but got {found}", location=self._made_at)

    @property
    def op(self) -> FuncOp:
        """The function of the IR."""
        if self._op is None:
            op = _assembled(self.params, self.body.values)
            self._op = with_attributes(op, self.attrs) if self.attrs else op
            self._op.location = self._made_at
        return self._op

    @property
    def values(self) -> tuple[SSAValue, ...]:
        fail(
            NO_EXPRESSION,
            "a function is no tensor",
            location=caller_location(),
            help="call it: function(x); or take its body: function.body",
        )

    def _key(self) -> object:
        return id(self)

    @property
    def ret_type(self) -> Type:
        """The type of the result."""
        return self.body.checked_type

    @property
    def checked_type(self) -> FuncType:
        return function_type(self)

    def __call__(self, *args: Any) -> Any:
        """Return the body with the parameters replaced by arguments."""
        if len(args) != len(self.params):
            message = f"expected {len(self.params)} arguments of the function, but got {len(args)}"
            fail(NO_EXPRESSION, message, location=caller_location())
        return bind(self.body, dict(zip(self.params, args, strict=True)))

    def with_attr(self, name: str | Mapping[str, Any], value: Any = None) -> Function:
        """Return the function with another attribute, or several."""
        more = dict(name) if isinstance(name, Mapping) else {name: value}
        return Function(self.params, self.body, attrs={**self.attrs, **more})

    def astext(self, show_meta_data: bool = True, annotate: object = None) -> str:
        """Return the text of the function in MLIR."""
        return str(self.op)

    def __repr__(self) -> str:
        return f"<Function of type {self.checked_type}>"


def function_of(given: Any) -> Function:
    """Return an expression as a function of the variables in it, in the order in which they are read."""
    found = expression(given)
    return found if isinstance(found, Function) else Function(free_vars(found), found)


def _variable(given: Any) -> Var:
    expect_type("a parameter", given, Var)
    return given


def operations_behind(values: Iterable[SSAValue]) -> list[Operation]:
    """Return the operations that values depend on, operands first."""
    done: dict[Operation, None] = {}
    waiting = [(value.owner, False) for value in values][::-1]
    while waiting:
        op, is_ready = waiting.pop()
        if not isinstance(op, Operation) or op in done:
            continue
        if is_ready:
            done[op] = None
            continue
        waiting.append((op, True))
        waiting += [(value.owner, False) for value in reversed(inputs_of(op))]
    return list(done)


def inputs_of(op: Operation) -> list[SSAValue]:
    """Return the operands, and the values from outside that the regions of an operation use."""
    if not op.regions:
        return list(op.operands)
    inside = [each for region in op.regions for each in region.walk()]
    blocks = {block for region in op.regions for block in region.blocks} | {each.parent for each in inside}
    used = [value for each in inside for value in each.operands]
    members = set(inside)
    outer = [value for value in used if value.owner not in members and value.owner not in blocks]
    return [*op.operands, *dict.fromkeys(outer)]


def arguments_behind(values: Sequence[SSAValue]) -> list[BlockArgument]:
    """Return the variables that values depend on, in the order in which they are read."""
    read = [*(value for op in operations_behind(values) for value in inputs_of(op)), *values]
    return list(dict.fromkeys(value for value in read if isinstance(value, BlockArgument)))


def free_vars(expr: Any) -> list[Var]:
    """Return the variables of an expression; of a function those that are no parameters."""
    found = expression(expr)
    bound = found.params if isinstance(found, Function) else []
    values = (found.body if isinstance(found, Function) else found).values
    return [each for each in map(handle, arguments_behind(values)) if isinstance(each, Var) and each not in bound]


def _assembled(params: Sequence[Var], results: Sequence[SSAValue]) -> FuncOp:
    """Return the function of the IR that computes values from parameters: copies of the operations behind them."""
    arguments = [param.value for param in params]
    known = set(arguments)
    for argument in arguments_behind(results):
        if argument not in known:
            assert isinstance(argument.block, FreeVariable)
            fail(
                FREE_VARIABLE,
                f"variable '{argument.block.label}' is no parameter of the function",
                location=caller_location(),
                help="add it to the parameters, or bind it to a constant",
            )
    if len(known) != len(arguments):
        fail(FREE_VARIABLE, "expected parameters that differ, but got one twice", location=caller_location())
    block = Block(arg_types=[argument.type for argument in arguments])
    mapping: _Mapping = dict(zip(arguments, block.args, strict=True))
    for param, argument in zip(params, block.args, strict=True):
        argument.name_hint = value_name(param.name_hint)
    block.add_ops(op.clone(mapping) for op in operations_behind(results))
    block.add_op(ReturnOp(*[mapping[value] for value in results]))
    _sink(block)
    names = [DictionaryAttr({NAME_ATTRIBUTE: StringAttr(param.name_hint)}) for param in params]
    type_ = FunctionType.from_lists(block.arg_types, [value.type for value in results])
    return FuncOp("main", type_, Region(block), arg_attrs=ArrayAttr(names))


def _sink(block: Block) -> None:
    """Move operations that one branch alone uses into it: no other branch computes them."""
    for op in reversed(list(block.ops)):
        regions = {_branch_in(block, use.operation) for result in op.results for use in result.uses}
        target = regions.pop() if len(regions) == 1 else None
        if target is not None:
            op.detach()
            target.insert_ops_before([op], target.first_op) if target.first_op else target.add_op(op)
    for op in block.ops:
        for region in op.regions:
            for inner in region.blocks:
                _sink(inner)


def _branch_in(block: Block, user: Operation) -> Block | None:
    """Return the block of a branch below `block` that contains an operation; None if `block` itself contains it, or a
    loop, whose iterations would recompute operations that are moved into it."""
    inner: Block | None = None
    while user.parent is not block:
        inner = user.parent
        assert inner is not None
        parent = inner.parent_op()
        assert parent is not None
        user = parent
    return inner if inner is not None and user.name == "graph.if" else None


def bind(expr: Any, binds: Mapping[Any, Any]) -> Any:
    """Return an expression with variables replaced by expressions. Of a function the parameters that are bound go.

    Raises TW0321 for an expression of another type than the variable.
    """
    found = expression(expr)
    new = {_variable(key): expression(value) for key, value in binds.items()}
    for key, value in new.items():
        if key.is_typed and value.checked_type != key.checked_type:
            fail(
                BAD_TYPE,
                f"expected a value of type {key.checked_type} for '{key.name_hint}', but got {value.checked_type}",
                location=caller_location(),
            )
    if isinstance(found, Function):
        left = [param for param in found.params if param not in new]
        return Function(left, _replaced(found.body, new), attrs=found.attrs)
    return _replaced(found, new)


def Let(variable: Var, value: Any, body: Any, span: object = None) -> Any:
    """Return the body with the variable replaced by the value, which is computed once."""
    found = expression(value)
    if not variable.is_typed:
        variable.annotate(found.checked_type)
    return bind(body, {variable: found})


def _replaced(body: Expr, new: Mapping[Var, Expr]) -> Expr:
    mapping: _Mapping = {key.value: value.value for key, value in new.items() if key.is_typed}
    for op in operations_behind(body.values):
        if any(value in mapping for value in inputs_of(op)):
            op.clone(mapping)
    return rebuilt(body, mapping)


def rebuilt(body: Expr, mapping: Mapping[SSAValue, SSAValue]) -> Expr:
    """Return an expression whose values are replaced by others."""
    if isinstance(body, Tuple):
        return Tuple([rebuilt(field, mapping) for field in body.fields])
    values = [mapping.get(value, value) for value in body.values]
    handles = [handle(value) for value in values]
    return handles[0] if len(handles) == 1 else Tuple(handles)


def is_graph(function: FuncOp) -> bool:
    """Return whether a function is of the graph dialect alone, so that its body is an expression."""
    if function.is_declaration or len(function.body.blocks) != 1:
        return False
    if not all(isinstance(type_, TensorType) for type_ in function.function_type.inputs):
        return False
    return all(op.name.startswith("graph.") or op.name == "func.return" for op in function.body.block.ops)


def viewed(given: Any) -> Any:
    """Return a function of a module, or its body, as an expression; anything else as it is."""
    found = expression_of(given)
    return given if found is None else found


def expression_of(given: Any) -> Any:
    """Return a function of a module, or its body, as an expression; None for anything else."""
    if isinstance(given, (FuncOp, ModuleFunction)):
        return view_of(given) if is_graph(operation_of(given)) else None
    parent = given.held.parent_op() if isinstance(given, BodyView) else None
    return view_of(parent).body if isinstance(parent, FuncOp) and is_graph(parent) else None


class _View:
    """The expression of a function of a module, and the state of the function at the time of the conversion."""

    def __init__(self, op: FuncOp) -> None:
        self.state = _state(op)
        self.function = _unfolded(op)


def view_of(function: ModuleFunction | FuncOp) -> Function:
    """Return a function of a module as an expression: the same one, until the function changes."""
    op = operation_of(function)
    kept = module_view(op).kept
    view: _View | None = kept.get("expression")
    if view is None or view.state != _state(op):
        kept["expression"] = view = _View(op)
    return view.function


def _state(op: FuncOp) -> list[object]:
    """Return everything that the expression of a function is made from, by identity."""
    body = list(op.body.walk())
    types = [argument.type for argument in op.body.block.args]
    return [types, *((each, tuple(each.operands), tuple(each.properties.items()), each.result_types) for each in body)]


def _unfolded(op: FuncOp) -> Function:
    """Copy the operations of a function into an expression over variables of its arguments."""
    mapping: _Mapping = {}
    params: list[Var] = []
    for argument, name in zip(op.body.block.args, _names(op), strict=True):
        param = Var(name, type_of(argument.type))
        params.append(param)
        mapping[argument] = param.value
    *body, last = op.body.block.ops
    for each in body:
        each.clone(mapping)
    results = [handle(mapping[value]) for value in last.operands]
    attrs = {name: value for name, value in attributes_of(op).items() if name in op.attributes}
    return Function(params, results[0] if len(results) == 1 else Tuple(results), attrs=attrs)


def _names(op: FuncOp) -> list[str]:
    """Return the names of arguments as users know them."""
    count = len(op.body.block.args)
    given: list[Any] = list(op.arg_attrs.data) if op.arg_attrs is not None else [None] * count
    found: list[str] = []
    for k, (argument, attributes) in enumerate(zip(op.body.block.args, given, strict=True)):
        stated = attributes.data.get(NAME_ATTRIBUTE) if isinstance(attributes, DictionaryAttr) else None
        found.append(stated.data if isinstance(stated, StringAttr) else argument.name_hint or f"arg{k}")
    return found
