"""The graph executor: arrays and calls of a graph.

`module["default"](device)` makes one of a compiled model. It keeps the arrays of inputs, parameters and results between
calls, so `set_input`, `run` and `get_output` are calls of their own:

    executor = load_module("model.so")["default"](cpu(0))
    executor.set_input("data", x)
    executor.run()
    y = executor.get_output(0)

The graph of a compiled model has its inputs, the constants of its code as parameters `p0`, `p1`, ... in the layout in
which the code reads them, and one node `tvmgen_default_main`. Graphs in JSON may have any number of nodes, each of
which calls a function of the library by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from .arguments import Argument, Signature
from .buffers import ALIGNMENT, Array, address_of, aligned_empty
from .calls import coded_methods
from .description import constant_names
from .devices import NUMBERS, Device, device
from .errors import TilewrightError, fail
from .expectations import expect_type
from .extent import Dimension, Extent
from .function import Function
from .graph_json import COPY, NOP, Entry, Graph, GraphNode, read_graph, refuse
from .memory import expect_memory
from .params import host_array, unpack_params
from .slots import PACKED_ARRAYS
from .text import did_you_mean
from .timing import Evaluator, Timing

if TYPE_CHECKING:
    from .module import Module


NOT_STATED = "TW0781"
"""The code of programs that a graph cannot state."""


def graph_of(module: Module, name: str = "default") -> tuple[Graph, dict[str, Array]]:
    """Return the graph of a module's entry, and its parameters by name: the constants of the code themselves, not to be
    written to.

    Raises TilewrightError TW0781 for a program that a graph cannot state: one of open sizes, of strings, of results
    whose shapes are found while it runs, or of strided arrays.
    """
    signature, names = module.entry.signature, _parameter_names(module)
    _expect_closed(signature)
    params = {names[_key(constant)]: constant for constant in module.entry.constants}
    position = {name: len(signature.inputs) + number for number, name in enumerate(params)}
    read = [position[names[_key(constant)]] for constant in module.entry.constants]
    arrays: list[tuple[str, np.dtype[Any], tuple[int, ...]]] = [
        *((a.name, a.dtype, _fixed(a.shape)) for a in signature.inputs),
        *((parameter, c.dtype, c.shape) for parameter, c in params.items()),
        *((a.name, a.dtype, _fixed(a.shape)) for a in signature.outputs),
    ]
    count = len(arrays) - len(signature.outputs)
    results = tuple(range(count, len(arrays)))
    function = f"tvmgen_{name}_{module.entry_name}"
    arguments = [GraphNode(each, outputs=(number,)) for number, (each, _, _) in enumerate(arrays[:count])]
    call = GraphNode(function, function, (*range(len(signature.inputs)), *read), results)
    entries = tuple(Entry(dtype, shape, number) for number, (_, dtype, shape) in enumerate(arrays))
    return Graph((*arguments, call), entries, tuple(range(count)), results), params


def _parameter_names(module: Module) -> dict[tuple[Any, ...], str]:
    """Return the names of the distinct constants of all functions, which are those of a saved library."""
    functions = module.functions.values()
    keys = list(dict.fromkeys(_key(constant) for function in functions for constant in function.constants))
    return dict(zip(keys, constant_names([function.signature for function in functions], len(keys))))


def _key(constant: Array) -> tuple[Any, ...]:
    """Return a key that tells one constant from another: functions that share one, and code that reads it twice, have
    the same memory."""
    return address_of(constant), constant.dtype.name, constant.shape


def create_executor(graph_json: str | bytes | Graph, library: Module, devices: Any) -> GraphExecutor:
    """Create the executor of a graph whose nodes call functions of a library, on a device.

    Parameters begin as the constants of the library's code where the graph is that of a compiled model. Raises
    TilewrightError TW0779 for a graph that is malformed, or whose functions the library does not have; TW0725 for a
    device that the functions do not run on.
    """
    graph = graph_json if isinstance(graph_json, Graph) else read_graph(graph_json)
    return GraphExecutor(Execution(graph, library, _device_of(devices)))


class ExecutorFactory:
    """`module["default"]`: called with a device, or a list of one, it gives an executor of the module's entry."""

    def __init__(self, module: Module, name: str = "default") -> None:
        self._module, self._name = module, name

    def __call__(self, *devices: Any) -> GraphExecutor:
        """Return the executor; on the device that the program is for where none is given."""
        given = devices[0] if len(devices) == 1 else [*devices]
        if not devices:
            kinds = self._module.entry.device_kinds
            given = Device(kinds[0] if kinds else "cpu")
        return create_executor(graph_of(self._module, self._name)[0], self._module, given)

    def create(self, name: str, *devices: Any) -> GraphExecutor:
        """Return the executor of the model of that name. Raises TW0713 for another name."""
        expect_type("name", name, str)
        if name != self._name:
            fail("TW0713", f"expected the model '{self._name}', but got '{name}'")
        return self(*devices)

    def __repr__(self) -> str:
        return f"<executor factory of {self._module!r}>"


class _Cell:
    """The array of an argument. Executors that share a parameter have one cell."""

    def __init__(self) -> None:
        self.array: Any = None
        self.is_private = False
        """Values may be copied into it: it is neither a constant of the library nor an array of a caller."""


class Execution:
    """The arrays of a graph on a device, and the steps that fill them.

    Entries and arguments are given by number. Calls that touch arrays hold `lock`, so that threads wait for one
    another.
    """

    def __init__(self, graph: Graph, library: Module, where: Device) -> None:
        self.graph = graph
        self.device = where
        self.lock = RLock()
        self.names = [graph.nodes[number].name for number in graph.arguments]
        self.parameters: set[str] = set()
        """The arguments that are constants of the library, or were loaded as parameters."""
        self.cells = {self.argument(number): _Cell() for number in range(len(self.names))}
        self.on_gpu = False
        """Arrays live on a GPU."""
        self._views = {n.outputs[0]: n.inputs[0] for n in graph.nodes if n.function == NOP}
        calls = [(node, _linked(graph, library, node)) for node in graph.nodes if node.function not in (None, NOP)]
        for _, call in calls:
            self._expect_device(call)
        numbers = {NUMBERS[kind] for _, call in calls if call.function for kind in call.function.device_kinds}
        if graph.device is not None and graph.device not in numbers | {where.device_type}:
            refuse(f"its arrays live on a device of the kind {graph.device}, but it is to run on {where}")
        self._results = self._allocate()
        self.steps = [Step(self, node, call) for node, call in calls]

    def argument(self, number: int) -> int:
        """Return the entry of the argument of that number."""
        return self.graph.nodes[self.graph.arguments[number]].outputs[0]

    def entry_of(self, key: object) -> int:
        """Return the entry of an argument by its name or number. Raises TW0702 where there is none."""
        expect_type("key", key, str, int)
        if isinstance(key, str) and key in self.names:
            return self.argument(self.names.index(key))
        if isinstance(key, int) and 0 <= key < len(self.names):
            return self.argument(key)
        listed = ", ".join(f"'{name}'" for name in self.names[:16]) or "none"
        near = did_you_mean(key, self.names) if isinstance(key, str) else ""
        fail("TW0702", f"expected an input of {listed}, but got {key!r}{near}")

    def array(self, entry: int) -> Any:
        """Return the array of an entry: of an argument that was not set, None."""
        if entry in self._views:
            source = self.array(self._views[entry])
            return None if source is None else _reshaped(source, self.graph.entries[entry].shape)
        return self.cells[entry].array if entry in self.cells else self._results[entry]

    def value(self, entry: int, what: str) -> Any:
        """Return the array of an entry when all steps are done. Raises TW0782 for that of an argument that was not
        set."""
        self.synchronize()
        array = self.array(entry)
        if array is None:
            fail("TW0782", f"expected a value for {what}, but the input that it is was not set")
        return array

    def writable(self, entry: int) -> Any:
        """Return the array that values of an argument are copied into: a fresh one where nothing but this may hold
        it."""
        cell = self.cells[entry]
        if not cell.is_private:
            cell.array, cell.is_private = self.empty(self.graph.entries[entry]), True
        return cell.array

    def set(self, given: Sequence[tuple[str | int, Any]]) -> None:
        """Copy values to arguments, once all of them fit. Raises TW0702 to TW0704 and TW0707 for those that do not."""
        with self.lock:
            taken = [(self.entry_of(key), key, value) for key, value in given]
            values = [(entry, _converted(self.graph.entries[entry], key, value)) for entry, key, value in taken]
            for entry, value in values:
                _copy(self.writable(entry), value)

    def bind(self, entry: int, array: Any) -> None:
        """Let an array be the argument's, which nothing is copied into."""
        cell = self.cells[entry]
        cell.array, cell.is_private = array, False

    def empty(self, entry: Entry) -> Any:
        """Return a fresh array."""
        if self.on_gpu:
            from .kernels.device_array import DeviceArray

            return DeviceArray.empty(entry.shape, entry.dtype, self.device.index)
        expect_memory(entry.shape, entry.dtype, f"an array of the graph, {entry}")
        try:
            return aligned_empty(entry.shape, entry.dtype)
        except (MemoryError, OverflowError, ValueError) as error:  # numpy has three words for it
            fail("TW0708", f"expected enough memory for an array of the graph, {entry}: {error}")

    def run(self) -> None:
        """Run the nodes in order. Raises TW0782 where an argument has no values."""
        self.expect_given()
        for step in self.steps:
            step.run(self)

    def expect_given(self) -> None:
        """Raise TW0782 where an argument has no values."""
        missing = [name for number, name in enumerate(self.names) if self.array(self.argument(number)) is None]
        if missing:
            listed = ", ".join(f"'{name}'" for name in missing[:16])
            fail("TW0782", f"expected values for all inputs when the graph runs, but there are none for {listed}")

    def is_constant(self, entry: int) -> bool:
        """Return if code reads an argument as one of its constants."""
        return any(entry in step.constants for step in self.steps)

    def synchronize(self) -> None:
        """Wait until the device has done all steps."""
        for step in self.steps:
            step.synchronize()

    def _expect_device(self, call: _Call) -> None:
        kinds = call.function.device_kinds if call.function is not None else (self.device.kind,)
        if self.device.kind not in (kinds or ("cpu", "opencl")):
            fail(
                "TW0725",
                f"expected a device of the kind {' or '.join(kinds or ('cpu', 'opencl'))} for the program, "
                f"but got {self.device}",
                help="pass the device of the target that the program was built for",
            )
        self.on_gpu = self.on_gpu or (self.device.kind == "cuda" and "cpu" not in kinds)

    def _allocate(self) -> dict[int, Any]:
        """Return the arrays of results of nodes: on the host, those of one storage are views of one block."""
        entries = self.graph.entries
        numbers = [number for number in range(len(entries)) if number not in self.cells and number not in self._views]
        if self.on_gpu:
            return {number: self.empty(entries[number]) for number in numbers}
        sizes: dict[int, int] = {}
        for number in numbers:
            storage = entries[number].storage
            sizes[storage] = max(sizes.get(storage, 0), entries[number].nbytes)
        blocks = {s: self.empty(Entry(np.dtype(np.uint8), (size,), s)) for s, size in sizes.items()}
        return {n: _part(blocks[entries[n].storage], entries[n]) for n in numbers}


def _part(block: Array, entry: Entry) -> Array:
    return block[: entry.nbytes].view(entry.dtype).reshape(entry.shape)


def _reshaped(array: Any, shape: tuple[int, ...]) -> Any:
    return array.reshape(shape) if isinstance(array, np.ndarray) else array.viewed(shape)


class _Call(NamedTuple):
    """The call of a node."""

    function: Function | None
    """None for a copy."""
    order: tuple[int, ...] = ()
    """The arrays of the call, by their number among the node's inputs and outputs."""
    constants: tuple[int, ...] = ()
    """The inputs of the node that are constants of the function, by number."""


def _linked(graph: Graph, library: Module, node: GraphNode) -> _Call:
    """Return the function of a node, whose arrays are those that it takes. Raises TW0779 where they are not."""
    arrays = [graph.entries[entry] for entry in (*node.inputs, *node.outputs)]
    assert node.function is not None
    if node.function == COPY:
        if (arrays[0].dtype, arrays[0].shape) != (arrays[1].dtype, arrays[1].shape):
            refuse(f"node '{node.name}' copies {arrays[0]} to {arrays[1]}")
        return _Call(None)
    function = library.functions.get(node.function)
    if function is not None:
        _expect_closed(function.signature, are_sizes_closed=False)
        order = [p for p in function.signature.order if isinstance(p, int)]
        taken = [function.signature.arguments[p] for p in order] or [*function.signature.arguments]
        _expect_arrays(node, arrays, taken, function.signature)
        return _Call(function, tuple(range(len(arrays))))
    name = _entry_in(library, node.function)
    if name is None:
        names = [*library.functions]
        refuse(f"node '{node.name}' calls '{node.function}', which is none of the library's functions {names[:16]}")
    function = library.functions[name]
    signature, constants = function.signature, function.constants
    _expect_closed(signature)
    count, inputs = len(signature.inputs), len(signature.inputs) + len(constants)
    if len(node.inputs) != inputs:
        refuse(
            f"node '{node.name}' has {len(node.inputs)} inputs, but '{name}' takes {count} beside the "
            f"{len(constants)} constants of its code"
        )
    fixed = tuple(Argument(f"constant {k}", c.dtype, c.shape) for k, c in enumerate(constants))
    _expect_arrays(node, arrays, [*signature.inputs, *fixed, *signature.outputs], signature)
    position = [*range(count), *range(inputs, len(arrays))]
    order = [position[p] for p in signature.order if isinstance(p, int)] or position
    return _Call(function, tuple(order), tuple(range(count, inputs)))


def _entry_in(library: Module, name: str) -> str | None:
    """Return the function that `tvmgen_<model>_<function>` names."""
    found = [each for each in library.functions if name.startswith("tvmgen_") and name.endswith(f"_{each}")]
    return max(found, key=len, default=None)


def _expect_arrays(node: GraphNode, arrays: Sequence[Entry], taken: Sequence[Argument], signature: Signature) -> None:
    """Refuse a node of which the function takes other arrays."""
    if len(arrays) != len(taken):
        refuse(f"node '{node.name}' passes {len(arrays)} arrays, but '{node.function}' takes {len(taken)}")
    shapes: dict[str, Array] = {}
    for entry, argument in zip(arrays, taken):
        shape = (prod(entry.shape),) if node.is_flat else entry.shape
        wanted = [None if isinstance(size, Extent) else size for size in argument.shape]
        fits = len(shape) == len(wanted) and all(w in (None, size) for w, size in zip(wanted, shape))
        if entry.dtype != argument.dtype or not fits:
            refuse(f"node '{node.name}' passes {entry} for argument '{argument}' of '{node.function}'")
        shapes[argument.name] = np.broadcast_to(np.empty((), entry.dtype), shape)
    try:
        signature.bind([shapes[argument.name] for argument in signature.arguments])
    except TilewrightError as error:
        refuse(f"node '{node.name}' passes other sizes than '{node.function}' takes: {error.message}")


class Step:
    """A node as it runs: a call of a function on arrays of an execution."""

    def __init__(self, execution: Execution, node: GraphNode, call: _Call) -> None:
        self.node = node
        self._call = call
        self._function = call.function
        self.constants = [node.inputs[number] for number in call.constants]
        """The entries that the code reads as its constants."""
        self._held: list[Any] = []
        """The arrays that the function has as constants."""
        if call.function is not None:
            for number, constant in zip(call.constants, call.function.constants):
                entry = node.inputs[number]
                if entry in execution.cells:
                    execution.bind(entry, constant)
                    execution.parameters.add(execution.names[_number(execution, entry)])
                self._held.append(constant)

    def run(self, execution: Execution) -> None:
        """Call the function on the arrays that the execution has."""
        node, call = self.node, self._call
        arrays = [execution.array(entry) for entry in (*node.inputs, *node.outputs)]
        if self._function is None:
            _copy(arrays[1], arrays[0])
            return
        if node.is_flat:
            arrays = [_reshaped(array, (prod(array.shape),)) for array in arrays]
        held = [arrays[number] for number in call.constants]
        if any(array is not known for array, known in zip(held, self._held)):
            assert call.function is not None
            self._function, self._held = call.function.with_constants(held), held
        passed = [arrays[number] for number in call.order]
        if self._function.signature.defaults:  # which stand before the outputs of a call by position
            count = len(self._function.signature.inputs)
            self._function.call(*passed[:count], out=passed[count:])
        else:
            self._function.call(*passed)

    def synchronize(self) -> None:
        """Wait until the call is done."""
        if self._function is not None:
            self._function.synchronize()


def _number(execution: Execution, entry: int) -> int:
    """Return the number of the argument that an entry is."""
    return next(n for n in range(len(execution.names)) if execution.argument(n) == entry)


@coded_methods
class GraphExecutor:
    """Calls of a graph whose arrays are kept between calls.

    Inputs are known by name or number. Threads may share an executor: each call is done whole before the next one
    begins; executors of one module run at the same time. Names that no input has are refused (TW0702).
    """

    def __init__(self, execution: Execution) -> None:
        self._execution = execution

    @property
    def execution(self) -> Execution:
        """The arrays and steps."""
        return self._execution

    def set_input(self, /, key: str | int | None = None, value: Any = None, **params: Any) -> None:
        """Copy values to the input `key`, and to the inputs named by keywords, once all of them fit.

        Numbers are converted to the input's type where that is of their kind or of floats, and integers stay what they
        are. Raises TW0702 for an unknown input, TW0703 and TW0704 for another type or shape.
        """
        self._execution.set([*([] if key is None else [(key, value)]), *params.items()])

    def set_input_zero_copy(self, /, key: str | int | None = None, value: Any = None, **params: Any) -> None:
        """Let runs read the caller's arrays, without a copy, until the input is set again.

        Raises TW0707 for an array that is not dense in row-major order and aligned to its elements, and to 64 bytes for
        a parameter; beside the errors of `set_input`.
        """
        execution = self._execution
        with execution.lock:
            given = [*([] if key is None else [(key, value)]), *params.items()]
            taken = [(execution.entry_of(name), name, each) for name, each in given]
            for entry, name, each in taken:
                _expect_usable(execution, entry, name, each)
            for entry, _, each in taken:
                execution.bind(entry, each)

    def run(self, /, **input_dict: Any) -> None:
        """Set the inputs that are given, and run the graph. Raises TW0782 where an input has never been set."""
        with self._execution.lock:
            self._execution.set([*input_dict.items()])
            self._execution.run()

    def get_num_outputs(self) -> int:
        """Return the number of results."""
        return len(self._execution.graph.heads)

    def get_num_inputs(self) -> int:
        """Return the number of inputs and parameters."""
        return len(self._execution.names)

    def get_input(self, index: str | int, out: Any = None) -> Any:
        """Return the array of an input, by number or name: the one that runs read, so that values may be written to it;
        a parameter that was not replaced is read only. With `out`, a copy there."""
        execution = self._execution
        with execution.lock:
            entry = execution.entry_of(index)
            if execution.array(entry) is None:
                _clear(execution.writable(entry))
            return _handed_out(execution.array(entry), execution.graph.entries[entry], f"input {index!r}", out)

    def get_input_index(self, name: str) -> int:
        """Return the number of the input of that name; -1 where there is none."""
        expect_type("name", name, str)
        names = self._execution.names
        return names.index(name) if name in names else -1

    def get_input_info(self) -> tuple[dict[str, tuple[int, ...]], dict[str, str]]:
        """Return the shapes and the types of the inputs that are no parameters, by name."""
        execution = self._execution
        entries = {
            name: execution.graph.entries[execution.argument(number)]
            for number, name in enumerate(execution.names)
            if name not in execution.parameters
        }
        return {n: e.shape for n, e in entries.items()}, {n: e.dtype.name for n, e in entries.items()}

    def get_output(self, index: int, out: Any = None) -> Any:
        """Return a result of the last run, by number: the executor's array, which the next run writes to. With `out`, a
        copy there, whose shape and type have to be the result's."""
        execution = self._execution
        expect_type("index", index, int)
        heads = execution.graph.heads
        if not 0 <= index < len(heads):
            fail("TW0702", f"expected the number of one of {len(heads)} outputs, but got {index}")
        with execution.lock:
            array = execution.value(heads[index], f"output {index}")
            return _handed_out(array, execution.graph.entries[heads[index]], f"output {index}", out)

    def copy_of(self, entry: int, what: str, out: Any = None) -> Any:
        """Return a copy of any array of the graph, which messages call `what`; in `out` where it is given."""
        execution = self._execution
        with execution.lock:
            array = execution.value(entry, what)
            if out is None:
                return np.array(host_array(array)).view(PACKED_ARRAYS.value)
            return _handed_out(array, execution.graph.entries[entry], what, out)

    def load_params(self, params_bytes: bytes | bytearray) -> None:
        """Set parameters that `pack_params` wrote. Raises TW0777 for other bytes, TW0702 where one is no input."""
        params = unpack_params(params_bytes)
        execution = self._execution
        with execution.lock:
            execution.set([*params.items()])
            execution.parameters |= params.keys()

    def share_params(self, other: GraphExecutor, params_bytes: bytes | bytearray) -> None:
        """Take over the parameters of another executor that the bytes name: both have one array for each from here on.

        Raises TW0777 for bytes that `pack_params` did not write, TW0702 to TW0704 where a parameter is no input of
        both, or of another type or shape.
        """
        expect_type("other", other, GraphExecutor)
        names = unpack_params(params_bytes)
        mine, others = self._execution, other.execution
        with mine.lock:
            taken = [(mine.entry_of(name), others.entry_of(name)) for name in names]
            for name, (entry, source) in zip(names, taken):
                have, want = others.graph.entries[source], mine.graph.entries[entry]
                if (have.dtype, have.shape) != (want.dtype, want.shape) or mine.on_gpu != others.on_gpu:
                    fail("TW0704", f"expected parameter '{name}' to be {want}, but the other executor has {have}")
            for entry, source in taken:
                mine.cells[entry] = others.cells[source]
            mine.parameters |= names.keys()

    def benchmark(
        self,
        device: Device,
        func_name: str = "run",
        repeat: int = 5,
        number: int = 5,
        min_repeat_ms: int | None = None,
        limit_zero_time_iterations: int = 100,
        end_to_end: bool = False,
        cooldown_interval_ms: int = 0,
        repeats_to_cooldown: int = 1,
        **inputs: Any,
    ) -> Timing:
        """Time calls of the executor after setting the inputs that are given; numbers are as for `timing.Evaluator`.

        `end_to_end` adds to each call the copy of all inputs to the executor, and of all results to arrays of the
        caller.
        """
        cooling = (limit_zero_time_iterations, cooldown_interval_ms, repeats_to_cooldown)
        counts = (number, repeat, min_repeat_ms or 0, *cooling)
        if not end_to_end:
            self._execution.set([*inputs.items()])
            return self.time_evaluator(func_name, device, *counts)()
        if func_name != "run":
            fail("TW0209", f"expected end_to_end for 'run' alone, but got '{func_name}'")
        execution = self._execution
        execution.set([*inputs.items()])
        shapes, _ = self.get_input_info()
        values = {name: np.array(host_array(self.get_input(name))) for name in shapes}
        results = [np.empty(e.shape, e.dtype) for e in (execution.graph.entries[h] for h in execution.graph.heads)]

        def call() -> None:
            self.run(**values)
            for number, result in enumerate(results):
                self.get_output(number, result)

        self._expect_same(device)
        return Evaluator(_Timed(call, execution), *counts)()

    def time_evaluator(self, func_name: str, dev: Device, *counts: Any, **named: Any) -> Evaluator:
        """Return a callable that times the executor's function of that name, "run" for one; the numbers are those of
        `timing.Evaluator`, from `number` on."""
        self._expect_same(dev)
        return Evaluator(_Timed(self[func_name], self._execution), *counts, **named)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """Return the executor's function of that name. Raises TilewrightError TW0713 where there is none."""
        expect_type("name", name, str)
        if name not in _FUNCTIONS:
            fail("TW0713", f"expected a function of the executor, but got '{name}'{did_you_mean(name, _FUNCTIONS)}")
        return getattr(self, name)

    get_function = __getitem__

    def _expect_same(self, dev: Device) -> None:
        expect_type("device", dev, Device)
        if dev != self._execution.device:
            fail("TW0725", f"expected argument 'device' to be {self._execution.device}, but got {dev}")

    def __repr__(self) -> str:
        execution = self._execution
        return f"<graph executor of {len(execution.names)} inputs on {execution.device}>"


_FUNCTIONS = (
    "set_input",
    "set_input_zero_copy",
    "run",
    "get_output",
    "get_input",
    "get_input_index",
    "get_input_info",
    "get_num_inputs",
    "get_num_outputs",
    "load_params",
    "share_params",
)


class _Timed:
    """A call of an executor, for an evaluator."""

    def __init__(self, call: Callable[..., Any], execution: Execution) -> None:
        self._call, self._execution = call, execution

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._call(*arguments, **keywords)

    def synchronize(self) -> None:
        """Wait until the device has done all steps."""
        self._execution.synchronize()


def _device_of(devices: Any) -> Device:
    """Return the one device that is given. Raises TW0725 for none or several."""
    given = [*devices] if isinstance(devices, (list, tuple)) else [devices]
    if len(given) != 1:
        fail("TW0725", f"expected one device, but got {len(given)}", help="a program runs on one device")
    where = device(given[0]) if isinstance(given[0], str) else given[0]
    expect_type("device", where, Device)
    if where.kind == "cpu" and where.index:
        fail("TW0725", f"expected a device that exists, but got {where}", help="the CPU is cpu(0)")
    return where


def _expect_closed(signature: Signature, *, are_sizes_closed: bool = True) -> None:
    """Raise TW0781 for arguments that a graph cannot state."""
    if signature.results != signature.outputs:
        _refuse_program("the shape of a result is found while the program runs")
    for argument in signature.arguments:
        if argument.strides is not None:
            _refuse_program(f"argument '{argument.name}' states strides")
        if argument.dtype.kind in "OV" and argument.dtype.isbuiltin != 2:
            what = "is of strings" if argument.dtype.kind == "O" else "depends on the values of inputs"
            _refuse_program(f"argument '{argument.name}' {what}")
        if are_sizes_closed and any(not isinstance(size, int) for size in argument.shape):
            _refuse_program(f"argument '{argument}' has an open size")


def _refuse_program(why: str) -> NoReturn:
    fail(NOT_STATED, f"expected a program that a graph can state, but {why}")


def _fixed(shape: Sequence[Dimension]) -> tuple[int, ...]:
    return tuple(size for size in shape if isinstance(size, int))


def _converted(entry: Entry, name: object, value: Any) -> Any:
    """Return values for an entry: in its type, of its shape."""
    try:
        array = host_array(value)
    except (TypeError, ValueError) as error:  # rows of different lengths
        fail("TW0707", f"expected an array for input {name!r}, but numpy says: {error}")
    if array.dtype != entry.dtype:
        converted = array.astype(entry.dtype) if _is_convertible(array.dtype, entry.dtype) else None
        if converted is None or (array.dtype.kind in "iu" and entry.dtype.kind in "iu" and (converted != array).any()):
            fail(
                "TW0703", f"expected input {name!r} to have dtype {entry.dtype}, but got {array.dtype} of other values"
            )
        array = converted
    if array.shape != entry.shape:
        fail("TW0704", f"expected input {name!r} to have shape {[*entry.shape]}, but got {[*array.shape]}")
    return array


def _is_convertible(have: np.dtype[Any], want: np.dtype[Any]) -> bool:
    """Return if values of a type are values of another one: integers as larger kinds, and numbers as floats."""
    ranks = [
        2 if d.name.startswith(("float", "bfloat")) else {"b": 0, "i": 1, "u": 1}.get(d.kind, 3) for d in (have, want)
    ]
    return ranks[0] <= ranks[1] < 3


def _expect_usable(execution: Execution, entry: int, name: object, value: Any) -> None:
    """Raise the error of an array that runs cannot read where it lies."""
    stated = execution.graph.entries[entry]
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if execution.on_gpu == isinstance(value, np.ndarray) or shape is None:
        fail("TW0707", f"expected an array on {execution.device} for input {name!r}, but got {type(value).__name__}")
    if dtype != stated.dtype:
        fail("TW0703", f"expected input {name!r} to have dtype {stated.dtype}, but got {dtype}")
    if tuple(shape) != stated.shape:
        fail("TW0704", f"expected input {name!r} to have shape {[*stated.shape]}, but got {[*shape]}")
    if execution.on_gpu:
        return
    bytes_ = ALIGNMENT if execution.is_constant(entry) else stated.dtype.alignment
    if not value.flags.c_contiguous or address_of(value) % bytes_:
        fail(
            "TW0707",
            f"expected input {name!r} to be C-contiguous and aligned to {bytes_} bytes, but got strides "
            f"{[*value.strides]} and an address that is {address_of(value) % bytes_} bytes beyond a multiple",
            help="copy it to an array of nd.empty, or call set_input, which copies",
        )


def _clear(array: Any) -> None:
    """Fill an array with zeros."""
    _copy(array, np.zeros(array.shape, array.dtype))


def _copy(target: Any, source: Any) -> None:
    """Copy the elements to an array of the same shape and type."""
    if isinstance(target, np.ndarray):
        target[...] = host_array(source)
    else:
        target.copyfrom(host_array(source))


def _handed_out(array: Any, entry: Entry, what: str, out: Any) -> Any:
    """Return an array for callers, or `out` with its values."""
    if out is None:
        return array.view(PACKED_ARRAYS.value) if isinstance(array, np.ndarray) else array
    if getattr(out, "dtype", None) != entry.dtype:
        fail(
            "TW0703",
            f"expected an array of {entry.dtype} for {what}, but got {getattr(out, 'dtype', type(out).__name__)}",
        )
    if tuple(out.shape) != entry.shape:
        fail("TW0704", f"expected an array of shape {[*entry.shape]} for {what}, but got {[*out.shape]}")
    if isinstance(out, np.ndarray) and not out.flags.writeable:
        fail("TW0707", f"expected an array that can be written to for {what}")
    _copy(out, array)
    return out
