"""Programs of the classic gallery that tune, in words of our own, whole but for sizes and numbers of trials.

`autotvm_matmul_x86`, `auto_scheduler_matmul_x86`, `tune_conv2d_cuda` and `tune_conv2d_layer_cuda`; those for a GPU end
where they would measure.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import auto_scheduler, autotvm, te, topi
from tilewright.hardware import machine_name
from tilewright.passes.framework.tuning_records import compiler_of_records
from tilewright.schedule.records import Record

N = 48


@autotvm.template("tutorial/matmul")
def matmul(N: int, L: int, M: int, dtype: str) -> tuple[te.Schedule, list[te.Tensor]]:
    A = te.placeholder((N, L), name="A", dtype=dtype)
    B = te.placeholder((L, M), name="B", dtype=dtype)
    k = te.reduce_axis((0, L), name="k")
    C = te.compute((N, M), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = te.create_schedule(C.op)
    y, x = s[C].op.axis
    k = s[C].op.reduce_axis[0]

    cfg = autotvm.get_config()
    cfg.define_split("tile_y", y, num_outputs=2)
    cfg.define_split("tile_x", x, num_outputs=2)

    yo, yi = cfg["tile_y"].apply(s, C, y)
    xo, xi = cfg["tile_x"].apply(s, C, x)
    s[C].reorder(yo, xo, k, yi, xi)
    return s, [A, B, C]


def test_autotvm_matmul_x86(tmp_path: Path) -> None:
    log_file = str(tmp_path / "matmul.log")
    task = autotvm.task.create("tutorial/matmul", args=(N, N, N, "float32"), target="llvm")
    assert len(task.config_space) == 100 and "tile_x: Split(policy=factors, product=48" in str(task.config_space)
    measure_option = autotvm.measure_option(builder="local", runner=autotvm.LocalRunner(number=5))
    tuner = autotvm.tuner.RandomTuner(task)
    tuner.tune(
        n_trial=4,
        measure_option=measure_option,
        callbacks=[autotvm.callback.log_to_file(log_file), autotvm.callback.progress_bar(4)],
    )

    records = list(autotvm.record.load_from_file(log_file))
    assert {inp.task.workload for inp, _ in records} == {("tutorial/matmul", N, N, N, "float32")}
    assert len({inp.config.index for inp, _ in records}) == 4 and all(r.error_no == 0 for _, r in records)
    assert tuner.best_config is not None and tuner.best_flops > 0

    with autotvm.apply_history_best(log_file), tvm.target.Target("llvm"):
        s, arg_bufs = matmul(N, N, N, "float32")
        func = tvm.build(s, arg_bufs)
    applied = [axis.extent for axis in s[arg_bufs[2]].leaf_iter_vars if axis.kind == "spatial"]
    # A configuration that is measured again has several records, of which the last one counts.
    last = {inp.config.index: (inp, result) for inp, result in records}
    fastest, _ = min(last.values(), key=lambda record: float(np.mean(record[1].costs)))
    y, x = (fastest.config[name].size[-1] for name in ("tile_y", "tile_x"))
    assert applied == [N // y, N // x, y, x]
    a_np = np.random.default_rng(0).random((N, N), np.float32)
    c_tvm = tvm.nd.empty((N, N))
    func(tvm.nd.array(a_np), tvm.nd.array(a_np), c_tvm)
    np.testing.assert_allclose(c_tvm.numpy(), a_np @ a_np, rtol=1e-4)


@autotvm.template("tutorial/conv2d_no_batching")
def conv2d_no_batching(N: int, H: int, W: int, CO: int, CI: int, KH: int, KW: int, stride: Any, padding: Any) -> Any:
    assert N == 1, "Only consider batch_size = 1 in this template"
    data = te.placeholder((N, CI, H, W), name="data")
    kernel = te.placeholder((CO, CI, KH, KW), name="kernel")
    conv = topi.nn.conv2d_nchw(data, kernel, stride, padding, dilation=1, out_dtype="float32")
    s = te.create_schedule([conv.op])

    n, f, y, x = s[conv].op.axis
    rc, ry, rx = s[conv].op.reduce_axis
    cfg = autotvm.get_config()
    for name, axis in (("tile_f", f), ("tile_y", y), ("tile_x", x)):
        cfg.define_split(name, axis, num_outputs=4)
    for name, axis in (("tile_rc", rc), ("tile_ry", ry), ("tile_rx", rx)):
        cfg.define_split(name, axis, num_outputs=3)
    cfg.define_knob("auto_unroll_max_step", [0, 512, 1500])
    cfg.define_knob("unroll_explicit", [0, 1])

    pad_data = s[conv].op.input_tensors[0]
    s[pad_data].compute_inline()
    data, raw_data = pad_data, data
    output = conv
    OL = s.cache_write(conv, "local")
    AA = s.cache_read(data, "shared", [OL])
    WW = s.cache_read(kernel, "shared", [OL])
    AL = s.cache_read(AA, "local", [OL])
    WL = s.cache_read(WW, "local", [OL])

    n, f, y, x = s[output].op.axis
    bf, vf, tf, fi = cfg["tile_f"].apply(s, output, f)
    by, vy, ty, yi = cfg["tile_y"].apply(s, output, y)
    bx, vx, tx, xi = cfg["tile_x"].apply(s, output, x)
    kernel_scope = n
    s[output].bind(bf, te.thread_axis("blockIdx.z"))
    s[output].bind(by, te.thread_axis("blockIdx.y"))
    s[output].bind(bx, te.thread_axis("blockIdx.x"))
    s[output].bind(vf, te.thread_axis("vthread"))
    s[output].bind(vy, te.thread_axis("vthread"))
    s[output].bind(vx, te.thread_axis("vthread"))
    s[output].bind(tf, te.thread_axis("threadIdx.z"))
    s[output].bind(ty, te.thread_axis("threadIdx.y"))
    s[output].bind(tx, te.thread_axis("threadIdx.x"))
    s[output].reorder(n, bf, by, bx, vf, vy, vx, tf, ty, tx, fi, yi, xi)
    s[OL].compute_at(s[output], tx)

    n, f, y, x = s[OL].op.axis
    rc, ry, rx = s[OL].op.reduce_axis
    rco, rcm, rci = cfg["tile_rc"].apply(s, OL, rc)
    ryo, rym, ryi = cfg["tile_rx"].apply(s, OL, ry)
    rxo, rxm, rxi = cfg["tile_ry"].apply(s, OL, rx)
    s[OL].reorder(rco, ryo, rxo, rcm, rym, rxm, rci, ryi, rxi, n, f, y, x)
    s[AA].compute_at(s[OL], rxo)
    s[WW].compute_at(s[OL], rxo)
    s[AL].compute_at(s[OL], rxm)
    s[WL].compute_at(s[OL], rxm)
    for load in [AA, WW]:
        n, f, y, x = s[load].op.axis
        fused = s[load].fuse(n, f, y, x)
        tz, fused = s[load].split(fused, nparts=cfg["tile_f"].size[2])
        ty, fused = s[load].split(fused, nparts=cfg["tile_y"].size[2])
        tx, fused = s[load].split(fused, nparts=cfg["tile_x"].size[2])
        s[load].bind(tz, te.thread_axis("threadIdx.z"))
        s[load].bind(ty, te.thread_axis("threadIdx.y"))
        s[load].bind(tx, te.thread_axis("threadIdx.x"))
    s[output].pragma(kernel_scope, "auto_unroll_max_step", cfg["auto_unroll_max_step"].val)
    s[output].pragma(kernel_scope, "unroll_explicit", cfg["unroll_explicit"].val)
    return s, [raw_data, kernel, conv]


def test_tune_conv2d_cuda_until_it_measures(tmp_path: Path) -> None:
    N, H, W, CO, CI, KH, KW, strides, padding = 1, 7, 7, 16, 8, 3, 3, (1, 1), (1, 1)
    task = autotvm.task.create(
        "tutorial/conv2d_no_batching", args=(N, H, W, CO, CI, KH, KW, strides, padding), target="cuda"
    )
    assert {"tile_f": 35, "tile_y": 4, "tile_rc": 10, "unroll_explicit": 2}.items() <= {
        name: len(space) for name, space in task.config_space.space_map.items()
    }.items()
    measure_option = autotvm.measure_option(
        builder=autotvm.LocalBuilder(), runner=autotvm.LocalRunner(repeat=3, min_repeat_ms=100, timeout=4)
    )
    tuner = autotvm.tuner.XGBTuner(task)
    log_file = tmp_path / "conv2d.log"
    with pytest.raises(tvm.TilewrightError, match="TW0634"):
        tuner.tune(n_trial=20, measure_option=measure_option, callbacks=[autotvm.callback.log_to_file(str(log_file))])
    assert not log_file.exists()

    # A configuration by hand takes the place of the fastest record: the program is right in the simulator.
    space = task.config_space
    values = {"tile_f": (-1, 1, 8, 2), "tile_x": (-1, 1, 7, 1), "tile_rc": (-1, 2, 2), "tile_ry": (-1, 3, 1)}
    log_file.write_text(
        autotvm.record.encode(
            autotvm.MeasureInput(task.target, task, space.with_values(values)),
            autotvm.MeasureResult((0.1,), 0, 1.0, 0.0),
        )
    )
    with autotvm.apply_history_best(str(log_file)), tvm.target.Target("cuda"):
        s, arg_bufs = conv2d_no_batching(N, H, W, CO, CI, KH, KW, strides, padding)
        func = tvm.build(s, arg_bufs, device="simulator")
    rng = np.random.default_rng(0)
    a_np, w_np = rng.random((N, CI, H, W), np.float32), rng.random((CO, CI, KH, KW), np.float32)
    dev = tvm.device("simulator")
    c_tvm = tvm.nd.array(np.zeros((N, CO, H, W), np.float32), dev)
    func(tvm.nd.array(a_np, dev), tvm.nd.array(w_np, dev), c_tvm)
    image = np.pad(a_np, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(image, (KH, KW), axis=(2, 3))
    np.testing.assert_allclose(c_tvm.numpy(), np.einsum("nchwij,kcij->nkhw", windows, w_np), rtol=1e-4)


@auto_scheduler.register_workload
def matmul_add(N: int, L: int, M: int, dtype: str) -> list[te.Tensor]:
    A = te.placeholder((N, L), name="A", dtype=dtype)
    B = te.placeholder((L, M), name="B", dtype=dtype)
    C = te.placeholder((N, M), name="C", dtype=dtype)
    k = te.reduce_axis((0, L), name="k")
    matmul = te.compute(
        (N, M),
        lambda i, j: te.sum(A[i, k] * B[k, j], axis=k),
        name="matmul",
        attrs={"layout_free_placeholders": [B]},
    )
    out = te.compute((N, M), lambda i, j: matmul[i, j] + C[i, j], name="out")
    return [A, B, C, out]


def test_auto_scheduler_matmul_x86(tmp_path: Path) -> None:
    target = tvm.target.Target("llvm")
    task = auto_scheduler.SearchTask(func=matmul_add, args=(N, N, N, "float32"), target=target)
    assert str(task.compute_dag).splitlines()[0] == f"A = PLACEHOLDER [{N}, {N}]"
    log_file = str(tmp_path / "matmul.json")
    tune_option = auto_scheduler.TuningOptions(
        num_measure_trials=4,
        runner=auto_scheduler.LocalRunner(min_repeat_ms=5),
        measure_callbacks=[auto_scheduler.RecordToFile(log_file)],
        verbose=2,
    )
    task.tune(tune_option)
    sch, args = task.apply_best(log_file)
    text = str(tvm.lower(sch, args, simple_mode=True))
    assert "func.func @main" in text and "kind vectorized" in text

    func = tvm.build(sch, args, target)
    a_np, b_np, c_np = np.random.default_rng(0).random((3, N, N), np.float32)
    out_tvm = tvm.nd.empty((N, N))
    func(*map(tvm.nd.array, (a_np, b_np, c_np)), out_tvm)
    np.testing.assert_allclose(out_tvm.numpy(), a_np @ b_np + c_np, rtol=1e-3)
    evaluator = func.time_evaluator(func.entry_name, tvm.cpu(), number=1)
    assert len(evaluator(*map(tvm.nd.array, (a_np, b_np, c_np)), out_tvm).results) == 1

    # The schedule as calls: they make the same loops of the workload's function.
    program = task.print_best(log_file)
    again = tvm.Schedule(task.plain)
    exec(program, {"sch": again})
    assert str(again.func) == str(sch.func)

    # A search that goes on measures no schedule again.
    def resume_search(task: Any, log_file: str) -> None:
        cost_model = auto_scheduler.XGBModel()
        cost_model.update_from_file(log_file)
        search_policy = auto_scheduler.SketchPolicy(
            task, cost_model, init_search_callbacks=[auto_scheduler.PreloadMeasuredStates(log_file)]
        )
        task.tune(
            auto_scheduler.TuningOptions(
                num_measure_trials=2,
                runner=auto_scheduler.LocalRunner(min_repeat_ms=5),
                measure_callbacks=[auto_scheduler.RecordToFile(log_file)],
            ),
            search_policy=search_policy,
        )

    resume_search(task, log_file)
    first = [inp.record for inp, _ in auto_scheduler.load_records(log_file) if inp.record.role == "trial"]
    assert len(first) == 6 and len({str(sorted(each.decisions.items())) for each in first}) == 6


@auto_scheduler.register_workload
def conv2d_layer(N: int, H: int, W: int, CO: int, CI: int, KH: int, KW: int, stride: Any, padding: Any) -> Any:
    data = te.placeholder((N, CI, H, W), name="data")
    kernel = te.placeholder((CO, CI, KH, KW), name="kernel")
    bias = te.placeholder((1, CO, 1, 1), name="bias")
    conv = topi.nn.conv2d_nchw(data, kernel, stride, padding, dilation=1, out_dtype="float32")
    out = topi.nn.relu(conv + bias)
    return [data, kernel, bias, out]


def test_tune_conv2d_layer_cuda_until_it_measures(tmp_path: Path) -> None:
    N, H, W, CO, CI, KH, KW, strides, padding = 1, 7, 7, 16, 8, 3, 3, (1, 1), (1, 1)
    target = tvm.target.Target("cuda")
    task = auto_scheduler.SearchTask(func=conv2d_layer, args=(N, H, W, CO, CI, KH, KW, strides, padding), target=target)
    assert "kernel = PLACEHOLDER [16, 8, 3, 3]" in str(task.compute_dag)
    log_file = tmp_path / "conv2d.json"
    measure_ctx = auto_scheduler.LocalRPCMeasureContext(min_repeat_ms=300)
    tune_option = auto_scheduler.TuningOptions(
        num_measure_trials=10,
        runner=measure_ctx.runner,
        measure_callbacks=[auto_scheduler.RecordToFile(str(log_file))],
        verbose=2,
    )
    with pytest.raises(tvm.TilewrightError, match="TW0634"):
        task.tune(tune_option)
    assert not log_file.exists()

    # A record by hand, of the default schedule, takes the place of the fastest one.
    record = Record(
        task.task.key, "main", str(task.task.target), {}, samples=(0.1,), machine=machine_name(),
        compiler=compiler_of_records(),
    )  # fmt: skip
    measured = auto_scheduler.MeasureInput(task, task.workload_key, record)
    auto_scheduler.save_records(log_file, [measured], [])
    sch, args = task.apply_best(log_file)
    func = tvm.build(sch, args, target, device="simulator")
    rng = np.random.default_rng(0)
    shapes = ((N, CI, H, W), (CO, CI, KH, KW), (1, CO, 1, 1))
    data_np, weight_np, bias_np = (rng.random(shape, np.float32) - 0.5 for shape in shapes)
    dev = tvm.device("simulator")
    out_tvm = tvm.nd.array(np.zeros((N, CO, H, W), np.float32), dev)
    func(*(tvm.nd.array(x, dev) for x in (data_np, weight_np, bias_np)), out_tvm)
    image = np.pad(data_np, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(image, (KH, KW), axis=(2, 3))
    expected = np.maximum(np.einsum("nchwij,kcij->nkhw", windows, weight_np) + bias_np, 0)
    np.testing.assert_allclose(out_tvm.numpy(), expected, rtol=1e-3, atol=1e-5)
    assert "cuda.threadIdx.x" in task.print_best(log_file, print_mode="cuda")
