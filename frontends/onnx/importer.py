"""
The traversal of a model's graph, which maps names to values and nodes to ops.

Constants stay numpy arrays until an op takes them as an operand. So chains of nodes that only compute shapes (Shape,
Gather, Concat, Reshape as exporters emit them) produce no ops, and an unused weight is never written.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, NoReturn

import numpy as np
import onnx
from onnx import helper
from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    LocationAttr,
    ModuleOp,
    NameLoc,
    StringAttr,
    TensorType,
    UnknownLoc,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.test import TestOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import TilewrightError, fail
from ...diagnostics.locations import model_location, set_missing_locations
from ...diagnostics.remarks import remark
from ...dialects.constant_data import dense_attr, derived_name
from ...dialects.dtypes import element_type, numpy_dtype
from ...dialects.graph import ConstantOp, Dim, GraphOp, element_of, make_type, shape_of
from ...dialects.graph.families import ElementTypeError
from ...dialects.graph.sizes import larger_of, least, product_of
from ...dialects.graph.types import Otherwise, UnequalSizes, UnknownSize
from ...dialects.names import (
    ASSUMED_ATTRIBUTE,
    DEFAULTS_ATTRIBUTE,
    NAME_ATTRIBUTE,
    SHAPE_OF_ATTRIBUTE,
    VALUE_ATTRIBUTE,
    value_name,
)
from ...operators import get_operator
from ...operators.shape import ReshapeOp
from ...operators.shaped import ExtendOp, ExtentsOp, MatchShapeOp, PrefixOp, operand_size
from ...runtime.arguments import digest_of
from ..by_value import NeedsValues, OpenDefault, OpenInput
from . import shape_values, text, text_values
from .expansion import expand, functions_of
from .external_data import TensorFiles
from .inputs import SizeOverrides, declared_shape, input_type, open_sizes
from .listed import Absent, AnyValue, Listed, flat_names, flattened, kind_of, parts_of, type_of
from .model_file import load_model, opset_of
from .node import OVERRIDE_HELP, Node, Value, as_type, dtype, operator_name
from .registry import converter, is_converted, unknown_operators
from .stated_sizes import StatedSizes, is_implied, is_symbolic
from .subgraphs import DependsOnIteration, all_nodes, in_order, used_names
from .tensors import to_array
from .value_inputs import VALUE_HELP, given_values, inputs_behind, may_be_given, sizes_behind

FOLDED_ELEMENTS = 1 << 16
"""Results of constant operands are computed at once up to this size; larger ones are left to fold-constant."""

FIRST_WITH_DEFAULTS = 4
"""The IR version since which callers may replace initializers that are inputs."""

MOST_LISTED = 8
"""The most names in a remark."""

MOST_MATCHES = 16
"""The number of sizes of a node's inputs that are matched with others at most."""

_VIEWS = {"reshape", "flatten", "squeeze", "unsqueeze", "identity"}
"""The operators that cost nothing on an array of any size."""


def import_model(
    model: str | os.PathLike[str] | bytes | onnx.ModelProto,
    *,
    shapes: Mapping[str, Sequence[int | str] | None] | None = None,
    sizes: Mapping[str, int] | None = None,
    batch: int | None = None,
    values: Mapping[str, Any] | None = None,
    replaced: Sequence[str] = (),
) -> ModuleOp:
    """Import an ONNX model as a module whose `@main` takes the model's inputs and gives its outputs, by name in
    `tw.name`.

    `shapes` replaces the shape of inputs (a string in it names a dynamic size), `sizes` fixes dynamic sizes by their
    name in the model, `batch` fixes the first size of every input where it is dynamic. `values` are those of inputs
    that decide a shape, an axis or a count: the module is for these alone, and states them (`tw.value`).

    An initializer that is an input too is a default, from IR version 4 on. The module has it as a constant and states
    so (`tw.defaults`), unless `replaced` names it: then it is an argument, after all others.

    Raises `NeedsValues` where such a value is missing, TW0301 (no readable model), TW0302 (operators that are not
    supported, all of them named), TW0303 (an invalid node), TW0304 (a shape that is not known), TW0305 (a type that is
    not supported), TW0306 (an attribute that is not).
    """
    proto, files = load_model(model)
    if problem := unknown_operators(proto, opset_of(proto), functions_of(proto)):
        fail("TW0302", problem)
    overrides = SizeOverrides(dict(shapes or {}), dict(sizes or {}), batch, dict(values or {}), tuple(replaced))
    if text.has_text(proto):
        raise text.needs_host(proto, files, overrides, evaluate)
    file = "" if isinstance(model, (bytes, onnx.ModelProto)) else os.fspath(model)
    return Importer(proto, files, overrides, file).run()


def evaluate(model: onnx.ModelProto, values: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Compute the outputs of a model by name for these inputs, by the references of its operators.

    Raises TW0302 for a node that is no operator on arrays, as a loop.
    """
    return Importer(model, TensorFiles(), SizeOverrides({}, {}, None), folds_all=True).evaluate(values)


class Importer:
    """State of one import: the mapping of names to values, and the insertion point."""

    def __init__(
        self,
        model: onnx.ModelProto,
        files: TensorFiles,
        overrides: SizeOverrides,
        file: str = "",
        folds_all: bool = False,
    ):
        self._graph = in_order(model.graph)
        self._has_defaults = model.ir_version >= FIRST_WITH_DEFAULTS
        self._file = file
        self._most_folded = None if folds_all else FOLDED_ELEMENTS
        self._opset = opset_of(model)
        self._functions = functions_of(model)
        self.files = files
        self._overrides = overrides
        self._values: dict[str, AnyValue] = {}
        self._given: dict[str, np.ndarray] = {}
        self._inputs: list[OpenInput] = []
        self._defaults: list[OpenDefault] = []
        self._materialized: dict[int, tuple[np.ndarray, SSAValue]] = {}
        self._constant_names: dict[int, str] = {}
        self._later: dict[SSAValue, tuple[type[GraphOp], list[np.ndarray], dict[str, Any]]] = {}
        """Results of operators on constants that were inserted all the same: the operator, operands, properties."""
        self._used = used_names(model.graph)
        self._block = Block()
        self._builder = Builder(InsertPoint.at_end(self._block))
        self._sizes = StatedSizes(self._block)
        self._assumed: dict[tuple[str, str, Otherwise], None] = {}
        """Sizes that are taken to be equal, and which others the model allows."""

    def run(self) -> ModuleOp:
        self._add_initializers()
        self._add_inputs()
        outputs = self._graph.output
        try:
            return self._run()
        except NeedsValues as error:
            error.inputs = tuple(self._inputs)
            error.defaults = tuple(self._defaults)
            error.outputs = tuple(output.name for output in outputs)
            raise

    def evaluate(self, values: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the outputs of the graph for these inputs."""
        self._add_initializers()
        for name, value in values.items():
            self._define(name, value)
        for proto in self._graph.node:
            node = Node(self, proto, self._opset)
            self._convert(node)
            if not all(isinstance(self._values[name], np.ndarray) for name in proto.output if name in self._values):
                node.fail("TW0302", "this operator cannot run on the host, where what depends on strings runs")
        found = {output.name: self._lookup_output(output.name) for output in self._graph.output}
        return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}

    def _run(self) -> ModuleOp:
        for proto in self._graph.node:
            self._convert(Node(self, proto, self._opset))
        self._remark_expansions()
        declared = [output.name for output in self._graph.output]
        if (twice := next((name for k, name in enumerate(declared) if name in declared[:k]), None)) is not None:
            fail("TW0303", f"output '{twice}' of the model is named twice", help="name each result once")
        with self._needing_sizes(declared):
            values = {name: self._lookup_output(name) for name in declared}
            outputs = [flat for name, value in values.items() for flat in flat_names(name, value)]
            results = [self._operand(value) for value in flattened(list(values.values()))]
            results, attributes = self._results(outputs, results)
        self._builder.insert(ReturnOp(*results))
        function = self._function(attributes, [result.type for result in results])
        set_missing_locations(function, self.location(self._graph.name or "graph"))
        return ModuleOp([function])

    def location(self, name: str) -> LocationAttr:
        """Return the location of the object with this name in the model."""
        return model_location(self._file, name) if self._file else NameLoc(StringAttr(name), UnknownLoc())

    def _function(self, outputs: Sequence[DictionaryAttr], types: Sequence[Attribute]) -> FuncOp:
        function = FuncOp(
            "main",
            FunctionType.from_lists(self._block.arg_types, types),
            Region(self._block),
            arg_attrs=ArrayAttr([self._argument_attributes(each.name) for each in self._inputs]),
            res_attrs=ArrayAttr(outputs),
        )
        if self._defaults:
            function.attributes[DEFAULTS_ATTRIBUTE] = ArrayAttr([_default_attr(each) for each in self._defaults])
        if self._assumed:
            pairs = (ArrayAttr([StringAttr(text) for text in each]) for each in self._assumed)
            function.attributes[ASSUMED_ATTRIBUTE] = ArrayAttr(list(pairs))
        return function

    # Names

    def _add_initializers(self) -> None:
        for tensor in self._graph.initializer:
            if tensor.name not in self._overrides.replaced:
                self._define(tensor.name, to_array(tensor, self.files))
        if self._graph.sparse_initializer:
            fail("TW0305", "sparse initializers are not supported")

    def _argument_attributes(self, name: str) -> DictionaryAttr:
        attributes: dict[str, Attribute] = {NAME_ATTRIBUTE: StringAttr(name)}
        if name in self._given:
            attributes[VALUE_ATTRIBUTE] = dense_attr(self._given[name])
        return DictionaryAttr(attributes)

    def _add_inputs(self) -> None:
        """Add the function's arguments: inputs without a default, then those whose default the caller replaces."""
        self._add_defaults([value for value in self._graph.input if value.name in self._values])
        inputs = [value for value in self._graph.input if value.name not in self._values]
        inputs.sort(key=lambda value: value.name in self._overrides.replaced)
        values = given_values(self._overrides.values, inputs)
        parts, overrides = parts_of(inputs, self._overrides.with_sizes(values.sizes))
        self._given = values.arrays
        sizes: dict[str, None] = {}
        for value in (tensor for part in parts for tensor in part.tensors):
            argument = self._block.insert_arg(input_type(value, overrides), len(self._inputs))
            argument.name_hint = value_name(value.name)
            shape = shape_of(argument.type)
            self._inputs.append(OpenInput(value.name, numpy_dtype(element_of(argument.type)).name, shape))
            sizes |= dict.fromkeys(open_sizes(value))
            given = self._given.get(value.name)
            if given is not None and given.shape != shape:
                fail("TW0303", f"expected a value of shape {list(shape)} for input '{value.name}', but got {given}")
            self._define(value.name, argument if given is None else given)
        for part in parts:
            self._values[part.name] = part.build([self._tensor(tensor.name) for tensor in part.tensors])
        overrides.check([each.name for each in self._inputs], list(sizes))

    def _add_defaults(self, inputs: Sequence[onnx.ValueInfoProto]) -> None:
        """Add the defaults of inputs that are initializers, which before IR version 4 were constants alone."""
        if inputs and not self._has_defaults:
            names = ", ".join(f"'{value.name}'" for value in inputs[:MOST_LISTED])
            more = f" and {len(inputs) - MOST_LISTED} more" if len(inputs) > MOST_LISTED else ""
            text = f"inputs that are initializers are constants below IR version {FIRST_WITH_DEFAULTS}: {names}{more}"
            remark("TW0309", text, kind="analysis")
            return
        for value in inputs:
            array = self._tensor(value.name)
            assert isinstance(array, np.ndarray)
            if text_values.is_text(array):
                continue
            has_shape = value.type.tensor_type.HasField("shape")
            shape = self._overrides.shape_of(value.name, declared_shape(value)) if has_shape else array.shape
            self._defaults.append(OpenDefault(value.name, array.dtype.name, tuple(shape), digest_of(array)))

    def _tensor(self, name: str) -> Value:
        value = self._values[name]
        assert not isinstance(value, (Listed, Absent))
        return value

    def need(self, node: Node, name: str, what: str) -> NoReturn:
        """Raise an error for a value that has to be known but depends on the model's inputs: `NeedsValues` where these
        are such that a program can be specialised by them."""
        value = self._values[name]
        sources, sizes = inputs_behind(value) if isinstance(value, SSAValue) else (set[BlockArgument](), [])
        arguments = list(self._block.args)
        text = f"expected {what} to be known when the model is imported, but '{name}' depends on the model's inputs"
        stated = {dim for each in self._inputs for dim in each.shape}
        if sizes and not sources and stated.issuperset(sizes):
            cause = TilewrightError("TW0304", node.described(text), location=node.location, help=OVERRIDE_HELP)
            raise NeedsValues.of_sizes(cause, sizes)
        if within := next((each.owner for each in sources if each not in arguments), None):
            raise DependsOnIteration.of(within, node.described(text), node.location)
        if not sources or not all(each in arguments and may_be_given(each) for each in sources):
            node.fail("TW0304", text, help=VALUE_HELP)
        names = [self._inputs[each.index].name for each in arguments if each in sources]
        raise NeedsValues.of_values(node.described(text), names, node.location)

    def _define(self, name: str, value: AnyValue) -> None:
        self._values[name] = value
        if isinstance(value, SSAValue):
            if value.name_hint is None:
                value.name_hint = value_name(name)
        elif isinstance(value, np.ndarray):
            self._constant_names.setdefault(id(value), name)

    def lookup(self, node: Node, name: str) -> AnyValue:
        if name not in self._values:
            self._fail_undefined(node, name)
        return self._values[name]

    def _fail_undefined(self, node: Node, name: str) -> NoReturn:
        later = next((proto for proto in self._graph.node if name in proto.output), None)
        node.fail(
            "TW0303",
            f"expected '{name}' to be the output of an earlier node, an input or an initializer",
            help=None
            if later is None
            else f"node '{later.name or later.output[0]}' computes it, which does not come "
            "before: the graph has a cycle, or the nodes of a graph within are not in order",
        )

    def _lookup_output(self, name: str) -> AnyValue:
        if name not in self._values:
            fail("TW0303", f"output '{name}' of the model is computed by no node")
        return self._values[name]

    def is_used(self, name: str) -> bool:
        return name != "" and name in self._used

    # Graphs within

    @contextmanager
    def names_of(self, graph: onnx.GraphProto) -> Generator[None]:
        """Open the scope of a nested graph: it sees the names around it, and its names are gone afterwards."""
        outer, around = self._values, self._graph
        self._values, self._graph = dict(outer), graph
        try:
            for tensor in graph.initializer:
                self.define(tensor.name, to_array(tensor, self.files))
            yield
        finally:
            self._values, self._graph = outer, around

    @contextmanager
    def building(self, block: Block) -> Generator[None]:
        """Put operations at the end of a block of a region; constants that are made there are for that region."""
        outer, made = self._builder, self._materialized
        self._builder, self._materialized = Builder(InsertPoint.at_end(block)), dict(made)
        try:
            yield
        finally:
            self._builder, self._materialized = outer, made

    def convert_all(self, nodes: Iterable[onnx.NodeProto], opset: int) -> None:
        """Convert the nodes of a nested graph, or of the expansion of a node."""
        for proto in nodes:
            self._convert(Node(self, proto, opset))

    def converted_again(self, node: Node, name: str, given: Mapping[str, SSAValue]) -> Value:
        """Return a tensor of the graph for these values of names that stand for other ones, computed anew."""
        producers = {output: proto for proto in self._graph.node for output in proto.output if output}
        needed, waiting = set[str](), [name]
        while waiting:
            if (each := waiting.pop()) not in needed and each not in given and each in producers:
                needed.update(output for output in producers[each].output if output)
                waiting += [used for used in producers[each].input if used]
        outer = self._values
        self._values = {known: value for known, value in outer.items() if known not in needed} | dict(given)
        for proto in self._graph.node:
            if not needed.isdisjoint(proto.output):
                self._convert(Node(self, proto, node.opset))
        value, self._values = self.lookup(node, name), outer
        if isinstance(value, (Listed, Absent)):
            node.fail("TW0305", f"expected '{name}' to be a tensor, but got {kind_of(value)}")
        return value

    def find(self, name: str) -> AnyValue | None:
        return self._values.get(name)

    def define(self, name: str, value: AnyValue) -> None:
        """Bind a name in a nested graph to a value; the binding shadows those around the graph."""
        self._define(name, value)

    def materialized(self, value: Value) -> SSAValue:
        """Return a value as an operand; a constant becomes an operation where it is first used."""
        return self._operand(value)

    def insert(self, op: Operation) -> Sequence[SSAValue]:
        """Insert an operation at the importer's insertion point and return its results."""
        self._builder.insert(op)
        return op.results

    # Nodes

    def _convert(self, node: Node) -> None:
        if not is_converted(node.proto, self._functions):
            self._expand(node)
            return
        with self._needing_sizes(node.proto.input):
            result = self._converted_where_sizes_agree(node)
        outputs = [result] if isinstance(result, (SSAValue, np.ndarray)) else list(result)
        for name, value in zip(node.proto.output, outputs, strict=False):
            if name in self._values:
                node.fail("TW0303", f"expected '{name}' to be computed once, but it is computed or given before")
            if name:
                self._define(name, value)
        for name in node.proto.output[len(outputs) :]:
            if self.is_used(name):
                node.fail("TW0302", f"output '{name}' of this operator is not supported")

    @contextmanager
    def _needing_sizes(self, names: Sequence[str]) -> Generator[None]:
        """Let errors about symbolic sizes of these values say that the model needs them as numbers."""
        try:
            yield
        except TilewrightError as error:
            if error.code != "TW0304" or isinstance(error, NeedsValues) or error.help == VALUE_HELP:
                raise
            values = [self._values[name] for name in names if name in self._values]
            stated = {dim for each in self._inputs for dim in each.shape}
            sizes = [size for size in sizes_behind(flattened(values)) if size in stated]
            if not sizes:
                raise
            raise NeedsValues.of_sizes(error, sizes) from None

    def _converted_where_sizes_agree(self, node: Node) -> Value | Sequence[Value]:
        """Convert a node; where sizes have to be equal that are not known to be, state a check."""
        for _ in range(MOST_MATCHES):
            last = self._block.last_op
            try:
                return self._converted(node)
            except UnequalSizes as error:
                self._drop_behind(last)
                match = self._match(node, error)
                if match is None:
                    node.fail("TW0304", str(error), help=OVERRIDE_HELP)
                name, value = match
                self._values[name] = value
        return self._converted(node)

    def _match(self, node: Node, error: UnequalSizes) -> tuple[str, Value] | None:
        """Return the name of an input of a node, and its value with sizes as another input has them; None where that
        cannot be stated."""
        if self._builder.insertion_point.block is not self._block:
            return None
        choices: list[tuple[int, int, str, SSAValue, Dim, Dim]] = []
        for old, new in (error.sizes, error.sizes[::-1]):
            for position, name in enumerate(node.proto.input):
                value = self._values.get(name)
                if isinstance(old, str) and new is not None and isinstance(value, SSAValue) and old in shape_of(value):
                    wide = sum(dim != 1 for dim in shape_of(value))
                    choices.append((wide, -position, name, value, old, new))
        for *_, name, value, old, new in sorted(choices, key=lambda each: each[:2]):
            stated = [new if dim == old else dim for dim in shape_of(value)]
            if self._sizes.depends_on_data([*stated, old]):
                continue
            try:
                found = self._emit_stated(node, MatchShapeOp, [value], {"shape": stated}, {})[0]
            except UnknownSize:
                continue
            if error.otherwise != "none" and not is_implied(old, new):
                self._assumed[(str(old), str(new), error.otherwise)] = None
            return name, found
        return None

    def _drop_behind(self, last: Operation | None) -> None:
        """Erase the operations that were inserted after an operation, except for constants, which others may use."""
        for op in reversed([*self._block.ops]):
            if op is last:
                return
            if not isinstance(op, ConstantOp):
                self._block.erase_op(op)

    def _converted(self, node: Node) -> Value | Sequence[Value]:
        try:
            node.check_inputs()
            result = converter(node)(node)
            node.check_attributes()
        except UnequalSizes:
            raise
        except UnknownSize as error:
            node.fail("TW0304", str(error), help=OVERRIDE_HELP)
        except ElementTypeError as error:
            node.fail("TW0317" if node.has_allowed_types() else "TW0303", str(error))
        except VerifyException as error:
            node.fail("TW0303", str(error))
        except TilewrightError as error:
            if error.location is None:
                error.location = node.location
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            # Converters rely on what the operator's definition promises; a node that breaks it fails somewhere.
            node.fail("TW0303", f"inputs or attributes do not fit the operator: {error}")
        return result

    def _expand(self, node: Node) -> None:
        """Convert the nodes that define a node."""
        node = self._with_wide_indices(node)
        types = [self._type_of(node, name) for name in node.proto.input]
        expansion = expand(node.proto, node.opset, self._functions, types)
        if expansion is None:
            node.fail("TW0302", "this operator is not supported, and nothing defines it by others")
        self._used.update(name for proto in expansion.nodes for name in proto.input)
        try:
            for proto in expansion.nodes:
                self._convert(Node(self, proto, expansion.opset))
        except TilewrightError as error:
            if error.code == "TW0303" and node.is_accepted_by_standard(types):
                fail("TW0317", error.message, location=error.location)
            raise

    def _with_wide_indices(self, node: Node) -> Node:
        """Return the node with int64 for those of int32 among its inputs that may be both: its body has sizes of
        int64."""
        proto = onnx.NodeProto()
        proto.CopyFrom(node.proto)
        for index in node.inputs_of_types({"tensor(int32)", "tensor(int64)"}):
            if dtype(value := node.input(index)) == "int32":
                proto.input[index] = f"{node.label}/wide{index}"
                self._define(proto.input[index], as_type(node, value, "int64"))
        return Node(self, proto, node.opset)

    def _remark_expansions(self) -> None:
        nodes = all_nodes(self._graph)
        count = Counter(operator_name(proto) for proto in nodes if not is_converted(proto, self._functions))
        if count:
            listed = ", ".join(f"{name} ({number}x)" for name, number in sorted(count.items()))
            remark("TW0307", f"operators are replaced by what defines them: {listed}", kind="analysis")

    def _type_of(self, node: Node, name: str) -> onnx.TypeProto:
        """Return the type of an input, as ONNX states it; of one that is left out nothing is stated."""
        if not name:
            return onnx.TypeProto()
        return type_of(self.lookup(node, name), _type_of_tensor)

    def emit(
        self, node: Node, op: type[GraphOp], values: Sequence[Value], properties: dict[str, Any]
    ) -> Sequence[Value]:
        """Emit `op`: compute its results where all operands are constant and the result is small, else insert it."""
        arrays = [value for value in values if isinstance(value, np.ndarray)]
        if len(arrays) == len(values) and any(map(text_values.is_text, arrays)):
            return text_values.apply(op, arrays, properties)
        if len(arrays) == len(values) and any(array.dtype == object for array in arrays):
            if shape_values.stays_a_shape(op, arrays, properties):
                return self._applied_to_shapes(node, op, arrays, properties)
            return self._built(node, op, values, properties)
        if len(arrays) == len(values) and (folded := _fold(op, arrays, properties, self._most_folded)) is not None:
            return folded
        return self._built(node, op, values, properties)

    def emit_later(self, node: Node, op: type[GraphOp], values: Sequence[Value], properties: dict[str, Any]) -> Value:
        """Insert `op`, although all operands may be constant, and return its result."""
        if self._most_folded is None:
            return self.emit(node, op, values, properties)[0]
        (result,) = self._built(node, op, values, properties)
        arrays = [value for value in values if isinstance(value, np.ndarray)]
        if len(arrays) == len(values):
            self._later[result] = (op, arrays, properties)
        return result

    def known(self, value: Value) -> Value:
        """Return the array of a constant that `emit_later` inserted an operator for; another value as it is."""
        if not isinstance(value, SSAValue) or value not in self._later:
            return value
        folded = _fold(*self._later[value], None)
        return value if folded is None else folded[0]

    def _applied_to_shapes(
        self, node: Node, op: type[GraphOp], arrays: Sequence[np.ndarray], properties: dict[str, Any]
    ) -> Sequence[Value]:
        """Apply an operator to shapes; the result is data where it depends on the numbers that the sizes are."""
        try:
            return [shape_values.apply(op, arrays, properties)]
        except UnknownSize:
            return self._built(node, op, arrays, properties)

    def _built(
        self, node: Node, op: type[GraphOp], values: Sequence[Value], properties: dict[str, Any]
    ) -> Sequence[SSAValue]:
        built = op.of(*map(self._operand, values), location=node.location, **properties)
        self._builder.insert(built)
        return built.results

    def emit_stated(
        self,
        node: Node,
        op: type[GraphOp],
        values: Sequence[Value],
        dims: Mapping[str, Sequence[Any]],
        properties: dict[str, Any],
    ) -> Sequence[Value]:
        """Emit an operation that states sizes in terms of those of its operands.

        A size that may be below 0 is taken as 0, and a check states that it is not.
        """
        wanted = [] if op is ExtentsOp else list(dims["shape"])
        kept = [larger_of(dim, 0) if isinstance(dim, str) and least(dim) < 0 else dim for dim in wanted]
        if kept != wanted:
            self._require_checks(wanted, f"expected sizes that are not negative, but got {wanted}")
            (result,) = self._emit_stated(node, op, values, {**dims, "shape": kept}, properties)
            return [self.matched(node, result, wanted)]
        return self._emit_stated(node, op, values, dims, properties)

    def matched(self, node: Node, value: Value, wanted: Sequence[Dim]) -> Value:
        """Return a value with sizes that it must turn out to have when the program is called, which a check states."""
        given = list(shape_of(value) if isinstance(value, SSAValue) else value.shape)
        self._require_checks([*wanted, *given], f"expected sizes {wanted}, but got {given}")
        return self._emit_stated(node, MatchShapeOp, [value], {"shape": list(wanted)}, {})[0]

    def _require_checks(self, sizes: Sequence[Dim], otherwise: str) -> None:
        """Raise UnknownSize where sizes cannot be checked at the entry: those of regions, and those that are data."""
        if self._builder.insertion_point.block is not self._block or self._sizes.depends_on_data(sizes):
            raise UnknownSize(otherwise)

    def _emit_stated(
        self,
        node: Node,
        op: type[GraphOp],
        values: Sequence[Value],
        dims: Mapping[str, Sequence[Any]],
        properties: dict[str, Any],
    ) -> Sequence[Value]:
        operands = [self._operand(value) if is_symbolic(dims) else value for value in values]
        given = [value for value in operands if isinstance(value, SSAValue)]
        likes, stated = self._sizes.state(given, dims)
        return self.emit(node, op, [*operands, *likes], {**properties, **stated})

    def prefixes(self, node: Node, values: Sequence[Value], count: Value) -> list[Value]:
        """Return the first parts of values along their first dimension, as many as a count says that is data."""
        if isinstance(count, np.ndarray):
            return [value[: int(count.reshape(-1)[0])] for value in values if isinstance(value, np.ndarray)]
        if self._builder.insertion_point.block is not self._block:
            node.fail("TW0302", "results whose size is data are not supported in branches and loops")
        name = self._sizes.fresh(next((output for output in node.proto.output if output), "found"))
        name = value_name(name) or "found"
        bound = shape_of(self._operand(values[0]))[0]
        found = [self.emit(node, PrefixOp, [value, count], {"size": name})[0] for value in values]
        assert isinstance(found[0], SSAValue)
        self._sizes.add_data(name, found[0], bound)
        return found

    def _results(self, names: Sequence[str], values: Sequence[SSAValue]) -> tuple[list[SSAValue], list[DictionaryAttr]]:
        """Return the results of the function: results whose size is data in buffers of their largest size, and their
        shapes as further results."""
        results, shapes = list(values), list[SSAValue]()
        attributes = [_named(name) for name in names]
        for number, (name, value) in enumerate(zip(names, values, strict=True)):
            shape = shape_of(value)
            if not self._sizes.depends_on_data(shape):
                continue
            flat = self._inserted(ReshapeOp.of(value, shape=(-1,)))
            count = reduce(lambda a, b: product_of(1, [str(a), str(b)]), shape, 1)
            likes, stated = self._sizes.state([flat], {"shape": [self._sizes.largest(count)]})
            results[number] = self._inserted(ExtendOp.of(flat, *likes, shape=stated["shape"]))
            sizes = tuple(operand_size(0, axis) for axis in range(len(shape)))
            shapes.append(self._inserted(ExtentsOp.of(value, shape=sizes)))
            attributes.append(_named(f"{name}.shape", name))
        return [*results, *shapes], attributes

    def _sizes_as_data(self, value: np.ndarray) -> SSAValue:
        """Return sizes as elements of a tensor."""
        likes, stated = self._sizes.state([], {"shape": value.reshape(-1).tolist()})
        vector = self._inserted(ExtentsOp.of(*likes, shape=stated["shape"]))
        return vector if value.ndim == 1 else self._inserted(ReshapeOp.of(vector, shape=value.shape))

    def _inserted(self, op: Operation) -> SSAValue:
        return self.insert(op)[0]

    def _operand(self, value: Value) -> SSAValue:
        """Return a value as an operand: a constant becomes an op where it is first used; later uses share it."""
        if isinstance(value, SSAValue):
            return value
        if value.dtype == object:
            return self._sizes_as_data(value)
        if text_values.is_text(value):
            fail("TW0305", "strings that depend on no input are not supported where a program computes with them")
        # The array is kept beside its id, so that no other array can come to have the same id.
        _, known = self._materialized.get(id(value), (None, None))
        if known is not None:
            return known
        name = self._constant_names.get(id(value), "constant")
        # An array that a converter computes has no name of the model; several may be written into one file.
        resource = name if id(value) in self._constant_names else derived_name(name, value)
        op = self._builder.insert(ConstantOp.from_array(value, resource, self.location(name), self.files.stored(value)))
        op.y.name_hint = value_name(name)
        self._materialized[id(value)] = (value, op.y)
        return op.y


def _default_attr(default: OpenDefault) -> ArrayAttr[Attribute]:
    type_ = make_type(default.shape, element_type(default.dtype))
    return ArrayAttr([StringAttr(default.name), type_, StringAttr(default.digest)])


def _named(name: str, shape_of_output: str | None = None) -> DictionaryAttr:
    """Return the attributes of a result: its name in the model, and the result whose shape it holds."""
    attributes: dict[str, Attribute] = {NAME_ATTRIBUTE: StringAttr(name)}
    if shape_of_output is not None:
        attributes[SHAPE_OF_ATTRIBUTE] = StringAttr(shape_of_output)
    return DictionaryAttr(attributes)


def _type_of_tensor(value: Value) -> onnx.TypeProto:
    if isinstance(value, np.ndarray):
        if text_values.is_text(value):
            return helper.make_tensor_type_proto(onnx.TensorProto.STRING, value.shape)
        dtype = np.dtype(np.int64) if value.dtype == object else value.dtype
        return helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(dtype), value.shape)
    dtype = numpy_dtype(element_of(value.type))
    return helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(dtype), shape_of(value.type))


def _fold(
    op: type[GraphOp], arrays: Sequence[np.ndarray], properties: dict[str, Any], most: int | None
) -> Sequence[Value] | None:
    """Return the results of an op on constants, or None where they have more than `most` elements or depend on the
    host."""
    types = [TensorType(element_type(array.dtype.name), array.shape) for array in arrays]
    operands = TestOp(result_types=types)
    probe = op.of(*operands.results, **properties)
    name = op.name.removeprefix("graph.")
    elements = sum(int(np.prod(type_.get_shape())) for type_ in probe.infer_types())
    if most is not None and elements > most and name not in _VIEWS:
        return None
    results = get_operator(name).fold(probe, *arrays)
    return None if results is None else list(results)
