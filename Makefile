# Everything from a fresh machine on: each target first sets up what is missing.
#
#   make report [TIER=smoke|quick|standard|full] [ENGINE=docker|podman|host] [EXPERIMENTS=a,b] [RAW=DIR]
#   make test   all tests      make setup  only the set-up      make lock  write the environments' locks anew
#   make doctor [TIER=... ENGINE=...]   what this machine can give, and what that means for the results

TIER ?= quick
ENGINE ?= docker
EXPERIMENTS ?=
RAW ?=

export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: report test setup lock doctor

report: setup
	@snakemake --cores all --config tier=$(TIER) engine=$(ENGINE) \
	  $(if $(EXPERIMENTS),experiments=[$(EXPERIMENTS)]) $(if $(RAW),raw=$(RAW))

test: setup
	@envs/test.sh

lock: setup
	@snakemake --cores all --quiet all --forceall --config refresh=true -- environments
	@python -m envs.builder lock

setup:
	@envs/setup.sh $(ENGINE)

# Also where nothing is set up yet.
doctor:
	@python3 -m bench.harness.doctor --engine $(ENGINE) --tier $(TIER)
