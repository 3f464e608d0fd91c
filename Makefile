# make run     install what Debian must provide, build, show the live network path
# make test    install likewise, run every test
# make check   what continuous integration calls: lint, imports, warnings, tests, sanitizers, fuzzing
# make bench   measure against bare C programs and other monitors, in one run (root)
# make fuzz    60 s of fuzzing every decoder
# make soak    ten minutes of changes and 200 subscribers that come and go (root; SOAK_SECONDS, SOAK_SEED)
# make docs    documentation of the libraries, a warning is an error
# make vm-test real Wi-Fi, WWAN and link kinds in a virtual machine, where a rig for it is at hand

SHELL := /bin/bash
SWIFT ?= swift
# The C++ library inside Swift's runtime is linked statically too, where its archive is installed: loading the shared
# one takes longer than all that pathctl does. The linker takes it from a folder that holds nothing else.
CXX_ARCHIVE := $(shell $(CC) -print-file-name=libstdc++.a)
STATIC := .build/static-libraries
RELEASE := $(SWIFT) build -c release --static-swift-stdlib -Xlinker -L$(CURDIR)/$(STATIC) -Xlinker --gc-sections
CHECKED := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
SHELL_FILES := scripts/* .ci/run Fuzz/run Fuzz/build Tests/VM/run
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# What the build needs (libnl-3-dev, libsystemd-dev, pkg-config) and what the tests and benchmarks use.
BUILD_PACKAGES := libnl-3-dev libsystemd-dev pkg-config
TEST_PACKAGES := iproute2 python3 python3-venv socat
SOURCES := Sources Tests Benchmarks Fuzz Package.swift

.PHONY: run build install-build install-test test check lint imports unit-sanitizers fuzz bench soak docs vm-test clean

run: build
	@.build/release/pathctl watch --direct

build: install-build
	@mkdir -p $(STATIC)
	@if [ -e "$(CXX_ARCHIVE)" ]; then ln -sf "$(CXX_ARCHIVE)" $(STATIC)/libstdc++.a; fi
	$(RELEASE)

install-build:
	@scripts/install-packages $(BUILD_PACKAGES)

install-test:
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@scripts/install-python-client

# So many tests at a time: without a bound all of them start at once, each with its namespaces and processes, and those
# that measure time measure the crowd. Most of them wait most of the time.
WIDTH := --experimental-maximum-parallelization-width 6

test: install-test
	$(SWIFT) build --build-tests $(CHECKED)
	$(SWIFT) test --skip-build $(WIDTH)

check: lint test unit-sanitizers
	$(MAKE) fuzz FUZZ_SECONDS=30

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	scripts/check-words

# The unit tests once more, under the sanitizers. What needs other processes and namespaces is left out: it
# spends its time in them.
UNIT_TESTS := PathModelTests|JSONTests|PathCodingTests|CommandLineOptionsTests|KernelPathTests|PathControlTests|PathEngineTests|PathServiceTests|ConnectivityTests|ReachabilityTests|SystemIOTests|VarlinkTests

unit-sanitizers:
	$(SWIFT) test $(WIDTH) --sanitize=thread --scratch-path .build/tsan --filter '$(UNIT_TESTS)'
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test $(WIDTH) --sanitize=address --scratch-path .build/asan --filter '$(UNIT_TESTS)'

FUZZ_SECONDS ?= 60
fuzz:
	Fuzz/run $(FUZZ_SECONDS)

bench: build
	$(SUDO) Benchmarks/run

soak: build
	$(SUDO) env $(foreach name,SOAK_SECONDS SOAK_SEED,$(if $($(name)),$(name)=$($(name)))) Tests/Soak/run

docs: install-build
	scripts/build-docs

vm-test: build
	Tests/VM/run

clean:
	rm -rf .build
