# make ready  the virtual environment alone
# make demo   the ResNet-50 of the onnx wheel, imported, compiled, run and compared
# make test   checks that every part works: pytest, which runs the lit files too, and LLVM's lit on some of them
#             (about fifteen minutes on two cores; MATCH=schedule for a part: a folder or file of tests/, or names of tests)
# make test-all   all tests, including those that `make test` leaves out (REST=1 for these alone; MATCH=...)
# make lit    all lit files under LLVM's lit (two minutes)
# make test-hosts  plans, IR, assembly and values that depend on the machine, for eight described machines (two minutes)
# make test-machines  every operator, SqueezeNet and a ResNet-50 on emulated machines: AArch64, RISC-V, WebAssembly
#             (three minutes; it takes QEMU and the cross compilers that .ci/run installs)
# make lint   format, lint and types
# make bench  everything of docs/benchmarks.md beside its peers, in one run (ROWS="matmul conv-*" for a part)
# make bench-compare BASE=<rev>  the working tree beside a revision, row by row in turns, without peers (ROWS=... for a part)
# make gpu    benchmarks of kernels on a GPU beside torch; every row in the simulator where there is no card
# make card   on a machine with a card: tests that need a card, tests of kernels on it, random programs
# make gpu-wheels  what benchmarks/gpu.py lacks on a machine with a card that reaches no registry, into build/gpu_wheels
# make tune-bench  the search on eight kernels that no other benchmark has, from plain loops without a model and from the
#             default plan with it (at most 45 minutes; ROWS="product softmax" for a part)
# make tuned  gains of tuning on odd and memory-bound kernels, of fusion on groups of operators, and the light ResNet-50
#             tuned beside onnxruntime (SUBJECT=shapes, fusion or network; 15 minutes, one, 20)
# make metaschedule  three kernels of ours beside TVM's MetaSchedule with 1,000 trials each; apache-tvm is installed into
#             a separate environment below build/ (an hour)
# make claims  the claims about speed in the documents of docs/seeds.md, each as two programs measured in turns
# make gemm   the matrix product of benchmarks/opt_gemm.py, step by step, beside numpy's
# make fuzz   random modules through random passes and through TVMScript, random models and quantised ones beside onnxruntime,
#             random indices and schedules, every operator on drawn operands, the prover beside the interpreter, and the dependence
#             oracle (three hours and a half)
# make fuzz-quantized  1,000 random quantised models alone, by references and compiled, beside onnxruntime, and how often each
#             operator, corner, kernel and instruction set was drawn (a quarter of an hour)
# make test-models  networks as both exporters of torch write them, and quantised and float16 forms of ten, beside
#             onnxruntime and OpenVINO (MATCH=bert for a part, MATCH=-qdq for a form, MATCH=-open for open sizes; torch is
#             installed into a separate environment below build/, exports stay there)
# make open-forms  networks of open sizes beside the same of fixed sizes, in turns: those exports, classifiers of the onnx
#             package and recurrent layers (MATCH=swin for a part)
# make test-c    squeezenet and ResNet-50 as C files, by gcc and clang, beside onnxruntime, without a system and under the
#             sanitizers (a quarter of an hour)
# make onnx   the tests that the onnx package brings, compiled and run, and the table of them in docs/onnx.md
# make onnx-types   one generated program for each ONNX operator, schema version and element type, and the list of those
#             that are refused (MATCH="Pad-" for a part; half an hour)
# make params  parameters in the classic format beside those of apache-tvm 0.27, which is installed into a separate
#             environment below build/
# make mutants   checks that the tests detect small faults in the engine and in the passes (forty minutes)
# make planted   checks that the tests detect each fault that was found and fixed, planted again (ten minutes)
# make proof     checks that validation and bisection find the faults in passes that change values (ten minutes)
# make prove-networks  how many kernels of the nine light networks are proved, from their tensor expressions to their last
#             loops, and what is assumed (NETWORKS="squeezenet" for some; hours for all)
# make upstream-programs  the verdicts on 237 programs, the outputs of upstream passes for them, and planted faults, counted
#             (ten minutes; REGENERATE=1 writes the outputs anew, with the wheels of the extra [upstream])
# make prove-upstream  random programs through passes of mlir-opt, each output proved, refutations executed and reduced
#             into build/prove-upstream (SEED=0 COUNT=500)
# make prove-pairs   random programs before and after passes of ours, and with random changes: no verdict is contradicted by
#             runs of both sides (an hour; SEED=0 PAIRS=2000)
# make goldens   compares plans of the benchmarks' kernels, their bottlenecks, and the bits of random modules with the
#             recorded ones (minutes)
# make rank-model  how well the cost model ranks 200 schedules of a product, of a convolution and of a chain over rows:
#             Spearman's rho between predicted and measured time (ROWS="product" for a part; five minutes)
# make runtime-wheel  the distribution tilewright-runtime, which runs compiled programs with numpy alone, into build/wheels
# make test-runtime   that wheel under each Python at hand from 3.9 on, with the oldest numpy for it (a minute; installs
#             numpy from the package index; TILEWRIGHT_PYTHONS=/path/to/python3.9:... names Pythons that are not on the path)
# make damaged-packages  500 saved programs that are corrupt, cut short, foreign or of a newer form: an error or the same bits
# make test-cluster   compiled programs, and tuning, on a cluster of dask: two processes, one that is killed (two minutes;
#             installs dask)
# make saving    memory of compiling and saving a model of GPT-2's size in each form, with an empty cache and a full one, and
#             of loading it; fails where it is not below twice the weights (two minutes)
# make tune-resume   `tilewright tune` on the light ResNet-50, killed three times: nothing is measured twice, no line is
#             lost and no process is left (ten minutes)
# make docs      the documentation site, with the reference made from the code, into build/docs
# make sensitivity   what one percent in any layer of the test models does to their outputs (minutes)
#
# Each sets up the virtual environment .venv first, if it is not there or pyproject.toml has changed.

VENV ?= .venv
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && echo $$python && break; \
	done)
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OVER := engine passes
FUZZED := $(addprefix tests/schedule/test_,random_computes.py random_stages.py oracle.py oracle_placement.py)

.PHONY: upstream-programs prove-upstream prove-pairs test-c saving runtime-wheel test-runtime test-cluster tune-resume damaged-packages goldens onnx onnx-types params test-models open-forms ready demo docs test test-all lit test-hosts test-machines lint bench bench-compare card gpu gpu-wheels gemm claims tune-bench tuned metaschedule fuzz fuzz-quantized mutants planted proof prove-networks rank-model sensitivity clean

ready: $(READY)

demo: $(READY)
	@$(BIN)/python examples/resnet50.py

test: $(READY)
	@$(BIN)/python tests/run.py --tier quick --match "$(MATCH)"

test-all: $(READY)
	@$(BIN)/python tests/run.py $(if $(REST),--tier rest) --match "$(MATCH)"

lit: $(READY)
	@$(BIN)/python -c 'from lit.main import main; main()' --quiet lit

test-hosts: $(READY)
	@$(BIN)/python tests/run.py --hosts

test-machines: $(READY)
	@$(BIN)/python tests/run.py --match portability/test_machines.py

lint: $(READY)
	@$(BIN)/python -m pip install --quiet -e '.[lint]'
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m pytest -q tests/user_program

docs: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -b html docs build/docs
	@echo build/docs/index.html

bench: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@$(BIN)/python benchmarks/suite.py $(if $(ROWS),--rows $(ROWS))

bench-compare: $(READY)
	@test -n "$(BASE)" || { echo "error: name the revision to compare with: make bench-compare BASE=<rev>" >&2; exit 1; }
	@$(BIN)/python benchmarks/compare.py $(BASE) --output build/bench-compare $(if $(ROWS),--rows $(ROWS))

gpu: $(READY)
	@$(BIN)/python benchmarks/gpu.py $(if $(ROWS),--rows $(ROWS)); \
		status=$$?; test $$status -ne 2 || exec $(BIN)/python benchmarks/gpu.py --simulate; exit $$status

card: $(READY)
	@$(BIN)/python tests/cuda_backend/on_a_card.py tests/cuda_backend/backend/test_on_a_card.py
	@$(BIN)/python tests/cuda_backend/on_a_card.py
	@$(BIN)/python tests/cuda_backend/random_schedules/run.py --card --count 3800 --jobs 8

gpu-wheels: $(READY)
	@$(BIN)/python -m pip download --quiet --no-deps --only-binary :all: --implementation cp --python-version 3.12 \
		--platform manylinux_2_28_x86_64 --platform manylinux2014_x86_64 --dest build/gpu_wheels \
		-r benchmarks/gpu_wheels.txt
	@ls -l build/gpu_wheels

gemm: $(READY)
	@$(BIN)/python benchmarks/opt_gemm.py

tune-bench: $(READY)
	@$(BIN)/python benchmarks/tune_bench.py $(if $(ROWS),--rows $(ROWS))

tuned: $(READY)
	@$(BIN)/python benchmarks/tuned.py $(SUBJECT)

METASCHEDULE := build/metaschedule
metaschedule: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@test -x $(METASCHEDULE)/bin/python || $(BIN)/python -m venv $(METASCHEDULE)
	@$(METASCHEDULE)/bin/pip install --quiet --disable-pip-version-check numpy apache-tvm==0.27.0 \
		apache-tvm-ffi==0.1.14.post1 psutil cloudpickle xgboost
	@$(BIN)/python benchmarks/beside_metaschedule.py --python $(METASCHEDULE)/bin/python $(if $(ROWS),--rows $(ROWS))

claims: $(READY)
	@$(BIN)/python benchmarks/claims.py $(if $(ROWS),--rows $(ROWS))

fuzz: $(READY)
	@$(BIN)/python tests/fuzz/run.py
	@$(BIN)/python tests/fuzz/onnx_campaign.py --count 3000
	@$(BIN)/python tests/fuzz/quantized_campaign.py
	@$(BIN)/python tests/fuzz/quantized_campaign.py --references --seed 1 --count 16000
	@$(BIN)/python tests/fuzz/indices.py
	@$(BIN)/python tests/tvmscript/run.py --count 2000
	@$(BIN)/python tests/schedule/random_schedules/run.py
	@$(BIN)/python tests/schedule/proof_oracle/run.py --minutes 10
	@$(BIN)/python tests/robustness/mutation/run.py --count 4000 --save build/mutation
	@$(BIN)/python tests/robustness/mutation/run.py --kinds onnx-drawn --count 1000 --save build/mutation
	@TILEWRIGHT_FUZZ=50 $(BIN)/python -m pytest -q -s $(FUZZED)
	@TILEWRIGHT_FUZZ=20 $(BIN)/python -m pytest -q tests/operators/test_drawn_operators.py
	@$(BIN)/python tests/cuda_backend/random_schedules/run.py --count 2000 --jobs 2

fuzz-quantized: $(READY)
	@$(BIN)/python tests/fuzz/quantized_campaign.py

test-c: $(READY)
	@$(BIN)/python tests/c_backend/networks.py

EXPORTS := build/models/exports
EXPORTERS := build/models/venv
test-models: $(READY) $(EXPORTERS)/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@$(EXPORTERS)/bin/python tests/models/exports/export.py $(EXPORTS) --match="$(MATCH)"
	@$(BIN)/python tests/models/exports/run.py $(EXPORTS) --match="$(MATCH)"

open-forms: $(READY) $(EXPORTERS)/.ready
	@$(EXPORTERS)/bin/python tests/models/exports/export.py $(EXPORTS) --match="$(MATCH)"
	@$(BIN)/python tests/models/exports/open_forms.py $(EXPORTS) --match="$(MATCH)"

$(EXPORTERS)/.ready: tests/models/exports/requirements.txt
	@echo "installing torch and transformers, which write the exports"
	@$(PYTHON) -m venv $(EXPORTERS)
	@$(EXPORTERS)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

onnx: $(READY)
	@$(BIN)/python tests/onnx_suite/run.py --write docs/onnx.md

onnx-types: $(READY)
	@$(BIN)/python tests/onnx_suite/type_campaign.py $(if $(MATCH),--match "$(MATCH)",--write docs/onnx.md)

WHEEL := build/params/venv
params: $(WHEEL)/.ready
	@$(WHEEL)/bin/python tests/conditions/recorded_params.py

$(WHEEL)/.ready:
	@echo "installing apache-tvm"
	@test -n "$(PYTHON)" || { echo "error: Python 3.11 to 3.14 is needed; name it with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -m venv $(WHEEL)
	@$(WHEEL)/bin/python -m pip install --quiet --disable-pip-version-check 'apache-tvm==0.27.*' ml_dtypes
	@touch $@

mutants: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[mutation]'
	@status=0; for part in $(OVER); do $(BIN)/python tests/mutation/run.py --over $$part || status=1; done; exit $$status

planted: $(READY)
	@$(BIN)/python tests/mutation/planted.py

proof: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[mutation]'
	@$(BIN)/python tests/mutation/attribution.py

prove-networks: $(READY)
	@$(BIN)/python tests/proof/networks.py $(NETWORKS)
upstream-programs: $(READY)
	@$(if $(REGENERATE),$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[upstream]')
	@$(if $(REGENERATE),$(BIN)/python tests/upstream/programs/run.py generate)
	@$(BIN)/python tests/upstream/programs/run.py count

prove-upstream: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[upstream]'
	@$(BIN)/python tests/upstream/programs/run.py campaign --seed $(or $(SEED),0) --count $(or $(COUNT),500)

prove-pairs: $(READY)
	@status=0; for kind in passes mutated; do $(BIN)/python tests/proof/refinement/run.py $$kind \
		--seed $(or $(SEED),0) --pairs $(or $(PAIRS),2000) || status=1; done; exit $$status

runtime-wheel: $(READY)
	@rm -rf build/runtime_source && mkdir -p build/wheels && rm -f build/wheels/tilewright_runtime-*.whl
	@cp -rL runtime build/runtime_source && rm -rf build/runtime_source/build build/runtime_source/*.egg-info
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--wheel-dir build/wheels build/runtime_source
	@ls -l build/wheels/tilewright_runtime-*.whl

test-runtime: runtime-wheel
	@$(BIN)/python tests/runtime_wheel/run.py build/wheels/tilewright_runtime-*.whl

damaged-packages: $(READY)
	@$(BIN)/python tests/robustness/mutation/run.py --kinds package --count 500 --save build/mutation

saving: $(READY)
	@$(BIN)/python benchmarks/saving.py

tune-resume: $(READY)
	@PYTHONPATH=tests/conditions $(BIN)/python tests/conditions/killed_runs.py

test-cluster: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[distributed]'
	@$(BIN)/python -m pytest -q tests/pickles/test_cluster.py tests/tune/test_cluster_runner.py

rank-model: $(READY)
	@$(BIN)/python benchmarks/rank_model.py $(if $(ROWS),--rows $(ROWS))

goldens: $(READY)
	@$(BIN)/python tests/goldens/run.py

sensitivity: $(READY)
	@$(BIN)/python benchmarks/sensitivity.py

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: Python 3.11 to 3.14 is needed; name it with PYTHON=..." >&2; exit 1; }
	@test -x $(BIN)/python || { echo "creating $(VENV) with $(PYTHON)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing tilewright and what its tests and demo need"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[onnx,test]'
	@touch $@

clean:
	rm -rf $(VENV) build *.egg-info
