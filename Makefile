# Everything from a fresh machine on: each target first sets up what is missing.
#
#   make report [TIER=smoke|quick|standard|full] [MINUTES=30, of measuring; 0: no end] [WAIT=5, for quiet] [ENGINE=docker|podman|host] [EXPERIMENTS=a,b]
#               [WITHIN=15, minutes in all, of which setting up and the report are two parts; quick's default, where no MINUTES are given; 0: no end]
#               [RAW=DIR] [EXPERIMENT_DIR=DIR] [RESULTS=DIR]   of a study that lies elsewhere; results go below it, or to RESULTS
#   make test-slurm                         rounds as jobs of a cluster: three nodes on this machine, some of which die (docs/cluster.md)
#   make test   all tests      make setup  only the set-up      make lock [ENVIRONMENT=...]  write the environments' locks anew, or one
#   make summarise RAW=PATH OUT=DIR [STRICT=yes]   a table of any JMH results, with intervals over forks
#   make compare BASELINE=PATH CANDIDATE=PATH OUT=DIR [MARGIN=0.02] [FORKS=5] [STRICT=yes]   which got slower; fails if any did, or may have
#   make gc-pauses LOG=FILE OUT=FILE        every stop of the application threads in a GC log
#   make study JAR=file.jar [OUT=file.yaml] [NEEDS="a.jar b.jar"]  a first experiment file from a JMH jar of yours (docs/own-jar.md)
#   make workloads                          what can be measured: benchmarks, their parameters, providers     make forms   what a claim can say
#   make claims OUT=DIR                     every claim as it is encoded, and what the study's own number gives by it (claims.csv)
#   make validate [TIDY=data/tidy]          the statistics, held against their bars in simulation (analysis/validity.csv), and on a run's own cells
#   make real-pairs                         how often the pipeline finds a cell different from itself: 208 cells, then validate (alone on the machine)
#   make fidelity [TIER=quick]              the pipeline's means against plain JMH's forks of a minute (alone on the machine)
#   make micros JAR=FILE                        ours against the OpenJDK's microbenchmarks of the same operations (alone on the machine)
#   make efficiency                         what an interval costs against plain JMH (alone on the machine)
#   make plateaus [TIER=quick CPU_PROFILES=core2 TRIAL=plateaus-slow] settled times against the end of long forks that nothing warmed up (alone on the machine)
#   make pilots [TIER=quick EXPERIMENTS=a,b EXPERIMENT_DIR=DIR OPEN=yes] a long fork of each cell that nothing has warmed up: what its time becomes, and after how long; OPEN=yes: of those a verdict waits for
#   make cross-check                        the native programs against their libraries' own speed commands (alone on the machine)
#   make replay [TIDY=data/tidy RUNS=20]     what stages planned by open claims cost against equal forks, from a run's own forks
#   make time-shares                        which part of the last run's time went into iterations
#   make torture [FAULTS=2000 RUNS=30 SEED=1]   faults at every step of a run: kills, full disks, signals, engines that end (report/results/faults.md)
#   make trace ID=v10 [EVERY=1] [RAW=DIR] [RESULTS=DIR]   what a verdict or ratio rests on, down to its raw files, and computed again from them
#   make agreement [RESULTS=DIR]        whether every number of the PDF and of the page is that of its row in data/tidy
#   make compare-runs A=FILE B=FILE         what differs between two runs, in words: the report.html, or the tidy tables, of each
#   make repeat A=DIR B=DIR [OUT=FILE.csv]   how much of a run's tidy tables another one measured alike: means, ratios, verdicts
#   make artifact OUT=FILE.zip [RAW=DIR] [RESULTS=DIR] [EXPERIMENT_DIR=DIR]   one archive of the report that stands and all it is made from
#   make sign FILE=FILE.zip KEY=FILE   signs the manifest of such an archive, of a kit or of what one sent back, with an SSH key
#   make verify ARTIFACT=FILE.zip [SIGNERS=FILE] [STRICT=yes, refuse what nobody signed] [ANYWAY=yes] [MEASURE=yes]   checks such an archive without a network, and makes all of it again from its raw rounds
#   make doctor [TIER=... ENGINE=...]   what this machine can give, and what that means for the results

TIER ?= quick
ENGINE ?= docker
EXPERIMENTS ?=
MINUTES ?=
WAIT ?=
WITHIN ?= $(if $(MINUTES),,$(if $(filter quick,$(TIER)),15))
RAW ?=
EXPERIMENT_DIR ?=
RESULTS ?=

export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHONPATH := $(CURDIR)/bench

# The process id of `make`: a run that it started ends when it does (bench/jcarerun/run/ending.py).
export JCA_RERUN_MAKE := $(shell echo $$PPID)

.PHONY: report test setup lock doctor r-image summarise compare gc-pauses study workloads forms claims trace agreement compare-runs repeat validate real-pairs fidelity micros efficiency plateaus pilots cross-check replay time-shares torture artifact verify sign test-slurm

# Measuring ends these seconds before a report is due: it takes half as many on two cores, and the last round may take longer than expected.
REPORT_S = 90
BEGAN := $(shell date +%s)

report: setup
	@case '$(WITHIN)' in *[!0-9]*) echo "error: WITHIN=$(WITHIN): must be whole minutes, such as 15; 0 for no end" >&2; exit 2;; esac
	@snakemake --cores all --config tier=$(TIER) engine=$(ENGINE) \
	  $(if $(filter-out 0,$(WITHIN)),until=$$(($(BEGAN) + $(WITHIN) * 60 - $(REPORT_S)))) $(if $(MINUTES),minutes=$(MINUTES)) $(if $(WAIT),wait=$(WAIT)) $(if $(EXPERIMENTS),experiments=[$(EXPERIMENTS)]) $(if $(RAW),raw="$$GIVEN_RAW") \
	  $(if $(EXPERIMENT_DIR),experiment_dir="$$GIVEN_EXPERIMENT_DIR") $(if $(RESULTS),results="$$GIVEN_RESULTS")

test: setup
	@envs/test.sh

# Not among all tests: the cluster's configuration must lie where this machine's own would.
test-slurm: setup
	@pytest profiles/slurm/tests

# One environment takes the packages that its root file system is locked to; all of them what the archive has now.
lock: setup
	@snakemake --cores all --quiet all $(if $(ENVIRONMENT),-- envs/build/$(ENVIRONMENT)/environment.json,--forceall --config refresh=true -- environments)
	@python -m jcarerun.images lock $(ENVIRONMENT)

setup:
	@envs/setup.sh $(ENGINE)

# Also where nothing is set up yet.
doctor:
	@python3 -m jcarerun.doctor --engine $(ENGINE) --tier $(TIER)

IN_R = python -m jcarerun.images analyse --engine $(ENGINE)

# $(call needs,VARIABLE...): stop in one line where one is not given.
needs = $(foreach name,$(1),$(if $(value $(name)),,$(error $(name)= is missing: make $@ $(foreach each,$(1),$(each)=...))))

r-image: setup
	@python -m jcarerun.images ready --engine $(ENGINE)

# Paths go through the environment as they were given, so that neither make nor the shell sees their spaces, quotes and dollars.
GIVEN = RAW OUT BASELINE CANDIDATE LOG MARGIN FORKS STRICT
$(foreach name,RAW EXPERIMENT_DIR RESULTS,$(eval report trace agreement artifact verify pilots: export GIVEN_$(name) = $$(value $(name))))
$(foreach name,$(GIVEN),$(eval summarise compare gc-pauses: export GIVEN_$(name) = $$(value $(name))))
$(foreach name,OUT ARTIFACT FILE KEY SIGNERS,$(eval artifact repeat sign verify: export GIVEN_$(name) = $$(value $(name))))
OWN = python -m jcarerun.own $@ --engine $(ENGINE) --out="$$GIVEN_OUT"

summarise: r-image
	$(call needs,RAW OUT)
	@$(OWN) --raw="$$GIVEN_RAW" --strict="$$GIVEN_STRICT"

compare: r-image
	$(call needs,BASELINE CANDIDATE OUT)
	@$(OWN) --baseline="$$GIVEN_BASELINE" --candidate="$$GIVEN_CANDIDATE" --margin="$$GIVEN_MARGIN" --forks="$$GIVEN_FORKS" --strict="$$GIVEN_STRICT"

gc-pauses: r-image
	$(call needs,LOG OUT)
	@$(OWN) --log="$$GIVEN_LOG"

workloads forms: setup
	@python -m jcarerun.plan.listing $@

study: setup
	$(call needs,JAR)
	@python -m jcarerun.plan.study '$(JAR)' $(if $(OUT),'$(OUT)') $(if $(NEEDS),--needs $(NEEDS))

claims: r-image
	$(call needs,OUT)
	@mkdir -p $(OUT)
	@python -m jcarerun.plan $(OUT)/definitions.json
	@$(IN_R) --write $(OUT) -- Rscript analysis/claims.R --definitions $(abspath $(OUT))/definitions.json --published data/published --out $(abspath $(OUT))

validate: r-image
	@$(IN_R) $(if $(TIDY),--read $(TIDY)) --write analysis -- Rscript analysis/validate.R --out analysis/validity.csv $(if $(TIDY),--tidy $(abspath $(TIDY)))

real-pairs: r-image
	@snakemake --cores all --config experiment_dir=bench/jcarerun/trials/experiments experiments=[pairs] tier=standard goal=intervals minutes=0 calibration=false -- data/tidy/forks.csv
	@$(MAKE) --no-print-directory validate TIDY=data/tidy

plateaus: setup
	@python -m jcarerun.trials.plateaus --tier $(TIER) $(if $(TRIAL),--trial $(TRIAL)) $(if $(CPU_PROFILES),--cpu-profiles $(CPU_PROFILES))

pilots: setup
	@python -m jcarerun.trials.pilots --tier $(TIER) $(if $(EXPERIMENTS),--experiments $(EXPERIMENTS)) --experiment_dir="$$GIVEN_EXPERIMENT_DIR" $(if $(filter yes,$(OPEN)),--open)

fidelity: setup
	@python -m jcarerun.trials.fidelity --tier $(TIER)

micros: setup
	$(call needs,JAR)
	@python -m jcarerun.trials.micros '$(JAR)'

efficiency: setup
	@python -m jcarerun.trials.efficiency

cross-check: setup
	@snakemake --cores all --quiet all -- bench/target/native/debian-13-native/built.json
	@python -m jcarerun.native.cross_check

torture: r-image
	@python -m jcarerun.trials.torture $(if $(FAULTS),--faults $(FAULTS)) $(if $(RUNS),--runs $(RUNS)) $(if $(SEED),--seed $(SEED))

replay: r-image
	@mkdir -p data/logs && $(IN_R) --read $(or $(TIDY),data/tidy) --write data/logs -- Rscript analysis/replay.R --tidy $(abspath $(or $(TIDY),data/tidy)) --out data/logs $(if $(RUNS),--runs $(RUNS))

time-shares: r-image
	@$(IN_R) --write data/tidy -- Rscript analysis/time_shares.R --raw data/raw --rounds data/tidy/rounds.txt --out data/tidy

trace: setup
	$(call needs,ID)
	@python -m jcarerun.trace $(ID) $(if $(RESULTS),--tidy "$$GIVEN_RESULTS/tidy" --raw "$$GIVEN_RESULTS/raw") $(if $(RAW),--raw "$$GIVEN_RAW") $(if $(EVERY),--every)

agreement: setup
	@python -m jcarerun.agreement $(if $(RESULTS),--tidy "$$GIVEN_RESULTS/tidy" --report "$$GIVEN_RESULTS")

compare-runs: r-image
	$(call needs,A B)
	@rm -rf data/logs/compare-runs
	@python -m jcarerun.explorer.take $(A) data/logs/compare-runs/a
	@python -m jcarerun.explorer.take $(B) data/logs/compare-runs/b
	@$(IN_R) -- Rscript analysis/compare_runs.R --a data/logs/compare-runs/a --b data/logs/compare-runs/b

repeat: setup
	$(call needs,A B)
	@python -m jcarerun.bundle repeat $(A) $(B) --out="$$GIVEN_OUT"

artifact: r-image
	$(call needs,OUT)
	@python -m jcarerun.bundle make --engine $(ENGINE) --out="$$GIVEN_OUT" --raw="$$GIVEN_RAW" --results="$$GIVEN_RESULTS" \
	  --experiment_dir="$$GIVEN_EXPERIMENT_DIR"

verify: r-image
	$(call needs,ARTIFACT)
	@python -m jcarerun.bundle verify --engine $(ENGINE) --signers="$$GIVEN_SIGNERS" $(if $(filter yes,$(STRICT)),--strict) $(if $(filter yes,$(ANYWAY)),--anyway) \
	  $(if $(filter yes,$(MEASURE)),--measure) --results="$$GIVEN_RESULTS" --experiment_dir="$$GIVEN_EXPERIMENT_DIR" -- "$$GIVEN_ARTIFACT"

sign: setup
	$(call needs,FILE KEY)
	@python -m jcarerun.bundle sign --key="$$GIVEN_KEY" -- "$$GIVEN_FILE"
