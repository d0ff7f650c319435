"""`te.gradient`: reverse-mode differentiation of tensor expressions, whose results are tensor expressions.

Definitions are visited from the output to the inputs. The adjoint of a tensor is the derivative of the output with
respect to its elements. The adjoint of an element is the sum, over the points that read the element (`adjoint_points`),
of the adjoint of the point times the derivative of the body (`derivatives`). No Jacobian between tensors is
materialized.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .adjoint_points import points_reading
from .body_derivatives import NOT_DIFFERENTIABLE, Contribution, contributions_of, grouped
from .combiners import MAX, MIN, Combiner
from .define import compute
from .definition_order import in_dependence_order
from .derivatives import has_derivative
from .expr import Axis, Expr, Read, Reduce, const, walk
from .functions import Select
from .functions import all as all_of
from .functions import if_then_else as where_chosen
from .index_forms import IndexForms
from .reduce_expressions import reduce_axis
from .reduce_expressions import sum as sum_over
from .reductions_by_term import by_first_term, start_derivative, with_others
from .shapes import Size, format_shape, same_size
from .substitution import substitute
from .te_errors import te_error
from .tensor import Computation, Placeholder, Tensor


def gradient(
    output: Tensor, inputs: Tensor | Sequence[Tensor] | None = None, head: Tensor | None = None
) -> list[Tensor]:
    """Return the derivatives of a tensor by others: a tensor for each of `inputs`, by default for all placeholders of
    floats.

    `head` is the derivative of something by `output`: its last dimensions are those of `output`, and dimensions before
    them are the first ones of each result, whose last ones are those of the input. Without a head the results are
    Jacobians, of shape `(*output.shape, *input.shape)`.

    Where a function has no derivative it is that of one side: of equal maxima or minima the first one counts, and 0 of
    floor, ceil, round and trunc. Integers and conditions have none. Raises TilewrightError TW0467 for a step that no
    rule is known for, and for arguments that do not fit.
    """
    wanted = _inputs(output, inputs)
    if head is None:
        head = _identity(output)
    prefix = _prefix(output, head)
    return _Backward(output, wanted, head, prefix).run()


def _inputs(output: Tensor, inputs: Tensor | Sequence[Tensor] | None) -> list[Tensor]:
    if not isinstance(output, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
        te_error(NOT_DIFFERENTIABLE, f"expected a tensor to differentiate, but got {output!r}")
    if inputs is None:
        reached = [t for op in _reached(output) for t in op.inputs if isinstance(t.op, Placeholder)]
        return [t for t in dict.fromkeys(reached) if has_derivative(t.dtype)]
    given = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    for tensor in (output, *given):
        if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            te_error(NOT_DIFFERENTIABLE, f"expected tensors to differentiate by, but got {tensor!r}")
        if not has_derivative(tensor.dtype):
            te_error(
                NOT_DIFFERENTIABLE,
                f"expected floating-point tensors, but {tensor.name!r} has type {tensor.dtype}",
                help="convert it with astype before it is used",
            )
    return given


def _reached(output: Tensor) -> list[Any]:
    """Return the definitions that the output needs, each after those that it reads."""
    placeholders: set[Tensor] = set()
    stack, seen = [output], {output}
    while stack:
        tensor = stack.pop()
        if isinstance(tensor.op, Placeholder):
            placeholders.add(tensor)
        for each in tensor.op.inputs:
            if each not in seen:
                seen.add(each)
                stack.append(each)
    return list(in_dependence_order([output], placeholders))


def _identity(output: Tensor) -> Tensor:
    rank = output.ndim
    one, zero = const(1, output.dtype), const(0, output.dtype)

    def element(*at: Axis) -> Expr:
        equal = [a == b for a, b in zip(at[:rank], at[rank:], strict=True)]
        return Select(all_of(*equal), one, zero) if equal else one

    return compute((*output.shape, *output.shape), element, name="identity")


def _prefix(output: Tensor, head: Tensor) -> tuple[Size, ...]:
    split = head.ndim - output.ndim
    fits = split >= 0 and all(map(same_size, head.shape[max(split, 0) :], output.shape))
    if not fits or head.dtype != output.dtype:
        te_error(
            NOT_DIFFERENTIABLE,
            f"expected a head of {output.dtype} whose shape ends with {format_shape(output.shape)}, "
            f"but got {head.dtype} of shape {format_shape(head.shape)}",
        )
    return head.shape[:split]


@dataclass
class _Backward:
    """The traversal of the definitions from the output to the inputs, with the adjoints found so far."""

    output: Tensor
    wanted: list[Tensor]
    head: Tensor
    prefix: tuple[Size, ...]
    parts: dict[Tensor, list[Tensor]] = field(default_factory=dict[Tensor, list[Tensor]])

    def run(self) -> list[Tensor]:
        order = _reached(self.output)
        self._dependent = self._depending(order)
        self.parts[self.output] = [self.head]
        for op in reversed(order):
            results = [t for t in op.outputs if t in self.parts and t in self._dependent]
            if results and (set(op.inputs) & self._dependent):
                if not isinstance(op, Computation):
                    te_error(
                        NOT_DIFFERENTIABLE,
                        f"expected computes between {self.output.name!r} and what it is differentiated by, "
                        f"but got `{op}`",
                        help="write it as te.compute, or differentiate by its result",
                    )
                self._hand_on(op, {t: self._adjoint(t) for t in results})
        return [self._result(tensor) for tensor in self.wanted]

    def _depending(self, order: Sequence[Any]) -> set[Tensor]:
        found = set(self.wanted)
        for op in order:
            if any(t in found for t in op.inputs):
                found |= {t for t in op.outputs if has_derivative(t.dtype)}
        return found

    def _adjoint(self, tensor: Tensor) -> Tensor:
        """Return the derivative by a tensor, when all that read it have handed on theirs."""
        parts = self.parts[tensor]
        if len(parts) > 1:
            whole = compute(
                parts[0].shape, lambda *at: _total([part(*at) for part in parts]), name=f"{tensor.op.name}_grad"
            )
            self.parts[tensor] = [whole]
        return self.parts[tensor][0]

    def _result(self, tensor: Tensor) -> Tensor:
        if tensor in self.parts:
            found = self._adjoint(tensor)
            if found is not self.head:
                return found
            return compute(found.shape, lambda *at: found(*at), name=f"{tensor.op.name}_grad")
        zero = const(0, tensor.dtype)
        return compute((*self.prefix, *tensor.shape), lambda *at: zero, name=f"{tensor.op.name}_grad")

    def _hand_on(self, op: Computation, adjoints: Mapping[Tensor, Tensor]) -> None:
        """Give the tensors that a compute reads their parts of the derivative."""
        outer = tuple(Axis(f"p{d}", 0, size) for d, size in enumerate(self.prefix))
        contributions: list[Contribution] = []
        for tensor, adjoint in adjoints.items():
            body = op.bodies[tensor.value_index]
            g = Read(adjoint, (*outer, *op.axis))
            if not isinstance(body, Reduce):
                contributions += contributions_of(body, g, self._dependent, op.axis)
                continue
            for term, derivative in _terms(op, body, tensor, g):
                contributions += contributions_of(term, derivative, self._dependent, (*op.axis, *op.reduce_axis))
            if body.start is not None:
                derivative = start_derivative(op, body, g)
                contributions += contributions_of(body.start, derivative, self._dependent, op.axis)
        for group in grouped(contributions):
            self.parts.setdefault(group[0].read.tensor, []).append(self._part(outer, group))

    def _part(self, outer: Sequence[Axis], group: Sequence[Contribution]) -> Tensor:
        """Return the sum over the points of a compute that read an element, as a tensor over the elements."""
        read, axes = group[0].read, group[0].axes
        tensor = read.tensor

        def element(*at: Axis) -> Expr:
            forms = IndexForms()
            points = points_reading(forms, read.indices, at[len(outer) :], tensor.shape, axes)
            fresh = {a: reduce_axis((a.low, a.high), a.name) for a in axes if a not in points.solved}
            raw: dict[Expr, Expr] = {a: forms.expression(e) for a, e in points.solved.items()}
            renamed: dict[Expr, Expr] = {**dict(zip(outer, at, strict=False)), **fresh}

            def moved(expr: Expr) -> Expr:
                while any(node in raw for node in walk(expr)):
                    expr = substitute(expr, raw, {})
                return substitute(expr, renamed, {})

            value = moved(_total([c.value for c in group]))
            value = _where([moved(c) for c in (*points.late, *group[0].conditions)], value)
            value = _where([moved(c) for c in points.conditions], value)
            return sum_over(value, axis=list(fresh.values())) if fresh else value

        return compute((*self.prefix, *tensor.shape), element, name=f"{tensor.op.name}_grad")


def _terms(op: Computation, body: Reduce, tensor: Tensor, g: Expr) -> list[tuple[Expr, Expr]]:
    """Return the terms of a reduction, with the derivative by each."""
    combiner = body.combiner
    if isinstance(combiner, Combiner) and combiner.kind == "add":
        return [(body.source, g)]
    if isinstance(combiner, Combiner) and combiner in (MAX, MIN):
        return [(body.source, by_first_term(op, body, tensor, g))]
    if body.start is not None:
        te_error(
            NOT_DIFFERENTIABLE,
            f"expected a sum, maximum or minimum, or a reduction from its identity, but got `{body}`",
            help="combine the init in a separate compute",
        )
    return [(with_others(op, body), g)]


def _where(conditions: Sequence[Expr], value: Expr) -> Expr:
    """Return the value where conditions hold, else 0; nothing is read elsewhere."""
    unique = list(dict.fromkeys(conditions))
    return where_chosen(all_of(*unique), value, const(0, value.dtype)) if unique else value


def _total(values: Sequence[Expr]) -> Expr:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total
