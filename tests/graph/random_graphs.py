"""Random small graphs: a chain of operators that now and then take an earlier value or a constant beside the last."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from tilewright.dialects import graph
from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

SIZES = (1, 2, 3, 5)


class Writer:
    """Appends random operators to a function; every value is an image."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        shape = [self.random.choice(SIZES) for _ in range(4)]
        self.block = Block(arg_types=[TensorType(f32, shape)])
        self.builder = Builder(InsertPoint.at_end(self.block))
        self.values: list[SSAValue] = [self.block.args[0]]

    def module(self, length: int) -> ModuleOp:
        steps = [method for name, method in vars(Writer).items() if name.startswith("add_")]
        for _ in range(length):
            step: Callable[[Writer, SSAValue], graph.GraphOp | None] = self.random.choice(steps)
            op = step(self, self.random.choice(self.values[-3:]))
            if op is not None:
                self.values += op.results
        results = list(dict.fromkeys([self.values[-1], self.random.choice(self.values)]))
        self.builder.insert(ReturnOp(*results))
        types = (self.block.arg_types, [value.type for value in results])
        return ModuleOp([FuncOp("main", types, Region(self.block))])

    def constant(self, *shape: int, positive: bool = False) -> SSAValue:
        array = self.numbers.uniform(0.5, 1.5, shape) if positive else self.numbers.uniform(-1, 1, shape)
        return self.builder.insert(graph.ConstantOp.from_array(array.astype(np.float32), "c")).y

    def emit(self, op: type[graph.GraphOp], *operands: SSAValue, **values: object) -> graph.GraphOp:
        return self.builder.insert(op.of(*operands, **values))

    def sizes(self, x: SSAValue) -> tuple[int, int, int, int]:
        n, c, h, w = graph.static_shape(x)
        return n, c, h, w

    def add_unary(self, x: SSAValue) -> graph.GraphOp:
        kinds = (graph.ReluOp, graph.TanhOp, graph.NegOp, graph.SigmoidOp, graph.IdentityOp, graph.DropoutOp)
        return self.emit(self.random.choice(kinds), x)

    def add_scale(self, x: SSAValue) -> graph.GraphOp:
        n, c, h, w = self.sizes(x)
        shape = self.random.choice(((), (1,), (c, 1, 1), (1, c, 1, 1), (w,), (n, c, h, w)))
        operands = [x, self.constant(*shape)]
        self.random.shuffle(operands)
        return self.emit(self.random.choice((graph.MulOp, graph.AddOp, graph.SubOp)), *operands)

    def add_sum(self, x: SSAValue) -> graph.GraphOp | None:
        others = [value for value in self.values if value.type == x.type]
        return self.emit(self.random.choice((graph.AddOp, graph.MaximumOp)), x, self.random.choice(others))

    def add_conv(self, x: SSAValue) -> graph.GraphOp:
        _, channels, height, width = self.sizes(x)
        outputs, kernel = self.random.choice(SIZES), self.random.choice((1, 3))
        weight = self.constant(outputs, channels, min(kernel, height), min(kernel, width))
        bias = [self.constant(outputs)] if self.random.random() < 0.5 else []
        return self.emit(graph.Conv2dOp, x, weight, *bias, padding=(0, 1, 1, 0))

    def add_batch_norm(self, x: SSAValue) -> graph.GraphOp:
        c = self.sizes(x)[1]
        parameters = [self.constant(c) for _ in range(3)]
        return self.emit(graph.BatchNormOp, x, *parameters, self.constant(c, positive=True), epsilon=0.01)

    def add_pool(self, x: SSAValue) -> graph.GraphOp:
        kernel = tuple(min(2, size) for size in self.sizes(x)[2:])
        return self.emit(self.random.choice((graph.MaxPool2dOp, graph.AvgPool2dOp)), x, kernel=kernel)

    def add_movement(self, x: SSAValue) -> graph.GraphOp:
        if self.random.random() < 0.5:
            return self.emit(graph.TransposeOp, x, permutation=(0, 1, 3, 2))
        return self.emit(graph.ConcatOp, x, x, axis=self.random.choice((1, 3)))

    def add_reduction(self, x: SSAValue) -> graph.GraphOp:
        kind = self.random.choice((graph.ReduceMeanOp, graph.ReduceMaxOp))
        return self.emit(kind, x, axes=(self.random.choice((2, 3)),), keepdims=True)

    def add_reshape(self, x: SSAValue) -> graph.GraphOp:
        n, c, h, w = self.sizes(x)
        return self.emit(graph.ReshapeOp, x, shape=(n, 1, c * h, w))

    def add_folded(self, x: SSAValue) -> graph.GraphOp:
        """Return an operator on constants only, beside `x`."""
        c = self.sizes(x)[1]
        scale = self.emit(graph.ExpOp, self.constant(c)).results[0]
        return self.emit(graph.MulOp, x, self.emit(graph.UnsqueezeOp, scale, axes=(1, 2)).results[0])
