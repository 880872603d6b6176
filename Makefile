# Thin names for `jca-rerun` (bench/jcarerun/cli.py): a target is a command, a variable is an option of it. `make help` lists them.
#
#   make report [TIER=smoke|quick|standard|full] [MINUTES=30] [ENGINE=docker|podman|apptainer|host]    is    jca-rerun report --tier ...
#
# Each target first sets up what is missing on this machine.

.DEFAULT_GOAL := help

# The variables of the command line, as they were given: neither make nor the shell expands what is in them.
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
$(foreach name,$(GIVEN),$(eval export MAKE_VALUE_$(name) = $$(value $(name)))$(eval unexport $(name)))
export MAKE_GIVEN := $(GIVEN)
unexport MAKEOVERRIDES

# A run that make started ends when make does (bench/jcarerun/run/session.py).
export JCA_RERUN_MAKE := $(shell echo $$PPID)

# Names that are files too; all other targets have no rule, and come by .DEFAULT.
.PHONY: help setup report test
help setup report test:
	@command -v python3 >/dev/null || envs/setup.sh
	@PYTHONPATH=bench exec python3 -m jcarerun.make $@

.DEFAULT:
	@command -v python3 >/dev/null || envs/setup.sh
	@PYTHONPATH=bench exec python3 -m jcarerun.make $@

.PHONY: test-slurm
# Not among all tests: the cluster's configuration must lie where this machine's own would.
test-slurm: setup
	@.venv/bin/python -m pytest profiles/slurm/tests
