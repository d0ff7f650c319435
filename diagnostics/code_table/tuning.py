"""Tuning: TW08xx."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0801": ErrorCode(
        "decision does not fit",
        "A point of a search space or a tuning record answers a decision with a value that the rule does not offer for "
        "this function, or answers one that no rule asks. It is refused, as the schedule would be another one than the "
        "one that was measured. Compiling with records falls back to the default schedule of that function.",
        remedy="tune the function again: the record was made for another one, or by other rules",
    ),
    "TW0810": ErrorCode(
        "measuring does not work",
        "The process that measures candidates cannot be started, or the plain loops of a task, whose results "
        "candidates have to give, fail in it. Crashes, hangs and wrong results of candidates are outcomes, no errors.",
        remedy="compile and run the task by itself, without a schedule, to see why it fails",
    ),
    "TW0811": ErrorCode(
        "function cannot be measured",
        "A runner calls functions with dense arrays of drawn numbers. A function that states strides, that is compiled "
        "for the value of an input, that finds the shape of a result or that writes an input needs more than that.",
        remedy="measure a kernel with plain arguments, and give the open sizes that it has",
    ),
    "TW0812": ErrorCode(
        "no worker measures",
        "A measurement takes one of the resource 'tilewright' of a worker of a dask cluster, so that none disturbs it. "
        "No worker has that resource, or all that had it are lost and none came back, or dask is not installed here.",
        remedy='start workers by `dask worker ADDRESS --nthreads 1 --resources "tilewright=1"`',
    ),
    "TW0820": ErrorCode(
        "damaged tuning record",
        "A line of a file of tuning records is no record: its end is missing because the process that wrote it was "
        "killed, or somebody changed it. The other lines count; the line stays in the file.",
        remedy="nothing is lost but this line; `tilewright records merge FILE -o NEW` leaves it out",
    ),
    "TW0821": ErrorCode(
        "tuning record of another version",
        "A line of a file of tuning records says a version that this compiler does not know, as those of newer "
        "compilers and of other tuners do. The other lines count; the line stays in the file.",
        remedy="read it with the compiler that wrote it, or tune again",
    ),
    "TW0822": ErrorCode(
        "tuning record is not applied",
        "A function has a tuning record for this target, machine and compiler, but the schedule that it states is "
        "refused: a primitive refuses a step of its trace, a decision does not fit, or the function has open sizes and "
        "the record holds for some values only. The function gets its default schedule.",
        remedy="tune the function again; `tilewright records show` prints what the file holds",
    ),
    "TW0823": ErrorCode(
        "kernels are not tuned",
        "Functions have their default schedules because there is no tuning record for them: no file of records was "
        "given, or it has none for these functions, this target, this machine and this compiler.",
        remedy="`tilewright tune MODEL -o records.jsonl` measures other schedules, `--records records.jsonl` applies "
        "the best",
    ),
    "TW0824": ErrorCode(
        "target cannot be tuned",
        "Tuning chooses among default schedules, which there are for CPUs and for GPUs of NVIDIA. A number of threads "
        "is what a CPU has.",
        remedy='name a CPU as target, as in --target "llvm -mcpu=x86-64-v3", or "cuda" without --threads',
    ),
    "TW0825": ErrorCode(
        "no graph to tune",
        "The task of a graph is what phase 0 chooses for operators of the graph dialect: algorithms, layouts, groups. "
        "A module of another level has none.",
        remedy="give a module of the graph dialect, as `frontends` import it, whose @main has some operators",
    ),
    "TW0826": ErrorCode(
        "range of no open size",
        "A schedule is searched for a range of each size that only a call knows. The range begins at 1 or above, and "
        "the size has the name that the model gives it.",
        remedy="name an open size of the model with its least and its largest value, as in --sizes n=1..512",
    ),
    "TW0830": ErrorCode(
        "residual model of part of the samples",
        "The model of measured over predicted time is a Gaussian process: its time grows with the cube of its samples. "
        "It is fitted to the fastest and the latest ones. The extra `tune` installs lightgbm, which takes all of them.",
        remedy="install `tilewright[tune]`",
    ),
    "TW0831": ErrorCode(
        "unknown search strategy",
        "The name is none of the strategies of `tilewright.tune.search`.",
        remedy="take one of the names that the message lists",
    ),
    "TW0832": ErrorCode(
        "space without plain loops",
        "A search that excludes the default plan begins with the function without a schedule, so its space has an "
        "attribute `plain`: the point at which no block is scheduled.",
        remedy="search without `exclude_default`, or give the space the attribute `plain`",
    ),
    "TW0833": ErrorCode(
        "outcomes of measurements are missing",
        "A measure gives one outcome for each candidate, in order. A candidate that fails has one too, with its cause. "
        "This one ended before its last candidate.",
        remedy="let the measure yield `Measured` with a `failure` for candidates that it cannot time",
    ),
    "TW0840": ErrorCode(
        "share of the roofline",
        "The speed that the cost model expects of a scheduled function, beside what the operations or the bytes of its "
        "arguments allow on all threads. The remark stands before those that name the reasons, TW0841 to TW0845.",
        remedy="see the remarks that follow it",
    ),
    "TW0841": ErrorCode(
        "accumulators in memory",
        "A reduction loads and stores the results that it adds to in each step. A register is read at once, while a "
        "value that is stored and loaded again takes several cycles, and a cycle stores one vector at most.",
        remedy='cache_write(block, 0, "register"), with the loops over terms outside of the unrolled tile',
    ),
    "TW0842": ErrorCode(
        "strided innermost loop",
        "The innermost or the vectorized loop moves a dimension whose elements are not neighbours in memory: each lane "
        "is a separate access, or each element brings a line of the cache.",
        remedy="vectorize a loop along the last dimension, reorder the loops, or copy the operand",
    ),
    "TW0843": ErrorCode(
        "registers spilled",
        "An unrolled tile keeps more vectors than the target has registers. The others are on the stack: each "
        "iteration loads and stores them.",
        remedy="split the unrolled loops by smaller factors",
    ),
    "TW0844": ErrorCode(
        "vectors not filled",
        "Vectors are shorter than the registers of the target although their axis is longer, or tiles reach beyond the "
        "results, so that vectors are stored under a condition, lane by lane.",
        remedy="split by a multiple of the vector's length that divides the extent, or store results once",
    ),
    "TW0845": ErrorCode(
        "no parallel loop",
        "One thread runs loops that take much longer than starting the others, and whose iterations write separate "
        "results.",
        remedy="mark an outer loop with parallel(loop)",
    ),
    "TW0860": ErrorCode(
        "file holds no target",
        "A file whose name ends in .target holds the text of a target: its kind, as llvm, then options, on any number "
        "of lines; # begins a comment. The file is empty, begins with an option, or names another file.",
        remedy="write one with `tilewright target --measure -o machine.target`",
    ),
    "TW0870": ErrorCode(
        "configuration space of a template cannot be made",
        "A template of autotvm defines a knob by a policy that does not exist, over an axis of open size, with "
        "candidates that a record cannot state, or with none; or it asks for a knob that it does not define; or a "
        "tuner or a builder gets an option that it does not have.",
        remedy="see docs/classic.md, 'Tuning', for the policies and options",
    ),
    "TW0871": ErrorCode(
        "no such template",
        "A task names a template of autotvm that is not registered in this process, or gives it arguments that records "
        "cannot state: they are JSON.",
        remedy="register it with @autotvm.template(name) before the task is created, and pass numbers and texts",
    ),
    "TW0872": ErrorCode(
        "template refuses a configuration",
        "A template of autotvm says with cfg.raise_error, or by the limits of an annotation, that a configuration "
        "makes no program. A search counts it among the refused ones.",
        remedy="apply another configuration, or leave such ones out with cfg.multi_filter",
    ),
    "TW0873": ErrorCode(
        "no record of a classic tuner",
        "A file or a line is no record of autotvm or auto_scheduler. A line that cannot be read among others is passed "
        "over, with a remark; a file without any record is refused.",
        remedy="write records with autotvm.callback.log_to_file or auto_scheduler.RecordToFile",
    ),
    "TW0874": ErrorCode(
        "template makes no schedule",
        "A template of autotvm, or a workload of auto_scheduler, returns something else than it has to: a schedule and "
        "its tensors, or the tensors.",
        remedy="end a template with `return s, [A, B, C]`, and a workload with `return [A, B, C]`",
    ),
    "TW0875": ErrorCode(
        "no record for a workload",
        "A template of autotvm is asked for a schedule where no record is applied for its arguments and its target: it "
        "gets the first candidate of each knob, which is seldom fast. Records of another target are not applied.",
        remedy="tune it for this target, and call it inside `with autotvm.apply_history_best(file):`",
    ),
    "TW0876": ErrorCode(
        "record of another auto-scheduler",
        "A line of a file of records has the steps of sketches that the auto_scheduler of TVM wrote. The schedules "
        "here are made by rules that take other decisions, so that the line is passed over.",
        remedy="tune the workload again with this compiler",
    ),
    "TW0877": ErrorCode(
        "no record of a task",
        "The best schedule of a task is asked for, and the file has no record of it that was measured on this machine "
        "with this compiler. Records of others are where a search may start, and never applied.",
        remedy="tune the task on this machine with this compiler",
    ),
}
