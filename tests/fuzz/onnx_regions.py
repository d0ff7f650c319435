"""Makers of If, Loop and Scan: graphs within a model that read what is around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .onnx_pool import BATCH, Info, Pool, Size, Unfit

_CARRIED = ("float32", "float32", "int64", "int32", "float64")


def _grow(g: Pool, count: int) -> None:
    """Add nodes of any operators but those with graphs within."""
    from .onnx_makers import MAKERS

    names = sorted(set(MAKERS) - set(_NAMES.values()))
    for _ in range(4 * count):
        before = dict(g.values), len(g.nodes)
        if before[1] >= count:
            return
        operator = g.draw.one_of(names)
        try:
            MAKERS[operator](g, operator)
        except Unfit:
            del g.nodes[before[1] :]
            g.values = before[0]


def _made(g: Pool) -> list[Info]:
    """Return the values that the nodes of a graph within compute, whose sizes are known or named."""
    made = [g.values[name] for node in g.nodes for name in node.output if name in g.values]
    return [info for info in made if None not in info.shape]


def _of_type(g: Pool, dtype: str, shape: Sequence[Size]) -> Info:
    """Return a value of a type: one that is computed in the graph, or one that is there, or a new input."""
    made = [info for info in _made(g) if (info.dtype, info.shape) == (dtype, tuple(shape))]
    if made and g.draw.chance(0.8):
        return g.draw.one_of(made)
    known = [info for info in g.values.values() if (info.dtype, info.shape) == (dtype, tuple(shape))]
    source = g.draw.one_of(known) if known and g.draw.chance(0.8) else g.input(dtype, shape)
    operators = ["Identity"] if dtype == "bool" or dtype.startswith("uint") else ["Identity", "Neg", "Abs"]
    return g.like(source, g.draw.one_of(operators), [source.name])


def _condition(g: Pool) -> str:
    """Return a truth value: an input, one that is computed, or a constant."""
    choice = g.draw.between(0, 3)
    if choice == 0:
        return g.constant(np.array(g.draw.chance(0.5)))
    if choice == 1:
        x = g.operand("float32", fits=lambda info: None not in info.shape)
        greatest = g.typed("ReduceMax", [x.name], [("float32", ())], keepdims=0) if BATCH not in x.shape else [x]
        if greatest[0].rank:
            raise Unfit
        return g.one("Less", [greatest[0].name, g.constant(np.array(0.7, np.float32))]).name
    return g.input("bool", g.draw.one_of(((), (), (1,)))).name


def branches(g: Pool, operator: str) -> None:
    condition = _condition(g)
    first, second = g.inner(), g.inner()
    _grow(first, g.draw.between(1, 3))
    wanted = [info for info in _made(first) if info.dtype != "float16"][-g.draw.between(1, 2) :]
    if not wanted:
        raise Unfit
    _grow(second, g.draw.between(0, 2))
    others = [_of_type(second, info.dtype, info.shape) for info in wanted]
    graphs = (first, "then_branch", wanted), (second, "else_branch", others)
    if g.draw.chance(0.5):
        graphs = (first, "else_branch", wanted), (second, "then_branch", others)
    made = {name: pool.graph(name, [], [info.name for info in values]) for pool, name, values in graphs}
    g.typed(operator, [condition], [(info.dtype, info.shape) for info in wanted], **made)


def _state(g: Pool) -> Info:
    """Return a value that a loop starts with."""
    return g.operand(g.draw.one_of(_CARRIED), most=3, fits=lambda info: None not in info.shape)


def _parameters(body: Pool, infos: Sequence[Info]) -> list[Info]:
    """Return the inputs of a body, of the types of these values."""
    made = [Info(body.draw.name("a"), info.dtype, info.shape) for info in infos]
    body.values |= {info.name: info for info in made}
    return made


def _next(body: Pool, state: Info) -> Info:
    """Return the state of the next iteration, kept within bounds."""
    other = _of_type(body, state.dtype, state.shape) if body.draw.chance(0.6) else state
    if state.dtype.startswith("int"):
        return body.like(state, body.draw.one_of(("Add", "Sub")), [state.name, other.name])
    half = body.like(state, "Mul", [state.name, body.constant(np.array(0.5, state.dtype))])
    bounded = body.like(state, "Sin", [other.name])
    return body.like(state, "Add", [half.name, bounded.name])


def loop(g: Pool, operator: str) -> None:
    """Add a loop with a number of iterations, a condition, or both; only a number that is known collects values."""
    form = g.draw.one_of(("number", "number", "data", "condition", "both"))
    states = [_state(g) for _ in range(g.draw.between(1, 2))]
    trips = g.draw.between(1, 4)
    if form == "data":
        number = g.input("int64", g.draw.one_of(((), (1,))), (0, 5)).name
    else:
        number = "" if form == "condition" else g.numeral(trips)
    is_counted = form in ("condition", "both")
    body = g.inner()
    iteration, going, *carried = _parameters(body, [Info("", "int64", ()), Info("", "bool", ()), *states])
    if is_counted:
        (counter,) = _parameters(body, [Info("", "int64", ())])
    _grow(body, g.draw.between(0, 3))
    results = [_next(body, state) for state in carried]
    if is_counted:
        more = body.like(counter, "Add", [counter.name, body.constant(np.array(1))])
        again = body.one("Less", [more.name, body.constant(np.array(g.draw.between(0, 4)))])
        results.append(more)
    else:
        again = body.like(going, "Identity", [going.name])
    types = [(state.dtype, state.shape) for state in states]
    inputs = [number, "" if form != "both" else g.input("bool", ()).name, *(state.name for state in states)]
    arguments = [iteration, going, *carried]
    if is_counted:
        arguments.append(counter)
        inputs.append(g.constant(np.array(0)))
        types.append(("int64", ()))
    if form == "number" and g.draw.chance(0.6):
        collected = _made(body)[-1]
        types.append((collected.dtype, (trips, *collected.shape)))
        results.append(body.like(collected, "Identity", [collected.name]))
    names = [again.name, *(info.name for info in results)]
    g.typed(operator, inputs, types, body=body.graph("body", arguments, names))


def scan(g: Pool, operator: str) -> None:
    """Add a scan along any axis, also one whose size calls bring."""
    if g.opset < 9:
        raise Unfit

    def fits(info: Info) -> bool:
        return None not in info.shape

    source = g.operand("float32", least=1, most=3, fits=fits)
    axis = g.draw.between(0, source.rank - 1)
    rest = [size for d, size in enumerate(source.shape) if d != axis]
    states = [_state(g) for _ in range(g.draw.between(0, 2))]
    if not states or g.draw.chance(0.4):
        states.append(g.operand("float32", fits=lambda info: [*info.shape] == rest))
    body = g.inner()
    arguments = _parameters(body, [*states, Info("", source.dtype, tuple(rest))])
    *carried, element = arguments
    _grow(body, g.draw.between(0, 2))
    results = [_next(body, state) for state in carried]
    collected = g.draw.one_of([*_made(body), element])
    results.append(body.like(collected, "Identity", [collected.name]))
    output_axis = g.draw.between(0, collected.rank)
    parts = [*collected.shape[:output_axis], source.shape[axis], *collected.shape[output_axis:]]
    attributes: dict[str, list[int]] = {}
    if axis or g.draw.chance(0.3):
        attributes["scan_input_axes"] = [axis - source.rank if g.opset >= 11 and g.draw.chance(0.3) else axis]
    if output_axis or g.draw.chance(0.3):
        attributes["scan_output_axes"] = [output_axis]
    is_static = isinstance(source.shape[axis], int)
    if is_static and g.draw.chance(0.3):
        attributes["scan_input_directions"] = [1]
    if is_static and g.draw.chance(0.3):
        attributes["scan_output_directions"] = [1]
    types = [*((state.dtype, state.shape) for state in states), (collected.dtype, parts)]
    inputs = [*(state.name for state in states), source.name]
    graph = body.graph("body", arguments, [info.name for info in results])
    g.typed(operator, inputs, types, body=graph, num_scan_inputs=1, **attributes)


_NAMES: dict[Callable[[Pool, str], None], str] = {branches: "If", loop: "Loop", scan: "Scan"}

MAKERS: dict[str, Callable[[Pool, str], None]] = {name: maker for maker, name in _NAMES.items()}
"""ONNX operator -> the function that puts a node of it into a model."""
