# make run     install what Debian must provide, build pathctl, show the live network path
# make quick   install what the build needs, run the tests of logic and of one process: a minute, without root
# make test    install what the tests need, too, and run every test
# make check   what continuous integration calls: lint, imports, warnings, tests, sanitizers, fuzzing, examples, docs
# make imports compare the imports of every file with the dependencies of its target, both ways
# make examples builds the programs below Examples and tries them out, in a browser too, while cables are pulled (root)
# make bench   measure against bare C programs and other monitors, in one run (root)
# make fuzz    60 s of fuzzing every decoder
# make prometheus-test  Debian's Prometheus and node_exporter with our metrics and rules (root)
# make soak    ten minutes of changes and 200 subscribers that come and go (root; SOAK_SECONDS, SOAK_SEED)
# make flood   users who call the service as fast as they can, and how long others wait meanwhile (root)
# make history-outages 200 scripted outages of up to a minute, and the history of each (root)
# make install installs what was built below PREFIX (/usr/local), in DESTDIR if there is one; make uninstall undoes it
# make deb     makes a Debian package of it in .build
# make repository  makes the package and puts it into a folder that apt accepts (REPOSITORY, KEY, VALID_DAYS, REVISION)
# make clients-test  the clients of all languages at once, while routes change and the service is killed (root)
# make python  makes the wheel and the source archive of the Python package in .build/python-package/dist
# make python-test the Python package with the service in namespaces, and its types (root)
# make docs    documentation of the libraries, a warning is an error
# make api     compares the public symbols of the libraries with those of the last release
# make vm-test real Wi-Fi, WWAN and link kinds in a virtual machine, where a rig for it is at hand

SHELL := /bin/bash
SWIFT ?= swift
# The C++ library inside Swift's runtime and the compiler's own are linked statically too, where the archive is
# installed: loading the shared ones takes longer than all that pathctl does. The linker takes the first from a folder
# that holds nothing else. Libraries are looked for where the system has them, not beside the program first. No symbol
# is exported: by default a program with the runtime inside exports all its 9,000, and each start searches them once.
# Without them a start takes a sixth less (row `status`).
CXX_ARCHIVE := $(shell $(CC) -print-file-name=libstdc++.a)
STATIC := .build/static-libraries
LINKING := --disable-local-rpath -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -L$(CURDIR)/$(STATIC) \
	-Xlinker --gc-sections -Xlinker --no-export-dynamic -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -use-ld=lld
# For each target SwiftPM leaves an empty folder among the temporary files, in every build. NICE is a prefix.
TEMPORARY := $(CURDIR)/.build/temporary
BUILD = mkdir -p $(TEMPORARY) && rm -rf $(TEMPORARY)/TemporaryDirectory.* && TMPDIR=$(TEMPORARY) $(NICE) $(SWIFT) build
RELEASE = $(BUILD) -c release --static-swift-stdlib $(LINKING)
# Where nothing was built before, whole modules take a sixth less processor time than one file after the other. With
# one thread the compiler would write no index, in which the tests are found.
WHOLE_MODULES := $(if $(CI),-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
CHECKED := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error $(WHOLE_MODULES)
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# The packages of the build, of the tests and benchmarks, and of the tools that make and check packages. The tests need
# the shells for completions, groff-base for manual pages, less as the pager, and the bus in place of NetworkManager.
PATHCTL_PACKAGES := libnl-3-dev libnl-genl-3-dev pkg-config
BUILD_PACKAGES := $(PATHCTL_PACKAGES) libcurl4-openssl-dev libsqlite3-dev libsystemd-dev scdoc
TEST_PACKAGES := iproute2 python3 python3-venv socat dbus-daemon dbus-bin python3-dbus python3-gi bash bash-completion \
	fish groff-base less man-db procps zsh
PACKAGE_PACKAGES := debhelper dh-python dpkg-dev lintian
REPOSITORY_PACKAGES := apt-utils gpg gpg-agent
PYTHON_PACKAGES := iproute2 mypy python3 python3-build python3-setuptools python3-wheel
# The package is also tried in a tree of Debian 13.
TREE_PACKAGES := debootstrap debian-archive-keyring
# Network managers that tests run in namespaces: they are unpacked only, as installing one could take the machine's
# network over.
UNPACKED_PACKAGES := network-manager dhcpcd-base isc-dhcp-client
# The collectors of metrics, only unpacked, too.
PROMETHEUS_PACKAGES := prometheus prometheus-node-exporter python3-prometheus-client
# The languages of docs/languages.md.
CLIENT_PACKAGES := dash gcc golang-go iproute2 libc6-dev nodejs python3 rustc
EXAMPLE_PACKAGES := iproute2 python3 libncurses-dev libmicrohttpd-dev tmux chromium
SOURCES := Sources Tests Benchmarks Fuzz Examples Package.swift

.PHONY: run build linking install-build install-test install-package quick test check lint imports sanitizers fuzz
.PHONY: bench soak build-tests build-thread-sanitizer build-address-sanitizer thread-sanitizer address-sanitizer flood
.PHONY: docs api install-python vm-test install uninstall deb test-install install-examples install-repository
.PHONY: install-prometheus install-clients history-outages examples prometheus-test clients-test repository python
.PHONY: python-test clean

run: linking
	@scripts/install-packages $(PATHCTL_PACKAGES)
	@$(call release,pathctl)
	@.build/release/pathctl watch --direct

PROGRAMS := pathctl pathmonitord pathmonitor-history pathmonitor-validation pathmonitor-connections

build: install-build linking
	@$(call release,$(PROGRAMS))

linking:
	@mkdir -p $(STATIC)
	@if [ -e "$(CXX_ARCHIVE)" ]; then ln -sf "$(CXX_ARCHIVE)" $(STATIC)/libstdc++.a; fi

# One by one: linked statically, a program of the tests would need what libFoundationNetworking does.
release = set -e; for product in $(1); do $(RELEASE) --product $$product; done

install-build:
	@scripts/install-packages $(BUILD_PACKAGES)

install-test:
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	@scripts/install-python-client
	@scripts/unpack-packages .build/programs $(UNPACKED_PACKAGES)

# So many tests at a time: without a bound all of them start at once, each with its namespaces and processes, and those
# that measure time measure the crowd. Most of them wait most of the time.
RUN_TESTS := SWIFT='$(SWIFT)' scripts/run-tests --experimental-maximum-parallelization-width 6

# Requests are tried in a process of their own. A thread that Dispatch adds while a test is in another network namespace
# stays there with the threads that all tests share, and connections that it opens later lead nowhere. A hundred
# programs that have lost the service hold most of a user's 128 inotify instances, so that nothing else can watch files.
APART := RequestsOnPathTests|ConnectivityTestingTests|DaemonTests.FaultTests|ValidationTests.WebTransfersTests

# The targets whose tests are of logic, of a kernel in memory or of one process. Of the others there, those in network
# namespaces are skipped without root and here, and those that keep a processor busy for long are left to `make test`.
QUICK_TESTS := PathModelTests PathDecisionsTests PathConfigurationTests JSONTests ProgramsTests KernelPathTests \
	PathEngineTests ScenarioTests PathServiceTests PathControlTests VarlinkTests ValidationTests ConnectionsTests \
	HistoryTests HistoryReportTests ErrorHandlingTests ResilienceTests
LONG := RealKernelScenarioTests|DamagedMessageTests|ReportRenderingTests|as many as 10,000 clients

quick: export PATHMONITOR_TESTS := $(QUICK_TESTS)
quick: export WITHOUT_NAMESPACES := 1
quick: install-build
	$(BUILD) --build-tests $(CHECKED)
	$(RUN_TESTS) --skip '$(APART)|$(LONG)'

build-tests: install-test
	$(BUILD) --build-tests $(CHECKED)

test: build-tests
	$(RUN_TESTS) --skip '$(APART)'
	$(RUN_TESTS) --filter '$(APART)'

# The tests that run without a sanitizer. Of those that run under one, only ConnectivityTests run without it, too: one
# of them cannot run under it. Benchmarks have no tests, but have to compile.
PLAIN_TESTS = $(filter-out $(filter-out ConnectivityTests,$(THREAD_TESTS) $(MEMORY_TESTS)), \
	$(notdir $(wildcard Tests/*Tests))) $(BENCHMARKS)

# Tests mostly wait, so the next build runs beside them, and takes the time that they leave. Only one of two could
# install packages. `docs` and `api` write the same symbol graphs, so one follows the other.
SIDE_BY_SIDE := $(MAKE) --jobs 2 --output-sync=target
check: lint
	PATHMONITOR_TESTS='$(PLAIN_TESTS)' $(MAKE) build-tests
	PATHMONITOR_TESTS='$(PLAIN_TESTS)' $(SIDE_BY_SIDE) NICE=nice test build-thread-sanitizer
	$(SIDE_BY_SIDE) NICE=nice thread-sanitizer build-address-sanitizer
	$(MAKE) install-package install-repository install-prometheus install-clients install-python install-examples
	$(SIDE_BY_SIDE) NICE=nice address-sanitizer deb
	$(SIDE_BY_SIDE) test-install prometheus-test clients-test python-test fuzz FUZZ_SECONDS=10
	$(SIDE_BY_SIDE) examples docs
	$(MAKE) api

lint: imports
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	scripts/check-words
	scripts/check-foreign-text --self-test
	scripts/check-foreign-text
	scripts/check-columns --self-test
	scripts/check-columns
	scripts/check-pages
	scripts/extract-snippets --self-test
	SWIFT='$(SWIFT)' scripts/draw-targets --check
	scripts/generate-python-types --check

imports:
	scripts/check-imports --self-test
	SWIFT='$(SWIFT)' scripts/check-imports

# Tests under the sanitizers: those of threads under one, those of memory that no compiler checks under the other. Only
# SystemIO, KernelPath/Sockets, Systemd, History and Validation have such memory. Tests with other processes and
# namespaces are left out, because they spend their time there.
THREAD_TESTS := PathServiceTests PathFollowingTests ConnectivityTests ResilienceTests ErrorHandlingTests \
	ReachabilityTests SystemIOTests VarlinkTests RequestsOnPathTests ConnectivityTestingTests
MEMORY_TESTS := SystemIOTests KernelPathTests PathServiceTests VarlinkTests HistoryTests ValidationTests

sanitizers: thread-sanitizer address-sanitizer

build-thread-sanitizer thread-sanitizer: export PATHMONITOR_TESTS := $(THREAD_TESTS)
build-thread-sanitizer: install-test
	$(BUILD) --build-tests --sanitize=thread --scratch-path .build/tsan $(CHECKED)

thread-sanitizer: build-thread-sanitizer
	$(RUN_TESTS) --sanitize=thread --scratch-path .build/tsan --skip '$(APART)'
	$(RUN_TESTS) --sanitize=thread --scratch-path .build/tsan --filter '$(APART)'

build-address-sanitizer address-sanitizer: export PATHMONITOR_TESTS := $(MEMORY_TESTS)
address-sanitizer: export ASAN_OPTIONS := detect_leaks=0
build-address-sanitizer: install-test
	$(BUILD) --build-tests --sanitize=address --scratch-path .build/asan $(CHECKED)

address-sanitizer: build-address-sanitizer
	$(RUN_TESTS) --sanitize=address --scratch-path .build/asan --skip '$(APART)'
	$(RUN_TESTS) --sanitize=address --scratch-path .build/asan --filter '$(APART)'

FUZZ_SECONDS ?= 60
fuzz:
	Fuzz/run $(FUZZ_SECONDS)

# The program that judges errors of URLSession is linked dynamically: a static one would need the archive of libcurl.
DYNAMIC_BENCHMARK := resilience-benchmark
BENCHMARKS := evaluation-benchmark cost-benchmark library-benchmark error-benchmark history-benchmark \
	$(DYNAMIC_BENCHMARK)
bench: build
	@$(call release,$(filter-out $(DYNAMIC_BENCHMARK),$(BENCHMARKS)))
	$(BUILD) -c release --scratch-path .build/dynamic --product $(DYNAMIC_BENCHMARK)
	$(SUDO) Benchmarks/run

soak: build
	$(SUDO) env $(foreach name,SOAK_SECONDS SOAK_SEED,$(if $($(name)),$(name)=$($(name)))) Tests/Soak/run

history-outages: build
	$(SUDO) Tests/History/outages

flood: build
	$(SUDO) Tests/Flood/run

# With the flags of the tests, which have built the libraries before.
docs api: export BUILD_FLAGS := $(CHECKED)
docs api: export TMPDIR := $(TEMPORARY)
docs: install-build
	@mkdir -p $(TEMPORARY)
	scripts/build-docs

api: install-build
	@mkdir -p $(TEMPORARY)
	scripts/check-api --self-test
	scripts/check-api

vm-test: build
	Tests/VM/run

# Where to; see scripts/install-tree. The build is made before, by `make build`, and most likely by another user.
PLACES := PREFIX DESTDIR UNITDIR ZSH_COMPLETIONS STRIP
install uninstall:
	@env $(foreach name,$(PLACES),$(if $($(name)),$(name)='$($(name))')) scripts/install-tree $@

install-package:
	@scripts/install-packages $(BUILD_PACKAGES) $(PACKAGE_PACKAGES)

deb: build python install-package
	@scripts/build-package

repository: deb
	@scripts/install-packages $(REPOSITORY_PACKAGES)
	@scripts/build-repository

install-repository:
	@scripts/install-packages $(REPOSITORY_PACKAGES) $(TREE_PACKAGES)

test-install: install-test install-repository deb
	$(SUDO) Tests/Install/run

install-prometheus:
	@scripts/unpack-packages .build/prometheus $(PROMETHEUS_PACKAGES)

prometheus-test: build install-prometheus
	$(SUDO) Tests/Prometheus/run

install-clients:
	@scripts/install-packages $(CLIENT_PACKAGES)

# With the flags of the tests, which have built most of it before.
clients-test: build install-clients
	$(BUILD) --product monitor-load $(CHECKED)
	$(SUDO) Tests/Clients/run

install-python:
	@scripts/install-packages $(PYTHON_PACKAGES)

python: install-python
	@scripts/build-python-package

python-test: build install-python
	cd Python && mypy --strict --python-version 3.9 pathmonitor
	$(SUDO) Tests/Python/run

install-examples:
	@scripts/install-packages $(BUILD_PACKAGES) $(EXAMPLE_PACKAGES)

# Packages of their own, as a user of the library has. The library, which they share, is compiled once.
examples: install-examples
	for example in posts offline-page signup error-presenters; do \
	  place="--package-path Examples/$$example --scratch-path .build/examples"; \
	  $(BUILD) $$place --build-tests $(CHECKED) && \
	  TMPDIR=$(TEMPORARY) $(SWIFT) test $$place --skip-build --disable-xctest || exit; \
	done
	$(SUDO) Examples/Tests/run

clean:
	rm -rf .build
