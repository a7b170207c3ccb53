# Hearth's front door. `make help` lists what can be asked.
#
#   make run PROMPT='Why is the sky blue?'
#   make test
#
# A prompt reaches the program unchanged, `$`, quotes and backticks included: `$(value ...)` takes the words
# as they were typed, make never expands them, and they travel in the environment, not in a command line.

MODEL ?= smollm2
CONFIGURATION := release

export HEARTH_PROMPT := $(value PROMPT)
export HEARTH_MODEL := $(value MODEL)
export HEARTH_SUDO := $(value SUDO)
unexport PROMPT MODEL SUDO ARGS

.DEFAULT_GOAL := help
.PHONY: help setup build model run test test-models test-damaged test-races bench format clean

help: ## this list
	@echo 'make run PROMPT="Why is the sky blue?"   answer a prompt on this machine'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'
	@echo
	@echo 'MODEL=NAME or PATH chooses the model (smollm2), ARGS="--seed 1 --stats" adds options of `hearth run`,'
	@echo 'SUDO=sudo lets set-up install packages with sudo. HEARTH_MODELS is the folder of models.'

setup: ## install what is missing (as root), or say what to install
	@.ci/setup

build: setup ## build `hearth` in release, unless nothing changed
	@.ci/build hearth

model: build
	@.ci/model

run: model ## answer PROMPT, or what stands on standard input
	@.ci/prompt $(ARGS)

test: ## set up, fetch what the tests read, build, run every test
	@.ci/test

test-models: build ## fetch every model of the catalogue and check it
	@.ci/test models

test-damaged: setup ## change single bytes at 12,500 places of model files and run each: half an hour
	@.ci/build all
	@HEARTH_ALL_PLACES=1 python3 Tests/checks/check_damaged.py

test-races: ## run the tests of sessions under the thread sanitizer (ten minutes)
	@.ci/test-races

bench: setup ## build hearth-bench and measure the default model
	@.ci/build hearth
	@.ci/model
	@.ci/build hearth-bench
	@.ci/bench $(ARGS)

format: ## lay out the sources as .swift-format says
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks $(wildcard Examples)

clean: ## remove what was built; models stay
	@rm -rf .build
